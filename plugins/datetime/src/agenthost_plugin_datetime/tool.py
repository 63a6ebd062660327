"""The tool that models see: four activities on dates and times."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from agenthost_plugin_datetime import examples, wording
from agenthost_plugin_datetime.conversion import convert
from agenthost_plugin_datetime.months import shift, shift_months
from agenthost_plugin_datetime.reading import MONTHS, Moment, read_moment, read_time
from agenthost_plugin_datetime.zones import find_zone
from agenthost_sdk import BaseTool, ToolError, activity

#: What an answer says where a date leaves the calendar.
_OUT_OF_RANGE = "The result is not between the years 1 and 9999, which is as far as dates go."


def read_clock() -> datetime:
    """Return the present moment."""
    return datetime.now(UTC)


class DateTime(BaseTool):
    """Tell dates and times, convert them between time zones, and count days.

    `clock` gives the present moment with its offset; another one makes the tool repeatable.
    `home` is the time zone in which "today" and "now" are meant where no zone is given.
    """

    clock: Callable[[], datetime] = read_clock
    home: str = "UTC"

    @activity(
        read_only=True,
        open_world=False,
        examples=examples.NOW,
    )
    def now(self, zone: str = "UTC") -> str:
        """Tell the current date and time in a time zone.

        Use it for every question about the present time, today's date or weekday.

        Args:
            zone: The time zone: an IANA name such as Europe/Vienna, a large city, an
                abbreviation such as CET, or an offset such as UTC+2.
        """
        found = find_zone(zone)
        moment = self.clock().astimezone(found.rules)
        shown = f"{wording.day(moment)}, {moment:%H:%M:%S}"
        return f"{shown} in {found.name} ({wording.offset(moment)})"

    @activity(
        read_only=True,
        idempotent=True,
        open_world=False,
        examples=examples.CONVERT,
    )
    def convert(self, time: str, from_zone: str, to_zone: str) -> str:
        """Convert a time from one time zone to another.

        Daylight saving is taken into account.

        Args:
            time: The time as "HH:MM", which means today, or as "YYYY-MM-DD HH:MM".
            from_zone: The time zone in which the time is given, such as Europe/London.
            to_zone: The time zone to convert to, such as Asia/Tokyo.
        """
        source, target = find_zone(from_zone), find_zone(to_zone)
        shown = read_time(time, self.clock().astimezone(source.rules))
        if shown.tzinfo is not None:
            raise ToolError(f"{time!r} names an offset, and so does from_zone; leave it out.")
        try:
            found = convert(shown, source, target)
        except OverflowError:
            raise ToolError(_OUT_OF_RANGE) from None
        start = f"{wording.clock(found.start)} in {source.name} ({wording.day(found.start)})"
        there = f"{wording.day(found.end)}, {found.days_apart}"
        end = f"{wording.clock(found.end)} in {target.name} ({there})"
        return f"{start} is {end}. {found.note}".strip()

    @activity(
        read_only=True,
        idempotent=True,
        open_world=False,
        examples=examples.DIFFERENCE,
    )
    def difference(self, start: str, end: str) -> str:
        """Count the days between two dates, or the time between two moments.

        The first day is not counted. Moments are taken as clocks of one place show them.

        Args:
            start: The first date as YYYY-MM-DD, or moment as YYYY-MM-DD HH:MM, or time as HH:MM;
                also "today" or "now".
            end: The second, written likewise; it may be the earlier one.
        """
        now = self.clock().astimezone(find_zone(self.home).rules)
        first, second = read_moment(start, now), read_moment(end, now)
        if first.has_time or second.has_time:
            return _time_between(first, _on_next_day(first, second))
        return _days_between(first, second)

    @activity(
        read_only=True,
        idempotent=True,
        open_world=False,
        examples=examples.SHIFT,
    )
    def shift(
        self,
        date: str,
        days: int = 0,
        weeks: int = 0,
        months: int = 0,
        years: int = 0,
        hours: int = 0,
        minutes: int = 0,
    ) -> str:
        """Move a date forward or back; tell the resulting date and its weekday.

        Negative numbers move back. Without any number it tells the weekday of the date. A month
        that is too short for the day gives its last day.

        Args:
            date: The date to start from as YYYY-MM-DD, with HH:MM if need be, or "today".
            days: Days to move by.
            weeks: Weeks to move by.
            months: Months to move by.
            years: Years to move by.
            hours: Hours to move by.
            minutes: Minutes to move by.
        """
        now = self.clock().astimezone(find_zone(self.home).rules)
        start = read_moment(date, now)
        count = 12 * years + months
        try:
            rest = timedelta(days=days, weeks=weeks, hours=hours, minutes=minutes)
            end = shift(start.when, count, rest)
            note = _note_on_month(start.when, shift_months(start.when, count))
        except OverflowError:
            raise ToolError(_OUT_OF_RANGE) from None
        has_time = start.has_time or bool(hours or minutes)
        shown = f"{wording.day(end)}, {wording.clock(end)}" if has_time else wording.day(end)
        return f"{shown}{note}"


def _days_between(first: Moment, second: Moment) -> str:
    start, end = sorted((first.when.date(), second.when.date()))
    days = (end - start).days
    counted = wording.count(days, "day")
    more = [wording.weeks(days)] if days >= 7 else []
    more += [wording.calendar_span(start, end)] if days >= 28 else []
    more = [words for words in dict.fromkeys(more) if words != counted]
    aside = f" ({'; '.join(more)})" if more else ""
    return f"{counted}{aside}: {_order(first, second)}"


def _on_next_day(first: Moment, second: Moment) -> Moment:
    """Return an earlier time of day as that of the next day: 22:15 to 06:00 is a night."""
    if first.has_date or second.has_date or first.when.tzinfo or second.when.tzinfo:
        return second
    is_earlier = second.when < first.when
    return replace(second, when=second.when + timedelta(days=1)) if is_earlier else second


def _time_between(first: Moment, second: Moment) -> str:
    if (first.when.tzinfo is None) != (second.when.tzinfo is None):
        raise ToolError("One moment has an offset and the other has none; give both or neither.")
    length = abs(second.when - first.when)
    hours = length / timedelta(hours=1)
    aside = f" ({hours:,.10g} hours)" if length >= timedelta(days=1) else ""
    return f"{wording.span(length)}{aside}: {_order(first, second)}"


def _order(first: Moment, second: Moment) -> str:
    relation = "before" if second.when < first.when else "after"
    same = second.when == first.when
    return f"{_shown(second)} is {'the same as' if same else relation} {_shown(first)}"


def _shown(moment: Moment) -> str:
    return moment.when.isoformat(" ").removesuffix("" if moment.has_time else " 00:00:00")


def _note_on_month(asked: datetime, found: datetime) -> str:
    if asked.day == found.day:
        return ""
    month = f"{MONTHS[found.month - 1]} {found.year}"
    return f" ({month} has {found.day} days, so day {asked.day} became day {found.day})"
