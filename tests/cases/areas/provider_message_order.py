"""Histories that a provider refuses as they stand, sent by the drivers so that it takes them."""

from __future__ import annotations

import json
from typing import Any

from agenthost_plugin_anthropic import AnthropicPromptDriver
from agenthost_plugin_openai import OpenAiChatPromptDriver
from cases.case_file import Case
from cases.sent_messages import call_ids, fits, is_spelt_like, unreadable_calls
from support.provider_server import ProviderServer
from support.wire_stacks import stack_of

Json = dict[str, Any]

#: The thoughts that came with a turn of which a case says no more than that there were some.
_THOUGHTS: Json = {"type": "thinking", "thinking": "I need to look.", "signature": "c2lnbmVk"}


def run(case: Case) -> None:
    """Put the history of a case to the strict server, and hold what arrives against the case."""
    api = "messages" if case.input["provider"] == "anthropic" else "chat"
    messages = _history(case)
    arrived = _arrived(api, messages, case)
    if right := _right(case):
        free = _has_free_ids(api, case, right[0])
        is_broken = api == "chat" and not case.expected["valid"]
        broken = unreadable_calls(messages) if is_broken else set()
        assert any(fits(arrived, one, api, free, broken) for one in right), arrived
    elif _shows_its_fault(case):
        assert not is_spelt_like(arrived, messages, api), "what is refused was sent as it is"
    if case.input.get("thinking_enabled"):
        first = _first_block_with_calls(_arrived(api, _thoughtful(case), case))
        assert first == _THOUGHTS


def _history(case: Case) -> list[Json]:
    """Return the history, with the thoughts that came with it where the case tells them."""
    received = case.input.get("received_reasoning", {})
    return [_with_reasoning(message, received) for message in case.input["messages"]]


def _with_reasoning(message: Json, received: dict[str, str]) -> Json:
    ids = [call["id"] for call in message.get("tool_calls") or ()]
    found = next((received[id] for id in ids if id in received), None)
    return message if found is None else {**message, "reasoning_content": found}


def _thoughtful(case: Case) -> list[Json]:
    """Return the history with the thoughts of each turn that has calls."""
    return [
        {**message, "content": [_THOUGHTS, *message["content"]]}
        if "tool_use" in _kinds(message)
        else message
        for message in case.input["messages"]
    ]


def _first_block_with_calls(messages: list[Json]) -> Json:
    turn = next(message for message in messages if "tool_use" in _kinds(message))
    first: Json = turn["content"][0]
    return first


def _kinds(message: Json) -> list[str]:
    content = message["content"]
    return [block["type"] for block in content] if isinstance(content, list) else []


def _shows_its_fault(case: Case) -> bool:
    """Return whether a fault of a history is one of its messages, and stays one if it is sent.

    Thoughts that are missing are none, nor are rules among Anthropic's messages: these arrive
    apart, and only `_arrived` puts them back.
    """
    roles = [message["role"] for message in case.input["messages"]]
    is_apart = case.input["provider"] == "anthropic" and "system" in roles
    return not is_apart and not case.input.get("thinking_enabled")


def _right(case: Case) -> list[list[Json]]:
    """Return every form of the history that is right; none where the case only has words."""
    if case.expected["valid"]:
        return [case.input["messages"]]
    accepted = case.expected.get("accept_fixed") or []
    others = [accepted] if accepted and isinstance(accepted[0], dict) else accepted
    fixed = case.expected.get("fixed")
    return others if fixed is None else [fixed, *others]


def _has_free_ids(api: str, case: Case, right: list[Json]) -> bool:
    """Return whether the case changes ids: which ones it takes then is not what it is about."""
    return call_ids(api, right) != call_ids(api, case.input["messages"])


def _arrived(api: str, messages: list[Json], case: Case) -> list[Json]:
    """Return the messages that the provider got; what it refuses fails the test."""
    with ProviderServer([{"text": "Done."}]) as server:
        driver = _driver(server, case)
        stack = stack_of(api, messages)
        assert driver.run(stack).to_text() == "Done."
    body = server.requests[0]
    sent: list[Json] = json.loads(json.dumps(body["messages"]))
    if any(message["role"] == "system" for message in messages) and body.get("system"):
        sent.insert(0, {"role": "system", "content": body["system"]})
    return sent


def _driver(server: ProviderServer, case: Case) -> AnthropicPromptDriver | OpenAiChatPromptDriver:
    provider = case.input["provider"]
    options: Json = {"model": "m", "api_key": "key", "max_attempts": 1}
    if provider != "anthropic":
        profile = provider if provider in OpenAiChatPromptDriver.profiles else ""
        return OpenAiChatPromptDriver(base_url=server.openai_url, profile=profile, **options)
    if case.input.get("thinking_enabled"):
        options |= {"thinking": 2048, "max_tokens": 4096, "model": "claude-sonnet-4-5"}
    return AnthropicPromptDriver(base_url=server.anthropic_url, **options)
