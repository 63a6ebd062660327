"""Where requests go and what they bear, and the SDK's clients for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

from agenthost_sdk.addresses import CONNECT_SECONDS, is_at, shown_address
from agenthost_sdk.clients import Clients

if TYPE_CHECKING:
    from anthropic import Anthropic, AsyncAnthropic

#: The provider's own address, asked where no other is given.
ANTHROPIC_URL = "https://api.anthropic.com"

#: The variable that gives another address, as the SDK has it.
URL_ENV = "ANTHROPIC_BASE_URL"

#: Sent to servers of one's own when no key is set; they need none, but the SDK insists on one.
NO_KEY = "no-key-needed"


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
        return shown_address(self.url)

    def options(self) -> dict[str, Any]:
        """Return the arguments that both of the SDK's clients take."""
        from anthropic import Timeout  # importing the SDK takes its time: the first request pays

        return {
            "base_url": self.url,
            "api_key": self.key,
            "default_headers": dict(self.headers),
            "timeout": Timeout(self.timeout, connect=min(self.timeout, CONNECT_SECONDS)),
            "max_retries": 0,  # the driver's own retry tells the listeners, and keeps to its rules
        }


if TYPE_CHECKING:
    AnthropicClients = Clients[Endpoint, Anthropic, AsyncAnthropic]


def new_clients() -> AnthropicClients:
    """Return the clients of a driver; none is made yet."""
    return Clients(_make_blocking, _make_async, _prepare)


def is_anthropic(url: str) -> bool:
    """Return whether an address is the provider's own."""
    return is_at(url, ["anthropic.com"])


def _make_blocking(endpoint: Endpoint) -> Anthropic:
    from anthropic import Anthropic

    return Anthropic(**endpoint.options())


def _make_async(endpoint: Endpoint) -> AsyncAnthropic:
    from anthropic import AsyncAnthropic, DefaultAsyncHttpxClient

    # The SDK's own connections would close themselves on whatever loop runs when they go.
    return AsyncAnthropic(**endpoint.options(), http_client=DefaultAsyncHttpxClient())


def _prepare() -> None:
    import_module("anthropic.types")
