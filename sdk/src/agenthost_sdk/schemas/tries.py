"""Bound how many alternatives are tried to tell what is wrong with one value."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice

from agenthost_sdk.schemas.findings import Branches, Finding

#: Alternatives that are tried for one value: a hundred levels of ten forms each.
_MOST_TRIES = 1_000

#: Faults that are looked at of one alternative, or of the value.
MOST_FAULTS = 200

#: Finds what one alternative has against the value.
Alternative = Callable[[], Iterable[Finding]]


class Tries:
    """Counts down the tries for one value; where they are spent, no alternative is looked into."""

    def __init__(self) -> None:
        self._left = _MOST_TRIES

    def of(self, alternatives: Iterable[Alternative]) -> Branches:
        """Return what each alternative found wrong; nothing where the tries are spent."""
        ways = list(alternatives)
        self._left -= len(ways)
        if self._left < 0:
            return ()
        return tuple(tuple(islice(way(), MOST_FAULTS)) for way in ways)
