"""The conversation in a form that belongs to no provider: stacks, messages, contents, deltas."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from agenthost_sdk.actions import ActionArtifact, ToolSpec
from agenthost_sdk.artifacts import (
    AudioArtifact,
    BaseArtifact,
    GenericArtifact,
    ImageArtifact,
    ImageUrlArtifact,
    ListArtifact,
    TextArtifact,
    to_artifact,
)
from agenthost_sdk.deltas import ActionCallDeltaMessageContent as ActionCallDeltaMessageContent
from agenthost_sdk.deltas import AudioDeltaMessageContent as AudioDeltaMessageContent
from agenthost_sdk.deltas import DeltaContent as DeltaContent
from agenthost_sdk.deltas import GenericDeltaMessageContent as GenericDeltaMessageContent
from agenthost_sdk.deltas import StreamedCalls
from agenthost_sdk.deltas import TextDeltaMessageContent as TextDeltaMessageContent

Role = Literal["system", "user", "assistant"]

#: Why a reply ended, whatever the provider calls it. "incomplete": the stream was lost.
Finish = Literal["stop", "actions", "length", "refusal", "incomplete"]


@dataclass(frozen=True)
class Usage:
    """Tokens that a provider counted; None where it reported nothing."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    reasoning_tokens: int | None = None

    @property
    def total_tokens(self) -> int:
        """Input and output together, unknown counted as none."""
        return (self.input_tokens or 0) + (self.output_tokens or 0)

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            _sum(self.input_tokens, other.input_tokens),
            _sum(self.output_tokens, other.output_tokens),
            _sum(self.cached_tokens, other.cached_tokens),
            _sum(self.reasoning_tokens, other.reasoning_tokens),
        )

    def updated(self, later: Usage) -> Usage:
        """Return the later report's figures, and the earlier ones where it has none."""
        return Usage(
            _last(self.input_tokens, later.input_tokens),
            _last(self.output_tokens, later.output_tokens),
            _last(self.cached_tokens, later.cached_tokens),
            _last(self.reasoning_tokens, later.reasoning_tokens),
        )


@dataclass(frozen=True)
class BaseMessageContent:
    """One block of a message."""

    def to_text(self) -> str:
        """Return the block in words; "" where it has none."""
        return ""


@dataclass(frozen=True)
class TextMessageContent(BaseMessageContent):
    """Text."""

    text: str

    def to_text(self) -> str:
        """Return the text."""
        return self.text

    @classmethod
    def from_deltas(cls, deltas: Iterable[TextDeltaMessageContent]) -> TextMessageContent:
        """Join the pieces of one block."""
        return cls("".join([delta.text for delta in deltas]))


@dataclass(frozen=True)
class ImageMessageContent(BaseMessageContent):
    """A picture, as bytes or by its address."""

    artifact: ImageArtifact | ImageUrlArtifact

    def to_text(self) -> str:
        """Return what the picture is."""
        return self.artifact.to_text()


@dataclass(frozen=True)
class AudioMessageContent(BaseMessageContent):
    """Sound."""

    artifact: AudioArtifact

    def to_text(self) -> str:
        """Return what the sound is."""
        return self.artifact.to_text()

    @classmethod
    def from_deltas(cls, deltas: Sequence[AudioDeltaMessageContent]) -> AudioMessageContent:
        """Join the pieces of one block; the last format that was stated holds for all."""
        data = b"".join([delta.data for delta in deltas])
        stated = (delta.format for delta in reversed(deltas) if delta.format)
        return cls(AudioArtifact(data, format=next(stated, "wav")))


@dataclass(frozen=True)
class GenericMessageContent(BaseMessageContent):
    """A block that only one provider knows, kept so that it can be sent back unchanged."""

    value: Any
    provider: str = ""


@dataclass(frozen=True)
class ActionCallMessageContent(BaseMessageContent):
    """A call of a tool as the model wrote it; it stays raw until the dialect reads it.

    Args:
        id: The provider's name for the call, which its result must bear.
        native: The native name as the model wrote it.
        arguments: The input as JSON text.
    """

    id: str
    native: str
    arguments: str

    def to_text(self) -> str:
        """Return the call in the manner of a function call."""
        return f"{self.native}({self.arguments})"

    @classmethod
    def from_deltas(
        cls, deltas: Sequence[ActionCallDeltaMessageContent]
    ) -> ActionCallMessageContent:
        """Join the pieces of one call: the last id and name that were sent, all the arguments."""
        return cls(
            id=["", *[delta.id for delta in deltas if delta.id]][-1],
            native=["", *[delta.native for delta in deltas if delta.native]][-1],
            arguments="".join([delta.arguments for delta in deltas]),
        )


@dataclass(frozen=True)
class ActionResultMessageContent(BaseMessageContent):
    """What came of a call; it answers the call with the same id."""

    id: str
    native: str
    output: BaseArtifact
    failed: bool = False

    def to_text(self) -> str:
        """Return the result in words."""
        return self.output.to_text()


@dataclass(frozen=True)
class DeltaMessage:
    """A piece of a streamed reply: a piece of a block, tokens counted so far, or the end."""

    content: DeltaContent | None = None
    usage: Usage | None = None
    finish: Finish | None = None


@dataclass(frozen=True)
class Message:
    """One message: who speaks, and the blocks of what is said."""

    role: Role
    content: tuple[BaseMessageContent, ...]
    usage: Usage = Usage()
    finish: Finish = "stop"
    #: Whether these are the host's words in the user's name, such as a note of a limit or of what
    #: was wrong with a reply; the user's question is another message then.
    by_host: bool = False

    @property
    def calls(self) -> list[ActionCallMessageContent]:
        """The calls among the blocks."""
        return [block for block in self.content if isinstance(block, ActionCallMessageContent)]

    def to_text(self) -> str:
        """Return the text blocks, joined."""
        return "".join(
            [block.text for block in self.content if isinstance(block, TextMessageContent)]
        )

    def to_artifact(self) -> BaseArtifact:
        """Return the message as one artifact: its text, its only block, or a list of both."""
        others = [_artifact_of(block) for block in self.content if not _is_text(block)]
        text = self.to_text()
        if not others:
            return TextArtifact(text)
        if not text and len(others) == 1:
            return others[0]
        return ListArtifact([TextArtifact(text), *others] if text else others)

    @classmethod
    def from_deltas(cls, deltas: Iterable[DeltaMessage]) -> Message:
        """Put a streamed reply together, as `StreamedReply` does."""
        reply = StreamedReply()
        for delta in deltas:
            reply.add(delta)
        return reply.message()


class StreamedReply:
    """A reply that is put together from its pieces as they come.

    Blocks stand in the order in which they began; calls are kept apart by index, id, name and
    completeness together, since providers number them wrongly, or not at all.
    """

    def __init__(self) -> None:
        self._calls = StreamedCalls()
        self._blocks: dict[tuple[type, int | None], list[DeltaContent]] = {}
        self._usage = Usage()
        self._finish: Finish | None = None

    def add(self, delta: DeltaMessage) -> DeltaMessage:
        """Add a piece, and return it; that of a call has the number of its call for an index."""
        if delta.usage:
            self._usage = self._usage.updated(delta.usage)
        self._finish = delta.finish or self._finish
        content = delta.content
        if content is None:
            return delta
        if isinstance(content, ActionCallDeltaMessageContent):
            content = self._placed(content)
            delta = DeltaMessage(content, delta.usage, delta.finish)
        self._blocks.setdefault((type(content), content.index), []).append(content)
        return delta

    def message(self) -> Message:
        """Return the reply as far as it has come; one without an end is "incomplete"."""
        blocks = [_built(pieces) for pieces in self._blocks.values()]
        content = tuple([block for block in blocks if not _is_nothing(block)])
        return Message("assistant", content, self._usage, self._finish or "incomplete")

    def _placed(self, piece: ActionCallDeltaMessageContent) -> ActionCallDeltaMessageContent:
        at = self._calls.place(piece.index, piece.id, piece.native, piece.arguments)
        return ActionCallDeltaMessageContent(at.number, at.id, at.native, piece.arguments)


def _is_nothing(block: BaseMessageContent) -> bool:
    """Return whether a block began, and nothing of it came."""
    if isinstance(block, ActionCallMessageContent):
        return not (block.id or block.native or block.arguments)
    return isinstance(block, TextMessageContent) and not block.text


@dataclass
class PromptStack:
    """All that a driver needs for one reply of a model.

    Args:
        messages: The conversation so far.
        tools: The activities on offer in a native form; empty in the text dialects.
        stop: Texts at which the model is to stop.
        tool_choice: "auto", "none" (tools are shown, but not to be called) or "required".
        output_schema: JSON Schema that the answer must meet, where the driver does so natively.
    """

    messages: list[Message] = field(default_factory=list)
    tools: tuple[ToolSpec, ...] = ()
    stop: tuple[str, ...] = ()
    tool_choice: Literal["auto", "none", "required"] = "auto"
    output_schema: Mapping[str, Any] | None = None

    @classmethod
    def from_artifact(cls, value: BaseArtifact | str) -> PromptStack:
        """Return a stack with one message of the user."""
        stack = cls()
        stack.add_user_message(value)
        return stack

    def add_system_message(self, value: BaseArtifact | str) -> None:
        """Add a message of the system."""
        self.messages.append(Message("system", contents(value)))

    def add_user_message(self, value: BaseArtifact | str) -> None:
        """Add a message of the user."""
        self.messages.append(Message("user", contents(value)))

    def add_assistant_message(self, value: BaseArtifact | str) -> None:
        """Add a message of the model."""
        self.messages.append(Message("assistant", contents(value)))

    @property
    def system_text(self) -> str:
        """The texts of the system's messages, a blank line between them."""
        texts = [message.to_text() for message in self.messages if message.role == "system"]
        return "\n\n".join(text for text in texts if text)


def text_message(role: Role, text: str) -> Message:
    """Return a message that says a text."""
    return Message(role, (TextMessageContent(text),))


def note(text: str) -> Message:
    """Return a message of the host's to the model, in the user's name."""
    return Message("user", (TextMessageContent(text),), by_host=True)


def contents(value: BaseArtifact | str) -> tuple[BaseMessageContent, ...]:
    """Return the blocks that say what the artifact holds.

    An action without output is a call, one with output the result of that call; lists are
    flattened; what no block exists for is said as text.
    """
    artifact = to_artifact(value)
    if isinstance(artifact, ListArtifact):
        return tuple(block for item in artifact.value for block in contents(item))
    if isinstance(artifact, ActionArtifact):
        return (_action_content(artifact),)
    if isinstance(artifact, ImageArtifact | ImageUrlArtifact):
        return (ImageMessageContent(artifact),)
    if isinstance(artifact, AudioArtifact):
        return (AudioMessageContent(artifact),)
    if isinstance(artifact, GenericArtifact) and isinstance(artifact.value, Mapping):
        return (GenericMessageContent(artifact.value),)
    return (TextMessageContent(artifact.to_text()),)


def _action_content(artifact: ActionArtifact) -> BaseMessageContent:
    action = artifact.value
    if action.output is None:
        arguments = json.dumps(dict(action.input), ensure_ascii=False)
        return ActionCallMessageContent(action.tag, action.native, arguments)
    return ActionResultMessageContent(action.tag, action.native, action.output, action.failed)


def _artifact_of(block: BaseMessageContent) -> BaseArtifact:
    if isinstance(block, ImageMessageContent | AudioMessageContent):
        return block.artifact
    if isinstance(block, ActionResultMessageContent):
        return block.output
    if isinstance(block, GenericMessageContent):
        return GenericArtifact(block.value)
    return GenericArtifact(block)


def _is_text(block: BaseMessageContent) -> bool:
    return isinstance(block, TextMessageContent)


def _built(pieces: list[DeltaContent]) -> BaseMessageContent:
    """Join the pieces of one block, which are all of one kind."""
    alike: Any = pieces
    if isinstance(pieces[0], TextDeltaMessageContent):
        return TextMessageContent.from_deltas(alike)
    if isinstance(pieces[0], ActionCallDeltaMessageContent):
        return ActionCallMessageContent.from_deltas(alike)
    if isinstance(pieces[0], AudioDeltaMessageContent):
        return AudioMessageContent.from_deltas(alike)
    return GenericMessageContent(alike[-1].value, alike[-1].provider)


def _sum(one: int | None, other: int | None) -> int | None:
    if one is None or other is None:
        return one if other is None else other
    return one + other


def _last(earlier: int | None, later: int | None) -> int | None:
    return earlier if later is None else later
