"""Streams of Anthropic's Messages API, whole and broken, with blocks of every kind."""

from __future__ import annotations

from functools import partial
from typing import Any

from agenthost_plugin_anthropic import AnthropicPromptDriver
from agenthost_sdk.artifacts import ErrorArtifact
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
    acting,
    assert_acted,
    call_of,
    known_as,
    readings,
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
    text, ended = sse(events), events[-1]["type"] in ("message_stop", "error")
    return [Streamed(text)] if ended else [Streamed(text), Streamed(text, is_dropped=True)]


def _judge(turn: Turn, expected: Expected) -> None:
    assert turn.kind == expected["turn"]
    assert _blocks(turn.message, expected["blocks"]) == expected["blocks"]
    assert turn.message.finish_reason == (expected.get("stop_reason") or "")
    usage = turn.message.usage
    for name, number in (expected.get("usage") or {}).items():
        assert getattr(usage, _COUNTS[name]) == number
    if turn.error is not None:
        word = expected.get("error_type", "").removesuffix("_error")
        assert word in str(turn.error).casefold().replace(" ", "_")
        assert turn.error.is_retryable or "retryable" not in expected.get("must", "")


_COUNTS = {
    "input_tokens": "input_tokens",
    "output_tokens": "output_tokens",
    "cache_read_input_tokens": "cached_tokens",
    "cache_creation_input_tokens": "cache_written_tokens",
}


def _blocks(message: Message, expected: list[Json]) -> list[Json]:
    """Return the blocks as the cases write them."""
    beside = [*expected, *[{}] * len(message.content)]
    return [_block(block, one) for block, one in zip(message.content, beside, strict=False)]


def _block(block: BaseMessageContent, expected: Json) -> Json:
    if isinstance(block, ActionCallMessageContent):
        return {"type": "tool_use", **call_of(block, expected, "input")}
    if isinstance(block, TextMessageContent):
        return {"type": "text", "text": block.text}
    assert isinstance(block, ReasoningMessageContent | GenericMessageContent), block
    own: Json = dict(block.value)
    return own


def _judge_acts(acted: Acted, expected: Expected) -> None:
    turn, blocks = expected["turn"], expected["blocks"]
    calls = [(one["name"], one["input"]) for one in blocks if one["type"] == "tool_use"]
    assert_acted(acted, turn, calls)
    if turn == "text":
        texts = [one["text"] for one in blocks if one["type"] == "text"]
        assert acted.run.value == "".join(texts)
    if turn in ("tool_calls", "pause"):
        spoken = acted.requests[1]["messages"][1]
        assert spoken == {"role": "assistant", "content": [_known(one) for one in blocks]}
    if turn == "tool_calls":
        answered = [one["tool_use_id"] for one in acted.requests[1]["messages"][2]["content"]]
        assert answered == [one["id"] for one in blocks if one["type"] == "tool_use"]
    if turn == "pause":
        assert len(acted.requests) == 2
        assert acted.run.value == "Done."
    if turn == "error":
        assert isinstance(acted.run.output, ErrorArtifact)


def _known(block: Json) -> Json:
    return block | {"name": known_as(block["name"])} if block["type"] == "tool_use" else block


def _names(case: Case) -> list[str]:
    return [one["name"] for one in case.expected["blocks"] if one["type"] == "tool_use"]
