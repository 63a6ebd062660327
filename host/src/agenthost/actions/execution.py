"""Run actions side by side, each with its own time limit, and record each result as it comes.

At most `MAX_PARALLEL` run at once; as soon as one of them is answered, the next begins. What an
action raises is its own error, `SystemExit` and a `KeyboardInterrupt` from a thread of ours
included. What interrupts the run itself (a `KeyboardInterrupt` of the main thread, a cancelled
coroutine) leaves no action without an answer: those that ran or waited are answered as cancelled,
and the interrupt is raised on.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any

from agenthost.actions.background import BACKGROUND, Begun
from agenthost.actions.batch import MAX_PARALLEL as MAX_PARALLEL
from agenthost.actions.batch import Arrival, Batch, Begin, Record
from agenthost.actions.elsewhere import Elsewhere
from agenthost.actions.guarding import STANDING, looked_at
from agenthost.actions.validation import Ready
from agenthost_sdk.artifacts import BaseArtifact, to_artifact
from agenthost_sdk.threads import in_thread, start_work
from agenthost_sdk.tools import BaseTool, failure


def run_actions(
    ready: Sequence[Ready],
    begin: Begin,
    record: Record,
    most: float | None = None,
    executor: Executor | None = None,
) -> list[BaseArtifact]:
    """Run the actions side by side and return their results in order.

    Sync activities run in daemon threads, async ones on the host's own loop. An action that does
    not end within its time limit is answered by an `ErrorArtifact` at once; its thread is left
    to itself, takes nobody's place, and does not hold the interpreter's exit.

    Args:
        ready: The actions.
        begin: Is called when an action begins, with its place in `ready`.
        record: Is called when an action is answered, with its place, result and seconds. Both
            are called by the caller's own thread.
        most: The seconds that any of them may take, whatever its own time limit.
        executor: Where they run instead.
    """
    batch, runner = Batch(ready, begin, record, most), _Threads(ready, executor)
    try:
        while batch.is_open():
            batch.begin_more(runner.start)
            batch.answer(runner.arrived(batch.seconds_left()))
    except BaseException:
        runner.cancel()
        batch.answer(runner.arrived(0.0))
        batch.give_up()
        raise
    runner.cancel()
    return batch.outputs()


async def arun_actions(
    ready: Sequence[Ready],
    begin: Begin,
    record: Record,
    most: float | None = None,
    executor: Executor | None = None,
) -> list[BaseArtifact]:
    """Do what `run_actions` does, without blocking the caller's event loop.

    Async activities run on the host's own loop here too: the client that a tool keeps belongs to
    one loop, however often and from wherever the tool is run.
    """
    batch, runner = Batch(ready, begin, record, most), _Tasks(ready, executor)
    try:
        while batch.is_open():
            batch.begin_more(runner.start)
            batch.answer(await runner.arrived(batch.seconds_left()))
    except BaseException:
        runner.cancel()
        batch.answer(runner.taken())
        batch.give_up()
        raise
    runner.cancel()
    return batch.outputs()


class _Threads:
    """Actions that blocking code waits for."""

    def __init__(self, ready: Sequence[Ready], executor: Executor | None) -> None:
        self._ready = ready
        self._arrivals: SimpleQueue[Arrival] = SimpleQueue()
        self._elsewhere = Elsewhere(executor, self._arrivals.put) if executor else None
        self._begun: dict[int, Begun] = {}
        self._waiting: list[Begun] = []  # for the loop, which is woken once for all of them

    def start(self, place: int) -> None:
        """Start an action, whose result will arrive."""
        one = self._ready[place]
        if self._elsewhere is not None:
            self._elsewhere.start(one, place)
        elif one.is_async:
            begun = self._begun[place] = Begun(self._await(place))
            self._waiting.append(begun)
        else:
            start_work(_call(one, place), self._arrivals.put)

    def arrived(self, seconds: float | None) -> list[Arrival]:
        """Return the results that came; wait for one, for that many seconds at most."""
        if self._waiting:
            BACKGROUND.start(self._waiting)
            self._waiting = []
        arrivals: list[Arrival] = []
        try:
            arrivals.append(self._arrivals.get(timeout=seconds))
            while True:
                arrivals.append(self._arrivals.get_nowait())
        except Empty:
            return arrivals

    def cancel(self) -> None:
        """Cancel what was left behind, as far as it can be."""
        if self._elsewhere is not None:
            self._elsewhere.cancel()
        for begun in list(self._begun.values()):  # one that ends meanwhile leaves the rest
            begun.cancel()

    async def _await(self, place: int) -> None:
        self._arrivals.put((place, await _awaited(self._ready[place]), monotonic()))
        self._begun.pop(place, None)


#: Tasks that nobody waits for any more; a loop forgets a task that nothing else refers to.
_LEFT_BEHIND: set[asyncio.Task[None]] = set()


class _Tasks:
    """Actions that a coroutine waits for."""

    def __init__(self, ready: Sequence[Ready], executor: Executor | None) -> None:
        self._ready = ready
        self._elsewhere = Elsewhere(executor, self._deliver) if executor else None
        self._arrivals: list[Arrival] = []
        self._tasks: list[asyncio.Task[None]] = []
        self._begun: dict[int, Begun] = {}
        self._waiting: list[Begun] = []  # as above
        self._loop = asyncio.get_running_loop()
        #: An agent that is a tool of another runs on the host's loop already.
        self._is_at_home = BACKGROUND.serves_this_thread()
        self._waiter: asyncio.Future[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._is_called = False

    def start(self, place: int) -> None:
        """Start an action, whose result will arrive."""
        one = self._ready[place]
        if self._elsewhere is not None:
            self._elsewhere.start(one, place)
        elif not one.is_async and type(one.tool).arun is BaseTool.arun:
            start_work(_call(one, place), self._deliver)
        elif self._is_at_home:
            self._tasks.append(self._loop.create_task(self._await(place)))
        else:
            begun = self._begun[place] = Begun(self._await_there(place))
            self._waiting.append(begun)

    async def arrived(self, seconds: float | None) -> list[Arrival]:
        """Return the results that came; wait for one, for that many seconds at most."""
        if self._waiting:
            BACKGROUND.start(self._waiting)
            self._waiting = []
        if not self._arrivals:
            self._waiter = self._loop.create_future()
            if seconds is not None:
                self._wake_in(seconds)
            await self._waiter
        return self.taken()

    def taken(self) -> list[Arrival]:
        """Return the results that have come since."""
        self._is_called = False  # first, so that what comes from now on calls again
        arrivals, self._arrivals = self._arrivals, []
        return arrivals

    def cancel(self) -> None:
        """Cancel the actions that were left behind, without waiting for them to end."""
        if self._timer is not None:
            self._timer.cancel()
        if self._elsewhere is not None:
            self._elsewhere.cancel()
        for begun in list(self._begun.values()):
            begun.cancel()
        for task in self._tasks:
            if not task.done():
                _LEFT_BEHIND.add(task)
                task.add_done_callback(_LEFT_BEHIND.discard)
                task.cancel()

    async def _await(self, place: int) -> None:
        output = await _awaited(self._ready[place])
        self._arrivals.append((place, output, monotonic()))
        self._wake()

    async def _await_there(self, place: int) -> None:
        self._deliver((place, await _awaited(self._ready[place]), monotonic()))
        self._begun.pop(place, None)

    def _deliver(self, arrival: Arrival) -> None:
        """Take a result in the thread that it came from."""
        self._arrivals.append(arrival)
        if not self._is_called:
            self._is_called = True
            with suppress(RuntimeError):  # the loop was closed: nobody waits any more
                self._loop.call_soon_threadsafe(self._wake)

    def _wake_in(self, seconds: float) -> None:
        """See that the wait ends in time; a timer that ends earlier serves again."""
        due = self._loop.time() + seconds
        if self._timer is not None:
            if self._timer.when() <= due:
                return
            self._timer.cancel()
        self._timer = self._loop.call_at(due, self._time_is_up)

    def _time_is_up(self) -> None:
        self._timer = None
        self._wake()

    def _wake(self) -> None:
        waiter = self._waiter
        if waiter is not None and not waiter.done():
            waiter.set_result(None)


def _call(one: Ready, place: int) -> Callable[[], Arrival]:
    """Return a call of a sync activity, for a thread that it has for itself."""
    context = contextvars.copy_context()
    if one.guards:
        context.run(STANDING.set, one.guards)

    def call() -> Arrival:
        try:
            output: Any = context.run(one.tool.run, one.action, one.arguments)
            if not isinstance(output, BaseArtifact):
                output = to_artifact(output)
        except BaseException as error:  # a person's interrupt goes to the main thread, never here
            output = failure(error)
        if one.guards:
            output = context.run(looked_at, one, output)
        return place, output, monotonic()

    return call


async def _awaited(one: Ready) -> BaseArtifact:
    """Await an activity, on whatever loop this is, and let its guards look at what came of it."""
    if one.guards:
        STANDING.set(one.guards)
    try:
        output: Any = await one.tool.arun(one.action, one.arguments)
        if not isinstance(output, BaseArtifact):
            output = to_artifact(output)
    except BaseException as error:
        if _is_ours(error):
            raise
        output = failure(error)
    return await in_thread(looked_at, one, output) if one.guards else output


def _is_ours(error: BaseException) -> bool:
    """Return whether it was us who cancelled; an activity may raise the same error by itself."""
    task = asyncio.current_task()
    is_asked = task is not None and task.cancelling() > 0
    return is_asked and isinstance(error, asyncio.CancelledError)
