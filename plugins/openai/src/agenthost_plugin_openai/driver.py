"""Ask a model by chat completions: the calls, blocking and asynchronous, whole and streamed."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from agenthost_plugin_openai import decode, encode
from agenthost_plugin_openai.clients import Clients, Endpoint
from agenthost_sdk.drivers import BasePromptDriver, DriversConfig, StructuredOutputStrategy
from agenthost_sdk.errors import DriverError, NoDriverError
from agenthost_sdk.messages import DeltaMessage, Message, PromptStack

if TYPE_CHECKING:
    from openai import APIError

#: The provider's own address, asked where no other is given.
OPENAI_URL = "https://api.openai.com/v1"

#: The variable that gives another address, as the SDK has it.
URL_ENV = "OPENAI_BASE_URL"

#: Sent to servers of one's own when no key is set; they need none, but the SDK insists on one.
NO_KEY = "no-key-needed"

_PATH = "/chat/completions"

# A key shorter than this is a placeholder, and blotting it out would only mar the words.
_SECRET = 8


@dataclass(kw_only=True, eq=False)
class OpenAiChatPromptDriver(BasePromptDriver):
    """Ask OpenAI, or a server that speaks its chat completions.

    The key is taken from `OPENAI_API_KEY` and the address from `OPENAI_BASE_URL` where the
    fields do not give them. A server of one's own needs no key.
    """

    provider = "openai"
    key_env = "OPENAI_API_KEY"
    rank = 10
    max_tools = 128

    model: str = "gpt-6-luna"
    use_native_tools: bool = True
    structured_output_strategy: StructuredOutputStrategy = "native"
    #: The address of a compatible server, such as "http://127.0.0.1:8080/v1".
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    #: Further headers of each request.
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    #: Seconds to wait for an answer, or for the next piece of a streamed one.
    timeout: float = 600.0
    #: Whether to send schemas in the strict form, where they have one, so that the model cannot
    #: break them; by default at OpenAI's own address, since few other servers keep to it.
    strict: bool | None = None

    _clients: Clients = field(default_factory=Clients, init=False, repr=False)
    _forms: encode.ToolForms = field(default_factory=encode.ToolForms, init=False, repr=False)

    def try_run(self, stack: PromptStack) -> Message:
        """Ask the model and return its whole reply."""
        endpoint = self._endpoint()
        with self._failures(endpoint):
            from openai.types.chat import ChatCompletion

            client = self._clients.blocking(endpoint)
            body = self._body(stack, endpoint, stream=False)
            return decode.message(client.post(_PATH, body=body, cast_to=ChatCompletion))

    def try_stream(self, stack: PromptStack) -> Iterator[DeltaMessage]:
        """Ask the model and yield its reply piece by piece."""
        endpoint, reader = self._endpoint(), decode.ChunkReader()
        with self._failures(endpoint, reader):
            from openai import Stream
            from openai.types.chat import ChatCompletionChunk

            body = self._body(stack, endpoint, stream=True)
            with self._clients.blocking(endpoint).post(
                _PATH,
                body=body,
                cast_to=ChatCompletionChunk,
                stream=True,
                stream_cls=Stream[ChatCompletionChunk],
            ) as chunks:
                for chunk in chunks:
                    yield from reader.read(chunk)
        with self._failures(endpoint):
            yield from reader.end()

    async def atry_run(self, stack: PromptStack) -> Message:
        """Ask the model and return its whole reply, without blocking the event loop."""
        endpoint = self._endpoint()
        client = await self._clients.on_running_loop(endpoint)
        with self._failures(endpoint):
            from openai.types.chat import ChatCompletion

            body = self._body(stack, endpoint, stream=False)
            return decode.message(await client.post(_PATH, body=body, cast_to=ChatCompletion))

    async def atry_stream(self, stack: PromptStack) -> AsyncIterator[DeltaMessage]:
        """Ask the model and yield its reply piece by piece, without blocking the event loop."""
        endpoint, reader = self._endpoint(), decode.ChunkReader()
        client = await self._clients.on_running_loop(endpoint)
        with self._failures(endpoint, reader):
            from openai import AsyncStream
            from openai.types.chat import ChatCompletionChunk

            body = self._body(stack, endpoint, stream=True)
            async with await client.post(
                _PATH,
                body=body,
                cast_to=ChatCompletionChunk,
                stream=True,
                stream_cls=AsyncStream[ChatCompletionChunk],
            ) as chunks:
                async for chunk in chunks:
                    for delta in reader.read(chunk):
                        yield delta
        with self._failures(endpoint):
            for delta in reader.end():
                yield delta

    def _endpoint(self) -> Endpoint:
        url = (self.base_url or os.environ.get(URL_ENV) or OPENAI_URL).strip()
        key = (self.api_key or os.environ.get(self.key_env or "") or "").strip()
        self._check(url, key)
        return Endpoint(url, key or NO_KEY, tuple(self.headers.items()), self.timeout)

    def _check(self, url: str, key: str) -> None:
        """Refuse what no request can be made with, in words that never hold the key."""
        kind, text = DriverError, ""
        if not _is_address(url):
            text = (
                f"{url!r} is no address of a server."
                f" Give base_url or {URL_ENV} the form http://HOST:PORT/v1."
            )
        elif not (key.isascii() and key.isprintable()):  # it cannot stand in a header
            text = f"The key holds characters that no key has. Copy it anew to {self.key_env}."
        elif not key and _is_openai(url):
            kind = NoDriverError
            text = (
                f"No key is set. Put it in the environment variable {self.key_env}; or, for a"
                f" server of your own, name its address with base_url or {URL_ENV}."
            )
        if text:
            raise kind(text, provider=self.provider, model=self.model)

    def _body(self, stack: PromptStack, endpoint: Endpoint, *, stream: bool) -> dict[str, Any]:
        return encode.request(
            stack,
            model=self.model,
            stream=stream,
            strict=_is_openai(endpoint.url) if self.strict is None else self.strict,
            temperature=self.temperature,
            limit=_limit(self.max_tokens, endpoint.url),
            extra=self.extra_params,
            forms=self._forms,
        )

    @contextmanager
    def _failures(
        self, endpoint: Endpoint, reader: decode.ChunkReader | None = None
    ) -> Iterator[None]:
        """Raise what goes wrong as a `DriverError`.

        A stream that is lost after it began is no error: what arrived of it is the reply.
        """
        from openai import APIConnectionError, APIError

        try:
            yield
        except (APIConnectionError, UnicodeDecodeError) as error:
            if reader is None or not reader.begun:
                raise self._failed(error, endpoint) from error
        except (APIError, decode.UnreadableReply, json.JSONDecodeError) as error:
            raise self._failed(error, endpoint) from error

    def _failed(self, error: APIError | ValueError, endpoint: Endpoint) -> DriverError:
        text = decode.words(error, server=endpoint.shown, key_env=self.key_env or "")
        return DriverError(
            text.replace(endpoint.key, "***") if len(endpoint.key) >= _SECRET else text,
            provider=self.provider,
            model=self.model,
            status=getattr(error, "status_code", None),
            request_id=getattr(error, "request_id", None),
        )


class OpenAiDriversConfig(DriversConfig):
    """The drivers of OpenAI, with its small current chat model."""

    def make_prompt_driver(self) -> BasePromptDriver:
        """Make the chat driver; it imports the provider's package when it is first asked."""
        return OpenAiChatPromptDriver()


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _is_openai(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    return host == "openai.com" or host.endswith(".openai.com")


def _limit(most: int | None, url: str) -> dict[str, int]:
    """Return the token limit: OpenAI has retired the name that the other servers know."""
    if most is None:
        return {}
    return {"max_completion_tokens" if _is_openai(url) else "max_tokens": most}
