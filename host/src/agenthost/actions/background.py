"""One event loop in a daemon thread, for async activities that blocking code runs."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

R = TypeVar("R")


class BackgroundLoop:
    """An event loop that starts on first use and lives as long as the process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None

    def submit(self, coroutine: Coroutine[Any, Any, R]) -> Future[R]:
        """Run a coroutine there, and return the future of its result."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._started())

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                thread = threading.Thread(
                    target=self._loop.run_forever, name="agenthost loop", daemon=True
                )
                thread.start()
            return self._loop


#: One for the process: an async client that a tool keeps belongs to the loop it was made on, so
#: every blocking run must use the same.
BACKGROUND = BackgroundLoop()
