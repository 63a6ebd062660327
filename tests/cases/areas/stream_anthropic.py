"""Streams of Anthropic's Messages API, whole and broken, with blocks of every kind."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from agenthost_plugin_anthropic import AnthropicPromptDriver
from agenthost_sdk.messages import (
    ActionCallMessageContent,
    BaseMessageContent,
    GenericMessageContent,
    Message,
    ReasoningMessageContent,
    TextMessageContent,
)
from cases.case_file import Case, Expected, holds_for_one
from cases.streamed_cases import (
    Acted,
    Streamed,
    Turn,
    accepted,
    acting,
    assert_acted,
    call_of,
    known_as,
    readings,
    words_of,
)
from support.messages_protocol import sse
from support.provider_server import ProviderServer

Json = dict[str, Any]


def run(case: Case) -> None:
    """Read the events of a case in every way, and let a task act on them."""
    for streamed in _endings(case):
        for turn in readings(_driver, streamed):
            holds_for_one(case, partial(_judge, turn))
        with acting(_driver, streamed, _names(case)) as acted:
            holds_for_one(case, partial(_judge_acts, acted))


def _driver(server: ProviderServer) -> AnthropicPromptDriver:
    return AnthropicPromptDriver(
        model="m", base_url=server.anthropic_url, api_key="key", stream=True, max_attempts=1
    )


def _endings(case: Case) -> list[Streamed]:
    """Return the stream; one without an end may just stop, or lose its connection."""
    events = case.input["events"]
    text = sse(events)
    ended = any(event["type"] in ("message_stop", "error") for event in events)
    return [Streamed(text)] if ended else [Streamed(text), Streamed(text, is_dropped=True)]


def _judge(turn: Turn, expected: Expected) -> None:
    assert turn.kind == expected["turn"]
    wanted = _plain(expected["blocks"])
    assert _blocks(turn.message, wanted) == wanted
    assert turn.message.finish_reason == (expected.get("stop_reason") or "")
    for name, number in (expected.get("usage") or {}).items():
        if name in _COUNTS:
            assert getattr(turn.message.usage, _COUNTS[name]) == number
    if turn.error is not None and (kind := expected.get("error_type")):
        assert kind.removesuffix("_error") in str(turn.error).casefold().replace(" ", "_")
        assert turn.error.is_retryable == (kind in _PASSING)


#: The errors that may be gone at the next attempt.
_PASSING = ("api_error", "overloaded_error", "rate_limit_error", "timeout_error")

_COUNTS = {
    "input_tokens": "input_tokens",
    "output_tokens": "output_tokens",
    "cache_read_input_tokens": "cached_tokens",
    "cache_creation_input_tokens": "cache_written_tokens",
}


def _plain(blocks: Iterable[Json]) -> list[Json]:
    """Return blocks without those that say nothing, and without fields that hold nothing."""
    kept = [block for block in blocks if block["type"] != "text" or block["text"]]
    return [_without_nothing(block) if _is_thought(block) else block for block in kept]


def _is_thought(block: Json) -> bool:
    return bool(block["type"] == "thinking")


def _without_nothing(thought: Json) -> Json:
    return {name: value for name, value in thought.items() if value not in (None, "")}


def _blocks(message: Message, expected: list[Json]) -> list[Json]:
    """Return the blocks as the cases write them."""
    beside = [*expected, *[{}] * len(message.content)]
    return _plain(_block(block, one) for block, one in zip(message.content, beside, strict=False))


def _block(block: BaseMessageContent, expected: Json) -> Json:
    if isinstance(block, ActionCallMessageContent):
        return {"type": "tool_use", **call_of(block, expected, "input")}
    if isinstance(block, TextMessageContent):
        return {"type": "text", "text": block.text}
    assert isinstance(block, ReasoningMessageContent | GenericMessageContent), block
    if isinstance(block, ReasoningMessageContent) and block.value is None:
        return {"type": "thinking", "thinking": block.text}
    own: Json = dict(block.value)
    return own


def _judge_acts(acted: Acted, expected: Expected) -> None:
    turn, blocks = expected["turn"], expected["blocks"]
    calls = [(one["name"], one.get("input")) for one in blocks if one["type"] == "tool_use"]
    assert_acted(acted, turn, calls)
    text = "".join([one["text"] for one in blocks if one["type"] == "text"])
    if turn == "text":
        assert words_of(acted.run.output) == text
    if turn == "pause":
        assert len(acted.requests) == 2
        assert words_of(acted.run.output) == f"{text}Done."
    if turn in ("tool_calls", "pause"):
        _assert_sent_back(acted, blocks)
    if turn == "tool_calls":
        _assert_answered(acted, len(calls))


def _assert_sent_back(acted: Acted, blocks: Iterable[Json]) -> None:
    """Assert that the turn goes back as it came, but for what the provider would refuse."""
    spoken = acted.requests[1]["messages"][1]
    wanted = [_known(block) for block in blocks if _may_go_back(block)]
    assert spoken["role"] == "assistant"
    beside = [*wanted, *[{}] * len(spoken["content"])]
    sent = [_like(one, other) for one, other in zip(spoken["content"], beside, strict=False)]
    assert sent == wanted


def _may_go_back(block: Json) -> bool:
    if _is_thought(block):
        return bool(block.get("signature"))
    return block["type"] != "text" or bool(block["text"].strip())


def _known(block: Json) -> Json:
    """Return a block as it goes back; an input that nobody can read is an empty one there."""
    if block["type"] != "tool_use":
        return block
    named = {"name": block["name"] and known_as(block["name"]), "input": block.get("input") or {}}
    return {key: value for key, value in (block | named).items() if key != "raw"}


def _like(sent: Json, wanted: Json) -> Json:
    """Return a block that was sent, open where the case leaves it open: an id, and no name."""
    is_open = {"id": wanted.get("id") == "*", "name": wanted.get("name") == ""}
    return sent | {key: wanted[key] for key in is_open if is_open[key] and sent.get(key)}


def _assert_answered(acted: Acted, number: int) -> None:
    """Assert that each call went back under an id of its own, with its result."""
    spoken, heard = acted.requests[1]["messages"][1:3]
    sent = [block["id"] for block in spoken["content"] if block["type"] == "tool_use"]
    assert len(set(sent)) == number
    assert [block["tool_use_id"] for block in heard["content"]] == sent


def _names(case: Case) -> list[str]:
    blocks = [block for expected in accepted(case) for block in expected.get("blocks", ())]
    return [block["name"] for block in blocks if block["type"] == "tool_use"]
