"""Recognise the time zones that a text names, by their city or by themselves."""

import re
from collections.abc import Iterator
from functools import cache
from zoneinfo import available_timezones

_NAME = re.compile(r"[A-Z][\w/+-]*(?:[ _](?:of|es|la|de|da|[A-Z][\w/]*))*")
_OTHERS = {"Etc", "US", "SystemV", "posix", "right", "Canada", "Brazil", "Mexico", "Chile"}


def zone_names(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the IANA name of each time zone in a text, with where it starts and ends."""
    for match in _NAME.finditer(text):
        words = list(re.finditer(r"[^ _]+", match[0]))
        first = 0
        while first < len(words):
            last = _longest(match[0], words[first:])
            if last:
                start, end = words[first].start(), words[first + last - 1].end()
                zone = known_zones()[_key(match[0][start:end])]
                yield zone, match.start() + start, match.start() + end
            first += last or 1


def _longest(text: str, words: list[re.Match[str]]) -> int:
    """Return how many words from the first on name a zone; 0 where none does."""
    lengths = range(len(words), 0, -1)
    start = words[0].start()
    return next((n for n in lengths if _key(text[start : words[n - 1].end()]) in known_zones()), 0)


def _key(text: str) -> str:
    return text.replace("_", " ").rstrip(".,").lower()


@cache
def known_zones() -> dict[str, str]:
    """Return the time zones by their own name and by that of their city, in lower case."""
    zones = sorted(zone for zone in available_timezones() if _is_place(zone))
    cities = {_key(zone.rpartition("/")[2]): zone for zone in reversed(zones)}
    return cities | {_key(zone): zone for zone in zones} | {"utc": "UTC", "gmt": "UTC"}


def _is_place(zone: str) -> bool:
    area, _, city = zone.partition("/")
    return bool(city) and area not in _OTHERS
