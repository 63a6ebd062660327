"""Run blocking work in daemon threads, and async work from blocking code."""

from __future__ import annotations

import asyncio
import contextvars
import os
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from queue import SimpleQueue
from typing import Any, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

#: How many threads wait for work at most; what is beyond them ends with its work.
MOST_IDLE = 128


def start_work(work: Callable[[], R], deliver: Callable[[R], object]) -> None:
    """Run blocking work in a daemon thread that does nothing else meanwhile.

    There is always a thread for it: one that waits for work, or a new one. None delays the
    interpreter's exit, however long its work takes.

    Args:
        work: What to do; it must not raise.
        deliver: Is called with what came of it, in that thread; it must be quick.
    """
    try:
        worker = _IDLE.pop()
    except IndexError:
        worker = _Worker()
    worker.take(work, deliver)


async def in_thread(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Run a blocking function in a daemon thread and await its result.

    The thread sees the caller's context variables, takes no place in the event loop's pool, and
    does not delay the interpreter's exit when the caller gives up waiting.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[R] = loop.create_future()
    context = contextvars.copy_context()

    def deliver(outcome: _Outcome[R]) -> None:
        with suppress(RuntimeError):  # the loop was closed: nobody waits any more
            loop.call_soon_threadsafe(_settle, future, outcome)

    start_work(lambda: _tried(lambda: context.run(function, *args, **kwargs)), deliver)
    return await future


def start_thread(function: Callable[[], R]) -> Future[R]:
    """Run a blocking function in a daemon thread, and return its future.

    The thread sees the caller's context variables, and does not delay the interpreter's exit.
    """
    future: Future[R] = Future()
    future.set_running_or_notify_cancel()
    context = contextvars.copy_context()

    def deliver(outcome: _Outcome[R]) -> None:
        if outcome.error is None:
            future.set_result(outcome.result())
        else:
            future.set_exception(outcome.error)

    start_work(lambda: _tried(lambda: context.run(function)), deliver)
    return future


async def drawn_in_thread(pieces: Iterator[R]) -> AsyncIterator[R]:
    """Yield what a blocking iterator yields, all of it drawn in one daemon thread.

    The thread sees the caller's context variables. When the caller gives up, the iterator is
    closed once its next piece has come.
    """
    loop = asyncio.get_running_loop()
    drawn: asyncio.Queue[tuple[R] | _Outcome[None]] = asyncio.Queue()
    context, left = contextvars.copy_context(), threading.Event()

    def deliver(piece: tuple[R] | _Outcome[None]) -> None:
        with suppress(RuntimeError):  # the loop was closed: nobody waits any more
            loop.call_soon_threadsafe(drawn.put_nowait, piece)

    def draw() -> None:
        with closing_if_possible(pieces):
            for piece in pieces:
                if left.is_set():
                    return
                deliver((piece,))

    start_work(lambda: _tried(lambda: context.run(draw)), deliver)
    try:
        while isinstance(piece := await drawn.get(), tuple):
            yield piece[0]
        if piece.error is not None:
            raise piece.error
    finally:
        left.set()


@contextmanager
def closing_if_possible(pieces: Iterator[Any]) -> Iterator[None]:
    """Close an iterator at the end of the block, where it is one that can be closed."""
    try:
        yield
    finally:
        close = getattr(pieces, "close", None)
        if close is not None:
            close()


def run_coroutine(coroutine: Coroutine[Any, Any, R]) -> R:
    """Run a coroutine to its end from blocking code, also inside a running event loop."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(coroutine)
    return start_thread(lambda: asyncio.run(coroutine)).result()


class _Worker:
    """A daemon thread that takes one piece of work after the other."""

    def __init__(self) -> None:
        self._todo: SimpleQueue[tuple[Callable[[], Any], Callable[[Any], object]]] = SimpleQueue()
        threading.Thread(target=self._serve, name="agenthost worker", daemon=True).start()

    def take(self, work: Callable[[], R], deliver: Callable[[R], object]) -> None:
        """Do this next."""
        self._todo.put((work, deliver))

    def _serve(self) -> None:
        while True:
            work, deliver = self._todo.get()
            result = work()
            stays = len(_IDLE) < MOST_IDLE
            if stays:  # before the delivery, so that whoever waits for it finds this thread free
                _IDLE.append(self)
            deliver(result)
            if not stays:
                return
            del work, deliver, result  # nothing is kept alive while the thread waits


#: The threads that wait for work.
_IDLE: list[_Worker] = []

if hasattr(os, "register_at_fork"):  # a fork has the list, and none of the threads
    os.register_at_fork(after_in_child=_IDLE.clear)


class _Outcome(Generic[R]):
    """What a function returned, or the error that it raised."""

    def __init__(self, returned: tuple[R] | None, error: BaseException | None) -> None:
        self._returned = returned
        self.error = error

    def result(self) -> R:
        """Return what the function returned."""
        assert self._returned is not None
        return self._returned[0]


def _tried(function: Callable[[], R]) -> _Outcome[R]:
    try:
        return _Outcome((function(),), None)
    except BaseException as error:  # it belongs to whoever waits
        return _Outcome(None, error)


def _settle(future: asyncio.Future[R], outcome: _Outcome[R]) -> None:
    error = outcome.error
    if future.done():
        return
    if error is None:
        future.set_result(outcome.result())
    elif isinstance(error, StopIteration):
        future.set_exception(RuntimeError(f"StopIteration raised: {error}"))
    else:
        future.set_exception(error)
