"""Ask a model by Anthropic's Messages API: the calls, blocking and asynchronous."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from json import JSONDecodeError
from typing import TYPE_CHECKING, Any

from agenthost_plugin_anthropic import decode
from agenthost_plugin_anthropic.encode import RequestWriter, count_request
from agenthost_plugin_anthropic.endpoint import (
    ANTHROPIC_URL,
    NO_KEY,
    URL_ENV,
    Endpoint,
    is_anthropic,
    new_clients,
)
from agenthost_plugin_anthropic.events import EventReader
from agenthost_plugin_anthropic.models import DEFAULT_MODEL
from agenthost_plugin_anthropic.options import Display, Effort, Options, Thinking
from agenthost_sdk.addresses import can_be_sent, header_fault, is_address, timeout_fault
from agenthost_sdk.drivers import BasePromptDriver, StructuredOutputStrategy
from agenthost_sdk.errors import (
    AgenthostError,
    DriverAuthenticationError,
    DriverConnectionError,
    DriverError,
    DriverRequestError,
    DriverServerError,
    DriverTimeoutError,
    NoDriverError,
)
from agenthost_sdk.failures import driver_error
from agenthost_sdk.keys import find_key, keep_header_secrets, keep_secret
from agenthost_sdk.messages import DeltaMessage, Message, PromptStack

if TYPE_CHECKING:
    from agenthost_plugin_anthropic.endpoint import AnthropicClients

_PATH = "/v1/messages"

# A count that takes longer is not worth the wait; an estimate does.
_COUNT_SECONDS = 10.0

# The API's version that still knows how to choose words, by `temperature` and the like.
_SAMPLING_VERSION = ("anthropic-version", "2023-06-01")


@dataclass(kw_only=True, eq=False)
class AnthropicPromptDriver(BasePromptDriver):
    """Ask Anthropic, or a server that speaks its Messages API.

    The key is taken from `ANTHROPIC_API_KEY` and the address from `ANTHROPIC_BASE_URL` where the
    fields do not give them. A server of one's own needs no key.
    """

    provider = "anthropic"
    key_env = "ANTHROPIC_API_KEY"
    rank = 20

    model: str = DEFAULT_MODEL
    use_native_tools: bool = True
    structured_output_strategy: StructuredOutputStrategy = "native"
    #: The address of a compatible server, such as "http://127.0.0.1:8080".
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    #: Further headers of each request.
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    #: What is on trial at the provider and to be used, such as "files-api-2025-04-14".
    betas: Sequence[str] = ()
    #: Seconds to wait for an answer, or for the next piece of a streamed one.
    timeout: float = 600.0
    #: How the model thinks: "adaptive", "between_tools", "disabled", or with so many tokens at
    #: most (older models); None leaves it to the provider.
    thinking: Thinking | None = None
    #: Whether thoughts come "summarized" or "omitted"; None leaves it to the provider.
    thinking_display: Display | None = None
    #: How much effort the model makes, from "low" to "max"; None leaves it to the provider.
    effort: Effort | None = None
    #: Whether the model may call several tools in one reply.
    parallel_tool_use: bool = True
    #: Whether to send the schemas of tools in the strict form, where they have one, so that the
    #: model cannot break them; the provider takes longer at first then.
    strict: bool = False
    #: Whether the provider is to keep what it read for the next request, which then costs less.
    cache: bool = False
    #: Whether to ask the provider how many tokens messages have; else that is an estimate.
    counts_tokens: bool = True
    #: Tools that the provider runs itself, in its own form, such as its search of the web.
    server_tools: Sequence[Mapping[str, Any]] = ()

    _clients: AnthropicClients = field(default_factory=new_clients, init=False, repr=False)
    _writer: RequestWriter = field(default_factory=RequestWriter, init=False, repr=False)
    # A key store may be slow to ask, and would be for each request.
    _endpoint_kept: tuple[object, Endpoint] | None = field(default=None, init=False, repr=False)
    _is_counting: bool = field(default=True, init=False, repr=False)

    def try_run(self, stack: PromptStack) -> Message:
        """Ask the model and return its whole reply."""
        endpoint, body = self._endpoint(), self._body(stack, stream=False)
        with self._failures(endpoint):
            from agenthost_plugin_anthropic.reading import Answer  # it imports the SDK

            client = self._clients.blocking(endpoint)
            return decode.message(client.post(_PATH, content=body, cast_to=Answer))

    async def atry_run(self, stack: PromptStack) -> Message:
        """Ask the model and return its whole reply, without blocking the event loop."""
        endpoint, body = self._endpoint(), self._body(stack, stream=False)
        client = await self._clients.on_running_loop(endpoint)
        with self._failures(endpoint):
            from agenthost_plugin_anthropic.reading import Answer  # it imports the SDK

            return decode.message(await client.post(_PATH, content=body, cast_to=Answer))

    def try_stream(self, stack: PromptStack) -> Iterator[DeltaMessage]:
        """Ask the model and yield its reply piece by piece."""
        endpoint, body = self._endpoint(), self._body(stack, stream=True)
        reader = EventReader()
        with self._failures(endpoint, reader):
            client = self._clients.blocking(endpoint)
            with client.post(_PATH, content=body, **_streamed("Stream")) as events:
                for event in events:
                    yield from reader.read(event)
        with self._failures(endpoint):
            yield from reader.end()

    async def atry_stream(self, stack: PromptStack) -> AsyncIterator[DeltaMessage]:
        """Ask the model and yield its reply piece by piece, without blocking the event loop."""
        endpoint, body = self._endpoint(), self._body(stack, stream=True)
        client, reader = await self._clients.on_running_loop(endpoint), EventReader()
        with self._failures(endpoint, reader):
            answer = await client.post(_PATH, content=body, **_streamed("AsyncStream"))
            async with answer as events:
                async for event in events:
                    for delta in reader.read(event):
                        yield delta
        with self._failures(endpoint):
            for delta in reader.end():
                yield delta

    def count_tokens(self, messages: Sequence[Message]) -> int:
        """Return how many tokens the messages have, as the provider counts them.

        Where it cannot be asked, it is not asked again, and the count is an estimate.
        """
        if self._is_counting and self.counts_tokens and messages:
            try:
                return self._provider_count(messages)
            except AgenthostError:
                self._is_counting = False
        return super().count_tokens(messages)

    def options(self) -> Options:
        """Return what a request says beside its messages."""
        return Options(
            model=self.model,
            max_tokens=self.max_tokens,
            temperature=self.temperature,
            thinking=self.thinking,
            thinking_display=self.thinking_display,
            effort=self.effort,
            parallel_tool_use=self.parallel_tool_use,
            strict=self.strict,
            cache=self.cache,
            server_tools=self.server_tools,
            extra=self.extra_params,
        )

    def _provider_count(self, messages: Sequence[Message]) -> int:
        endpoint, body = self._endpoint(), count_request(messages, self.model)
        with self._failures(endpoint):
            from anthropic.types import MessageTokensCount

            answer = self._clients.blocking(endpoint).post(
                f"{_PATH}/count_tokens",
                content=body,
                cast_to=MessageTokensCount,
                options={"timeout": _COUNT_SECONDS},
            )
            return decode.token_count(answer)

    def _body(self, stack: PromptStack, *, stream: bool) -> bytes:
        """Write the request.

        Raises:
            DriverRequestError: The model does not take what the driver was told to ask for.
        """
        options = self.options()
        fault = options.fault()
        if stack.output_schema is not None and not options.abilities.structured:
            fault = (
                f"{self.model} cannot be held to a schema."
                " Set structured_output_strategy to 'tool', or to 'rule'."
            )
        if fault:
            raise DriverRequestError(fault, provider=self.title, model=self.model)
        try:
            return self._writer.request(stack, options, stream=stream)
        except (TypeError, ValueError, RecursionError) as error:
            fault = f"extra_params or server_tools hold what JSON has no word for: {error}."
            raise DriverRequestError(fault, provider=self.title, model=self.model) from error

    def _endpoint(self) -> Endpoint:
        url = (self.base_url or "").strip() or os.environ.get(URL_ENV, "").strip() or ANTHROPIC_URL
        headers = tuple(self._all_headers(url).items())
        given = self.api_key or os.environ.get(self._key_name)
        fields = (url, given, self._key_name, headers, self.timeout)
        kept = self._endpoint_kept  # read once, since other threads may put theirs in its place
        if kept is not None and kept[0] == fields:
            return kept[1]
        key = (self.api_key or find_key(self._key_name)).strip()
        keep_secret(key)
        keep_header_secrets(self.headers)
        self._check(url, key)
        url = url.rstrip("/").removesuffix("/v1")  # the path of a request begins with it
        made = Endpoint(url, key or NO_KEY, headers, self.timeout)
        self._endpoint_kept = (fields, made)
        return made

    @property
    def _key_name(self) -> str:
        return self.key_env if self.key_name is None else self.key_name

    def _all_headers(self, url: str) -> dict[str, str]:
        headers = {"anthropic-beta": ",".join(self.betas)} if self.betas else {}
        if is_address(url) and is_anthropic(url) and self.options().samples:
            headers |= [_SAMPLING_VERSION]
        return headers | dict(self.headers)

    def _check(self, url: str, key: str) -> None:
        """Refuse what no request can be made with, in words that never hold the key."""
        kind, text = DriverError, header_fault(self.headers) or timeout_fault(self.timeout)
        if not is_address(url):
            text = (
                f"{url!r} is no address of a server."
                f" Give base_url or {URL_ENV} the form http://HOST:PORT."
            )
        elif not can_be_sent(key):
            text = f"The key holds characters that no key has. Copy it anew to {self._key_name}."
        elif not key and is_anthropic(url):
            kind = NoDriverError
            text = (
                f"No key is set. Put it in the environment variable {self._key_name}, or keep it"
                f" with `agenthost keys set {self._key_name}`; or, for a server of your own, name"
                f" its address with base_url or {URL_ENV}."
            )
        if text:
            raise kind(text, provider=self.title, model=self.model)

    @contextmanager
    def _failures(self, endpoint: Endpoint, reader: EventReader | None = None) -> Iterator[None]:
        """Raise what goes wrong as a `DriverError`.

        A stream that is lost after it began is no error: what arrived of it is the reply.
        """
        from anthropic import APIConnectionError, APIError
        from httpx2 import HTTPError

        try:
            yield
        except decode.UnreadableReply as error:
            kind = DriverServerError if error.may_pass else DriverError
            raise self._failed(error, endpoint, kind if error.body is None else None) from error
        except (JSONDecodeError, UnicodeDecodeError) as error:
            if reader is not None and reader.begun:
                return
            words = f"The answer of {endpoint.shown} cannot be read: {error}."
            raise DriverError(words, provider=self.title, model=self.model) from error
        except (APIConnectionError, HTTPError) as error:
            if reader is not None and reader.begun:
                return
            raise self._failed(error, endpoint, _kind_of(error)) from error
        except APIError as error:
            failure = self._failed(error, endpoint)
            if isinstance(failure, DriverAuthenticationError):
                self._endpoint_kept = None  # the next request looks for the key anew
            raise failure from error

    def _failed(
        self, error: Exception, endpoint: Endpoint, kind: type[DriverError] | None = None
    ) -> DriverError:
        return driver_error(
            error,
            kind=kind,
            provider=self.title,
            model=self.model,
            server=endpoint.shown,
            key_name="" if self.api_key else self._key_name,
        )


def _kind_of(error: Exception) -> type[DriverError]:
    """Return what a connection's failure is: no answer in time, or a broken one."""
    from anthropic import APITimeoutError
    from httpx2 import TimeoutException

    is_late = isinstance(error, APITimeoutError | TimeoutException)
    return DriverTimeoutError if is_late else DriverConnectionError


def _streamed(name: str) -> dict[str, Any]:
    """Return how the SDK is told to read a stream; the name is that of its class for one."""
    import anthropic

    from agenthost_plugin_anthropic.reading import Event

    return {"cast_to": Event, "stream": True, "stream_cls": getattr(anthropic, name)[Event]}
