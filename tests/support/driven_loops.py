"""The same loop as a task of the host's, with the drivers of our plugins.

It runs on a server, or on replies that the provider's SDK has read before: nothing is sent then,
and nothing arrives, so that all that is left is the host's own part.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, Self

from agenthost import PromptTask
from agenthost.tasks.limits import Limits
from agenthost_plugin_anthropic.driver import AnthropicPromptDriver
from agenthost_plugin_openai.driver import OpenAiChatPromptDriver
from agenthost_sdk.drivers import BasePromptDriver
from support.bare_loops import MAX_TOKENS, MODEL, Loop
from support.canned_provider import CannedProvider
from support.measured_loop import Shelf

Api = Literal["openai", "anthropic"]


@dataclass(frozen=True)
class Way:
    """How a provider is asked: by which API, in pieces or not, awaited or not."""

    api: Api
    stream: bool = False
    is_async: bool = False

    def __str__(self) -> str:
        stream, run = "streamed" if self.stream else "plain", "async" if self.is_async else "sync"
        return f"{self.api} {stream} {run}"

    def url(self, provider: CannedProvider, rounds: int, calls: int = 1) -> str:
        """Return the address at which so many rounds of so many calls are played."""
        of = provider.openai_url if self.api == "openai" else provider.anthropic_url
        return of(rounds, calls)


#: Every way, the plain ones first.
WAYS = [
    Way(api, stream, is_async)
    for api in ("openai", "anthropic")
    for stream in (False, True)
    for is_async in (False, True)
]


class Driven:
    """The loop of the host.

    Args:
        driver: Asks the model.
        rounds: How many rounds of actions there are.
    """

    def __init__(self, driver: BasePromptDriver, rounds: int) -> None:
        self._task = PromptTask(
            tools=[Shelf(allowlist=["count"])],
            prompt_driver=driver,
            limits=Limits(max_subtasks=max(rounds, Limits.max_subtasks)),
        )

    def run(self, question: str) -> str:
        """Return the answer."""
        return str(self._task.run(question).raise_for_error().value)

    async def arun(self, question: str) -> str:
        """Return the answer, without blocking the event loop."""
        return str((await self._task.arun(question)).raise_for_error().value)


def driver(way: Way, url: str) -> OpenAiChatPromptDriver | AnthropicPromptDriver:
    """Return our driver for a server."""
    fields: dict[str, Any] = {
        "base_url": url,
        "api_key": "k",
        "model": MODEL,
        "stream": way.stream,
    }
    if way.api == "openai":
        return OpenAiChatPromptDriver(**fields)
    return AnthropicPromptDriver(**fields, max_tokens=MAX_TOKENS)


@dataclass
class ReadReplies:
    """The client of an SDK with all replies of a run read: it hands them over again and again.

    `sent` holds the bodies that it was asked with, and `asked` is called at each.
    """

    replies: list[Any]
    sent: list[bytes]
    asked: Callable[[], None] = lambda: None

    @classmethod
    def of(cls, way: Way, rounds: int, calls: int = 1) -> Self:
        """Read the replies of a run of so many rounds, by the SDK and from a server."""
        with CannedProvider() as provider:
            reading = driver(way, way.url(provider, rounds, calls))
            clients = _Recording(reading._clients)
            reading._clients = clients  # type: ignore[assignment]  # stands at the SDK's seam
            loop = Driven(reading, rounds)
            question = "How many units are on the shelf?"
            asyncio.run(loop.arun(question)) if way.is_async else loop.run(question)
        return cls(clients.replies, [])

    def loop(self, way: Way, rounds: int) -> Loop:
        """Return a loop that runs on the replies."""
        reading = driver(way, "http://127.0.0.1:9/v1")  # nobody is asked
        reading._clients = _Handing(self)  # type: ignore[assignment]  # as above
        return Driven(reading, rounds)

    def next(self, body: bytes) -> Any:
        """Note a request, and return its reply."""
        self.asked()
        self.sent.append(body)
        return self.replies[(len(self.sent) - 1) % len(self.replies)]


class _Handing:
    """Stands for a driver's clients, and for each of them: the replies are there already."""

    def __init__(self, replies: ReadReplies) -> None:
        self._replies = replies

    def blocking(self, _: Any) -> _HandingClient:
        return _HandingClient(self._replies)

    async def on_running_loop(self, _: Any) -> _HandingAsyncClient:
        return _HandingAsyncClient(self._replies)


class _HandingClient:
    def __init__(self, replies: ReadReplies) -> None:
        self._replies = replies

    def post(self, path: str, *, content: bytes, **options: Any) -> Any:
        return self._replies.next(content)


class _HandingAsyncClient(_HandingClient):
    async def post(self, path: str, *, content: bytes, **options: Any) -> Any:
        return self._replies.next(content)


class _Recording:
    """The clients of a driver, and what they read."""

    def __init__(self, clients: Any) -> None:
        self._clients = clients
        self.replies: list[Any] = []

    def blocking(self, endpoint: Any) -> _RecordingClient:
        return _RecordingClient(self._clients.blocking(endpoint), self.replies)

    async def on_running_loop(self, endpoint: Any) -> _RecordingAsyncClient:
        return _RecordingAsyncClient(await self._clients.on_running_loop(endpoint), self.replies)


class _RecordingClient:
    def __init__(self, client: Any, replies: list[Any]) -> None:
        self._client = client
        self._replies = replies

    def post(self, path: str, **options: Any) -> Any:
        reply = self._client.post(path, **options)
        self._replies.append(_Pieces(list(reply)) if "stream" in options else reply)
        return self._replies[-1]


class _RecordingAsyncClient(_RecordingClient):
    async def post(self, path: str, **options: Any) -> Any:
        reply = await self._client.post(path, **options)
        if "stream" in options:
            reply = _Pieces([piece async for piece in reply])
        self._replies.append(reply)
        return reply


class _Pieces:
    """A stream whose pieces are all there, and can be had again."""

    is_done = True

    def __init__(self, pieces: list[Any]) -> None:
        self._pieces = pieces

    def __iter__(self) -> Iterator[Any]:
        return iter(self._pieces)

    async def __aiter__(self) -> AsyncIterator[Any]:
        for piece in self._pieces:
            yield piece

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        pass
