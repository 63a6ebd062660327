"""Tell what clocks in one zone show when clocks in another show a given time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from agenthost_plugin_datetime.wording import clock, day
from agenthost_plugin_datetime.zones import Zone


@dataclass(frozen=True)
class Conversion:
    """A moment in two zones, and a sentence about it where clocks were changed, else ""."""

    start: datetime
    end: datetime
    note: str

    @property
    def days_apart(self) -> str:
        """How the date in the second zone differs, in words."""
        days = (self.end.date() - self.start.date()).days
        named = {0: "the same day", 1: "the next day", -1: "the day before"}
        return named.get(days) or f"{abs(days)} days {'later' if days > 0 else 'earlier'}"


def convert(shown: datetime, source: Zone, target: Zone) -> Conversion:
    """Return the moment when clocks in the first zone show a time.

    A time that clocks skip is read as if they had not been put forward; of a time that occurs
    twice the first is taken. Both are said in the note.
    """
    start = shown.replace(tzinfo=source.rules)
    moment = start.astimezone(UTC)
    real = moment.astimezone(source.rules)
    return Conversion(real, moment.astimezone(target.rules), _note(start, real, source))


def _note(asked: datetime, real: datetime, zone: Zone) -> str:
    named = f"{clock(asked)} in {zone.name} on {day(asked)}"
    if asked.replace(tzinfo=None) != real.replace(tzinfo=None):
        return f"Clocks go forward then, so {named} does not exist; {clock(real)} was taken."
    if asked.utcoffset() != asked.replace(fold=1).utcoffset():
        return f"Clocks go back then, so {named} occurs twice; the first was taken."
    return ""
