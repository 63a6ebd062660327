"""A provider on loopback for the tests of the plugin: ours, and the reference where it is."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

import pytest

from agenthost_plugin_anthropic import AnthropicPromptDriver
from agenthost_sdk.messages import Message, PromptStack
from support.provider_server import ProviderServer
from support.reference import is_there, reference

Json = dict[str, Any]


class Server(Protocol):
    """What both servers have."""

    requests: list[Json]
    refused: list[list[str]]

    @property
    def anthropic_url(self) -> str: ...

    def __enter__(self) -> Server: ...

    def __exit__(self, *_: object) -> None: ...


Serve = Callable[..., Server]
Ask = Callable[..., Message]


@pytest.fixture(autouse=True)
def _no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="session")
def closers() -> Iterator[ThreadPoolExecutor]:
    """Threads that stop servers, so that no test waits for them."""
    with ThreadPoolExecutor(16) as pool:
        yield pool


@pytest.fixture(params=["own", "reference"] if is_there() else ["own"])
def serve(request: pytest.FixtureRequest, closers: ThreadPoolExecutor) -> Iterator[Serve]:
    """Start servers with the replies they are to give; no request may have been refused."""
    make: Any = ProviderServer if request.param == "own" else reference("server").ProviderServer
    started: list[Server] = []

    def start(*replies: Json, piece: int = 0) -> Server:
        server: Server = make(list(replies), piece=piece)
        started.append(server.__enter__())
        return started[-1]

    yield start
    for server in started:
        closers.submit(server.__exit__, None, None, None)
    assert [server.refused for server in started if server.refused] == []


@pytest.fixture(params=["whole", "streamed", "async whole", "async streamed"])
def ask(request: pytest.FixtureRequest) -> Ask:
    """Ask a driver in each of the four ways."""

    def ask(driver: AnthropicPromptDriver, stack: PromptStack | str) -> Message:
        driver.stream = request.param.endswith("streamed")
        if request.param.startswith("async"):
            return asyncio.run(driver.arun(stack))
        return driver.run(stack)

    return ask
