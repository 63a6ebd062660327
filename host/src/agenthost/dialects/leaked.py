"""Read actions that a model wrote without any label: as bare JSON, or in another model's tags."""

from __future__ import annotations

import re
from typing import Any

from agenthost.dialects.entries import MOST_ACTIONS, Entry, entry_of
from agenthost.dialects.objects import whole_reply
from agenthost.dialects.text_reply import Parsed, limited
from agenthost.dialects.written_json import MOST_FAULTS, written_in
from agenthost_sdk.actions import NativeNames

#: The signs with which the templates of well-known models begin a call.
_SIGN = re.compile(
    r"<(?:tool_calls?|function_calls?|tool_use|functioncall)>|\[TOOL_CALLS\]|<\|python_tag\|>",
    re.IGNORECASE,
)

_BLOCK = re.compile(r"(?:\A|\n)[ \t]*```[^\n`]*\n(?P<inner>[^`]*)```\s*\Z")


def leaked_calls(text: str, table: NativeNames) -> Parsed | None:
    """Return the calls that stand in tags, such as `<tool_call>{…}</tool_call>`; None without."""
    signs = [*_SIGN.finditer(text)]
    if not signs or "```" in text[: signs[0].start()]:
        return None
    ends = [*(sign.start() for sign in signs[1:]), len(text)]
    entries: list[Entry] = []
    repairs = ["read out of tags that are no part of the format"]
    faults = 0
    for sign, end in zip(signs, ends, strict=True):
        written = written_in(text[sign.end() : end])
        repairs += written.repairs
        entries += _entries_of(written.items, table)
        if written.fault:
            entries.append(Entry(fault=f"This call could not be read: {written.fault}"))
            faults += 1
        if faults > MOST_FAULTS or len(entries) > MOST_ACTIONS:
            break
    if not entries:
        return None
    actions, fault = limited(entries, table, dict.fromkeys(repairs))
    before = text[: signs[0].start()].strip()
    return Parsed(before, actions, fault=fault, text=before)


def bare_actions(text: str, table: NativeNames) -> Parsed | None:
    """Return the actions of a text that is JSON, or ends in a block of it; None without.

    Only what plainly asks for an action counts, since an answer may be JSON too.
    """
    tagged = leaked_calls(text, table)
    if tagged is not None:
        return tagged
    block = _BLOCK.search(text) if text.endswith("```") else None
    inner = block["inner"].strip() if block else text
    if not inner.startswith(("{", "[")):
        return None
    before = text[: block.start()].strip() if block else ""
    written = written_in(inner)
    wholes = [whole_reply(value, table) for value in written.values if isinstance(value, dict)]
    entries = _entries_of(written.items, table)
    thought = next((whole.thought for whole in wholes if whole.thought), before)
    if entries and not written.fault and all(_is_asked(entry, table) for entry in entries):
        actions, fault = limited(entries, table, written.repairs)
        return Parsed(thought, actions, fault=fault, text=thought)
    ended = next((whole for whole in wholes if whole.is_ended), None)
    return Parsed(thought, answer=ended.answer) if ended and not entries else None


def _entries_of(items: list[Any], table: NativeNames) -> list[Entry]:
    entries: list[Entry] = []
    for item in items:
        if isinstance(item, dict):
            entries += whole_reply(item, table).entries or ()
        else:
            entries.append(entry_of(item))
    return entries


def _is_asked(entry: Entry, table: NativeNames) -> bool:
    if not isinstance(entry.name, str):
        return False
    path = entry.path if isinstance(entry.path, str) else None
    return entry.has_input or (path is not None and table.knows(entry.name, path))
