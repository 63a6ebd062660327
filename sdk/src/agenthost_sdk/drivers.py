"""Prompt drivers: the template round the two methods that a provider's plugin writes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal

from agenthost_sdk.artifacts import BaseArtifact
from agenthost_sdk.errors import DriverError
from agenthost_sdk.events import Emit, silent
from agenthost_sdk.failures import driver_error, is_foreign_failure
from agenthost_sdk.messages import (
    ActionCallMessageContent,
    BaseMessageContent,
    DeltaMessage,
    Message,
    PromptStack,
    StreamedReply,
    TextMessageContent,
)
from agenthost_sdk.prompt_events import PromptEvents
from agenthost_sdk.retrying import apersistently, persistently
from agenthost_sdk.threads import closing_if_possible, drawn_in_thread, in_thread

StructuredOutputStrategy = Literal["native", "tool", "rule"]


@dataclass(kw_only=True, eq=False)
class BasePromptDriver(ABC):
    """Turn a prompt stack into one provider's request, and its reply back into a message.

    A new provider writes `try_run` and `try_stream`; `run` does the rest: it takes a stack or an
    artifact, streams or not, tells the listeners, and puts a streamed reply together. A whole
    driver:

        from collections.abc import Iterator
        from dataclasses import dataclass
        from agenthost_sdk import BasePromptDriver, DeltaMessage, Message, PromptStack, hookimpl
        from agenthost_sdk.messages import TextDeltaMessageContent, TextMessageContent

        @dataclass(kw_only=True, eq=False)
        class EchoPromptDriver(BasePromptDriver):
            '''Say the user's words again.'''

            provider = "echo"
            model: str = "echo-1"

            def try_run(self, stack: PromptStack) -> Message:
                return Message("assistant", (TextMessageContent(stack.messages[-1].to_text()),))

            def try_stream(self, stack: PromptStack) -> Iterator[DeltaMessage]:
                for word in stack.messages[-1].to_text().split():
                    yield DeltaMessage(TextDeltaMessageContent(word + " "))
                yield DeltaMessage(finish="stop")

        @hookimpl
        def agenthost_prompt_drivers():
            return {"echo": EchoPromptDriver}

    A driver holds configuration and a client, no state of a run, and serves many threads. It
    makes its client, and imports its provider's package, on first use, not when it is made.

    `run` asks again, up to `max_attempts` times, after a `DriverError` that is retryable (no
    connection or a broken one, no answer in time, the statuses 408, 409, 429 and 5xx), and after
    a stream that broke off. It waits at least `min_retry_delay` seconds, twice as long each
    time, or as long as the provider asks; the listeners hear that it starts again. An `OSError`,
    and whatever exception of a provider's package bears a `status_code`, is taken for a
    `DriverError` of its kind.
    """

    #: The driver's name, as in `-m NAME:MODEL`.
    provider: ClassVar[str] = ""
    #: The environment variable that holds the key; None where no key is needed.
    key_env: ClassVar[str | None] = None
    #: Which driver runs when none is named: of those whose key is set the lowest, then of those
    #: that need no key the lowest; names decide where ranks are equal.
    rank: ClassVar[int] = 100
    #: How many tools the provider takes in one request; None where there is no limit.
    max_tools: ClassVar[int | None] = None

    model: str
    stream: bool = False
    #: Whether tools are offered in the provider's form where no dialect is named. A driver whose
    #: class says so can do it also where it is told not to, and a dialect that is named wins.
    use_native_tools: bool = False
    #: The dialect that the model keeps to best, by name; "" leaves the choice to the host.
    dialect: str = ""
    structured_output_strategy: StructuredOutputStrategy = "rule"
    temperature: float | None = None
    max_tokens: int | None = None
    #: Further fields of the provider's request, passed on as they are.
    extra_params: dict[str, Any] = field(default_factory=dict)
    #: How often a prompt is tried in all.
    max_attempts: int = 2
    #: Seconds before the second attempt at least; each further wait is twice as long.
    min_retry_delay: float = 2.0
    #: Seconds between two attempts at most, where the provider does not ask for more.
    max_retry_delay: float = 60.0
    #: No attempt begins later than so many seconds after the first.
    max_retry_seconds: float = 120.0
    #: After these, and what they caused, nothing is tried again.
    ignored_exception_types: tuple[type[BaseException], ...] = (ImportError, ValueError)
    #: What the driver is called, such as by the settings; "" means as its provider.
    name: str = ""
    #: The variable that holds the key; the driver's own where None.
    key_name: str | None = None

    @property
    def title(self) -> str:
        """The name that errors, events and listings show."""
        return self.name or self.provider

    @property
    def has_native_tools(self) -> bool:
        """Whether it can pass tools on in its provider's form, though it may be told not to."""
        return self.use_native_tools or type(self).use_native_tools

    @abstractmethod
    def try_run(self, stack: PromptStack) -> Message:
        """Ask the model and return its whole reply; raise `DriverError` when it cannot be had.

        An `OSError`, such as a connection that broke, is taken as one.
        """

    @abstractmethod
    def try_stream(self, stack: PromptStack) -> Iterator[DeltaMessage]:
        """Ask the model and yield its reply piece by piece, usage and finish among the pieces."""

    def count_tokens(self, messages: Sequence[Message]) -> int:
        """Return about how many tokens the messages have; a provider that can count writes this.

        The estimate takes four bytes of UTF-8 for a token, and four tokens more for a message.
        """
        texts = [block.to_text() for message in messages for block in message.content]
        sizes = [len(text.encode("utf-8", "replace")) for text in texts]
        return sum(sizes) // 4 + 4 * len(messages)

    async def atry_run(self, stack: PromptStack) -> Message:
        """Await `try_run` in a thread; a provider with an async client writes its own."""
        return await in_thread(self.try_run, stack)

    async def atry_stream(self, stack: PromptStack) -> AsyncIterator[DeltaMessage]:
        """Yield the pieces of `try_stream`, drawn in a thread; may be written likewise."""
        async for piece in drawn_in_thread(self.try_stream(stack)):
            yield piece

    def run(
        self, prompt: PromptStack | BaseArtifact | str, emit: Emit | PromptEvents = silent
    ) -> Message:
        """Return the model's reply to a stack, an artifact or a text.

        Args:
            prompt: What to ask.
            emit: Is called with each event as it happens; what it raises ends the call. Who tries
                one prompt several times hands over the `PromptEvents` of all attempts.
        """
        stack = _stack(prompt)
        if isinstance(emit, PromptEvents):
            return persistently(self, lambda: self._attempt(stack, emit))
        with PromptEvents(emit) as events:
            return persistently(self, lambda: self._attempt(stack, events))

    async def arun(
        self, prompt: PromptStack | BaseArtifact | str, emit: Emit | PromptEvents = silent
    ) -> Message:
        """Do what `run` does, without blocking the event loop."""
        stack = _stack(prompt)
        if isinstance(emit, PromptEvents):
            return await apersistently(self, lambda: self._aattempt(stack, emit))
        with PromptEvents(emit) as events:
            return await apersistently(self, lambda: self._aattempt(stack, events))

    def before_run(self, stack: PromptStack, events: PromptEvents) -> None:
        """Tell that an attempt begins."""
        events.begin(self.title, self.model, stack)

    def after_run(self, message: Message, events: PromptEvents) -> Message:
        """Note the reply for the finish, and return it."""
        return events.answered(message)

    def _attempt(self, stack: PromptStack, events: PromptEvents) -> Message:
        self.before_run(stack, events)
        try:
            message, pauses = self._asked(stack, events), 0
            while message.finish == "pause":
                pauses = self._counted(pauses)
                message = _joined(message, self._asked(_gone_on(stack, message), events))
            return self.after_run(message, events)
        except Exception as error:
            failure = self._told(error, events)
            if failure is error:
                raise
            raise failure from error

    async def _aattempt(self, stack: PromptStack, events: PromptEvents) -> Message:
        self.before_run(stack, events)
        try:
            message, pauses = await self._aasked(stack, events), 0
            while message.finish == "pause":
                pauses = self._counted(pauses)
                message = _joined(message, await self._aasked(_gone_on(stack, message), events))
            return self.after_run(message, events)
        except Exception as error:
            failure = self._told(error, events)
            if failure is error:
                raise
            raise failure from error

    def _asked(self, stack: PromptStack, events: PromptEvents) -> Message:
        if self._streams(events):
            return self._checked(self._streamed(stack, events))
        return self._whole(self.try_run(stack), events)

    async def _aasked(self, stack: PromptStack, events: PromptEvents) -> Message:
        if self._streams(events):
            return self._checked(await self._astreamed(stack, events))
        return self._whole(await self.atry_run(stack), events)

    def _whole(self, message: Message, events: PromptEvents) -> Message:
        checked = self._checked(message)
        events.spend(checked.usage)
        return checked

    def _streams(self, events: PromptEvents) -> bool:
        """Return whether the reply comes in pieces, as the caller or else the driver has it."""
        return self.stream if events.stream is None else events.stream

    def _streamed(self, stack: PromptStack, events: PromptEvents) -> Message:
        reply, pieces = StreamedReply(_offered(stack)), self.try_stream(stack)
        try:
            with closing_if_possible(pieces):  # one that is left half way ends its request now
                for delta in pieces:
                    events.piece(reply.add(delta))
        finally:
            events.spend(reply.usage)
        return reply.message()

    async def _astreamed(self, stack: PromptStack, events: PromptEvents) -> Message:
        reply, pieces = StreamedReply(_offered(stack)), self.atry_stream(stack)
        try:
            async for delta in pieces:
                events.piece(reply.add(delta))
        finally:
            if (close := getattr(pieces, "aclose", None)) is not None:
                await close()  # as above
            events.spend(reply.usage)
        return reply.message()

    def _counted(self, pauses: int) -> int:
        """Count a pause; a reply that never comes to its end is a failure."""
        if pauses == MOST_PAUSES:
            raise DriverError(
                f"The provider paused its reply {pauses} times without coming to an end.",
                provider=self.title,
                model=self.model,
            )
        return pauses + 1

    def _told(self, error: Exception, events: PromptEvents) -> Exception:
        """Note why an attempt failed, and return it; a foreign failure as a `DriverError`."""
        if not isinstance(error, DriverError) and is_foreign_failure(error):
            error = driver_error(error, provider=self.title, model=self.model)
        events.failed(error)
        return error

    def _checked(self, message: Message) -> Message:
        fault = _fault(message)
        if fault:
            of = f"{type(self).__name__} gave {fault}"
            raise DriverError(f"{of}.", provider=self.title, model=self.model)
        return message


#: How often a provider that pauses in mid reply is asked to go on.
MOST_PAUSES = 16


def _offered(stack: PromptStack) -> Iterator[str]:
    return (spec.native for spec in stack.tools)


def _gone_on(stack: PromptStack, message: Message) -> PromptStack:
    """Return the stack that asks a provider to go on where it paused."""
    return replace(stack, messages=[*stack.messages, message])


def _joined(paused: Message, further: Message) -> Message:
    """Return what came before a pause and after it as one message."""
    return replace(
        further,
        content=(*paused.content, *further.content),
        usage=paused.usage + further.usage,
    )


def _fault(message: Any) -> str:
    """Return what a provider's plugin got wrong about its message; "" where all is well."""
    if not isinstance(message, Message):
        return f"{message!r:.60} where a Message is needed"
    blocks: Iterable[Any] = message.content
    for block in blocks:
        if not isinstance(block, BaseMessageContent):
            return f"a Message with {block!r:.60} in it where a message content is needed"
        for name in _TEXTS.get(type(block), ()):
            found = getattr(block, name)
            if not isinstance(found, str):
                return f"{found!r:.60} as {type(block).__name__}.{name}, where a text is needed"
    return ""


#: What must be a text in a reply, whatever a provider's package makes of it.
_TEXTS: dict[type, tuple[str, ...]] = {
    TextMessageContent: ("text",),
    ActionCallMessageContent: ("native", "arguments"),
}


def _stack(prompt: PromptStack | BaseArtifact | str) -> PromptStack:
    return prompt if isinstance(prompt, PromptStack) else PromptStack.from_artifact(prompt)
