"""Read actions that a model wrote without any label: as bare JSON, or in another model's tags."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from agenthost.dialects.entries import MOST_ACTIONS, Entry, entry_of
from agenthost.dialects.objects import whole_reply
from agenthost.dialects.tags import Tagged, parts_in, tagged
from agenthost.dialects.text_reply import Parsed, limited
from agenthost.dialects.written_json import MOST_FAULTS, written_in
from agenthost_sdk.actions import NativeNames

_BLOCK = re.compile(r"(?:\A|\n)[ \t]*```[^\n`]*\n(?P<inner>[^`]*)```\s*\Z")

#: What stands for something that an example leaves out.
_ELLIPSIS = re.compile(r"\.{3}|…")

#: How many calls of one reply may be only spoken of.
_MOST_MENTIONS = 32

_NOT_THERE = "it lacks a name or an input, or they are not in JSON"

_REPAIR = "read out of tags that are no part of the format"


def leaked_calls(text: str, table: NativeNames, *, is_cut: bool) -> Parsed | None:
    """Return the calls that stand in tags, such as `<tool_call>{…}</tool_call>`; None without.

    A call that cannot be read is answered by an error, unless the text only speaks of such tags.
    """
    before, calls = tagged(text)
    reader = _CallReader(table)
    entries: list[Entry] = []
    for call in calls:
        is_last = call is calls[-1]
        entries += reader.read(call, is_cut=is_cut and is_last)
        if reader.is_tired or len(entries) > MOST_ACTIONS:
            break
    if not entries:
        return None
    actions = limited(entries, table, dict.fromkeys(reader.repairs))
    return Parsed(before, actions, text=before)


class _CallReader:
    """Makes entries of the calls in tags."""

    def __init__(self, table: NativeNames) -> None:
        self._table = table
        self.repairs = [_REPAIR]
        self._faults = 0
        self._mentions = 0

    @property
    def is_tired(self) -> bool:
        """Whether so much could not be read that the rest will be no better."""
        return self._faults > MOST_FAULTS or self._mentions > _MOST_MENTIONS

    def read(self, call: Tagged, *, is_cut: bool) -> Iterator[Entry]:
        """Yield what a call asks for, or what is wrong with it; nothing where it only looks so."""
        try:
            parts = parts_in(call.inner, is_cut=is_cut) if call.name else None
        except ValueError as error:
            yield self._fault(call, str(error))
            return
        if parts is not None or (call.name and call.is_bare):
            yield from self._named(call, parts or {})
        else:
            yield from self._written(call, is_cut=is_cut)

    def _written(self, call: Tagged, *, is_cut: bool) -> Iterator[Entry]:
        written = written_in(call.inner)
        if call.name:
            entries = [entry for value in written.values[:1] for entry in self._named(call, value)]
        else:
            asked = _entries_of(written.items, self._table)
            entries = [entry for entry in asked if not _ELLIPSIS.fullmatch(str(entry.name))]
        if not entries and not written.is_cut and _is_mention(call, is_cut=is_cut):
            self._mentions += 1
            return
        self.repairs += written.repairs
        yield from entries
        if written.fault or not entries:
            yield self._fault(call, written.fault or _NOT_THERE)

    def _named(self, call: Tagged, given: Any) -> Iterator[Entry]:
        if self._table.knows(call.name) or not (call.is_said and call.is_followed):
            yield Entry(call.name, input=given, has_input=True)

    def _fault(self, call: Tagged, why: str) -> Entry:
        self._faults += 1
        which = f"The call of {call.name!r}" if call.name else "This call"
        return Entry(fault=f"{which} could not be read: {why}")


def _is_mention(call: Tagged, *, is_cut: bool) -> bool:
    """Return whether a text speaks of a call, where nothing of it can be read."""
    if call.is_said or _ELLIPSIS.search(call.inner[:_SHORT]):
        return True
    if call.end >= 0 or call.name:
        return call.is_followed
    return not is_cut and len(call.inner[:_SHORT].split()) > _FEW


#: How much of a call is looked at, and how many words may be what is left of one.
_SHORT, _FEW = 300, 3


def bare_actions(text: str, table: NativeNames, *, is_cut: bool) -> Parsed | None:
    """Return the actions of a text that is JSON, or ends in a block of it; None without.

    Only what plainly asks for an action counts, since an answer may be JSON too.
    """
    tagged_calls = leaked_calls(text, table, is_cut=is_cut)
    if tagged_calls is not None:
        return tagged_calls
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
        return Parsed(thought, limited(entries, table, written.repairs), text=thought)
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
