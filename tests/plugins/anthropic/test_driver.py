"""The driver against a strict provider on loopback, in each of its four ways."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from agenthost_plugin_anthropic import (
    AnthropicDriversConfig,
    AnthropicPromptDriver,
    agenthost_drivers_configs,
    agenthost_prompt_drivers,
)
from agenthost_sdk.artifacts import TextArtifact
from agenthost_sdk.errors import NoDriverError
from agenthost_sdk.messages import (
    ActionCallMessageContent,
    ActionResultMessageContent,
    GenericMessageContent,
    Message,
    PromptStack,
    ReasoningMessageContent,
    TextMessageContent,
    text_message,
)
from agenthost_sdk.testing.conformance import DriverConformance
from support.provider_server import ProviderServer

SIGNED = {"type": "thinking", "thinking": "Which item? AB-1 …", "signature": "c2ln"}
HIDDEN = {"type": "redacted_thinking", "data": "eNqs"}
SEARCH = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"q": "x"}}
FOUND = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": [{"a": 1}]}


class TestConformance(DriverConformance):
    driver = AnthropicPromptDriver


def driver_of(server: Any, **fields: Any) -> AnthropicPromptDriver:
    return AnthropicPromptDriver(base_url=server.anthropic_url, api_key="a-key", **fields)


def headers_of(server: ProviderServer) -> dict[str, str]:
    return {name.lower(): held for name, held in server.headers[-1].items()}


def test_a_reply_with_text_and_calls_is_read(serve: Any, ask: Any) -> None:
    calls = [
        {"id": "a", "name": "Stock_count", "input": {"sku": "ÄB-1 “x”", "deep": [{"n": None}]}},
        {"id": "b", "name": "Stock_site", "input": {}},
    ]
    server = serve({"text": "Let me look.", "tool_calls": calls}, piece=7)

    message = ask(driver_of(server), "How many?")

    assert message.to_text() == "Let me look."
    assert [(one.id, one.native, json.loads(one.arguments)) for one in message.calls] == [
        (one["id"], one["name"], one["input"]) for one in calls
    ]
    assert (message.finish, message.finish_reason) == ("actions", "tool_use")
    assert (message.usage.input_tokens, message.usage.output_tokens) == (11, 7)


def test_blocks_of_every_kind_go_back_as_they_came(ask: Any) -> None:
    reply = {"blocks": [SIGNED, HIDDEN, SEARCH, FOUND], "text": "So.", "tool_calls": [_CALL]}
    with ProviderServer([reply, {"text": "Done."}], piece=1) as server:
        driver = driver_of(server)
        asked = text_message("user", "How many?")

        message = ask(driver, PromptStack([asked]))
        ask(driver, PromptStack([asked, message, _RESULT]))

    said = {"type": "text", "text": "So."}
    used = {"type": "tool_use", **_CALL}
    assert server.requests[1]["messages"][1]["content"] == [
        SIGNED,
        HIDDEN,
        SEARCH,
        FOUND,
        said,
        used,
    ]
    assert [type(block) for block in message.content] == [
        ReasoningMessageContent,
        ReasoningMessageContent,
        GenericMessageContent,
        GenericMessageContent,
        TextMessageContent,
        ActionCallMessageContent,
    ]


_CALL = {"id": "a", "name": "Stock_count", "input": {"sku": "AB-1"}}
_RESULT = Message("user", (ActionResultMessageContent("a", "Stock_count", TextArtifact("3")),))


def test_a_pause_is_asked_to_go_on_and_the_reply_is_one(ask: Any) -> None:
    paused = {"blocks": [SEARCH], "finish": "pause_turn"}
    with ProviderServer([paused, {"blocks": [FOUND], "text": "Found."}]) as server:
        message = ask(driver_of(server), "Search!")

    assert server.requests[1]["messages"][1:] == [{"role": "assistant", "content": [SEARCH]}]
    assert message.to_text() == "Found."
    assert message.usage.input_tokens == 22
    assert message.finish == "stop"


def test_a_refusal_is_told_as_such(ask: Any) -> None:
    with ProviderServer([{"refusal": "I cannot."}]) as server:
        message = ask(driver_of(server), "Go!")

    assert (message.finish, message.to_text()) == ("refusal", "I cannot.")


def test_a_request_bears_the_key_the_betas_and_further_headers() -> None:
    with ProviderServer([{"text": "Hi."}]) as server:
        driver_of(server, betas=["one-1", "two-2"], headers={"x-own": "yes"}).run("Hello")

    headers = headers_of(server)
    assert headers["authorization"] == "Bearer a-key"
    assert headers["anthropic-beta"] == "one-1,two-2"
    assert headers["x-own"] == "yes"
    assert headers["content-type"] == "application/json"


def test_key_and_address_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    with ProviderServer([{"text": "Hi."}]) as server:
        monkeypatch.setenv("ANTHROPIC_API_KEY", "from-outside")
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.anthropic_url)
        AnthropicPromptDriver().run("Hello")

    assert headers_of(server)["authorization"] == "Bearer from-outside"


def test_a_key_of_another_name_can_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTHER_KEY", "of-another")
    with ProviderServer([{"text": "Hi."}]) as server:
        url = server.anthropic_url
        AnthropicPromptDriver(base_url=url, key_name="OTHER_KEY").run("Hello")

    assert headers_of(server)["authorization"] == "Bearer of-another"


@pytest.mark.parametrize("tail", ["", "/", "/v1", "/v1/"])
def test_the_address_may_go_up_to_its_v1(tail: str) -> None:
    with ProviderServer([{"text": "Hi."}]) as server:
        driver = AnthropicPromptDriver(base_url=f"{server.anthropic_url}{tail}")

        assert driver.run("Hello").to_text() == "Hi."
        assert driver._endpoint().url == server.anthropic_url


@pytest.mark.parametrize(
    ("url", "version"),
    [("https://api.anthropic.com", "2023-06-01"), ("http://127.0.0.1:1", None)],
    ids=["the provider", "a server of one's own"],
)
def test_a_model_that_chooses_words_is_asked_by_the_version_that_knows_it(
    url: str, version: str | None
) -> None:
    driver = AnthropicPromptDriver(
        model="claude-sonnet-4-5", base_url=url, api_key="a-key", temperature=0.5
    )

    assert dict(driver._endpoint().headers).get("anthropic-version") == version


def test_temperature_is_sent_where_the_model_takes_it() -> None:
    with ProviderServer([{"text": "Hi."}]) as server:
        driver_of(server, model="claude-sonnet-4-5", temperature=0.5).run("Hello")

    assert server.requests[0]["temperature"] == 0.5


def test_one_driver_serves_several_loops_and_threads() -> None:
    async def both() -> list[str]:
        found = await asyncio.gather(*[driver.arun("Hello") for _ in range(4)])
        return [message.to_text() for message in found]

    with ProviderServer([{"text": "Hi."}], repeat=True) as server:
        driver = driver_of(server)

        first, second = asyncio.run(both()), asyncio.run(both())

    assert first == second == ["Hi."] * 4


def test_a_stream_that_is_left_half_way_ends_its_request() -> None:
    with ProviderServer([{"text": "word " * 50}, {"text": "Hi."}]) as server:
        driver = driver_of(server)
        pieces = driver.try_stream(PromptStack.from_artifact("Hello"))
        next(pieces)
        pieces.close()  # type: ignore[attr-defined]

        assert driver.run("Hello").to_text() == "Hi."


def test_the_plugin_contributes_its_driver_and_its_config() -> None:
    assert agenthost_prompt_drivers() == {"anthropic": AnthropicPromptDriver}
    assert agenthost_drivers_configs() == {"anthropic": AnthropicDriversConfig}


def test_the_config_makes_the_prompt_driver_and_no_vectors() -> None:
    config = AnthropicDriversConfig()

    assert isinstance(config.prompt_driver, AnthropicPromptDriver)
    with pytest.raises(NoDriverError):
        config.driver("embedding")
