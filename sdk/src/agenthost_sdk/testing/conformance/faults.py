"""Report all faults that a check found, not the first alone; warn of what is none."""

from __future__ import annotations

from collections.abc import Iterable


class ConformanceWarning(UserWarning):
    """Something that works, and that an author should know of."""


def none_of(faults: Iterable[str]) -> None:
    """Fail with every fault on a line of its own; pass when there is none."""
    found = list(faults)
    assert not found, "\n".join(found)
