"""Compare the messages that a provider got with those that are right."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

Json = dict[str, Any]

#: Stands for any text that says something.
ANY_TEXT = "*"


def fits(
    arrived: list[Json], wanted: list[Json], api: str, free_ids: bool, broken: set[str]
) -> bool:
    """Return whether messages are those that are wanted, however they are spelt.

    Args:
        arrived: What the provider got.
        wanted: What is right; a text "*" stands for any.
        api: Their protocol, "chat" or "messages".
        free_ids: Whether calls may bear other ids, if only their results bear the same.
        broken: The ids of calls whose arguments nobody could read: any object will do for them.
    """
    found = _spelt(arrived, api, free_ids, set())
    right = _spelt(wanted, api, free_ids, broken)
    return _same(found, right) or (api == "messages" and _same(found, _merged(right)))


def is_spelt_like(arrived: list[Json], given: list[Json], api: str) -> bool:
    """Return whether messages are just those that are given, but for how they are spelt."""
    return _spelt(arrived, api, False, set()) == _spelt(given, api, False, set())


def call_ids(api: str, messages: Iterable[Json]) -> list[str]:
    """Return the ids of the calls in their order."""
    if api == "chat":
        return [call["id"] for message in messages for call in message.get("tool_calls") or ()]
    return [
        block["id"]
        for message in messages
        for block in _listed(message["content"])
        if block["type"] == "tool_use"
    ]


def unreadable_calls(messages: Iterable[Json]) -> set[str]:
    """Return the ids of the calls whose arguments are no JSON object."""
    return {
        call["id"]
        for message in messages
        for call in message.get("tool_calls") or ()
        if not isinstance(_read(call["function"]["arguments"]), dict)
    }


def _same(found: Any, right: Any) -> bool:
    """Return whether a value is the right one, where a text or an object may be open."""
    if right == ANY_TEXT:
        return isinstance(found, str) and bool(found.strip())
    if right is ...:
        return isinstance(found, dict)
    if isinstance(right, dict) and isinstance(found, dict):
        return found.keys() == right.keys() and all(_same(found[key], right[key]) for key in right)
    if isinstance(right, list) and isinstance(found, list):
        return len(found) == len(right) and all(map(_same, found, right))
    return bool(found == right)


def _spelt(messages: list[Json], api: str, free_ids: bool, broken: set[str]) -> list[Json]:
    """Return messages in one spelling: contents as lists, inputs as objects, ids by number."""
    numbers = _Numbers(free_ids)
    if api == "messages":
        return [_messages_message(message, numbers) for message in messages]
    return [_chat_message(message, numbers, broken) for message in messages]


class _Numbers:
    """Names calls by their place where ids are free; a result has that of the last such call."""

    def __init__(self, free: bool) -> None:
        self._free = free
        self._known: dict[str, str] = {}
        self._calls = 0

    def call(self, id: str) -> str:
        self._calls += 1
        self._known[id] = f"call {self._calls}" if self._free else id
        return self._known[id]

    def result(self, id: str) -> str:
        return self._known.get(id, id)


def _chat_message(message: Json, numbers: _Numbers, broken: set[str]) -> Json:
    spelt = {key: value for key, value in message.items() if value is not None}
    if message.get("content") in (None, ""):
        spelt.pop("content", None)
    else:
        spelt["content"] = _listed(message["content"])
    if message["role"] == "tool" and "content" in spelt:  # its parts may come as one text
        spelt["content"] = "\n\n".join([part["text"] for part in spelt["content"]])
    if "tool_calls" in spelt:
        spelt["tool_calls"] = [_chat_call(call, numbers, broken) for call in spelt["tool_calls"]]
    if "tool_call_id" in spelt:
        spelt["tool_call_id"] = numbers.result(spelt["tool_call_id"])
    return spelt


def _chat_call(call: Json, numbers: _Numbers, broken: set[str]) -> Json:
    function = call["function"]
    given = _read(function["arguments"])
    if call["id"] in broken and isinstance(given, dict):
        given = ...
    id, name = numbers.call(call["id"]), function["name"]
    return {"id": id, "type": call["type"], "name": name, "input": given}


def _messages_message(message: Json, numbers: _Numbers) -> Json:
    blocks = [_block(block, numbers) for block in _listed(message["content"])]
    return {"role": message["role"], "content": blocks}


def _block(block: Json, numbers: _Numbers) -> Json:
    if block["type"] == "tool_use":
        return {**block, "id": numbers.call(block["id"])}
    if block["type"] != "tool_result":
        return block
    return {
        "type": "tool_result",
        "tool_use_id": numbers.result(block["tool_use_id"]),
        "content": _listed(block.get("content") or []),
        "is_error": bool(block.get("is_error")),
    }


def _merged(messages: list[Json]) -> list[Json]:
    """Join what one says in several messages, as the provider does itself."""
    return list(_joined(messages))


def _joined(messages: Iterable[Json]) -> Iterator[Json]:
    turn: Json | None = None
    for message in messages:
        if turn is not None and turn["role"] == message["role"]:
            turn = {**turn, "content": [*turn["content"], *message["content"]]}
            continue
        if turn is not None:
            yield turn
        turn = message
    if turn is not None:
        yield turn


def _listed(content: str | list[Json]) -> list[Json]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
