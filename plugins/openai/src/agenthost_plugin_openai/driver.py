"""Ask a model by chat completions: the calls, blocking and asynchronous, whole and streamed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar, cast

from agenthost_plugin_openai import decode, models
from agenthost_plugin_openai.chunks import ChunkReader
from agenthost_plugin_openai.encode import Encoder
from agenthost_plugin_openai.endpoints import Connected, Endpoint
from agenthost_plugin_openai.failing import failures, is_lost
from agenthost_plugin_openai.profiles import PROFILES, Profile
from agenthost_plugin_openai.tokens import counted
from agenthost_sdk.drivers import BasePromptDriver, StructuredOutputStrategy
from agenthost_sdk.errors import DriverAuthenticationError, DriverError, DriverRequestError
from agenthost_sdk.messages import DeltaMessage, Message, PromptStack

_PATH = "/chat/completions"

#: Leaves a choice to the server and the model.
_FITTING = cast("StructuredOutputStrategy", "")


@dataclass(kw_only=True, eq=False)
class OpenAiChatPromptDriver(Connected, BasePromptDriver):
    """Ask OpenAI, or a server that speaks its chat completions.

    The address is taken from `OPENAI_BASE_URL`, and the key from the variable of the server that
    is asked, `OPENAI_API_KEY` for one that is not known, where the fields do not give them. A
    server of one's own needs no key.
    """

    provider = "openai"
    key_env = "OPENAI_API_KEY"
    rank = 10
    max_tools = 128
    #: What the field `profile` may say.
    profiles: ClassVar[tuple[str, ...]] = tuple(PROFILES)

    model: str = "gpt-6-luna"
    use_native_tools: bool = True
    #: By default "native" where the server and the model take a JSON Schema, else "tool".
    structured_output_strategy: StructuredOutputStrategy = _FITTING
    #: Whether to send schemas in the strict form, where they have one, so that the model cannot
    #: break them; by default where the server keeps to it.
    strict: bool | None = None

    _encoder: tuple[Any, Encoder] | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        """Choose the way to structured output that fits the server and the model."""
        if self.structured_output_strategy == _FITTING:
            server = self.server()
            fits = not _is_exact(server) or models.takes_json_schema(self.model)
            self.structured_output_strategy = server.output if fits else "tool"

    def try_run(self, stack: PromptStack) -> Message:
        """Ask the model and return its whole reply."""
        endpoint = self._endpoint()
        body = self._body(stack, endpoint, stream=False)
        client = self._clients.blocking(endpoint)
        with self._failures(endpoint):
            from agenthost_plugin_openai.reading import Completion  # it imports the SDK

            reply = client.post(_PATH, content=body, cast_to=Completion)
            return decode.message(reply, self._sound())

    def try_stream(self, stack: PromptStack) -> Iterator[DeltaMessage]:
        """Ask the model and yield its reply piece by piece."""
        endpoint, reader = self._endpoint(), ChunkReader(self._sound())
        body = self._body(stack, endpoint, stream=True)
        client = self._clients.blocking(endpoint)
        is_done = False
        with self._failures(endpoint, reader):
            from agenthost_plugin_openai.events import ChunkStream
            from agenthost_plugin_openai.reading import Chunk

            with client.post(
                _PATH,
                content=body,
                cast_to=Chunk,
                stream=True,
                stream_cls=ChunkStream,
            ) as chunks:
                for chunk in chunks:
                    yield from reader.read(chunk)
                is_done = chunks.is_done
        with self._failures(endpoint):
            yield from reader.end(is_done=is_done)

    async def atry_run(self, stack: PromptStack) -> Message:
        """Ask the model and return its whole reply, without blocking the event loop."""
        endpoint = self._endpoint()
        body = self._body(stack, endpoint, stream=False)
        client = await self._clients.on_running_loop(endpoint)
        with self._failures(endpoint):
            from agenthost_plugin_openai.reading import Completion

            reply = await client.post(_PATH, content=body, cast_to=Completion)
            return decode.message(reply, self._sound())

    async def atry_stream(self, stack: PromptStack) -> AsyncIterator[DeltaMessage]:
        """Ask the model and yield its reply piece by piece, without blocking the event loop."""
        endpoint, reader = self._endpoint(), ChunkReader(self._sound())
        body = self._body(stack, endpoint, stream=True)
        client = await self._clients.on_running_loop(endpoint)
        is_done = False
        with self._failures(endpoint, reader):
            from agenthost_plugin_openai.events import AsyncChunkStream
            from agenthost_plugin_openai.reading import Chunk

            async with await client.post(
                _PATH,
                content=body,
                cast_to=Chunk,
                stream=True,
                stream_cls=AsyncChunkStream,
            ) as chunks:
                async for chunk in chunks:
                    for delta in reader.read(chunk):
                        yield delta
                is_done = chunks.is_done
        with self._failures(endpoint):
            for delta in reader.end(is_done=is_done):
                yield delta

    def count_tokens(self, messages: Sequence[Message]) -> int:
        """Return how many tokens the messages have.

        They are counted with tiktoken where it is installed and has its data on this machine, for
        the models of OpenAI; elsewhere it is the estimate of `BasePromptDriver`.
        """
        found = counted(messages, self.model) if _is_exact(self.server()) else None
        return super().count_tokens(messages) if found is None else found

    def _endpoint(self) -> Endpoint:
        return self.endpoint(self.key_name, self.title, self.model)

    def _body(self, stack: PromptStack, endpoint: Endpoint, *, stream: bool) -> bytes:
        self._check(stack, endpoint.profile)
        return self._encoder_for(endpoint.profile).request(
            stack,
            stream=stream,
            temperature=self.temperature,
            max_tokens=self.max_tokens,
            extra=self.extra_params,
        )

    def _encoder_for(self, profile: Profile) -> Encoder:
        """Return the encoder that knows what was sent before; made anew where a field changed."""
        strict = profile.strict if self.strict is None else self.strict
        key = (profile, self.model, strict)
        kept = self._encoder  # read once, since other threads may put theirs in its place
        if kept is None or kept[0] != key:
            kept = self._encoder = (key, Encoder(profile, self.model, strict))
        return kept[1]

    def _check(self, stack: PromptStack, profile: Profile) -> None:
        """Refuse what the server or the model does not take, and say what to choose instead."""
        is_exact = _is_exact(profile)
        if stack.tools and is_exact and not models.takes_tools(self.model):
            raise self._lacks(
                f"{self.model} takes no tools. Set use_native_tools to false, so that a text"
                " dialect is used, or choose another model."
            )
        if stack.output_schema is None:
            return
        lacking = "" if profile.json_schema else f"The server {profile.name}"
        if is_exact and not models.takes_json_schema(self.model):
            lacking = self.model
        if lacking:
            raise self._lacks(
                f"{lacking} takes no JSON Schema for an answer. Set structured_output_strategy to"
                ' "tool" or "rule", or choose another model.'
            )

    def _lacks(self, words: str) -> DriverError:
        return DriverRequestError(words, provider=self.title, model=self.model)

    def _sound(self) -> str:
        """Return the format of sound that is asked for."""
        wanted = self.extra_params.get("audio")
        return str(wanted.get("format", "wav")) if isinstance(wanted, dict) else "wav"

    @contextmanager
    def _failures(self, endpoint: Endpoint, reader: ChunkReader | None = None) -> Iterator[None]:
        """Raise what goes wrong as a `DriverError`.

        A stream that is lost after it began is no error: what arrived of it is the reply.
        """
        try:
            with failures(endpoint, self.title, self.model):
                yield
        except DriverAuthenticationError:
            self.look_key_up_again()
            raise
        except DriverError as error:
            if reader is None or not reader.begun or not is_lost(error):
                raise


def _is_exact(profile: Profile) -> bool:
    """Return whether a model's name means OpenAI's model of that name."""
    return profile.name in ("openai", "azure")
