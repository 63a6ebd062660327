"""Prompt drivers: the template round the two methods that a provider's plugin writes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from agenthost_sdk.artifacts import BaseArtifact, error_text
from agenthost_sdk.errors import DriverError
from agenthost_sdk.events import Emit, silent
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
from agenthost_sdk.threads import in_thread

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
    use_native_tools: bool = False
    #: The dialect that the model keeps to best, by name; "" leaves the choice to the host.
    dialect: str = ""
    structured_output_strategy: StructuredOutputStrategy = "rule"
    temperature: float | None = None
    max_tokens: int | None = None
    #: Further fields of the provider's request, passed on as they are.
    extra_params: dict[str, Any] = field(default_factory=dict)

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
        """Yield the pieces of `try_stream`, each drawn in a thread; may be written likewise."""
        pieces = self.try_stream(stack)
        while (piece := await in_thread(next, pieces, None)) is not None:
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
        if isinstance(emit, PromptEvents):
            return self._attempt(_stack(prompt), emit)
        with PromptEvents(emit) as events:
            return self._attempt(_stack(prompt), events)

    async def arun(
        self, prompt: PromptStack | BaseArtifact | str, emit: Emit | PromptEvents = silent
    ) -> Message:
        """Do what `run` does, without blocking the event loop."""
        if isinstance(emit, PromptEvents):
            return await self._aattempt(_stack(prompt), emit)
        with PromptEvents(emit) as events:
            return await self._aattempt(_stack(prompt), events)

    def _attempt(self, stack: PromptStack, events: PromptEvents) -> Message:
        events.begin(self.provider, self.model, stack)
        try:
            if self._streams(events):
                message = self._streamed(stack, events)
            else:
                message = self.try_run(stack)
            return events.answered(self._checked(message))
        except OSError as error:  # a connection that broke, a time that ran out
            raise self._broken(error, events) from error
        except Exception as error:
            events.failed(error)
            raise

    async def _aattempt(self, stack: PromptStack, events: PromptEvents) -> Message:
        events.begin(self.provider, self.model, stack)
        try:
            if self._streams(events):
                message = await self._astreamed(stack, events)
            else:
                message = await self.atry_run(stack)
            return events.answered(self._checked(message))
        except OSError as error:  # a connection that broke, a time that ran out
            raise self._broken(error, events) from error
        except Exception as error:
            events.failed(error)
            raise

    def _streams(self, events: PromptEvents) -> bool:
        """Return whether the reply comes in pieces, as the caller or else the driver has it."""
        return self.stream if events.stream is None else events.stream

    def _streamed(self, stack: PromptStack, events: PromptEvents) -> Message:
        reply, pieces = StreamedReply(), self.try_stream(stack)
        try:
            for delta in pieces:
                events.piece(reply.add(delta))
        finally:
            if (close := getattr(pieces, "close", None)) is not None:
                close()  # a stream that is left half way ends its request now
        return reply.message()

    async def _astreamed(self, stack: PromptStack, events: PromptEvents) -> Message:
        reply, pieces = StreamedReply(), self.atry_stream(stack)
        try:
            async for delta in pieces:
                events.piece(reply.add(delta))
        finally:
            if (close := getattr(pieces, "aclose", None)) is not None:
                await close()  # as above
        return reply.message()

    def _broken(self, error: OSError, events: PromptEvents) -> DriverError:
        """Return a driver's failure that its own code did not turn into one."""
        words = error_text(error)
        failure = DriverError(words, provider=self.provider, model=self.model)
        events.failed(failure)
        return failure

    def _checked(self, message: Message) -> Message:
        fault = _fault(message)
        if fault:
            of = f"{type(self).__name__} gave {fault}"
            raise DriverError(f"{of}.", provider=self.provider, model=self.model)
        return message


class DriversConfig:
    """A set of drivers that belong together, each made on first use.

    A provider's plugin subclasses it and writes the `make_…` methods of what it has.
    """

    _prompt_driver: BasePromptDriver | None = None

    @property
    def prompt_driver(self) -> BasePromptDriver:
        """The prompt driver of this set."""
        if self._prompt_driver is None:
            self._prompt_driver = self.make_prompt_driver()
        return self._prompt_driver

    @prompt_driver.setter
    def prompt_driver(self, driver: BasePromptDriver) -> None:
        self._prompt_driver = driver

    def make_prompt_driver(self) -> BasePromptDriver:
        """Make the prompt driver; a provider writes this."""
        from agenthost_sdk.errors import NoDriverError  # only a set without drivers needs it

        raise NoDriverError(f"{type(self).__name__} has no prompt driver.")


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
