"""Keep a provider's clients: made on first use, one for threads and one for each event loop."""

from __future__ import annotations

import asyncio
import threading
import weakref
from collections.abc import AsyncGenerator, Awaitable, Callable, Hashable
from typing import Generic, Protocol, TypeVar

from agenthost_sdk.threads import in_thread


class BlockingClient(Protocol):
    """What a client for blocking calls has in common."""

    def close(self) -> None:
        """Give up its connections."""


class AsyncClient(Protocol):
    """What a client for calls on an event loop has in common."""

    def close(self) -> Awaitable[None]:
        """Give up its connections."""


B = TypeVar("B", bound=BlockingClient)
A = TypeVar("A", bound=AsyncClient)
E = TypeVar("E", bound=Hashable)


class Clients(Generic[E, B, A]):
    """The clients of one driver; they are made anew where its endpoint has changed.

    Args:
        make_blocking: Makes the client for blocking calls, which any thread may use.
        make_async: Makes the client of one event loop. It must not close its connections by
            itself when nobody holds it: that could happen on another loop.
        prepare: Imports the provider's package, which takes its time; called in a thread before
            the first client of an event loop is made.
    """

    def __init__(
        self,
        make_blocking: Callable[[E], B],
        make_async: Callable[[E], A],
        prepare: Callable[[], object],
    ) -> None:
        self._make_blocking = make_blocking
        self._make_async = make_async
        self._prepare = prepare
        self._is_prepared = False
        self._lock = threading.Lock()
        self._blocking: tuple[E, B] | None = None
        self._by_loop: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, _OnLoop[E, A]] = (
            weakref.WeakKeyDictionary()
        )

    def blocking(self, endpoint: E) -> B:
        """Return the client for blocking calls, which any thread may use."""
        with self._lock:
            if self._blocking is None or self._blocking[0] != endpoint:
                client = self._make_blocking(endpoint)
                # Left to the garbage collector, the sockets could go first, and warn.
                weakref.finalize(self, client.close)
                self._blocking = (endpoint, client)
            return self._blocking[1]

    async def on_running_loop(self, endpoint: E) -> A:
        """Return the client of the running event loop; its connections belong to that loop."""
        if not self._is_prepared:
            await in_thread(self._prepare)
            self._is_prepared = True
        loop = asyncio.get_running_loop()
        with self._lock:
            kept = self._by_loop.get(loop)
            if kept is not None and kept.endpoint == endpoint:
                return kept.client
            self._drop_closed_loops()
            kept = self._by_loop[loop] = _OnLoop(endpoint, self._make_async(endpoint))
        await kept.arm()
        return kept.client

    def _drop_closed_loops(self) -> None:
        for loop in [loop for loop in self._by_loop if loop.is_closed()]:
            del self._by_loop[loop]


class _OnLoop(Generic[E, A]):
    """An asynchronous client, closed when its event loop ends or nobody holds it any more."""

    def __init__(self, endpoint: E, client: A) -> None:
        self.endpoint = endpoint
        self.client = client
        self._closer = _closing(client)

    async def arm(self) -> None:
        """Let the event loop see the closer: a loop that ends closes its async generators."""
        await anext(self._closer)


async def _closing(client: AsyncClient) -> AsyncGenerator[None, None]:
    try:
        yield
    finally:
        await client.close()
