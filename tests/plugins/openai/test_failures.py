"""What the driver says when a request fails, and what it keeps to itself."""

from __future__ import annotations

import json
import socket
import traceback
from typing import Any

import pytest

from agenthost_plugin_openai import OpenAiChatPromptDriver
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
from agenthost_sdk.messages import PromptStack
from support.provider_server import chunk, sse

KEY = "sk-test-0123456789abcdef"


def driver_of(server: Any, **fields: Any) -> OpenAiChatPromptDriver:
    """Return a driver that tries once."""
    given = {"max_attempts": 1, **fields}
    return OpenAiChatPromptDriver(base_url=server.openai_url, api_key=KEY, **given)


@pytest.mark.parametrize(
    ("status", "kind", "may_pass"),
    [
        (400, DriverRequestError, False),
        (401, DriverAuthenticationError, False),
        (403, DriverAuthenticationError, False),
        (404, DriverNotFoundError, False),
        (408, DriverTimeoutError, True),
        (409, DriverRequestError, True),
        (422, DriverRequestError, False),
        (429, DriverRateLimitError, True),
        (500, DriverServerError, True),
        (503, DriverServerError, True),
    ],
)
def test_an_error_of_the_provider_is_of_its_class_and_names_all_but_the_key(
    serve: Any, ask: Any, status: int, kind: type[DriverError], may_pass: bool
) -> None:
    error = {"type": "some_error", "message": f"Not with the key {KEY}, my friend."}
    headers = {"x-request-id": "req-7", "retry-after": "3"}
    server = serve({"status": status, "error": error, "headers": headers})

    with pytest.raises(DriverError) as caught:
        ask(driver_of(server, model="some-model", name="work"), PromptStack.from_artifact("Hi?"))

    assert (type(caught.value), caught.value.status) == (kind, status)
    assert (caught.value.request_id, caught.value.retry_after) == ("req-7", 3.0)
    assert caught.value.is_retryable is may_pass
    assert "work:some-model: Not with the key [redacted], my friend." in str(caught.value)
    assert KEY not in str(caught.value)
    assert len(server.requests) == 1


def test_what_may_pass_is_tried_again_and_what_may_not_is_not(serve: Any, ask: Any) -> None:
    server = serve(
        {"status": 503, "error": {"message": "Busy."}},
        {"text": "Hello."},
        {"status": 400, "error": {"message": "No."}},
    )
    driver = driver_of(server, max_attempts=2, min_retry_delay=0.0)

    assert ask(driver, PromptStack.from_artifact("Hello?")).to_text() == "Hello."
    with pytest.raises(DriverRequestError):
        ask(driver, PromptStack.from_artifact("Hello?"))
    assert len(server.requests) == 3


def test_a_stream_that_was_lost_is_asked_for_again(serve: Any) -> None:
    stream = sse([chunk({"content": "Twelve is"}), chunk({"content": " it"})], done=False)
    lost = {"status": 200, "expected": {}, "sse": stream}
    server = serve(lost, {"text": "Twelve."}, lost, lost)
    driver = driver_of(server, stream=True, max_attempts=2, min_retry_delay=0.0)

    again, given_up = driver.run("7 + 5?"), driver.run("7 + 5?")

    assert (again.to_text(), again.finish) == ("Twelve.", "stop")
    assert (given_up.to_text(), given_up.finish) == ("Twelve is it", "incomplete")


def test_a_driver_does_not_show_its_key() -> None:
    driver = OpenAiChatPromptDriver(api_key=KEY, headers={"x-secret": KEY})

    assert KEY not in repr(driver)


def test_a_key_in_a_header_is_not_shown_either(serve: Any, ask: Any) -> None:
    error = {"type": "some_error", "message": "Not with plain-words-of-a-gateway."}
    server = serve({"status": 400, "error": error})
    headers = {"x-gateway-key": "plain-words-of-a-gateway"}

    with pytest.raises(DriverRequestError) as caught:
        ask(driver_of(server, headers=headers), PromptStack.from_artifact("Hi?"))

    told = "".join(traceback.format_exception(caught.value))
    assert "Not with [redacted]." in told
    assert "plain-words-of-a-gateway" not in told


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ({"headers": {"x title": "One"}}, "'x title' cannot be the name of a header"),
        ({"headers": {"x-title": "\u00dc"}}, "The header x-title holds what no header can carry"),
        ({"timeout": 0}, "timeout is 0; it must be a number of seconds above 0"),
        ({"timeout": -1.0}, "timeout is -1.0; it must be"),
        ({"base_url": "http://local host/v1"}, "is no address of a server"),
    ],
    ids=str,
)
def test_a_field_that_no_request_can_be_made_of_is_named(
    ask: Any, field: dict[str, Any], words: str
) -> None:
    driver = OpenAiChatPromptDriver(**{"base_url": "http://127.0.0.1:1/v1", **field})

    with pytest.raises(DriverError, match=words) as caught:
        ask(driver, PromptStack.from_artifact("Hi?"))

    assert not caught.value.is_retryable


def test_a_server_that_is_not_there_is_named_with_what_to_check(ask: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as unused:
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/v1"
    driver = OpenAiChatPromptDriver(base_url=url, max_attempts=1)

    with pytest.raises(DriverConnectionError, match="Check that the address is right") as caught:
        ask(driver, PromptStack.from_artifact("Hello?"))

    assert url in str(caught.value)


def test_a_server_that_does_not_answer_in_time_is_an_error(ask: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        driver = OpenAiChatPromptDriver(base_url=url, timeout=0.2, max_attempts=1)

        with pytest.raises(DriverTimeoutError, match="Raise the driver's timeout"):
            ask(driver, PromptStack.from_artifact("Hello?"))


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ({"message": "The model fell over."}, DriverServerError),
        ({"message": "The model fell over.", "code": 429}, DriverRateLimitError),
        ({"message": "The model fell over.", "code": 400}, DriverRequestError),
        ({"message": "The model fell over.", "type": "rate_limit_error"}, DriverRateLimitError),
        ({"message": "The model fell over.", "type": "invalid_request_error"}, DriverRequestError),
        ("The model fell over.", DriverServerError),
    ],
    ids=str,
)
@pytest.mark.parametrize(
    "form",
    ["data: {whole}\n\n", "event: error\ndata: {whole}\n\n", "event: error\ndata: {bare}\n\n"],
    ids=["data", "event", "event without a key"],
)
def test_an_error_in_mid_stream_is_raised_as_its_class(
    serve: Any, error: Any, kind: type[DriverError], form: str
) -> None:
    told = form.format(whole=json.dumps({"error": error}), bare=json.dumps(error))
    stream = sse([chunk({"content": "Twelve"})], done=False) + told
    server = serve({"status": 200, "expected": {}, "sse": stream})

    with pytest.raises(DriverError, match="The model fell over") as caught:
        driver_of(server, stream=True).run("Hello?")

    assert type(caught.value) is kind


@pytest.mark.parametrize(("code", "kind"), [(502, DriverServerError), (429, DriverRateLimitError)])
@pytest.mark.parametrize("place", ["whole", "choice"])
def test_an_error_that_comes_as_a_success_is_raised_as_its_class(
    serve: Any, code: int, kind: type[DriverError], place: str
) -> None:
    error = {"error": {"message": "No such route.", "code": code}}
    choice = {"index": 0, "message": {"role": "assistant", "content": ""}, **error}
    response = error if place == "whole" else {"choices": [choice]}
    server = serve({"status": 200, "expected": {}, "response": response})

    with pytest.raises(DriverError, match="No such route") as caught:
        driver_of(server).run("Hello?")

    assert type(caught.value) is kind


def test_an_answer_that_is_no_completion_says_what_came_and_what_to_check(serve: Any) -> None:
    server = serve({"status": 200, "expected": {}, "response": {"hello": "world"}})

    with pytest.raises(DriverError, match=r"world.*Check that base_url"):
        driver_of(server).run("Hello?")


def test_a_stream_without_any_chunk_says_what_to_check(serve: Any, ask: Any) -> None:
    server = serve({"status": 200, "expected": {}, "sse": "data: [DONE]\n\n"})

    with pytest.raises(DriverError, match="Check that base_url"):
        ask(driver_of(server), PromptStack.from_artifact("Hello?"))


def test_a_missing_key_says_which_variable_to_set(ask: Any) -> None:
    with pytest.raises(NoDriverError, match="OPENAI_API_KEY"):
        ask(OpenAiChatPromptDriver(), PromptStack.from_artifact("Hello?"))


def test_a_key_that_cannot_stand_in_a_header_is_not_repeated(ask: Any) -> None:
    with pytest.raises(DriverError, match="Copy it anew to OPENAI_API_KEY") as caught:
        ask(
            OpenAiChatPromptDriver(api_key="sk-secret\nvalue"), PromptStack.from_artifact("Hello?")
        )

    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("url", ["localhost:8080", "http://x:abc", "http://[::1/v1", "ftp://x"])
def test_what_is_no_address_is_refused_with_the_form_of_one(url: str) -> None:
    with pytest.raises(DriverError, match="http://HOST:PORT/v1"):
        OpenAiChatPromptDriver(base_url=url).run("Hello?")


def test_a_password_in_the_address_is_not_shown() -> None:
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    url = f"http://me:secret@127.0.0.1:{port}/v1"
    driver = OpenAiChatPromptDriver(base_url=url, max_attempts=1)

    with pytest.raises(DriverError, match=f"http://127.0.0.1:{port}/v1") as caught:
        driver.run("Hello?")

    assert "secret" not in str(caught.value)
