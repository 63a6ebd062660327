"""Streams of chat completions, as servers send them that number, name and end things wrongly."""

from __future__ import annotations

from functools import partial
from typing import Any

from agenthost_plugin_openai import OpenAiChatPromptDriver
from agenthost_sdk.messages import Usage
from cases.case_file import Case, Expected, holds_for_one
from cases.streamed_cases import (
    Acted,
    Streamed,
    Turn,
    acting,
    assert_acted,
    matched,
    readings,
)
from support.chat_protocol import sse
from support.provider_server import ProviderServer


def run(case: Case) -> None:
    """Read the chunks of a case in every way, and let a task act on them."""
    for streamed in _endings(case):
        for turn in readings(_driver, streamed):
            holds_for_one(case, partial(_judge, turn))
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


def _judge(turn: Turn, expected: Expected) -> None:
    assert turn.kind == expected["turn"]
    if turn.kind == "error":
        return
    message, wanted = turn.message, expected["message"]
    said = wanted["content"] or expected.get("refusal") or ""
    assert message.role == wanted.get("role", "assistant")
    assert message.to_text() == said
    assert message.reasoning == (wanted.get("reasoning") or "")
    calls = wanted.get("tool_calls") or []
    assert matched(message.calls, calls, "arguments") == calls
    assert message.finish_reason == (expected.get("finish_reason") or "")
    assert _counted(message.usage) == _wanted(expected.get("usage"))


def _judge_acts(acted: Acted, expected: Expected) -> None:
    message = expected.get("message") or {}
    calls = message.get("tool_calls") or []
    assert_acted(acted, expected["turn"], [(call["name"], call["arguments"]) for call in calls])
    if expected["turn"] == "tool_calls":
        _assert_answered(acted, len(calls))
    if expected["turn"] == "text":
        assert acted.run.value == (message["content"] or "")


def _assert_answered(acted: Acted, number: int) -> None:
    """Assert that each call went back under an id of its own, with its result."""
    messages = acted.requests[1]["messages"]
    sent = [call["id"] for message in messages for call in message.get("tool_calls", ())]
    answered = [message["tool_call_id"] for message in messages if message["role"] == "tool"]
    assert len(set(sent)) == number
    assert answered == sent


def _names(case: Case) -> list[str]:
    accepted = [case.expected, *case.expected.get("accept", ())]
    messages = [expected.get("message") or {} for expected in accepted]
    return [call["name"] for message in messages for call in message.get("tool_calls") or ()]


def _counted(usage: Usage) -> tuple[int | None, int | None]:
    return usage.input_tokens, usage.output_tokens


def _wanted(usage: dict[str, Any] | None) -> tuple[int | None, int | None]:
    usage = usage or {}
    return usage.get("prompt_tokens"), usage.get("completion_tokens")
