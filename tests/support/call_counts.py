"""Count the calls of Python functions, in the thread at hand and in those that it starts."""

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
    thread that began before the counting did.
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

    def hear(self, frame: FrameType, event: str, argument: Any) -> None:
        """Take an event of the interpreter's profiler."""
        if event == "call":
            self._calls.append(frame.f_code)  # in one step, whichever thread it is


@contextmanager
def counted_calls() -> Iterator[CallLog]:
    """Count while the block runs."""
    log = CallLog()
    before, before_in_threads = sys.getprofile(), threading.getprofile()
    threading.setprofile(log.hear)
    sys.setprofile(log.hear)
    try:
        yield log
    finally:
        sys.setprofile(before)
        threading.setprofile(before_in_threads)


def place(code: CodeType) -> str:
    """Return a function's file and name as one reads them: without the folders before."""
    file = Path(code.co_filename).as_posix()
    for before in _BEFORE:
        file = file.rpartition(before)[2]
    return f"{file}:{code.co_qualname}"


_BEFORE = ("site-packages/", "/src/", f"{Path(threading.__file__).parent.as_posix()}/")
