"""Find out which distribution came of each thing that was asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from agenthost.installing.asked import Asked
from agenthost.installing.distributions import Installed, installed
from agenthost.installing.processes import InstallerFailedError
from agenthost.installing.snapshots import Snapshot


def arrived(asked: Iterable[Asked], before: Snapshot) -> list[Installed]:
    """Return the distribution of each thing that was asked for.

    Raises:
        InstallerFailedError: One is not there, or which one it is cannot be told.
    """
    there = installed()
    new = [one.after for one in before.changes() if one.after is not None]
    return [_arrived(one, there, new) for one in asked]


def named(asked: Iterable[Asked], rows: Iterable[Installed]) -> list[Asked]:
    """Return what was asked for, with the names of what came of it."""
    return [one.named(row.name) for one, row in zip(asked, rows, strict=True)]


def _arrived(one: Asked, there: dict[str, Installed], new: Sequence[Installed]) -> Installed:
    if one.name:
        return _of_name(one.name, there)
    for row in (*new, *there.values()):
        if _is_from(row, one):
            return row
    from_address = [row for row in new if row.url]
    if len(from_address) == 1:
        return from_address[0]
    raise InstallerFailedError(
        f"It cannot be told which distribution came from {one.text}. Write NAME @ ADDRESS."
    )


def _of_name(name: str, there: dict[str, Installed]) -> Installed:
    if name not in there:
        raise InstallerFailedError(
            f"The installer tells of no failure, and {name} is not installed. Look at what stood"
            " behind --, and at the installer's settings."
        )
    return there[name]


def _is_from(row: Installed, one: Asked) -> bool:
    if one.path:
        return bool(row.path) and Path(row.path).resolve() == Path(one.path).resolve()
    return one.is_address and row.url in (one.origin, f"git+{one.origin}")
