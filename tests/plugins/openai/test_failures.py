"""What the driver says when a request fails, and what it keeps to itself."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from agenthost_plugin_openai import OpenAiChatPromptDriver
from agenthost_sdk.errors import DriverError, NoDriverError
from agenthost_sdk.messages import PromptStack
from support.provider_server import chunk, sse

KEY = "sk-test-0123456789abcdef"


def driver_of(server: Any, **fields: Any) -> OpenAiChatPromptDriver:
    return OpenAiChatPromptDriver(base_url=server.openai_url, api_key=KEY, **fields)


@pytest.mark.parametrize("status", [400, 401, 429, 503])
def test_an_error_of_the_provider_names_all_but_the_key(serve: Any, ask: Any, status: int) -> None:
    error = {"type": "some_error", "message": f"Not with the key {KEY}, my friend."}
    server = serve({"status": status, "error": error, "headers": {"x-request-id": "req-7"}})

    with pytest.raises(DriverError) as caught:
        ask(driver_of(server, model="some-model"), PromptStack.from_artifact("Hello?"))

    assert caught.value.status == status
    assert caught.value.request_id == "req-7"
    assert "openai:some-model: Not with the key ***, my friend." in str(caught.value)
    assert KEY not in str(caught.value)
    assert len(server.requests) == 1


def test_a_driver_does_not_show_its_key() -> None:
    driver = OpenAiChatPromptDriver(api_key=KEY, headers={"x-secret": KEY})

    assert KEY not in repr(driver)


def test_a_server_that_is_not_there_is_named_with_what_to_check(ask: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as unused:
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/v1"
    driver = OpenAiChatPromptDriver(base_url=url)

    with pytest.raises(DriverError, match="Check that the address is right") as caught:
        ask(driver, PromptStack.from_artifact("Hello?"))

    assert url in str(caught.value)


def test_a_server_that_does_not_answer_in_time_is_an_error(ask: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        driver = OpenAiChatPromptDriver(base_url=url, timeout=0.2)

        with pytest.raises(DriverError, match="Raise the driver's timeout"):
            ask(driver, PromptStack.from_artifact("Hello?"))


def test_an_error_in_mid_stream_is_raised_in_the_providers_words(serve: Any) -> None:
    stream = sse([chunk({"content": "Twelve"}), {"error": {"message": "The model fell over."}}])
    server = serve({"status": 200, "expected": {}, "sse": stream})

    with pytest.raises(DriverError, match="The model fell over"):
        driver_of(server, stream=True).run("Hello?")


def test_an_error_that_comes_as_a_success_is_raised_in_the_providers_words(serve: Any) -> None:
    error = {"error": {"message": "No such route.", "code": 502}}
    server = serve({"status": 200, "expected": {}, "response": error})

    with pytest.raises(DriverError, match="No such route"):
        driver_of(server).run("Hello?")


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
    driver = OpenAiChatPromptDriver(base_url=f"http://me:secret@127.0.0.1:{port}/v1")

    with pytest.raises(DriverError, match=f"http://127.0.0.1:{port}/v1") as caught:
        driver.run("Hello?")

    assert "secret" not in str(caught.value)
