"""Go through all that lies below a folder, within bounds of time and number."""

from __future__ import annotations

import fnmatch
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import islice

from agenthost_plugin_files.folders import Entry, Folder
from agenthost_plugin_files.limits import Limits
from agenthost_plugin_files.roots import Place
from agenthost_sdk.errors import ToolError


@dataclass
class Walk:
    """How far a walk went, and what it left out."""

    limits: Limits
    came_by: int = 0
    #: What was left out, and how often.
    left_out: dict[str, int] = field(default_factory=dict)
    #: Why the walk ended before its end; "" where it did not.
    stopped: str = ""

    def __post_init__(self) -> None:
        self._end = time.monotonic() + self.limits.seconds

    def leave_out(self, why: str) -> None:
        """Note that something was left out."""
        self.left_out[why] = self.left_out.get(why, 0) + 1

    def may_go_on(self) -> bool:
        """Return whether nothing has stopped the walk; time that is up stops it."""
        if not self.stopped and time.monotonic() > self._end:
            self.stopped = f"{self.limits.seconds:g} seconds were over"
        return not self.stopped

    @property
    def note(self) -> str:
        """What the reader must know of what is missing; "" where nothing is."""
        said = [f"{count} {why}" for why, count in self.left_out.items()]
        left_out = f"Left out: {'; '.join(said)}." if said else ""
        stopped = f"Stopped early: {self.stopped}. Narrow it down." if self.stopped else ""
        return " ".join(part for part in (stopped, left_out) if part)


def files_below(place: Place, walk: Walk) -> Iterator[tuple[Folder, str, tuple[str, ...]]]:
    """Yield each file below a folder, or the file itself.

    With it come the folder that holds it, its name there, and the parts of its path from the
    place.

    Links are not followed, and names that begin with a dot are left out.
    """
    if not place.parts or place.kind() == "folder":
        yield from _below(place, walk)
        return
    with place.parent.opened() as folder:
        yield folder, place.parts[-1], place.parts[-1:]


def matches(parts: tuple[str, ...], pattern: str) -> bool:
    """Return whether a path fits a glob.

    A pattern without a slash is for the last name; in one with slashes `**` stands for any
    number of folders.
    """
    wanted = tuple(part for part in pattern.split("/") if part not in ("", "."))
    if len(wanted) == 1 and "/" not in pattern:
        return fnmatch.fnmatchcase(parts[-1], wanted[0])
    return _fits(parts, wanted)


def _below(place: Place, walk: Walk) -> Iterator[tuple[Folder, str, tuple[str, ...]]]:
    waiting: list[tuple[str, ...]] = [()]
    while waiting and walk.may_go_on():
        parts = waiting.pop()
        if len(parts) > walk.limits.depth:
            walk.leave_out("folders that lie too deep")
            continue
        try:
            with place.at(place.parts + parts).opened() as folder:
                inner = []
                for entry in _entries(folder, walk):
                    if entry.kind == "folder":
                        inner.append((*parts, entry.name))
                    elif entry.kind == "file":
                        yield folder, entry.name, (*parts, entry.name)
                waiting += reversed(inner)
        except ToolError:
            if not parts:
                raise
            walk.leave_out("folders that cannot be opened")


def _entries(folder: Folder, walk: Walk) -> Iterator[Entry]:
    """Yield what a folder holds, by name, until the walk has come by enough."""
    left = walk.limits.walked - walk.came_by
    met = list(islice(folder.entries(), left + 1))
    walk.came_by += min(len(met), left)
    for entry in sorted(met[:left], key=lambda one: one.name):
        if not walk.may_go_on():
            return
        if not entry.name.startswith("."):
            yield entry
    if len(met) > left and not walk.stopped:
        walk.stopped = f"{walk.limits.walked:,} files and folders were met"


def _fits(parts: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    @cache  # without it, many `**` would take for ever
    def fit(part: int, want: int) -> bool:
        if want == len(wanted):
            return part == len(parts)
        if wanted[want] == "**":
            return fit(part, want + 1) or (part < len(parts) and fit(part + 1, want))
        is_here = part < len(parts) and fnmatch.fnmatchcase(parts[part], wanted[want])
        return is_here and fit(part + 1, want + 1)

    return fit(0, 0)
