"""Read dates and times as models and people write them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, timezone

from agenthost_sdk.errors import ToolError

MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


@dataclass(frozen=True)
class Moment:
    """A date, a time of day, or both; `when` is at midnight, or today, for one of them alone.

    `when` has an offset only if the text named one.
    """

    when: datetime
    has_date: bool
    has_time: bool


def read_moment(text: str, now: datetime) -> Moment:
    """Return the date, or the moment, that a text names.

    Args:
        text: "2026-02-15", "2026-02-15 14:30", "15 February 2026", "today", "9:00", "now", …
        now: The moment that "now" and "today" mean, as clocks show it.

    Raises:
        ToolError: The text names none; the message says what is read.
    """
    written = " ".join(text.split())
    if written.lower() == "now":
        return Moment(now.replace(microsecond=0, tzinfo=None), has_date=True, has_time=True)
    if _is_time(written):
        when = datetime.combine(now.date(), _time(written, text))
        return Moment(when, has_date=False, has_time=True)
    day, rest = _date_and_rest(written, now.date())
    when = datetime.combine(day, _time(rest, text) if rest else time())
    return Moment(when, has_date=True, has_time=bool(rest))


def read_time(text: str, now: datetime) -> datetime:
    """Return the moment that a time of day means, today where no date stands with it.

    Raises:
        ToolError: The text names no time of day.
    """
    moment = read_moment(text, now)
    if not moment.has_time:
        raise ToolError(f"{text!r} is a date without a time; write YYYY-MM-DD HH:MM.")
    return moment.when


def _is_time(text: str) -> bool:
    return text.lower() in _NAMED_TIMES or _TIME.fullmatch(text) is not None


def _date_and_rest(text: str, today: date) -> tuple[date, str]:
    """Return the date that a text starts with, and what follows it."""
    for pattern in (_YEAR_FIRST, _DAY_FIRST, _MONTH_FIRST):
        found = pattern.match(text)
        if found is not None:
            return _date(found), text[found.end() :]
    relative = _RELATIVE.match(text)
    if relative is None:
        raise ToolError(_not_read(text))
    days = _RELATIVE_DAYS[relative[1].lower()]
    return today + timedelta(days), text[relative.end() :]


def _date(found: re.Match[str]) -> date:
    year, month, day = found["year"], found["month"], found["day"]
    number = int(month) if month.isdigit() else _MONTH_NUMBERS[month[:3].lower()]
    try:
        return date(int(year), number, int(day))
    except ValueError:
        raise ToolError(f"There is no such date as {found[0].strip()!r}.") from None


def _time(text: str, whole: str) -> time:
    written = text.lower()
    if written in _NAMED_TIMES:
        return _NAMED_TIMES[written]
    found = _TIME.fullmatch(text)
    if found is None or not (found["minute"] or found["half"]):
        raise ToolError(_not_read(whole))
    second = found["second"] or "0"
    hour = _hour(int(found["hour"]), found["half"], whole)
    try:
        read = time(hour, int(found["minute"] or 0), int(second), tzinfo=_offset(found))
    except ValueError:
        raise ToolError(f"There is no such time as {text!r}.") from None
    return read


def _hour(hour: int, half: str | None, text: str) -> int:
    if not half:
        return hour
    if not 1 <= hour <= 12:
        raise ToolError(f"There is no such time as {text!r}: am and pm go with hours 1 to 12.")
    return hour % 12 + (12 if half[0].lower() == "p" else 0)


def _offset(found: re.Match[str]) -> timezone | None:
    if found["zulu"]:
        return timezone(timedelta())
    if not found["sign"]:
        return None
    offset = timedelta(hours=int(found["hours"]), minutes=int(found["minutes"]))
    return timezone(-offset if found["sign"] == "-" else offset)


def _not_read(text: str) -> str:
    if re.match(r"\d{1,2}[/.]\d{1,2}[/.]\d{2,4}\b", text):
        return f"{text!r} can mean two dates; write it as YYYY-MM-DD."
    return (
        f"{text!r} is no date or time that can be read."
        ' Write YYYY-MM-DD, YYYY-MM-DD HH:MM, "today" or "now".'
    )


_MONTH_NUMBERS = {name[:3].lower(): number for number, name in enumerate(MONTHS, 1)}
_MONTH = "|".join(rf"{name[:3]}(?:t?\.|{name[3:]}|t)?" if name[3:] else name for name in MONTHS)

#: What stands between a date and a time.
_BETWEEN = r"(?:\s*,?\s+(?:at\s+)?|T(?=\d)|\Z)"
_YEAR_FIRST = re.compile(
    rf"(?P<year>\d{{4}})(?P<sign>[-/.])(?P<month>\d{{1,2}})(?P=sign)(?P<day>\d{{1,2}}){_BETWEEN}",
    re.IGNORECASE,
)
_DAY_FIRST = re.compile(
    rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)?(?: of)?[ -](?P<month>{_MONTH}),?[ -]"
    rf"(?P<year>\d{{4}}){_BETWEEN}",
    re.IGNORECASE,
)
_MONTH_FIRST = re.compile(
    rf"(?P<month>{_MONTH}) (?P<day>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<year>\d{{4}}){_BETWEEN}",
    re.IGNORECASE,
)
_RELATIVE_DAYS = {"today": 0, "tomorrow": 1, "yesterday": -1}
_RELATIVE = re.compile(rf"({'|'.join(_RELATIVE_DAYS)}){_BETWEEN}", re.IGNORECASE)

_NAMED_TIMES = {"noon": time(12), "midday": time(12), "midnight": time(0)}
_TIME = re.compile(
    r"(?P<hour>\d{1,2})(?::(?P<minute>\d{2})(?::(?P<second>\d{2})(?:\.\d+)?)?)?"
    r"\s?(?:(?P<half>[ap]\.?m\.?)|(?P<zulu>Z)|(?P<sign>[+-])(?P<hours>[01]\d):?(?P<minutes>[0-5]\d))?",
    re.IGNORECASE,
)
