"""Read the dates and times of a text, as English writes them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from agenthost_plugin_local.days import named_days, this_day

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    "|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
_ORDINAL = r"(?:st|nd|rd|th)?"
_DATE = re.compile(
    r"\b(?P<year4>\d{4})(?P<sign4>[-/.])(?P<month4>\d{1,2})(?P=sign4)(?P<day4>\d{1,2})(?!\d)"
    r"|\b(?P<one>\d{1,2})(?P<sign>[-/.])(?P<other>\d{1,2})(?P=sign)(?P<year3>\d{4})\b"
    rf"|\b(?P<day>\d{{1,2}}){_ORDINAL}\.?(?: of)?[ -](?P<month>{_MONTH})\b\.?"
    r"(?:,?[ -](?P<year>\d{4}))?"
    rf"|\b(?P<month2>{_MONTH})\.? (?:the )?(?P<day2>\d{{1,2}}){_ORDINAL}\b"
    r"(?:,? (?P<year2>\d{4}))?",
    re.IGNORECASE,
)
#: A date between slashes that can only have its day first.
_DAY_FIRST = re.compile(r"\b(?:1[3-9]|2\d|3[01])/\d{1,2}/\d{4}\b")
_TO_TWELVE = "one two three four five six seven eight nine ten eleven twelve"
_HOURS = _TO_TWELVE.split()
_HOUR = rf"(?:\d{{1,2}}|{'|'.join(_HOURS)})"
_LATE = r"(?:in the (?:morning|afternoon|evening)|at night)"
_PARTS = {"half": 30, "quarter": 15, "five": 5, "ten": 10, "twenty": 20, "twenty-five": 25}
_TIME = re.compile(
    r"(?:\b|(?<=\bT))(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::\d\d)?(?!\d)"
    r"|\b(?P<hour2>\d{1,2})(?:\.(?P<minute2>\d\d))?(?= ?[ap]\.?m\b)"
    rf"|\b(?P<part>{'|'.join(_PARTS)}) past (?P<hour4>{_HOUR})\b"
    rf"|(?:\bquarter|(?<=at )(?:five|ten|twenty)) (?P<to>to) (?P<hour5>{_HOUR})\b"
    rf"|\b(?P<hour3>{_HOUR})(?: ?o['’]clock|(?= {_LATE}))"
    r"|\b(?P<word>noon|midday|midnight)\b",
    re.IGNORECASE,
)
_HALF = re.compile(rf" ?(?P<half>[ap])\.?m\b\.?| (?P<late>{_LATE})\b", re.IGNORECASE)


class Moment(NamedTuple):
    """A date (YYYY-MM-DD), a time (HH:MM), both, or "today", and where it stands."""

    value: str
    start: int
    end: int


def moments(text: str) -> list[Moment]:
    """Return the moments that a text names; a date and a time right after it are one."""
    found = [Moment(*named) for named in named_days(text)]
    dates = [Moment(_iso(match, text), *match.span()) for match in _DATE.finditer(text)]
    return _joined([*found, *dates, *_times(_blanked(text, dates))], text)


def _blanked(text: str, found: Iterable[Moment]) -> str:
    for _, start, end in found:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _joined(found: Iterable[Moment], text: str) -> list[Moment]:
    joined: list[Moment] = []
    for moment in sorted(found, key=lambda m: m.start):
        last = joined[-1] if joined else None
        if last and _belong_together(last, moment, text):
            day, time = sorted((last.value, moment.value), key=lambda value: ":" in value)
            joined[-1] = Moment(f"{day} {time}", last.start, moment.end)
        else:
            joined.append(moment)
    return joined


def _belong_together(first: Moment, second: Moment, text: str) -> bool:
    """Say whether one is a date and the other a time, with nothing of note between them."""
    are_both = {_shape(first), _shape(second)} == {"-", ":"}
    return are_both and text[first.end : second.start].strip(" ,").lower() in {"", "at", "t", "on"}


def _shape(moment: Moment) -> str:
    return "".join(sign for sign in "-:" if sign in moment.value)


def _iso(match: re.Match[str], text: str) -> str:
    """Return the date as YYYY-MM-DD; one without a year is of the year named elsewhere, or now."""
    if match["year4"]:
        return f"{match['year4']}-{int(match['month4']):02}-{int(match['day4']):02}"
    if match["year3"]:
        day, number = _day_and_month(match, text)
        return f"{match['year3']}-{number:02}-{day:02}"
    month = MONTHS.index((match["month"] or match["month2"]).lower()[:3]) + 1
    day, year = int(match["day"] or match["day2"]), match["year"] or match["year2"]
    other = re.search(r"\b(?:19|20)\d\d\b", text)
    year = year or (other[0] if other else str(this_day().year))
    return f"{year}-{month:02}-{day:02}"


def _day_and_month(match: re.Match[str], text: str) -> tuple[int, int]:
    """Return the day, which is first but for American dates between slashes, and the month."""
    one, other = int(match["one"]), int(match["other"])
    is_american = match["sign"] == "/" and not _DAY_FIRST.search(text)
    return (other, one) if is_american or other > len(MONTHS) else (one, other)


def _times(text: str) -> Iterator[Moment]:
    for match in _TIME.finditer(text):
        half = _HALF.match(text, match.end())
        if clock := _clock(match, half):
            yield Moment(clock, match.start(), (half or match).end())


def _clock(match: re.Match[str], half: re.Match[str] | None) -> str:
    """Return the time as HH:MM; "" where it is none."""
    if match["word"]:
        return "00:00" if match["word"].lower() == "midnight" else "12:00"
    hour = _hour(next(text for name in _HOUR_NAMES if (text := match[name])))
    if half:
        hour = hour % 12 + (12 if _is_late(half) else 0)
    minute = int(
        match["minute"] or match["minute2"] or _PARTS.get((match["part"] or "").lower(), 0)
    )
    if match["to"]:
        hour, minute = hour - 1, 60 - _PARTS[match[0].lower().split()[0]]
    return f"{hour % 24:02}:{minute:02}" if hour < 25 and minute < 60 else ""


_HOUR_NAMES = ("hour", "hour2", "hour3", "hour4", "hour5")


def _is_late(half: re.Match[str]) -> bool:
    if half["half"]:
        return half["half"].lower() == "p"
    return not half["late"].lower().endswith("morning")


def _hour(text: str) -> int:
    return int(text) if text.isdigit() else _HOURS.index(text.lower()) + 1
