"""Streams of servers that keep to the protocol loosely: indices, ends, counts and their words."""

from __future__ import annotations

from typing import Any

import pytest

from agenthost_plugin_anthropic import AnthropicPromptDriver
from agenthost_sdk.messages import (
    ActionCallMessageContent,
    Message,
    PromptStack,
    ReasoningMessageContent,
    TextMessageContent,
)
from support.messages_protocol import sse
from support.provider_server import ProviderServer

Json = dict[str, Any]

SIGNED = {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}


def begun(index: Any, **block: Any) -> Json:
    return {"type": "content_block_start", "index": index, "content_block": block}


def piece(index: Any, kind: str, **delta: Any) -> Json:
    delta = {"type": f"{kind}_delta", **delta}
    return {"type": "content_block_delta", "index": index, "delta": delta}


def words(index: Any, text: str) -> Json:
    return piece(index, "text", text=text)


def over(index: Any) -> Json:
    return {"type": "content_block_stop", "index": index}


def ended(reason: str = "end_turn", **usage: Any) -> Json:
    return {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": usage}


def read(*events: Json, **counted: int) -> Message:
    """Return what a driver reads of a server's events, between a start and an end."""
    usage = {"input_tokens": 25, "output_tokens": 1, **counted}
    start = {"type": "message_start", "message": {"content": [], "usage": usage}}
    text = sse([start, *events, {"type": "message_stop"}])
    with ProviderServer([{"sse": text}]) as server:
        driver = AnthropicPromptDriver(model="m", base_url=server.anthropic_url, api_key="key")
        return Message.from_deltas(driver.try_stream(PromptStack.from_artifact("?")))


TEXT, CALL = begun(0, type="text", text=""), begun(0, type="tool_use", id="a", name="F", input={})


@pytest.mark.parametrize(
    "events",
    [
        [words(0, "Hel"), words(0, "lo")],
        [TEXT, words(0, "Hel"), over(0), words(0, "lo")],
        [TEXT, words(7, "Hel"), words(0, "lo")],
        [begun(None, type="text", text="Hel"), words(None, "lo"), over(None)],
        [TEXT, words(0, "Hel"), piece(0, "from_the_future", held=1), words(0, "lo")],
    ],
    ids=[
        "without a start",
        "behind the end",
        "at another index",
        "no index",
        "beside the unknown",
    ],
)
def test_no_text_is_lost_wherever_it_comes(events: list[Json]) -> None:
    assert read(*events, ended()).content == (TextMessageContent("Hello"),)


def test_text_at_the_index_of_thoughts_is_text() -> None:
    message = read(
        begun(0, **SIGNED), over(0), begun(1, type="text", text=""), words(0, "Yes."), ended()
    )

    assert message.content == (
        ReasoningMessageContent("Hm.", SIGNED, "anthropic"),
        TextMessageContent("Yes."),
    )


def test_thoughts_within_a_text_are_thoughts() -> None:
    message = read(TEXT, piece(0, "thinking", thinking="Hm."), words(0, "Yes."), ended())

    assert (message.reasoning, message.to_text()) == ("Hm.", "Yes.")


def test_a_block_at_an_index_that_was_used_is_another_one() -> None:
    message = read(
        begun(0, **SIGNED),
        TEXT,
        words(0, "I look."),
        begun(0, **SIGNED, further=1),
        over(0),
        CALL,
        piece(0, "input_json", partial_json='{"x": 1}'),
        CALL | {"content_block": {"type": "tool_use", "id": "b", "name": "F", "input": {"x": 2}}},
        ended("tool_use"),
    )

    assert message.content == (
        ReasoningMessageContent("Hm.", SIGNED, "anthropic"),
        TextMessageContent("I look."),
        ReasoningMessageContent("Hm.", {**SIGNED, "further": 1}, "anthropic"),
        ActionCallMessageContent("a", "F", '{"x": 1}'),
        ActionCallMessageContent("b", "F", '{"x": 2}'),
    )


@pytest.mark.parametrize(
    ("reason", "finish"),
    [
        ("tool_use", "actions"),
        ("end_turn", "actions"),
        ("from the future", "actions"),
        ("stop_sequence", "stop"),
        ("max_tokens", "length"),
        ("length", "length"),
        ("refusal", "refusal"),
    ],
)
def test_calls_that_came_whole_tell_more_than_the_word_for_the_end(
    reason: str, finish: str
) -> None:
    assert read(CALL, over(0), ended(reason)).finish == finish


def test_calls_that_were_announced_and_never_came_are_none() -> None:
    message = read(TEXT, words(0, "Hi"), ended("tool_use"))

    assert (message.finish, message.finish_reason) == ("stop", "tool_use")


@pytest.mark.parametrize("later", [0, -1, None])
def test_a_count_is_not_taken_back_by_none(later: int | None) -> None:
    usage = read(
        ended(input_tokens=later, cache_read_input_tokens=later, output_tokens=0),
        cache_read_input_tokens=7,
    ).usage

    assert (usage.input_tokens, usage.cached_tokens, usage.output_tokens) == (25, 7, 0)


def test_a_later_count_holds() -> None:
    usage = read(ended(input_tokens=20, output_tokens=9)).usage

    assert (usage.input_tokens, usage.output_tokens) == (20, 9)
