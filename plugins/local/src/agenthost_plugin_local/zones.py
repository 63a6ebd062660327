"""Recognise the places and time zones that a text names.

A zone or a city of the time zone database is found by its name, any other place by where it
stands: in capitals after "in", or before "time". Such a place is left as it is written.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from zoneinfo import available_timezones

_WORD = re.compile(r"[^\W\d_][\w/+.-]*(?<![.,])")
#: The most words in the name of a place.
_LONGEST = 4
#: In small letters a word is a place only beside one of these: "nice" and "la" are words too.
_BEFORE = re.compile(r"\b(?:in|to|from|at|for|and|into|over in|between|time)\s$", re.IGNORECASE)
_AFTER = re.compile(r"\s+(?:time|local time|now|right now)\b|\s*[?.!,]?\s*$", re.IGNORECASE)
_TIME = re.compile(r"\s+(?:local )?time\b", re.IGNORECASE)
#: What follows the name of a place in small letters; "in minutes" may stand there too.
_IN_SMALL = re.compile(
    r"\b(?:in|to|from) (?P<place>[^\W\d_]+(?: [^\W\d_]+){0,2}?)"
    r"(?=\s*(?:[?.!,;]|$)| (?:local )?time\b| (?:right )?now\b| (?:when|if|today|please)\b)",
    re.IGNORECASE,
)
_ELSEWHERE = {"Etc", "US", "SystemV", "posix", "right", "Canada", "Brazil", "Mexico", "Chile"}


def zone_names(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield each zone or place in a text, with where it starts and ends."""
    words = list(_WORD.finditer(text))
    first = 0
    while first < len(words):
        count = _length(text, words[first : first + _LONGEST])
        if count:
            start, end = words[first].start(), words[first + count - 1].end()
            yield known_zones().get(_key(text[start:end]), text[start:end]), start, end
        first += count or 1


def unsure_names(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield what may be a place in small letters, where one is wanted."""
    for match in _IN_SMALL.finditer(text):
        yield match["place"], *match.span("place")


@cache
def known_zones() -> dict[str, str]:
    """Return the names of the time zone database by their own name and by city, in lower case."""
    zones = sorted(zone for zone in available_timezones() if _is_city(zone))
    cities = {_key(zone.rpartition("/")[2]): zone for zone in reversed(zones)}
    return cities | {_key(zone): zone for zone in zones} | {"utc": "UTC", "gmt": "UTC"}


def _is_city(zone: str) -> bool:
    area, _, city = zone.partition("/")
    return bool(city) and area not in _ELSEWHERE


def _key(text: str) -> str:
    """Return a name in small letters without accents."""
    letters = unicodedata.normalize("NFKD", text.replace("_", " ").rstrip(".,").lower())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _length(text: str, words: list[re.Match[str]]) -> int:
    """Return how many words from the first on name a place; 0 where none does."""
    start = words[0].start()
    for count in range(len(words), 0, -1):
        end = words[count - 1].end()
        if _key(text[start:end]) in known_zones() and _is_place(text, start, end):
            return count
    row = _capitals(text, words)
    end = words[max(row, 1) - 1].end()
    return row if row and start > 0 and _stands_as_place(text, start, end) else 0


def _is_place(text: str, start: int, end: int) -> bool:
    if text[start].isupper():
        return True
    return bool(_BEFORE.search(text[:start]) or (start and _AFTER.match(text, end)))


def _capitals(text: str, words: list[re.Match[str]]) -> int:
    """Return how many words from the first on have a capital and only a space between them."""
    count = 0
    for index, word in enumerate(words):
        gap = text[words[index - 1].end() : word.start()] if index else ""
        if not word[0][0].isupper() or gap.strip():
            break
        count += 1
    return count


def _stands_as_place(text: str, start: int, end: int) -> bool:
    """Say whether a capitalised name is where places are: "in Boston", "5 pm PST"."""
    if re.match(r"['’]\w", text[end:]):
        return False
    # A time that stood before was blanked.
    is_after_time = text[:start].endswith("   ") and text[start:end].isupper()
    is_timed = bool(_TIME.match(text, end)) and not text.startswith(("Wh", "wh"), start)
    return bool(_BEFORE.search(text[:start])) or is_timed or (is_after_time and end - start < 5)
