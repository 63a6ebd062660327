"""Count the calls of functions, those written in Python and those written in C, in all threads."""

from __future__ import annotations

import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from support.call_counts import place

#: Where threads and event loops wait; how often they do depends on who comes first.
WAITING = (
    "_weakrefset.py:",
    "asyncio/",
    "concurrent/futures/",
    "queue.py:",
    "selectors.py:",
    "socket.py:",
    "threading.py:",
)

#: A call: the code that was called, or that called a function of that name in C.
Call = tuple[CodeType, str]


class AllCalls:
    """The calls in the order in which they came, cut into parts by marks.

    A generator counts each time that it goes on.
    """

    def __init__(self) -> None:
        self._calls: list[Call] = []
        self._marks: list[int] = []

    def mark(self) -> None:
        """End one part of the work here, and begin the next."""
        self._marks.append(len(self._calls))

    def parts(self, left_out: tuple[str, ...] = ()) -> list[Counter[str]]:
        """Return how often each function was called between each two marks.

        Args:
            left_out: How the places begin that do not count, nor what is called in C from there.
        """
        ends = zip(self._marks, self._marks[1:], strict=False)
        return [self._counted(Counter(self._calls[start:end]), left_out) for start, end in ends]

    def add(self, frame: FrameType, event: str, argument: Any) -> None:
        """Note what a profiler hears."""
        if event == "call":
            self._calls.append((frame.f_code, ""))
        elif event == "c_call":
            self._calls.append((frame.f_code, argument.__name__))

    def _counted(self, part: Counter[Call], left_out: tuple[str, ...]) -> Counter[str]:
        counted: Counter[str] = Counter()
        for (code, name), number in part.items():
            caller = place(code)
            if not caller.startswith(left_out) and code.co_filename not in _OURS:
                counted[f"{name} in {caller}" if name else caller] += number
        return counted


class _Profiler:
    """Hands what is heard in all threads to the calls that are counted at the time."""

    def __init__(self) -> None:
        self.calls: AllCalls | None = None

    def hear(self, frame: FrameType, event: str, argument: Any) -> None:
        calls = self.calls  # another thread may end the counting meanwhile
        if calls is not None:
            calls.add(frame, event, argument)


_PROFILER = _Profiler()

#: What counts, and stands for the provider, is no part of what is counted.
_OURS = {__file__, str(Path(__file__).with_name("driven_loops.py"))}


@contextmanager
def all_calls() -> Iterator[AllCalls]:
    """Count while the block runs.

    Threads that begin from here on stay within hearing, since those that wait for work may serve
    a later block; this is for a process that does nothing else.
    """
    calls = _PROFILER.calls = AllCalls()
    threading.setprofile(_PROFILER.hear)
    sys.setprofile(_PROFILER.hear)
    try:
        yield calls
    finally:
        sys.setprofile(None)
        _PROFILER.calls = None
