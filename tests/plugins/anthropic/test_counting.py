"""How many tokens messages have: as the provider counts them, or an estimate."""

from __future__ import annotations

from typing import Any

import pytest

from agenthost_plugin_anthropic import AnthropicPromptDriver
from agenthost_sdk.messages import text_message
from support.other_requests import token_count
from support.provider_server import ProviderServer

MESSAGES = [text_message("system", "Be kind."), text_message("user", "Hello, my friend")]
ESTIMATE = 4 * len(MESSAGES) + sum(len(one.to_text()) for one in MESSAGES) // 4


def driver_of(server: ProviderServer, **fields: Any) -> AnthropicPromptDriver:
    return AnthropicPromptDriver(base_url=server.anthropic_url, api_key="a-key", **fields)


def test_the_provider_counts() -> None:
    with ProviderServer() as server:
        counted = driver_of(server).count_tokens(MESSAGES)

    [body] = server.counted
    assert counted == token_count(body)["input_tokens"]
    assert body["system"] == [{"type": "text", "text": "Be kind."}]


@pytest.mark.parametrize("status", [400, 404, 429, 500])
def test_a_provider_that_does_not_count_is_asked_once(status: int) -> None:
    error = {"status": status, "error": {"type": "api_error", "message": "No."}}
    with ProviderServer([error, error]) as server:
        driver = driver_of(server)

        assert [driver.count_tokens(MESSAGES) for _ in range(3)] == [ESTIMATE] * 3

    assert len(server.counted) == 1


def test_without_a_key_the_count_is_an_estimate() -> None:
    assert AnthropicPromptDriver().count_tokens(MESSAGES) == ESTIMATE


def test_the_provider_is_not_asked_where_it_is_not_to_be() -> None:
    with ProviderServer() as server:
        assert driver_of(server, counts_tokens=False).count_tokens(MESSAGES) == ESTIMATE

    assert server.counted == []


def test_no_messages_have_no_tokens() -> None:
    with ProviderServer() as server:
        assert driver_of(server).count_tokens([]) == 0

    assert server.counted == []
