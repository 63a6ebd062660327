"""Run actions side by side, each with its own time limit, and record each result as it comes."""

from __future__ import annotations

import asyncio
import contextvars
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from typing import TypeVar

from agenthost.actions.background import BACKGROUND
from agenthost.actions.validation import Ready
from agenthost_sdk.artifacts import BaseArtifact, ErrorArtifact

T = TypeVar("T")

#: How many actions of one reply run at once; the rest waits for these.
MAX_PARALLEL = 128

#: Called with the place of an action in the list, its result, and the seconds that it took.
Record = Callable[[int, BaseArtifact, float], None]

#: Called with the place of an action in the list when it starts.
Begin = Callable[[int], None]


def run_actions(ready: Sequence[Ready], begin: Begin, record: Record) -> list[BaseArtifact]:
    """Run the actions side by side in daemon threads and return their results in order.

    An action that does not end within its time limit is answered by an `ErrorArtifact` at once;
    its thread is left to itself, and does not hold the interpreter's exit.
    """
    outputs: list[BaseArtifact] = []
    for start, group in _groups(ready, MAX_PARALLEL):
        started = [
            _Started(start + offset, item, begin, record) for offset, item in enumerate(group)
        ]
        outputs += [one.result() for one in started]
    return outputs


async def arun_actions(ready: Sequence[Ready], begin: Begin, record: Record) -> list[BaseArtifact]:
    """Do what `run_actions` does, without blocking: async activities run on the caller's loop."""
    outputs: list[BaseArtifact] = []
    for start, group in _groups(ready, MAX_PARALLEL):
        tasks = [
            asyncio.create_task(_arun_one(start + offset, item, begin, record))
            for offset, item in enumerate(group)
        ]
        try:
            outputs += await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
    return outputs


class _Started:
    """An action that was started, and the way to its result."""

    def __init__(self, place: int, ready: Ready, begin: Begin, record: Record) -> None:
        self._place = place
        self._ready = ready
        self._record = record
        self._told = threading.Lock()
        begin(place)
        self._since = time.monotonic()
        self._future = self._start()

    def _start(self) -> Future[BaseArtifact]:
        tool, action = self._ready.tool, self._ready.action
        if tool.activities[action.path or ""].is_async:
            return BACKGROUND.submit(self._awaited())
        return _in_daemon_thread(self._called, action.native)

    def _called(self) -> BaseArtifact:
        ready = self._ready
        return self._tell(ready.tool.run(ready.action, ready.arguments))

    async def _awaited(self) -> BaseArtifact:
        ready = self._ready
        return self._tell(await ready.tool.arun(ready.action, ready.arguments))

    def result(self) -> BaseArtifact:
        """Wait for the result, up to the time limit."""
        limit = self._ready.spec.timeout
        left = None if limit is None else max(0.0, self._since + limit - time.monotonic())
        try:
            return self._future.result(left)
        except TimeoutError:
            return self._abandoned()

    def _abandoned(self) -> BaseArtifact:
        """Return that the time ran out, unless the result came at the last moment."""
        if not self._told.acquire(blocking=False):
            return self._future.result()
        self._future.cancel()
        output = _timed_out(self._ready)
        self._record(self._place, output, time.monotonic() - self._since)
        return output

    def _tell(self, output: BaseArtifact) -> BaseArtifact:
        if self._told.acquire(blocking=False):  # the late result of an abandoned action is dropped
            self._record(self._place, output, time.monotonic() - self._since)
        return output


async def _arun_one(place: int, ready: Ready, begin: Begin, record: Record) -> BaseArtifact:
    begin(place)
    since = time.monotonic()
    try:
        async with asyncio.timeout(ready.spec.timeout):
            output = await ready.tool.arun(ready.action, ready.arguments)
    except TimeoutError:
        output = _timed_out(ready)
    record(place, output, time.monotonic() - since)
    return output


def _in_daemon_thread(work: Callable[[], BaseArtifact], name: str) -> Future[BaseArtifact]:
    future: Future[BaseArtifact] = Future()
    future.set_running_or_notify_cancel()
    context = contextvars.copy_context()

    def run() -> None:
        try:
            output = context.run(work)
        except BaseException as error:  # tools return errors; only an interrupt comes here
            future.set_exception(error)
        else:
            future.set_result(output)

    threading.Thread(target=run, name=f"agenthost {name}", daemon=True).start()
    return future


def _timed_out(ready: Ready) -> ErrorArtifact:
    limit = ready.spec.timeout
    return ErrorArtifact(
        f"{ready.spec.native} did not finish within its limit of {limit:g} seconds.",
        code="timeout",
    )


def _groups(items: Sequence[T], size: int) -> Iterator[tuple[int, Sequence[T]]]:
    for start in range(0, len(items), size):
        yield start, items[start : start + size]
