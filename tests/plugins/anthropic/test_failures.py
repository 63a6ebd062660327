"""What the driver says when a request fails, when it asks again, and what it keeps to itself."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import pytest

from agenthost_plugin_anthropic import AnthropicPromptDriver
from agenthost_sdk.errors import (
    DriverAuthenticationError,
    DriverConnectionError,
    DriverError,
    DriverNotFoundError,
    DriverRateLimitError,
    DriverRequestError,
    DriverServerError,
    DriverTimeoutError,
    NoDriverError,
)
from agenthost_sdk.keys import add_source
from agenthost_sdk.messages import PromptStack
from support.messages_protocol import events, sse
from support.provider_server import ProviderServer

KEY = "sk-ant-test-0123456789abcdef"

CLASSES = [
    (400, "invalid_request_error", DriverRequestError),
    (401, "authentication_error", DriverAuthenticationError),
    (403, "permission_error", DriverAuthenticationError),
    (404, "not_found_error", DriverNotFoundError),
    (408, "timeout_error", DriverTimeoutError),
    (409, "conflict_error", DriverRequestError),
    (413, "request_too_large", DriverRequestError),
    (429, "rate_limit_error", DriverRateLimitError),
    (500, "api_error", DriverServerError),
    (503, "api_error", DriverServerError),
    (529, "overloaded_error", DriverServerError),
]
PASSING = {408, 409, 429, 500, 503, 529}

STARTED = {"type": "message_start", "message": {"usage": {"input_tokens": 1}}}
BEGUN = {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": "T"}}


def driver_of(server: Any, **fields: Any) -> AnthropicPromptDriver:
    fields = {"min_retry_delay": 0.0, **fields}
    return AnthropicPromptDriver(base_url=server.anthropic_url, api_key=KEY, **fields)


def failure(status: int, kind: str = "api_error", **headers: str) -> dict[str, Any]:
    error = {"type": kind, "message": f"Not with the key {KEY}, my friend."}
    return {"status": status, "error": error, "headers": headers}


@pytest.mark.parametrize(("status", "kind", "raised"), CLASSES)
def test_an_error_of_the_provider_is_of_its_class_and_names_all_but_the_key(
    serve: Any, ask: Any, status: int, kind: str, raised: type[DriverError]
) -> None:
    server = serve(failure(status, kind, **{"request-id": "req_7"}))

    with pytest.raises(DriverError) as caught:
        ask(driver_of(server, max_attempts=1), "Hello?")

    assert type(caught.value) is raised
    assert caught.value.status == status
    assert caught.value.request_id == "req_7"
    assert caught.value.is_retryable == (status in PASSING)
    assert "anthropic:claude-haiku-5-5: Not with the key" in str(caught.value)
    assert KEY not in str(caught.value)


@pytest.mark.parametrize(("status", "kind", "raised"), CLASSES)
def test_what_may_pass_is_asked_again(
    serve: Any, status: int, kind: str, raised: type[DriverError]
) -> None:
    server = serve(failure(status, kind), {"text": "Hi."})
    driver = driver_of(server)

    if status in PASSING:
        assert driver.run("Hello?").to_text() == "Hi."
    else:
        with pytest.raises(raised):
            driver.run("Hello?")

    assert len(server.requests) == (2 if status in PASSING else 1)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [({"retry-after": "3"}, 3.0), ({"retry-after-ms": "250"}, 0.25), ({}, None)],
)
def test_how_long_the_provider_asks_to_wait_is_told(
    serve: Any, ask: Any, headers: dict[str, str], seconds: float | None
) -> None:
    server = serve(failure(429, "rate_limit_error", **headers))

    with pytest.raises(DriverRateLimitError) as caught:
        ask(driver_of(server, max_attempts=1), "Hello?")

    assert caught.value.retry_after == seconds


def test_a_wait_that_the_provider_asks_for_is_kept(serve: Any, ask: Any) -> None:
    server = serve(failure(429, "rate_limit_error", **{"retry-after-ms": "1"}), {"text": "Hi."})

    assert ask(driver_of(server, min_retry_delay=50.0), "Hello?").to_text() == "Hi."


@pytest.mark.parametrize(
    ("kind", "raised", "passes"),
    [
        ("overloaded_error", DriverServerError, True),
        ("api_error", DriverServerError, True),
        ("rate_limit_error", DriverRateLimitError, True),
        ("timeout_error", DriverTimeoutError, True),
        ("invalid_request_error", DriverRequestError, False),
        ("authentication_error", DriverAuthenticationError, False),
        ("not_found_error", DriverNotFoundError, False),
    ],
)
def test_an_error_in_mid_stream_is_of_its_class(
    serve: Any, kind: str, raised: type[DriverError], passes: bool
) -> None:
    error = {"type": "error", "error": {"type": kind, "message": "It fell over."}}
    server = serve({"status": 200, "expected": {}, "sse": sse([STARTED, BEGUN, error])})

    with pytest.raises(DriverError, match="It fell over") as caught:
        driver_of(server, stream=True, max_attempts=1).run("Hello?")

    assert type(caught.value) is raised
    assert caught.value.is_retryable is passes
    assert caught.value.status is None


@pytest.mark.parametrize(
    ("kind", "raised"),
    [("overloaded_error", DriverServerError), ("invalid_request_error", DriverRequestError)],
)
def test_an_error_that_comes_as_a_success_is_of_its_class(
    serve: Any, kind: str, raised: type[DriverError]
) -> None:
    error = {"type": "error", "error": {"type": kind, "message": "No such route."}}
    server = serve({"status": 200, "expected": {}, "response": error})

    with pytest.raises(raised, match=r"claude-haiku-5-5: No such route\.$"):
        driver_of(server, max_attempts=1).run("Hello?")


def test_a_stream_with_an_error_is_asked_for_again() -> None:
    error = {"type": "overloaded_error", "message": "Overloaded"}
    failing: dict[str, Any] = {"text": "Twelve", "stream_error": error}
    with ProviderServer([failing, {"text": "Thirteen"}]) as server:
        assert driver_of(server, stream=True).run("Hello?").to_text() == "Thirteen"


@pytest.mark.parametrize("is_dropped", [False, True], ids=["stops", "drops"])
@pytest.mark.parametrize("in_loop", [False, True], ids=["sync", "async"])
def test_a_stream_that_is_lost_is_asked_for_again_and_the_last_one_stands(
    in_loop: bool, is_dropped: bool
) -> None:
    text = "one two three four five six"
    lost: dict[str, Any] = {"text": text, "ends_after": 6}
    if is_dropped:
        size = len("".join(events({"text": text}, {})[:6]).encode())
        lost = {"text": text, "cut_after": size}
    with ProviderServer([lost, lost]) as server:
        driver = driver_of(server, stream=True)

        message = asyncio.run(driver.arun("Hello?")) if in_loop else driver.run("Hello?")

    assert message.finish == "incomplete"
    assert message.to_text()
    assert text.startswith(message.to_text())
    assert len(server.requests) == 2


def test_an_answer_that_breaks_off_is_a_broken_connection(serve: Any, ask: Any) -> None:
    server = serve({"text": "Hello there", "cut_after": 0})

    with pytest.raises(DriverConnectionError):
        ask(driver_of(server, max_attempts=1), "Hello?")


@pytest.mark.parametrize(
    ("stream", "body", "words"),
    [
        (False, "<html>Wrong place</html>", r"Wrong place.*Check that base_url"),
        (True, ": nothing\n\n", "Check that base_url"),
    ],
    ids=["a page", "a stream of nothing"],
)
def test_an_answer_that_is_no_reply_says_what_to_check(
    serve: Any, stream: bool, body: str, words: str
) -> None:
    server = serve({"status": 200, "expected": {}, "sse": body})

    with pytest.raises(DriverError, match=words) as caught:
        driver_of(server, stream=stream, max_attempts=1).run("Hello?")

    assert caught.value.is_retryable == stream  # one that brings nothing may be a lost one


def test_a_driver_does_not_show_its_key() -> None:
    driver = AnthropicPromptDriver(api_key=KEY, headers={"x-secret": KEY})

    assert KEY not in repr(driver)


def test_a_server_that_is_not_there_is_named_with_what_to_check(ask: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as unused:
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
    driver = AnthropicPromptDriver(base_url=url, max_attempts=1)

    with pytest.raises(DriverConnectionError, match="Check that the address is right") as caught:
        ask(driver, "Hello?")

    assert url in str(caught.value)


def test_a_server_that_does_not_answer_in_time_is_an_error(ask: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        driver = AnthropicPromptDriver(base_url=url, timeout=0.2, max_attempts=1)

        with pytest.raises(DriverTimeoutError, match="Raise the driver's timeout"):
            ask(driver, "Hello?")


def test_a_missing_key_says_which_variable_to_set(ask: Any) -> None:
    with pytest.raises(NoDriverError, match="`agenthost keys set ANTHROPIC_API_KEY`"):
        ask(AnthropicPromptDriver(), "Hello?")


def test_a_key_that_cannot_stand_in_a_header_is_not_repeated(ask: Any) -> None:
    with pytest.raises(DriverError, match="Copy it anew to ANTHROPIC_API_KEY") as caught:
        ask(AnthropicPromptDriver(api_key="sk-secret\nvalue"), "Hello?")

    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("url", ["localhost:8080", "http://x:abc", "http://[::1/v1", "ftp://x"])
def test_what_is_no_address_is_refused_with_the_form_of_one(url: str) -> None:
    with pytest.raises(DriverError, match="http://HOST:PORT"):
        AnthropicPromptDriver(base_url=url).run("Hello?")


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ({"headers": {"x title": "One"}}, "'x title' cannot be the name of a header"),
        ({"timeout": 0}, "timeout is 0; it must be a number of seconds above 0"),
    ],
    ids=str,
)
def test_a_field_that_no_request_can_be_made_of_is_named(
    ask: Any, field: dict[str, Any], words: str
) -> None:
    driver = AnthropicPromptDriver(**{"base_url": "http://127.0.0.1:1", **field})

    with pytest.raises(DriverError, match=words) as caught:
        ask(driver, "Hello?")

    assert not caught.value.is_retryable


def test_after_a_refused_key_the_next_request_looks_for_the_key_anew() -> None:
    refused = {"status": 401, "error": {"type": "authentication_error", "message": "No."}}
    kept = iter(["sk-ant-old-0123456789", "sk-ant-new-0123456789"])
    add_source(lambda name: next(kept) if name == "KEPT_KEY_OF_A_TEST" else "")
    with ProviderServer([refused, {"text": "Hi."}]) as server:
        driver = AnthropicPromptDriver(
            base_url=server.anthropic_url, key_name="KEPT_KEY_OF_A_TEST"
        )
        with pytest.raises(DriverAuthenticationError):
            driver.run("Hello?")
        assert driver.run("Hello?").to_text() == "Hi."

    assert "sk-ant-old" in str(server.headers[0])
    assert "sk-ant-new" in str(server.headers[1])


def test_a_refused_key_that_was_given_in_code_names_no_variable(ask: Any) -> None:
    refused = {"status": 401, "error": {"type": "authentication_error", "message": "No."}}
    with ProviderServer([refused]) as server:
        driver = AnthropicPromptDriver(base_url=server.anthropic_url, api_key=KEY)
        with pytest.raises(DriverAuthenticationError, match="Check the key") as caught:
            ask(driver, "Hello?")

    assert "ANTHROPIC_API_KEY" not in str(caught.value)


def test_a_password_in_the_address_is_not_shown() -> None:
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    driver = AnthropicPromptDriver(base_url=f"http://me:secret@127.0.0.1:{port}", max_attempts=1)

    with pytest.raises(DriverError, match=f"http://127.0.0.1:{port}") as caught:
        driver.run(PromptStack.from_artifact("Hello?"))

    assert "secret" not in str(caught.value)
