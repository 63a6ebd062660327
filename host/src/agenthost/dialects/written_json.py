"""Read the actions that stand in a text as JSON: an array, an object, or several of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from agenthost.dialects.entries import MOST_ACTIONS
from agenthost.dialects.sections import LENIENT_SIZE
from agenthost_sdk.json_text import JsonText, UnreadableJson, read_json, read_json_at

#: How many damaged values of one reply are looked at; it is handed back in any case.
MOST_FAULTS = 4

#: Where JSON plainly begins, and where it may at the beginning of a text.
_PLAIN = re.compile(r"\[\s*[{\[\"']|\{\s*[\"'“‘]")
_FIRST = re.compile(r"\s*(?:`{1,3}(?:json)?\s*)?(?=[\[{])")

#: What may stand between two values: commas, the end of a fence and the beginning of another.
_NEXT = re.compile(r"(?:[\s,;]|```(?:json)?)*+(?=[\[{])")
_COMMA = re.compile(r"[\s,]*")


@dataclass(frozen=True)
class Written:
    """The values that were found in a text, what was set right, and what could not be read."""

    values: tuple[Any, ...] = ()
    repairs: tuple[str, ...] = ()
    #: Why a value could not be read; those before it stand in `values`.
    fault: str = ""
    #: Whether that is because the text ends within it.
    is_cut: bool = False

    @property
    def items(self) -> list[Any]:
        """The values, arrays opened, as far as they are looked at: one more than may be."""
        items: list[Any] = []
        for value in self.values:
            items += value[: MOST_ACTIONS + 1] if isinstance(value, list) else [value]
        return items[: MOST_ACTIONS + 1]


def written_in(text: str, start: int | None = None) -> Written:
    """Return the arrays and objects of a text; words before and after them are passed over.

    Args:
        text: The text.
        start: Where the first one begins; without, it is looked for.
    """
    read: list[JsonText] = []
    position = _beginning(text) if start is None else start
    while position >= 0 and len(read) <= MOST_ACTIONS:
        try:
            value, end = read_json_at(text, position, "any")
        except UnreadableJson as error:
            return _salvaged(text, position, read, error)
        read.append(value)
        following = _NEXT.match(text, end)
        position = following.end() if following else -1
    return _written(read)


def _beginning(text: str) -> int:
    first = _FIRST.match(text)
    if first is not None:
        return first.end()
    begin = _PLAIN.search(text)
    return begin.start() if begin else -1


def _written(read: list[JsonText], error: UnreadableJson | None = None) -> Written:
    repairs = dict.fromkeys(repair for one in read for repair in one.repairs)
    values = tuple(one.value for one in read)
    return Written(values, tuple(repairs), str(error or ""), _is_cut(error))


def _is_cut(error: UnreadableJson | None) -> bool:
    return error is not None and error.reason == "truncated"


def _salvaged(text: str, start: int, read: list[JsonText], error: UnreadableJson) -> Written:
    """Return what can be read of an array that is damaged or cut off: the items before that."""
    items = [] if text[start] == "{" else [*_leading(text, start + 1)]
    if read or items:
        return _written([*read, *items], error)
    if _is_cut(error) or len(text) > LENIENT_SIZE:
        return Written(fault=str(error), is_cut=_is_cut(error))
    try:
        whole = read_json(text, "any")
    except UnreadableJson:
        return Written(fault=str(error))
    return _written([whole]) if isinstance(whole.value, list | dict) else Written(fault=str(error))


def _leading(text: str, position: int) -> Iterator[JsonText]:
    for _ in range(MOST_ACTIONS + 1):
        gap = _COMMA.match(text, position)
        position = gap.end() if gap else position
        if not text.startswith("{", position):
            return
        try:
            read, position = read_json_at(text, position, "object")
        except UnreadableJson:
            return
        yield read
