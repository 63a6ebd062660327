"""Recognise days that have a name: today, tomorrow, and feasts with a fixed date."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator

_FEASTS = {
    "christmas eve": (12, 24),
    "christmas day": (12, 25),
    "christmas": (12, 25),
    "boxing day": (12, 26),
    "new year's eve": (12, 31),
    "new years eve": (12, 31),
    "new year's day": (1, 1),
    "new year": (1, 1),
    "valentine's day": (2, 14),
    "halloween": (10, 31),
}
_FEAST = re.compile(rf"\b({'|'.join(_FEASTS)})(?:,? (\d{{4}}))?\b", re.IGNORECASE)
_NEAR = re.compile(r"\b(today|now|tomorrow|yesterday)\b", re.IGNORECASE)
_DISTANCES = {"tomorrow": 1, "yesterday": -1}


def this_day() -> dt.date:
    """Return today's date on this machine."""
    return dt.datetime.now().astimezone().date()


def named_days(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield each named day as a date, with where it starts and ends; the present by its word."""
    for match in _NEAR.finditer(text):
        word = match[1].lower()
        day = this_day() + dt.timedelta(days=_DISTANCES.get(word, 0))
        yield (day.isoformat() if word in _DISTANCES else word), *match.span()
    for match in _FEAST.finditer(text):
        yield _feast(*_FEASTS[match[1].lower()], match[2]), *match.span()


def _feast(month: int, day: int, year: str | None) -> str:
    """Return the date of a feast: in the year named, or the next time."""
    if year:
        return f"{year}-{month:02}-{day:02}"
    today = this_day()
    is_over = (month, day) < (today.month, today.day)
    return f"{today.year + is_over}-{month:02}-{day:02}"
