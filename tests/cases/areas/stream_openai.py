"""Streams of chat completions, as servers send them that number, name and end things wrongly."""

from __future__ import annotations

from functools import partial
from typing import Any

from agenthost_plugin_openai import OpenAiChatPromptDriver
from agenthost_sdk.messages import Message
from cases.case_file import Case, Expected, holds_for_one
from cases.streamed_cases import (
    Acted,
    Streamed,
    Turn,
    accepted,
    acting,
    assert_acted,
    matched,
    readings,
    words_of,
)
from support.chat_protocol import sse
from support.provider_server import ProviderServer


def run(case: Case) -> None:
    """Read the chunks of a case in every way, and let a task act on them."""
    for streamed in _endings(case):
        for turn in readings(_driver, streamed):
            holds_for_one(case, partial(_judge, turn, case.expected["turn"]))
        with acting(_driver, streamed, _names(case)) as acted:
            holds_for_one(case, partial(_judge_acts, acted))


def _driver(server: ProviderServer) -> OpenAiChatPromptDriver:
    return OpenAiChatPromptDriver(
        model="m", base_url=server.openai_url, api_key="key", stream=True, max_attempts=1
    )


def _endings(case: Case) -> list[Streamed]:
    """Return the stream; one without the mark of its end may just stop, or lose its connection."""
    is_marked = case.input.get("done_marker", True)
    text = sse(case.input["chunks"], done=is_marked)
    return [Streamed(text)] if is_marked else [Streamed(text), Streamed(text, is_dropped=True)]


def _judge(turn: Turn, end: str, expected: Expected) -> None:
    """Assert that a turn is the expected one; `end` is how the case itself says that it ends."""
    assert turn.kind == expected["turn"]
    message, wanted = turn.message, expected.get("message") or {}
    if turn.kind == "error":
        if end == "error":  # else it is accepted beside a turn whose message it has no part in
            _assert_left(message, expected)
        return
    assert message.role == wanted.get("role", "assistant")
    assert message.to_text() == _said(expected)
    assert message.reasoning == (wanted.get("reasoning") or "")
    calls, usage = wanted.get("tool_calls") or [], expected.get("usage") or {}
    assert matched(message.calls, calls, "arguments") == calls
    assert message.finish_reason == (expected.get("finish_reason") or "")
    assert _counted(message) == _wanted(usage)
    for kind, name, count in _DETAILS:
        if name in (usage.get(kind) or {}):
            assert getattr(message.usage, count) == usage[kind][name]


#: What of the tokens a case may tell beside their numbers, and where the sdk has it.
_DETAILS = (
    ("prompt_tokens_details", "cached_tokens", "cached_tokens"),
    ("completion_tokens_details", "reasoning_tokens", "reasoning_tokens"),
)


def _assert_left(message: Message, expected: Expected) -> None:
    """Assert that what came before an error is what the case tells of it, which may be little."""
    wanted = expected.get("message") or {}
    calls, usage = wanted.get("tool_calls") or [], expected.get("usage") or {}
    assert message.role == wanted.get("role", "assistant")
    for found, told in (
        (message.to_text(), _said(expected)),
        (message.reasoning, wanted.get("reasoning")),
        (matched(message.calls, calls, "arguments"), calls),
        (message.finish_reason, expected.get("finish_reason")),
        (_counted(message), usage and _wanted(usage)),
    ):
        assert found == told or not told


def _said(expected: Expected) -> str:
    message = expected.get("message") or {}
    return message.get("content") or message.get("refusal") or expected.get("refusal") or ""


def _judge_acts(acted: Acted, expected: Expected) -> None:
    message = expected.get("message") or {}
    calls = message.get("tool_calls") or []
    assert_acted(
        acted, expected["turn"], [(call["name"], call.get("arguments")) for call in calls]
    )
    if expected["turn"] == "tool_calls":
        _assert_answered(acted, len(calls))
    if expected["turn"] == "text":
        assert words_of(acted.run.output) == (message.get("content") or "")


def _assert_answered(acted: Acted, number: int) -> None:
    """Assert that each call went back under an id of its own, with its result."""
    messages = acted.requests[1]["messages"]
    sent = [call["id"] for message in messages for call in message.get("tool_calls", ())]
    answered = [message["tool_call_id"] for message in messages if message["role"] == "tool"]
    assert len(set(sent)) == number
    assert answered == sent


def _names(case: Case) -> list[str]:
    messages = [expected.get("message") or {} for expected in accepted(case)]
    return [call["name"] for message in messages for call in message.get("tool_calls") or ()]


def _counted(message: Message) -> tuple[int | None, int | None]:
    return message.usage.input_tokens, message.usage.output_tokens


def _wanted(usage: dict[str, Any]) -> tuple[int | None, int | None]:
    return usage.get("prompt_tokens"), usage.get("completion_tokens")
