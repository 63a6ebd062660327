"""Work on an open file, with words for what goes wrong."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from agenthost_plugin_sql.connecting import Opened, opened
from agenthost_plugin_sql.failures import in_words, too_slow
from agenthost_sdk.errors import ToolError
from agenthost_sdk.threads import start_thread

T = TypeVar("T")

#: What sqlite3 raises for a file, a statement or a value; a `DeprecationWarning` is for named
#: parameters, where warnings are errors.
_FAILURES = (sqlite3.Error, sqlite3.Warning, DeprecationWarning, OverflowError, ValueError)

#: Seconds that SQLite is given to stop by itself.
_GRACE = 1.0


@dataclass(frozen=True)
class Bounds:
    """How long a statement may take, and how much of its answer is shown."""

    seconds: float
    rows: int


@contextmanager
def session_of(path: Path, bounds: Bounds, *, writable: bool = False) -> Iterator[Opened]:
    """Open a file, and turn what sqlite3 raises into words for the model.

    Raises:
        ToolError: The file cannot be used, or what was done with it failed or is not allowed.
    """
    session = None
    try:
        with opened(path, bounds.seconds, writable=writable) as session:
            yield session
    except _FAILURES as error:
        raise ToolError(in_words(error, path, bounds.seconds, session)) from error
    except OSError as error:
        raise ToolError(f"{path} cannot be read: {error.strerror or error}.") from error


def answered_in_time(work: Callable[[], T], bounds: Bounds) -> T:
    """Return what reading gives, or give it up: nothing stops a function at work on one value.

    What is given up ends by itself, in a thread that keeps nobody waiting.

    Raises:
        ToolError: It took too long.
    """
    try:
        return start_thread(work).result(bounds.seconds + _GRACE)
    except TimeoutError as error:
        raise ToolError(too_slow(bounds.seconds)) from error
