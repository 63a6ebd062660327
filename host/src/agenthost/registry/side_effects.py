"""Notice what a plugin does to the process that it is loaded in, beside defining things.

Whoever uses something of the plugin loads it into the host's own process, where it would stay so.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from typing import Any, NamedTuple

#: The modules whose names are watched; what a plugin adds to them is no harm.
_WATCHED = ("builtins", "json", "os", "socket", "subprocess", "threading", "time")

#: What an import may take up; models and their like belong where they are used.
_MOST_MEGABYTES, _MOST_SECONDS = 500, 5.0

_MOST_NAMED = 3


class Process(NamedTuple):
    """What can be seen of this process at one moment."""

    folder: str
    threads: int
    streams: tuple[Any, ...]
    #: Which files the three standard numbers stand for.
    files: tuple[Any, ...]
    #: The public names of the watched modules, and what they stand for.
    names: dict[str, Any]
    signals: dict[int, Any]
    megabytes: float

    @classmethod
    def now(cls) -> Process:
        """Look at this process."""
        return cls(
            _folder(),
            threading.active_count(),
            (sys.stdin, sys.stdout, sys.stderr),
            tuple(map(_file, range(3))),
            dict(_public_names()),
            {each: signal.getsignal(each) for each in signal.valid_signals()},
            _megabytes(),
        )


def side_effects(before: Process, seconds: float) -> list[str]:
    """Return what has become of this process since, as verbs with their objects.

    Args:
        before: What it was like before the plugin was loaded.
        seconds: How long the plugin's import took.
    """
    return list(_changes(before, Process.now(), seconds))


def _changes(before: Process, after: Process, seconds: float) -> Iterator[str]:
    if after.folder != before.folder:
        yield "changes the working directory"
    if after.threads > before.threads:
        yield "starts a thread"
    if _has_child():
        yield "starts a process"
    if any(new is not old for new, old in zip(after.streams, before.streams, strict=True)):
        yield "replaces a standard stream"
    if after.files != before.files:
        yield "closes a standard stream"
    replaced = [name for name, old in before.names.items() if after.names.get(name) is not old]
    if replaced:
        yield f"replaces {', '.join(replaced[:_MOST_NAMED])}"
    handled = [each for each, old in before.signals.items() if after.signals.get(each) != old]
    if handled:
        yield f"handles {', '.join(map(_signal_name, handled[:_MOST_NAMED]))}"
    if after.megabytes - before.megabytes > _MOST_MEGABYTES:
        yield f"takes {after.megabytes - before.megabytes:,.0f} MB"
    if seconds >= _MOST_SECONDS:
        yield f"takes {seconds:.0f} s"


def _folder() -> str:
    try:
        return os.getcwd()
    except OSError:  # it was removed
        return ""


def _file(number: int) -> Any:
    try:
        found = os.fstat(number)
    except OSError:  # it is closed
        return None
    return found.st_dev, found.st_ino


def _public_names() -> Iterator[tuple[str, Any]]:
    for module in _WATCHED:
        held = vars(sys.modules[module]) if module in sys.modules else {}
        for name, value in held.items():
            if not name.startswith("_"):
                yield f"{module}.{name}", value


def _has_child() -> bool:
    if not hasattr(os, "WNOHANG"):
        return False
    try:
        return os.waitpid(-1, os.WNOHANG) == (0, 0)
    except OSError:  # there is none
        return False


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _megabytes() -> float:
    """Return the most memory that this process ever had; 0 where that is not known."""
    try:
        import resource
    except ImportError:  # Windows
        return 0.0
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
