"""Report all faults that a check found, not the first alone."""

from __future__ import annotations

from collections.abc import Iterable


def none_of(faults: Iterable[str]) -> None:
    """Fail with every fault on a line of its own; pass when there is none."""
    found = list(faults)
    assert not found, "\n".join(found)
