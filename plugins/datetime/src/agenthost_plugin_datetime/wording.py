"""Put dates, times and spans into words."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from agenthost_plugin_datetime.months import shift_months

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def day(when: date) -> str:
    """Return "Sunday, 2026-11-29"."""
    return f"{WEEKDAYS[when.weekday()]}, {when.isoformat()[:10]}"


def clock(when: datetime) -> str:
    """Return the time of day, with seconds only if there are any."""
    return when.strftime("%H:%M:%S" if when.second else "%H:%M")


def offset(when: datetime) -> str:
    """Return the offset of an aware moment, such as "UTC+01:00"."""
    return f"UTC{when.isoformat(timespec='minutes')[16:]}"


def count(number: int, unit: str) -> str:
    """Return "1 day" or "2 days"."""
    return f"{number:,} {unit}" if abs(number) == 1 else f"{number:,} {unit}s"


def join(parts: Sequence[str]) -> str:
    """Return "a, b and c"."""
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else "".join(parts)


def span(length: timedelta) -> str:
    """Return a length of time from 0 up in days, hours, minutes and seconds."""
    minutes, seconds = divmod(length.seconds, 60)
    hours, minutes = divmod(minutes, 60)
    parts = {"day": length.days, "hour": hours, "minute": minutes, "second": seconds}
    return _parts(parts) or "0 minutes"


def weeks(days: int) -> str:
    """Return days in weeks and days."""
    return _parts({"week": days // 7, "day": days % 7})


def calendar_span(start: date, end: date) -> str:
    """Return the years, months and days from one date to a later one."""
    months = 12 * (end.year - start.year) + end.month - start.month
    if end.day < start.day:
        months -= 1
    rest = (end - shift_months(start, months)).days
    return _parts({"year": months // 12, "month": months % 12, "day": rest})


def _parts(parts: dict[str, int]) -> str:
    return join([count(number, unit) for unit, number in parts.items() if number])
