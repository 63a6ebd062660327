"""Read a JSON object that is a whole reply: a thought, actions, an answer."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agenthost.dialects.entries import MOST_ACTIONS, Entry, entry_of
from agenthost_sdk.actions import NativeNames

_THOUGHTS = ("thought", "thoughts", "reasoning")
_ANSWERS = ("answer", "finalanswer", "final", "finalresponse")
_ACTIONS = ("actions", "toolcalls", "calls", "action", "toolcall", "functioncall")
_NAMES = ("tool", "toolname", "name", "function")
_INPUTS = ("input", "arguments", "args", "parameters", "params", "actioninput", "toolinput")

#: Names under which models ask for the end.
_ENDS = frozenset({"finish", "final", "finalanswer", "answer", "finalresponse", "done"})

_NONE = re.compile(r"(?:none|null|nothing|n/?a|no|-+)\b.{0,40}\Z", re.IGNORECASE | re.DOTALL)

_SPACES = re.compile(r"[\s_\-]+")


@dataclass(frozen=True)
class Whole:
    """What an object says."""

    thought: str = ""
    entries: tuple[Entry, ...] = ()
    answer: str | None = None
    #: Whether it has any key of a reply.
    is_marked: bool = False
    #: Whether the answer came as an action's, such as `"action": "Final Answer"`.
    is_ended: bool = False


def whole_reply(value: dict[str, Any], table: NativeNames) -> Whole:
    """Return the thought, the actions and the answer that an object holds."""
    keys = {squashed(key): key for key in reversed(value)}
    entries = tuple(_entries(value, keys))
    answer = _answer(value, keys)
    wanted = [entry for entry in entries if not _is_end(entry, table)]
    ends = [entry for entry in entries if _is_end(entry, table) and not is_none(entry.name)]
    is_ended = bool(ends) and answer is None
    if is_ended:
        answer = end_text(ends[0].input)
    thoughts = [_said(value, keys, _THOUGHTS), *(entry.thought for entry in entries)]
    return Whole(
        "\n".join(dict.fromkeys(thought for thought in thoughts if thought)),
        tuple(wanted),
        answer,
        bool(entries) or _is_marked(keys),
        is_ended,
    )


def is_end(name: str, table: NativeNames) -> bool:
    """Return whether a name asks for the end, and is no activity's."""
    return squashed(name) in _ENDS and not table.knows(name)


def is_none(name: Any) -> bool:
    """Return whether a name says that no action is wanted."""
    return not isinstance(name, str) or _NONE.match(name.strip()) is not None


def end_text(value: Any) -> str:
    """Return the answer that the input of such an action holds."""
    if isinstance(value, dict):
        keys = {squashed(key): key for key in value}
        known = next((keys[word] for word in (*_ANSWERS, "output", "text") if word in keys), None)
        only = next(iter(value)) if len(value) == 1 else None
        key = known or only
        return end_text(value[key]) if key is not None else as_text(value)
    return as_text(value)


def as_text(value: Any) -> str:
    """Return a value as words: a text as it is, anything else as JSON."""
    if value is None:
        return ""
    try:
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    except (ValueError, RecursionError):
        return ""


def squashed(word: str) -> str:
    """Return a word as it is compared: small letters, no separators."""
    return _SPACES.sub("", word).lower()


def _entries(value: Mapping[str, Any], keys: Mapping[str, str]) -> list[Entry]:
    under = [value[keys[word]] for word in _ACTIONS if word in keys]
    listed = next((one for one in under if isinstance(one, list | dict)), None)
    if isinstance(listed, list):
        return [entry_of(item) for item in listed[: MOST_ACTIONS + 1]]
    if isinstance(listed, dict) and not any(word in keys for word in _NAMES):
        return [entry_of(listed)]
    is_named = "action" in keys or any(word in keys for word in _NAMES[:2])
    is_called = any(word in keys for word in _INPUTS) and any(word in keys for word in _NAMES)
    if not is_named and not is_called:
        return []
    beside = {keys[word] for word in (*_ANSWERS, "actions") if word in keys}
    return [entry_of({key: given for key, given in value.items() if key not in beside})]


def _is_marked(keys: Mapping[str, str]) -> bool:
    """Return whether the keys are a reply's; a thought beside strange keys is somebody's data."""
    is_asked = any(word in keys for word in (*_ANSWERS, *_ACTIONS))
    return is_asked or (bool(keys) and keys.keys() <= set(_THOUGHTS))


def _is_end(entry: Entry, table: NativeNames) -> bool:
    if entry.fault or entry.others or isinstance(entry.path, str):
        return False
    name = entry.name
    if not isinstance(name, str):
        return not entry.has_input
    return is_end(name, table) or (is_none(name) and not table.knows(name))


def _answer(value: Mapping[str, Any], keys: Mapping[str, str]) -> str | None:
    given = [value[keys[word]] for word in _ANSWERS if word in keys]
    return next((as_text(one) for one in given if one is not None), None)


def _said(value: Mapping[str, Any], keys: Mapping[str, str], words: tuple[str, ...]) -> str:
    found = next((value[keys[word]] for word in words if word in keys), None)
    return found.strip() if isinstance(found, str) else ""
