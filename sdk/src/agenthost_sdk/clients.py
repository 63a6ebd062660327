"""Keep a provider's clients: made on first use, for threads and for each event loop."""

from __future__ import annotations

import asyncio
import os
import threading
import weakref
from collections.abc import AsyncGenerator, Awaitable, Callable, Hashable
from copy import copy
from typing import Any, Generic, Protocol, TypeVar

from agenthost_sdk.threads import in_thread

#: For so many endpoints clients are kept, so that keys can take turns.
MOST_ENDPOINTS = 8


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
C = TypeVar("C")


class Clients(Generic[E, B, A]):
    """The clients of one driver: for each endpoint one for all threads, and one for each loop.

    Where the endpoint changes, such as by a new key, those who are in the midst of a call keep
    their client to its end. A client is closed when nobody holds it any more, one of an event
    loop also when its loop ends. A process that was forked makes its own: on the connections of
    its parent it would be given the parent's replies.

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
        self._of_parent: list[object] = []
        self._begin()
        _ALL.add(self)

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy makes clients of its own."""
        return type(self), (self._make_blocking, self._make_async, self._prepare)

    def blocking(self, endpoint: E) -> B:
        """Return the client for blocking calls, which any thread may use."""
        with self._lock:
            return _kept(self._blocking, endpoint, self._new_blocking)

    async def on_running_loop(self, endpoint: E) -> A:
        """Return the client of the running event loop; its connections belong to that loop."""
        if not self._is_prepared:
            await in_thread(self._prepare)
            self._is_prepared = True
        loop = asyncio.get_running_loop()
        with self._lock:
            client = _kept(self._clients_on(loop), endpoint, self._make_async)
            is_new = client not in self._closers
            if is_new:
                self._closers[client] = _closing(copy(client))
        if is_new:  # started, it is known to the loop, which closes its generators when it ends
            await anext(self._closers[client])
        return client

    def forked(self) -> None:
        """Begin anew in a process that was forked, and leave alone what its parent uses."""
        self._of_parent += (self._blocking, self._by_loop, self._closers)
        self._begin()

    def _begin(self) -> None:
        self._lock = threading.Lock()
        self._blocking: dict[E, B] = {}
        self._by_loop: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, dict[E, A]] = (
            weakref.WeakKeyDictionary()
        )
        # What closes a client of a loop goes with it, since then the loop runs it.
        self._closers: weakref.WeakKeyDictionary[A, AsyncGenerator[None, None]] = (
            weakref.WeakKeyDictionary()
        )

    def _new_blocking(self, endpoint: E) -> B:
        client = self._make_blocking(endpoint)
        # Left to the garbage collector, the sockets could go first, and warn. The copy has the
        # same connections, and does not keep the client itself alive.
        weakref.finalize(client, copy(client).close)
        return client

    def _clients_on(self, loop: asyncio.AbstractEventLoop) -> dict[E, A]:
        """Return the clients of a loop, and forget those of loops that are closed."""
        if loop not in self._by_loop:
            for other in [one for one in self._by_loop if one.is_closed()]:
                del self._by_loop[other]
            self._by_loop[loop] = {}
        return self._by_loop[loop]


def _kept(clients: dict[E, C], endpoint: E, make: Callable[[E], C]) -> C:
    """Return the client of an endpoint, made where there is none; let the oldest one go."""
    client = clients.get(endpoint)
    if client is None:
        client = clients[endpoint] = make(endpoint)
        if len(clients) > MOST_ENDPOINTS:
            del clients[next(iter(clients))]
    return client


async def _closing(client: AsyncClient) -> AsyncGenerator[None, None]:
    try:
        yield
    finally:
        await client.close()


#: All that there are in this process.
_ALL: weakref.WeakSet[Clients[Any, Any, Any]] = weakref.WeakSet()


def _forked() -> None:
    for clients in list(_ALL):
        clients.forked()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
