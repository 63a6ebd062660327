"""Make the SDK's clients on first use and keep them: one for threads, one for each event loop."""

from __future__ import annotations

import asyncio
import sys
import threading
import weakref
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from agenthost_sdk.threads import in_thread

if TYPE_CHECKING:
    from openai import AsyncOpenAI, OpenAI

# A server that is there takes the connection at once, however long the model then thinks.
_CONNECT_SECONDS = 10.0


@dataclass(frozen=True)
class Endpoint:
    """Where requests go, and what they bear."""

    url: str = field(repr=False)
    key: str = field(repr=False)
    headers: tuple[tuple[str, str], ...] = field(repr=False)
    timeout: float

    @property
    def shown(self) -> str:
        """The address without the name and password that it may hold."""
        parts = urlsplit(self.url)
        return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="").geturl()

    def options(self) -> dict[str, Any]:
        """Return the arguments that both of the SDK's clients take."""
        from openai import Timeout  # importing the SDK costs a second, paid by the first request

        return {
            "base_url": self.url,
            "api_key": self.key,
            "default_headers": dict(self.headers),
            "timeout": Timeout(self.timeout, connect=min(self.timeout, _CONNECT_SECONDS)),
            "max_retries": 0,
        }


class Clients:
    """The clients of one driver; they are made anew where its endpoint has changed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._blocking: tuple[Endpoint, OpenAI] | None = None
        self._by_loop: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, _OnLoop] = (
            weakref.WeakKeyDictionary()
        )

    def blocking(self, endpoint: Endpoint) -> OpenAI:
        """Return the client for blocking calls, which any thread may use."""
        with self._lock:
            if self._blocking is None or self._blocking[0] != endpoint:
                self._blocking = (endpoint, self._make_blocking(endpoint))
            return self._blocking[1]

    async def on_running_loop(self, endpoint: Endpoint) -> AsyncOpenAI:
        """Return the client of the running event loop; its connections belong to that loop."""
        if "openai" not in sys.modules:
            await in_thread(import_module, "openai")
        loop = asyncio.get_running_loop()
        with self._lock:
            kept = self._by_loop.get(loop)
            if kept is not None and kept.endpoint == endpoint:
                return kept.client
            self._drop_closed_loops()
            kept = self._by_loop[loop] = _OnLoop(endpoint)
        await kept.arm()
        return kept.client

    def _make_blocking(self, endpoint: Endpoint) -> OpenAI:
        from agenthost_plugin_openai.events import BlockingClient  # it imports the SDK

        client = BlockingClient(**endpoint.options())
        # Left to the garbage collector, the sockets could go first, and warn.
        weakref.finalize(self, client.close)
        return client

    def _drop_closed_loops(self) -> None:
        for loop in [loop for loop in self._by_loop if loop.is_closed()]:
            del self._by_loop[loop]


class _OnLoop:
    """An asynchronous client, closed when its event loop ends or nobody holds it any more."""

    def __init__(self, endpoint: Endpoint) -> None:
        from openai import DefaultAsyncHttpxClient

        from agenthost_plugin_openai.events import AsyncClient

        self.endpoint = endpoint
        # The SDK's own connections would close themselves on whatever loop runs when they go.
        self.client = AsyncClient(**endpoint.options(), http_client=DefaultAsyncHttpxClient())
        self._closer = _closing(self.client)

    async def arm(self) -> None:
        """Let the event loop see the closer: a loop that ends closes its async generators."""
        await anext(self._closer)


async def _closing(client: AsyncOpenAI) -> AsyncGenerator[None, None]:
    try:
        yield
    finally:
        await client.close()
