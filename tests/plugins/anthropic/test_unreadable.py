"""What is made of an answer that is no reply, though its status is that of a success."""

from __future__ import annotations

from typing import Any

import pytest

from agenthost_plugin_anthropic import AnthropicPromptDriver
from agenthost_sdk.errors import DriverError, DriverRequestError, DriverServerError
from support.provider_server import ProviderServer


def answered(body: Any) -> dict[str, Any]:
    return {"status": 200, "expected": {}, "response": body}


def error(kind: str) -> dict[str, Any]:
    return answered({"type": "error", "error": {"type": kind, "message": "Not now."}})


def driver_of(server: ProviderServer, **fields: Any) -> AnthropicPromptDriver:
    fields = {"min_retry_delay": 0.0, **fields}
    return AnthropicPromptDriver(base_url=server.anthropic_url, **fields)


def test_an_error_that_may_pass_is_asked_again_whatever_its_status() -> None:
    with ProviderServer([error("overloaded_error"), {"text": "Hi."}]) as server:
        assert driver_of(server).run("Hello?").to_text() == "Hi."


def test_an_error_that_stays_is_not() -> None:
    with ProviderServer([error("invalid_request_error")]) as server:
        with pytest.raises(DriverRequestError, match="Not now"):
            driver_of(server).run("Hello?")

        assert len(server.requests) == 1


def test_a_stream_in_which_nothing_came_is_asked_for_again() -> None:
    nothing = {"status": 200, "expected": {}, "sse": ": wait\n\n"}
    with ProviderServer([nothing, {"text": "Hi."}, nothing]) as server:
        driver = driver_of(server, stream=True)

        assert driver.run("Hello?").to_text() == "Hi."
        driver.max_attempts = 1
        with pytest.raises(DriverServerError, match="before anything of the reply"):
            driver.run("Hello?")


def test_what_is_no_json_names_the_server() -> None:
    half = {"status": 200, "expected": {}, "sse": "event: message_start\ndata: {\n\n"}
    with ProviderServer([half]) as server:
        driver = driver_of(server, stream=True)
        with pytest.raises(DriverError, match="cannot be read") as caught:
            driver.run("Hello?")

    assert server.anthropic_url in str(caught.value)
