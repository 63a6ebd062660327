"""Count in months, whose lengths differ."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, datetime, timedelta
from typing import TypeVar

D = TypeVar("D", date, datetime)


def shift_months(start: D, months: int) -> D:
    """Return the same day of another month, or that month's last day where it is shorter.

    Raises:
        OverflowError: The year is not between 1 and 9999.
    """
    year, month = divmod(12 * start.year + start.month - 1 + months, 12)
    if not 1 <= year <= 9999:
        raise OverflowError(f"year {year}")
    last = monthrange(year, month + 1)[1]
    return start.replace(year=year, month=month + 1, day=min(start.day, last))


def shift(start: D, months: int, rest: timedelta) -> D:
    """Return a date moved by months first, then by what has a fixed length."""
    return shift_months(start, months) + rest
