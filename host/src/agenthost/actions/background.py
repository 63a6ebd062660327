"""One event loop in a daemon thread, for async activities that blocking code runs."""

from __future__ import annotations

import asyncio
import contextvars
import logging
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

R = TypeVar("R")

_log = logging.getLogger("agenthost")


class BackgroundLoop:
    """An event loop that starts on first use and lives as long as the process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def submit(self, coroutine: Coroutine[Any, Any, R]) -> Future[R]:
        """Run a coroutine there, and return the future of its result."""
        loop = self._started()
        if threading.current_thread() is self._thread:
            return _beside(coroutine)  # an activity that blocks this loop would wait for itself
        return asyncio.run_coroutine_threadsafe(coroutine, loop)

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(
                    target=_serve, args=(self._loop,), name="agenthost loop", daemon=True
                )
                self._thread.start()
            return self._loop


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    """Run the loop for ever: what a tool's own task raises out of it must not end it for all."""
    while not loop.is_closed():
        try:
            loop.run_forever()
        except BaseException:  # SystemExit and KeyboardInterrupt pass through a loop
            _log.exception("A tool's task raised out of the event loop; the loop goes on.")


def _beside(coroutine: Coroutine[Any, Any, R]) -> Future[R]:
    """Run a coroutine on a loop and in a thread of its own."""
    future: Future[R] = Future()
    future.set_running_or_notify_cancel()

    def run() -> None:
        try:
            result = asyncio.run(coroutine)
        except BaseException as error:  # it belongs to whoever waits
            future.set_exception(error)
        else:
            future.set_result(result)

    context = contextvars.copy_context()
    threading.Thread(target=context.run, args=(run,), name="agenthost loop", daemon=True).start()
    return future


#: One for the process: an async client that a tool keeps belongs to the loop it was made on, so
#: every blocking run must use the same.
BACKGROUND = BackgroundLoop()
