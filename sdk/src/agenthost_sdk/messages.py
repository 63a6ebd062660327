"""The conversation in a form that belongs to no provider: stacks, messages, contents, deltas."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from agenthost_sdk.actions import ToolSpec
from agenthost_sdk.artifacts import BaseArtifact, GenericArtifact, ListArtifact, TextArtifact
from agenthost_sdk.deltas import ActionCallDeltaMessageContent as ActionCallDeltaMessageContent
from agenthost_sdk.deltas import AudioDeltaMessageContent as AudioDeltaMessageContent
from agenthost_sdk.deltas import DeltaContent as DeltaContent
from agenthost_sdk.deltas import GenericDeltaMessageContent as GenericDeltaMessageContent
from agenthost_sdk.deltas import ReasoningDeltaMessageContent as ReasoningDeltaMessageContent
from agenthost_sdk.deltas import StreamedCalls
from agenthost_sdk.deltas import TextDeltaMessageContent as TextDeltaMessageContent
from agenthost_sdk.deltas import WholeDeltaMessageContent as WholeDeltaMessageContent
from agenthost_sdk.message_contents import ActionCallMessageContent as ActionCallMessageContent
from agenthost_sdk.message_contents import ActionResultMessageContent as ActionResultMessageContent
from agenthost_sdk.message_contents import AudioMessageContent as AudioMessageContent
from agenthost_sdk.message_contents import BaseMessageContent as BaseMessageContent
from agenthost_sdk.message_contents import DocumentMessageContent as DocumentMessageContent
from agenthost_sdk.message_contents import GenericMessageContent as GenericMessageContent
from agenthost_sdk.message_contents import ImageMessageContent as ImageMessageContent
from agenthost_sdk.message_contents import ReasoningMessageContent as ReasoningMessageContent
from agenthost_sdk.message_contents import TextMessageContent as TextMessageContent
from agenthost_sdk.message_contents import contents as contents

Role = Literal["system", "user", "assistant"]

#: Why a reply ended, whatever the provider calls it. "incomplete": the stream was lost; "pause":
#: the provider wants to be asked to go on, which the driver does by itself.
Finish = Literal["stop", "actions", "length", "refusal", "incomplete", "pause"]


@dataclass(frozen=True)
class Usage:
    """Tokens as a provider counted them; None where it reported nothing.

    Args:
        input_tokens: Of the request. OpenAI counts among them those that it had kept from an
            earlier one; Anthropic leaves out all that it read from its cache or wrote to it.
        output_tokens: Of the reply, those of its thoughts included.
        cached_tokens: Of the request, those that were read from the provider's cache.
        reasoning_tokens: Of the reply, those of its thoughts.
        cache_written_tokens: Of the request, those that were written to the provider's cache.
    """

    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    reasoning_tokens: int | None = None
    cache_written_tokens: int | None = None

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
            _sum(self.cache_written_tokens, other.cache_written_tokens),
        )

    def updated(self, later: Usage) -> Usage:
        """Return the later report's figures, and the earlier ones where it has none."""
        return Usage(
            _last(self.input_tokens, later.input_tokens),
            _last(self.output_tokens, later.output_tokens),
            _last(self.cached_tokens, later.cached_tokens),
            _last(self.reasoning_tokens, later.reasoning_tokens),
            _last(self.cache_written_tokens, later.cache_written_tokens),
        )


@dataclass(frozen=True)
class DeltaMessage:
    """A piece of a streamed reply: a piece of a block, tokens counted so far, or the end."""

    content: DeltaContent | None = None
    usage: Usage | None = None
    finish: Finish | None = None
    #: The provider's own word for the end.
    finish_reason: str = ""


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
    #: The provider's own word for why the reply ended; "" where it gave none.
    finish_reason: str = ""

    @property
    def calls(self) -> list[ActionCallMessageContent]:
        """The calls among the blocks."""
        return [block for block in self.content if isinstance(block, ActionCallMessageContent)]

    def to_text(self) -> str:
        """Return the text blocks, joined."""
        return "".join(
            [block.text for block in self.content if isinstance(block, TextMessageContent)]
        )

    @property
    def reasoning(self) -> str:
        """What the model thought before it spoke; "" where it, or its provider, does not say."""
        blocks = self.content
        return "".join([one.text for one in blocks if isinstance(one, ReasoningMessageContent)])

    def to_artifact(self) -> BaseArtifact:
        """Return what the message says as one artifact: its text, its only block, or a list."""
        others = [_artifact_of(block) for block in self.content if _is_said_beside_text(block)]
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

    Args:
        offered: The names that may be called, by which a name that comes in pieces is known.
    """

    def __init__(self, offered: Iterable[str] = ()) -> None:
        self._calls = StreamedCalls(offered)
        self._blocks: dict[tuple[type, int | None], list[DeltaContent]] = {}
        #: The tokens, as far as they were counted.
        self.usage = Usage()
        self._finish: Finish | None = None
        self._finish_reason = ""

    def add(self, delta: DeltaMessage) -> DeltaMessage:
        """Add a piece, and return it; that of a call has the number of its call for an index."""
        if delta.usage:
            self.usage = self.usage.updated(delta.usage)
        self._finish = delta.finish or self._finish
        self._finish_reason = delta.finish_reason or self._finish_reason
        content = delta.content
        if content is None:
            return delta
        if isinstance(content, ActionCallDeltaMessageContent):
            placed = self._placed(content)
            if placed is not content:
                content = placed
                delta = DeltaMessage(content, delta.usage, delta.finish, delta.finish_reason)
        self._blocks.setdefault((type(content), content.index), []).append(content)
        return delta

    def message(self) -> Message:
        """Return the reply as far as it has come; one without an end is "incomplete"."""
        blocks = [_built(pieces) for pieces in self._blocks.values()]
        content = tuple([block for block in blocks if not _is_nothing(block)])
        return Message(
            "assistant",
            content,
            self.usage,
            self._finish or "incomplete",
            finish_reason=self._finish_reason,
        )

    def _placed(self, piece: ActionCallDeltaMessageContent) -> ActionCallDeltaMessageContent:
        at = self._calls.place(piece.index, piece.id, piece.native, piece.arguments)
        arguments = "" if at.is_again else piece.arguments
        came = (piece.index, piece.id, piece.native, piece.arguments)
        if (at.number, at.id, at.native, arguments) == came:
            return piece
        return ActionCallDeltaMessageContent(at.number, at.id, at.native, arguments, piece.extra)


def _is_nothing(block: BaseMessageContent) -> bool:
    """Return whether a block began, and nothing of it came."""
    if isinstance(block, ActionCallMessageContent):
        return not (block.id or block.native or block.arguments)
    if isinstance(block, ReasoningMessageContent):
        return not block.text and block.value is None
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


def _artifact_of(block: BaseMessageContent) -> BaseArtifact:
    if isinstance(block, ImageMessageContent | AudioMessageContent | DocumentMessageContent):
        return block.artifact
    if isinstance(block, ActionResultMessageContent):
        return block.output
    if isinstance(block, GenericMessageContent):
        return GenericArtifact(block.value)
    return GenericArtifact(block)


def _is_said_beside_text(block: BaseMessageContent) -> bool:
    """Return whether a block is part of what is said; what only a provider reads is not."""
    if isinstance(block, GenericMessageContent):
        return not block.provider
    return not isinstance(block, TextMessageContent | ReasoningMessageContent)


def _built(pieces: list[DeltaContent]) -> BaseMessageContent:
    """Join the pieces of one block, which are all of one kind."""
    alike: Any = pieces
    if isinstance(pieces[0], TextDeltaMessageContent):
        return TextMessageContent.from_deltas(alike)
    if isinstance(pieces[0], ActionCallDeltaMessageContent):
        return ActionCallMessageContent.from_deltas(alike)
    if isinstance(pieces[0], ReasoningDeltaMessageContent):
        return ReasoningMessageContent.from_deltas(alike)
    if isinstance(pieces[0], AudioDeltaMessageContent):
        return AudioMessageContent.from_deltas(alike)
    if isinstance(pieces[0], WholeDeltaMessageContent):
        block: BaseMessageContent = alike[-1].block
        return block
    return GenericMessageContent(alike[-1].value, alike[-1].provider)


def _sum(one: int | None, other: int | None) -> int | None:
    if one is None or other is None:
        return one if other is None else other
    return one + other


def _last(earlier: int | None, later: int | None) -> int | None:
    return earlier if later is None else later
