"""Let loops take turns, and tell the CPU time of each."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Callable, Sequence

from support.bare_loops import Loop
from support.driven_loops import Way

#: What every loop is asked.
QUESTION = "How many units are on the shelf?"

Run = Callable[[], object]


def runs_of(loop: Loop, way: Way, runner: asyncio.Runner) -> Run:
    """Return what runs a loop once; the awaited ones share the runner's event loop."""
    if way.is_async:
        return lambda: runner.run(loop.arun(QUESTION))
    return lambda: loop.run(QUESTION)


def seconds_per_run(runs: Sequence[Run], turns: int, times: Sequence[int]) -> list[list[float]]:
    """Return the CPU time that each takes, in all threads, turn by turn.

    Args:
        runs: They take turns, after one that warms up; whoever began a turn ends the next.
        turns: How many turns each has.
        times: How often each runs in one turn.
    """
    taken: list[list[float]] = [[] for _ in runs]
    order = list(range(len(runs)))
    for run in runs:
        run()
    for _ in range(turns):
        for place in order:
            taken[place].append(_seconds(runs[place], times[place]))
        order.reverse()
    return taken


def _seconds(run: Run, times: int) -> float:
    gc.collect()  # each pays for what it leaves behind itself
    begun = time.process_time()
    for _ in range(times):
        run()
    return (time.process_time() - begun) / times
