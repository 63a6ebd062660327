"""Count the calls of Python functions, in all threads."""

from __future__ import annotations

import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

#: How often each function was called.
Calls = Counter[CodeType]


class CallLog:
    """The calls of Python functions in the order in which they came, cut into parts by marks.

    A generator counts each time that it goes on. What is written in C does not count, nor does a
    thread that began before the first counting in this process did.
    """

    def __init__(self) -> None:
        self._calls: list[CodeType] = []
        self._marks: list[int] = []

    def mark(self) -> None:
        """End one part of the work here, and begin the next."""
        self._marks.append(len(self._calls))

    def parts(self) -> list[Calls]:
        """Return what was called between each two marks."""
        ends = zip(self._marks, self._marks[1:], strict=False)
        return [Counter(self._calls[start:end]) for start, end in ends]

    def add(self, code: CodeType) -> None:
        """Note a call; in one step, whichever thread it is in."""
        self._calls.append(code)


class _Profiler:
    """Hands the events of all threads to the log that is kept at the time."""

    def __init__(self) -> None:
        self.log: CallLog | None = None

    def hear(self, frame: FrameType, event: str, argument: Any) -> None:
        log = self.log  # another thread may end the counting meanwhile
        if event == "call" and log is not None:
            log.add(frame.f_code)


_PROFILER = _Profiler()


@contextmanager
def counted_calls() -> Iterator[CallLog]:
    """Count while the block runs.

    Threads that begin from here on stay within hearing, since those that wait for work may serve
    a later block; this is for a process that does nothing else.
    """
    log = _PROFILER.log = CallLog()
    threading.setprofile(_PROFILER.hear)
    sys.setprofile(_PROFILER.hear)
    try:
        yield log
    finally:
        sys.setprofile(None)
        _PROFILER.log = None


def place(code: CodeType) -> str:
    """Return a function's file and name as one reads them: without the folders before."""
    file = Path(code.co_filename).as_posix()
    for before in _BEFORE:
        file = file.rpartition(before)[2]
    return f"{file}:{code.co_qualname}"


_BEFORE = ("site-packages/", "/src/", f"{Path(threading.__file__).parent.as_posix()}/")
