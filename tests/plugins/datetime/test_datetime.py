"""The tool for dates and times as a model and as Python code use it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from agenthost_plugin_datetime.tool import DateTime
from agenthost_sdk import ErrorArtifact, ToolAction, ToolError
from agenthost_sdk.testing import ToolConformance

NOW = datetime(2026, 3, 15, 23, 30, 5, tzinfo=UTC)


class TestDateTimeConforms(ToolConformance):
    """The tool does what hosts expect of one."""

    tool = DateTime


def run(path: str, **given: object) -> str:
    tool = DateTime(clock=lambda: NOW)
    return tool.run(ToolAction("1", "DateTime", path, given)).to_text()


def test_now_tells_weekday_date_time_and_offset() -> None:
    assert run("now") == "Sunday, 2026-03-15, 23:30:05 in UTC (UTC+00:00)"
    assert run("now", zone="Asia/Tokyo") == (
        "Monday, 2026-03-16, 08:30:05 in Asia/Tokyo (UTC+09:00)"
    )


def test_a_clock_of_another_offset_is_understood() -> None:
    east = timezone(timedelta(hours=9))
    tool = DateTime(clock=lambda: datetime(2026, 1, 1, 8, tzinfo=east))

    assert tool.now() == "Wednesday, 2025-12-31, 23:00:00 in UTC (UTC+00:00)"


def test_the_clock_is_the_present_moment_where_none_is_given() -> None:
    before = datetime.now(UTC).replace(microsecond=0)
    shown = DateTime().now()

    told = datetime.strptime(shown[-39:-19], "%Y-%m-%d, %H:%M:%S").replace(tzinfo=UTC)
    assert timedelta() <= told - before < timedelta(minutes=1)


def test_convert_tells_the_time_there_and_whether_the_day_differs() -> None:
    assert run("convert", time="15:00", from_zone="London", to_zone="Tokyo") == (
        "15:00 in Europe/London (Sunday, 2026-03-15) is"
        " 00:00 in Asia/Tokyo (Monday, 2026-03-16, the next day)."
    )
    assert run(
        "convert", time="2026-07-01 09:30", from_zone="America/New_York", to_zone="Europe/Paris"
    ) == (
        "09:30 in America/New_York (Wednesday, 2026-07-01) is"
        " 15:30 in Europe/Paris (Wednesday, 2026-07-01, the same day)."
    )


def test_today_is_the_day_in_the_zone_of_the_time() -> None:
    shown = run("convert", time="8:00", from_zone="Asia/Tokyo", to_zone="UTC")

    assert shown == (
        "08:00 in Asia/Tokyo (Monday, 2026-03-16) is"
        " 23:00 in UTC (Sunday, 2026-03-15, the day before)."
    )


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("15:00", "15:00"),
        ("3 pm", "15:00"),
        ("3:05PM", "15:05"),
        ("12 am", "00:00"),
        ("12 pm", "12:00"),
        ("noon", "12:00"),
        ("now", "23:30:05"),
        ("tomorrow 8:00", "08:00"),
        ("2026-07-01T09:30", "09:30"),
        ("July 1, 2026 at 9:30 am", "09:30"),
        ("2026-07-01 09:30:15", "09:30:15"),
    ],
)
def test_times_are_read_as_people_write_them(written: str, expected: str) -> None:
    shown = run("convert", time=written, from_zone="UTC", to_zone="UTC")

    assert shown.startswith(f"{expected} in UTC")


def test_a_time_that_clocks_skip_is_read_as_the_one_after() -> None:
    shown = run(
        "convert", time="2026-03-29 02:30", from_zone="Europe/Vienna", to_zone="Europe/London"
    )

    assert shown == (
        "03:30 in Europe/Vienna (Sunday, 2026-03-29) is 02:30 in Europe/London (Sunday,"
        " 2026-03-29, the same day). Clocks go forward then, so 02:30 in Europe/Vienna on"
        " Sunday, 2026-03-29 does not exist; 03:30 was taken."
    )


def test_of_a_time_that_occurs_twice_the_first_is_taken_and_that_is_said() -> None:
    shown = run("convert", time="2026-10-25 02:30", from_zone="Europe/Vienna", to_zone="UTC")

    assert "00:30 in UTC" in shown
    assert shown.endswith("occurs twice; the first was taken.")


def test_zones_far_apart_differ_by_two_days() -> None:
    shown = run("convert", time="23:00", from_zone="Etc/GMT+12", to_zone="Pacific/Kiritimati")

    assert "2 days later" in shown


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        ("2026-01-01", "2026-01-01", "0 days: 2026-01-01 is the same as 2026-01-01"),
        ("2026-01-01", "2026-01-02", "1 day: 2026-01-02 is after 2026-01-01"),
        ("2026-01-02", "2026-01-01", "1 day: 2026-01-01 is before 2026-01-02"),
        ("2026-01-01", "2026-01-15", "14 days (2 weeks): 2026-01-15 is after 2026-01-01"),
        (
            "2026-01-01",
            "2026-02-15",
            "45 days (6 weeks and 3 days; 1 month and 14 days): 2026-02-15 is after 2026-01-01",
        ),
        (
            "2000-02-29",
            "2026-02-28",
            "9,496 days (1,356 weeks and 4 days; 25 years, 11 months and 30 days):"
            " 2026-02-28 is after 2000-02-29",
        ),
        ("today", "2026-03-25", "10 days (1 week and 3 days): 2026-03-25 is after 2026-03-15"),
        ("yesterday", "tomorrow", "2 days: 2026-03-16 is after 2026-03-14"),
        ("1 March 2026", "March 3rd, 2026", "2 days: 2026-03-03 is after 2026-03-01"),
    ],
)
def test_difference_counts_the_days_between_dates(start: str, end: str, expected: str) -> None:
    assert run("difference", start=start, end=end) == expected


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        ("2026-05-11 22:15", "2026-05-12 06:00", "7 hours and 45 minutes: "),
        ("2026-05-11 22:00", "2026-05-13 06:30", "1 day, 8 hours and 30 minutes (32.5 hours): "),
        ("2026-05-11", "2026-05-11 00:01", "1 minute: "),
        ("2026-05-11 09:00", "2026-05-11 09:00", "0 minutes: "),
        ("2026-03-15 23:30", "now", "5 seconds: 2026-03-15 23:30:05 is after"),
        ("09:40", "13:05", "3 hours and 25 minutes: 2026-03-15 13:05:00 is after"),
        ("22:15", "6 am", "7 hours and 45 minutes: 2026-03-16 06:00:00 is after"),
        ("2026-05-11 10:00Z", "2026-05-11T10:00+02:00", "2 hours: "),
    ],
)
def test_difference_counts_the_time_between_moments(start: str, end: str, expected: str) -> None:
    assert run("difference", start=start, end=end).startswith(expected)


def test_today_is_meant_in_the_home_zone() -> None:
    tool = DateTime(clock=lambda: NOW, home="Asia/Tokyo")

    assert tool.difference("today", "2026-03-17").startswith("1 day:")
    assert tool.shift("today") == "Monday, 2026-03-16"


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"date": "2026-03-10"}, "Tuesday, 2026-03-10"),
        ({"date": "2026-03-10", "days": 45}, "Friday, 2026-04-24"),
        ({"date": "2026-03-10", "weeks": -3, "days": 1}, "Wednesday, 2026-02-18"),
        ({"date": "2026-12-31", "days": 1}, "Friday, 2027-01-01"),
        ({"date": "2026-05-15", "months": 1}, "Monday, 2026-06-15"),
        ({"date": "2026-05-15", "months": -17}, "Sunday, 2024-12-15"),
        (
            {"date": "2026-01-31", "months": 1},
            "Saturday, 2026-02-28 (February 2026 has 28 days, so day 31 became day 28)",
        ),
        (
            {"date": "2024-02-29", "years": 1},
            "Friday, 2025-02-28 (February 2025 has 28 days, so day 29 became day 28)",
        ),
        ({"date": "2024-02-29", "years": 4}, "Tuesday, 2028-02-29"),
        (
            {"date": "2026-01-31", "months": 1, "days": 1},
            "Sunday, 2026-03-01 (February 2026 has 28 days, so day 31 became day 28)",
        ),
        ({"date": "2026-02-14 22:30", "hours": 9, "minutes": 45}, "Sunday, 2026-02-15, 08:15"),
        ({"date": "2026-02-14", "hours": -1}, "Friday, 2026-02-13, 23:00"),
        ({"date": "22:00", "hours": 3}, "Monday, 2026-03-16, 01:00"),
        ({"date": "now", "minutes": 30}, "Monday, 2026-03-16, 00:00:05"),
        ({"date": "0999-01-01", "days": 1}, "Wednesday, 0999-01-02"),
    ],
)
def test_shift_tells_the_date_and_its_weekday(given: dict[str, object], expected: str) -> None:
    assert run("shift", **given) == expected


@pytest.mark.parametrize(
    "given",
    [
        {"days": 10**30},
        {"days": -(10**6)},
        {"years": 10**12},
        {"months": -(10**9)},
        {"hours": 10**20},
    ],
)
def test_a_date_beyond_the_calendar_is_refused(given: dict[str, int]) -> None:
    assert run("shift", date="2026-01-01", **given).startswith("The result is not between")


def test_a_moment_beyond_the_calendar_is_refused() -> None:
    shown = run("convert", time="9999-12-31 23:00", from_zone="UTC", to_zone="Asia/Tokyo")

    assert shown.startswith("The result is not between")


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("2026-02-30", "There is no such date as '2026-02-30'."),
        ("31 April 2026", "There is no such date as '31 April 2026'."),
        ("2026-02-15 25:00", "There is no such time as '25:00'."),
        ("2026-02-15 13 pm", "am and pm go with hours 1 to 12"),
        ("03/04/2026", "'03/04/2026' can mean two dates; write it as YYYY-MM-DD."),
        ("next Friday", 'Write YYYY-MM-DD, YYYY-MM-DD HH:MM, "today" or "now".'),
        ("15", "is no date or time that can be read"),
        ("", "is no date or time that can be read"),
    ],
)
def test_a_date_that_cannot_be_read_is_quoted(written: str, said: str) -> None:
    assert said in run("shift", date=written)


def test_a_time_without_its_day_or_with_two_offsets_is_refused() -> None:
    zones = {"from_zone": "UTC", "to_zone": "UTC"}

    assert "date without a time" in run("convert", time="2026-01-01", **zones)
    assert "names an offset" in run("convert", time="15:00Z", **zones)
    assert "give both or neither" in run(
        "difference", start="2026-01-01 10:00Z", end="2026-01-02 10:00"
    )


def test_an_unknown_zone_is_an_error_for_the_model() -> None:
    action = ToolAction("1", "DateTime", "now", {"zone": "Europe/Viena"})
    output = DateTime().run(action)

    assert isinstance(output, ErrorArtifact)
    assert output.code == "tool-error"
    with pytest.raises(ToolError, match="Did you mean Europe/Vienna"):
        DateTime().now("Europe/Viena")
