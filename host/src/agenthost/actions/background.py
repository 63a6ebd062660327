"""One event loop in a daemon thread, for async activities that blocking code runs."""

from __future__ import annotations

import asyncio
import contextvars
import logging
import os
import threading
from collections import deque
from collections.abc import Coroutine, Sequence
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, TypeVar

from agenthost_sdk.threads import start_thread

R = TypeVar("R")

_log = logging.getLogger("agenthost")


class Begun:
    """A coroutine that was given to a loop, and the way to cancel it."""

    def __init__(self, coroutine: Coroutine[Any, Any, None]) -> None:
        self._coroutine = coroutine
        self._context = contextvars.copy_context()
        self._task: asyncio.Task[None] | None = None
        self._is_cancelled = False

    def begin(self, loop: asyncio.AbstractEventLoop) -> None:
        """Make it a task of the loop, which runs."""
        self._task = loop.create_task(self._coroutine, context=self._context)
        if self._is_cancelled:
            self._task.cancel()

    def cancel(self) -> None:
        """Cancel it, unless it has ended, without waiting for that."""
        self._is_cancelled = True
        task = self._task
        if task is not None and not task.done():
            with suppress(RuntimeError):  # its loop was closed
                task.get_loop().call_soon_threadsafe(task.cancel)


class BackgroundLoop:
    """An event loop that starts on first use and lives as long as the process."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget the loop: a fork has it, and not its thread."""
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ident: int | None = None
        self._waiting: deque[Begun] = deque()
        self._is_called = False

    def serves_this_thread(self) -> bool:
        """Return whether the caller runs on this loop."""
        return threading.get_ident() == self._ident

    def start(self, coroutines: Sequence[Begun]) -> None:
        """Run coroutines there, side by side; none of them must raise."""
        loop = self._loop or self._started()
        if self.serves_this_thread():
            # An activity that blocks this loop would wait for itself.
            start_thread(lambda: asyncio.run(_beside(coroutines)))
            return
        self._waiting.extend(coroutines)
        if not self._is_called:
            self._is_called = True
            loop.call_soon_threadsafe(self._begin, loop)

    def submit(self, coroutine: Coroutine[Any, Any, R]) -> Future[R]:
        """Run a coroutine there, and return the future of its result."""
        future: Future[R] = Future()
        self.start([Begun(_told(coroutine, future))])
        return future

    def _begin(self, loop: asyncio.AbstractEventLoop) -> None:
        self._is_called = False  # first, so that what comes from now on calls again
        while self._waiting:
            self._waiting.popleft().begin(loop)

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                loop = asyncio.new_event_loop()
                thread = threading.Thread(
                    target=_serve, args=(loop,), name="agenthost loop", daemon=True
                )
                thread.start()
                self._ident = thread.ident
                self._loop = loop
            return self._loop


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    """Run the loop for ever: what a tool's own task raises out of it must not end it for all."""
    while not loop.is_closed():
        try:
            loop.run_forever()
        except BaseException:  # SystemExit and KeyboardInterrupt pass through a loop
            _log.exception("A tool's task raised out of the event loop; the loop goes on.")


async def _told(coroutine: Coroutine[Any, Any, R], future: Future[R]) -> None:
    try:
        result = await coroutine
    except BaseException as error:  # it belongs to whoever waits
        future.set_exception(error)
    else:
        future.set_result(result)


async def _beside(coroutines: Sequence[Begun]) -> None:
    """Run coroutines on a loop of their own, until nothing is left there."""
    for begun in coroutines:
        begun.begin(asyncio.get_running_loop())
    others = asyncio.all_tasks() - {asyncio.current_task()}
    await asyncio.wait(others)


#: One for the process: an async client that a tool keeps belongs to the loop it was made on, so
#: every blocking run must use the same.
BACKGROUND = BackgroundLoop()

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=BACKGROUND.reset)
