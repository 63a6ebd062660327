"""Recognise the time zones that a text names, by a place or by themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agenthost_plugin_local.places import key, known_zones

_WORD = re.compile(r"[^\W\d_][\w/+.-]*(?<![.,])")
#: The most words in the name of a place.
_LONGEST = 4
#: In small letters a word is a place only beside one of these: "nice" and "la" are words too.
_BEFORE = re.compile(r"\b(?:in|to|from|at|for|and|into|over in|between|time)\s+$", re.IGNORECASE)
_AFTER = re.compile(r"\s+(?:time|local time|now|right now)\b|\s*[?.!,]?\s*$", re.IGNORECASE)


def zone_names(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the IANA name of each time zone in a text, with where it starts and ends."""
    words = list(_WORD.finditer(text))
    first = 0
    while first < len(words):
        count = _length(text, words[first : first + _LONGEST])
        if count:
            start, end = words[first].start(), words[first + count - 1].end()
            yield known_zones()[key(text[start:end])], start, end
        first += count or 1


def _length(text: str, words: list[re.Match[str]]) -> int:
    """Return how many words from the first on name a place; 0 where none does."""
    start = words[0].start()
    for count in range(len(words), 0, -1):
        end = words[count - 1].end()
        if key(text[start:end]) in known_zones() and _is_place(text, start, end):
            return count
    return 0


def _is_place(text: str, start: int, end: int) -> bool:
    if text[start].isupper():
        return True
    return bool(_BEFORE.search(text[:start]) or (start and _AFTER.match(text, end)))
