"""Where a driver's requests go, with which key, and the SDK's clients for that."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

from agenthost_plugin_openai.profiles import PROFILES, Profile, at, named
from agenthost_sdk.addresses import (
    CONNECT_SECONDS,
    can_be_sent,
    header_fault,
    is_address,
    is_at,
    shown_address,
    timeout_fault,
)
from agenthost_sdk.clients import Clients
from agenthost_sdk.errors import DriverError, NoDriverError
from agenthost_sdk.keys import find_key, keep_header_secrets, keep_secret

if TYPE_CHECKING:
    from openai import AsyncOpenAI, OpenAI

#: The variable that gives another address, as the SDK has it.
URL_ENV = "OPENAI_BASE_URL"

#: Sent to servers of one's own when no key is set; they need none, but the SDK insists on one.
NO_KEY = "no-key-needed"

_OPENAI = PROFILES["openai"]


@dataclass(frozen=True)
class Endpoint:
    """Where requests go, and what they bear."""

    url: str = field(repr=False)
    profile: Profile
    key: str = field(repr=False)
    key_name: str
    headers: tuple[tuple[str, str], ...] = field(repr=False)
    timeout: float
    organization: str | None = None
    project: str | None = None

    @property
    def shown(self) -> str:
        """The address without the name and password that it may hold."""
        return shown_address(self.url)

    def options(self) -> dict[str, Any]:
        """Return the arguments that both of the SDK's clients take."""
        from openai import Timeout  # importing the SDK costs a second, paid by the first request

        return {
            "base_url": self.url,
            "api_key": self.key,
            "organization": self.organization,
            "project": self.project,
            "default_headers": {**self._unsaid(), **dict(self.headers)},
            "timeout": Timeout(self.timeout, connect=min(self.timeout, CONNECT_SECONDS)),
            "max_retries": 0,
        }

    def _unsaid(self) -> dict[str, Any]:
        """Return the headers that tell of an account at OpenAI, kept from any other server."""
        if self.profile is _OPENAI:
            return {}
        from openai._types import Omit  # the SDK takes them from the environment otherwise

        stated = {"OpenAI-Organization": self.organization, "OpenAI-Project": self.project}
        return {name: Omit() for name, value in stated.items() if value is None}


@dataclass(kw_only=True, eq=False)
class Connected:
    """The fields that say which server is asked, common to the drivers of this plugin."""

    #: The address of a compatible server, such as "http://127.0.0.1:8080/v1".
    base_url: str | None = None
    #: What kind of server it is, such as "groq" or "vllm"; found by the address where "".
    profile: str = ""
    api_key: str | None = field(default=None, repr=False)
    #: Further headers of each request.
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    #: OpenAI's name for the organization, and for the project, that pays.
    organization: str | None = None
    project: str | None = None
    #: Seconds to wait for an answer, or for the next piece of a streamed one.
    timeout: float = 600.0

    _clients: Clients[Endpoint, OpenAI, AsyncOpenAI] = field(
        default_factory=lambda: Clients(_blocking, _on_loop, _prepare), init=False, repr=False
    )
    # A key store may be slow to ask, and would be for each request.
    _endpoint_kept: tuple[object, Endpoint] | None = field(default=None, init=False, repr=False)

    def server(self) -> Profile:
        """Return the profile of the server that is asked.

        Raises:
            NotFoundError: The field `profile` names none that is known.
        """
        return named(self.profile) if self.profile else at(self._url())

    def endpoint(self, key_name: str | None, provider: str, model: str) -> Endpoint:
        """Return where the next request goes.

        Args:
            key_name: The variable that holds the key; the server's own where None.
            provider: The driver's name, for errors.
            model: The model that is asked, for errors.

        Raises:
            DriverError: No request can be made of the fields; the words say which one to change.
            NotFoundError: The field `profile` names none that is known.
        """
        profile, url = self.server(), self._url()
        name = profile.key_name if key_name is None else key_name
        headers = tuple(self.headers.items())
        account = self.organization, self.project
        given = self.api_key or os.environ.get(name)
        fields = (url, profile.name, name, given, headers, self.timeout, account)
        kept = self._endpoint_kept  # read once, since other threads may put theirs in its place
        if kept is not None and kept[0] == fields:
            return kept[1]
        key = (self.api_key or find_key(name)).strip()
        keep_secret(key)
        keep_header_secrets(self.headers)
        kind, fault = _fault(url, profile, key, name)
        fault = fault or header_fault(self.headers) or timeout_fault(self.timeout)
        if fault:
            raise kind(fault, provider=provider, model=model)
        told = "" if self.api_key else name  # what an error says to check
        made = Endpoint(url, profile, key or NO_KEY, told, headers, self.timeout, *account)
        self._endpoint_kept = (fields, made)
        return made

    def look_key_up_again(self) -> None:
        """Have the next request look for the key anew, since the server refused the last one."""
        self._endpoint_kept = None

    def _url(self) -> str:
        own = named(self.profile).base_url if self.profile else ""
        given = (self.base_url or "").strip() or own
        if not given and (not self.profile or named(self.profile) is _OPENAI):
            given = os.environ.get(URL_ENV, "").strip() or _OPENAI.base_url
        return given


def _fault(url: str, profile: Profile, key: str, key_name: str) -> tuple[type[DriverError], str]:
    """Return why no request can be made, in words that never hold the key; "" where one can."""
    if not url:
        return DriverError, (
            f"The profile {profile.name!r} has no address of its own, since each customer has"
            " one. Give it as base_url, such as https://NAME.openai.azure.com/openai/v1."
        )
    if not is_address(url):
        return DriverError, (
            f"{url!r} is no address of a server."
            f" Give base_url or {URL_ENV} the form http://HOST:PORT/v1."
        )
    if not can_be_sent(key):
        return DriverError, (
            f"The key holds characters that no key has. Copy it anew to {key_name}."
        )
    if not key and is_at(url, profile.hosts):
        return NoDriverError, _missing(profile, key_name)
    return DriverError, ""


def _missing(profile: Profile, key_name: str) -> str:
    """Return what to do where a server needs a key and none is set."""
    if profile is _OPENAI:
        return (
            f"No key is set. Put it in the environment variable {key_name}, or keep it with"
            f" `agenthost keys set {key_name}`; or, for a server of your own, name its address"
            f" with base_url or {URL_ENV}."
        )
    other = ""
    if key_name != _OPENAI.key_name and find_key(_OPENAI.key_name):
        other = f" {_OPENAI.key_name} is set, but it is OpenAI's, and is not sent to others."
    return (
        f"No key is set for {profile.name}. Put it in the environment variable {key_name}, or"
        f" keep it with `agenthost keys set {key_name}`.{other}"
    )


def _prepare() -> None:
    import_module("openai")


def _blocking(endpoint: Endpoint) -> OpenAI:
    from openai import OpenAI

    return OpenAI(**endpoint.options())


def _on_loop(endpoint: Endpoint) -> AsyncOpenAI:
    from openai import AsyncOpenAI, DefaultAsyncHttpxClient

    # The SDK's own connections would close themselves on whatever loop runs when they go.
    return AsyncOpenAI(**endpoint.options(), http_client=DefaultAsyncHttpxClient())
