"""The blocks that messages are made of, and the blocks that an artifact becomes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from agenthost_sdk.actions import ActionArtifact
from agenthost_sdk.artifacts import (
    AudioArtifact,
    BaseArtifact,
    DocumentArtifact,
    GenericArtifact,
    ImageArtifact,
    ImageUrlArtifact,
    ListArtifact,
    to_artifact,
)
from agenthost_sdk.deltas import (
    ActionCallDeltaMessageContent,
    AudioDeltaMessageContent,
    ReasoningDeltaMessageContent,
    TextDeltaMessageContent,
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
        return cls(_joined([delta.text for delta in deltas]))


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
class DocumentMessageContent(BaseMessageContent):
    """A document, such as a PDF."""

    artifact: DocumentArtifact

    def to_text(self) -> str:
        """Return the text of a plain one, else what the document is."""
        return self.artifact.to_text()


@dataclass(frozen=True)
class ReasoningMessageContent(BaseMessageContent):
    """What a model thought before it went on; no part of what it says.

    Args:
        text: The thoughts; "" where the provider keeps them hidden.
        value: The provider's own form of the block, such as one with a signature, which it wants
            back unchanged; None where it wants nothing back.
        provider: Whose form that is.
    """

    text: str = ""
    value: Any = None
    provider: str = ""

    @classmethod
    def from_deltas(
        cls, deltas: Sequence[ReasoningDeltaMessageContent]
    ) -> ReasoningMessageContent:
        """Join the pieces of one block; the last form that was stated holds."""
        formed = [delta for delta in deltas if delta.value is not None]
        last = formed[-1] if formed else ReasoningDeltaMessageContent()
        return cls(_joined([delta.text for delta in deltas]), last.value, last.provider)


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
        extra: Further fields of the call that its provider wants back, unchanged, such as a
            signature of the thoughts behind it.
    """

    id: str
    native: str
    arguments: str
    extra: Mapping[str, Any] | None = None

    def to_text(self) -> str:
        """Return the call in the manner of a function call."""
        return f"{self.native}({self.arguments})"

    @classmethod
    def from_deltas(
        cls, deltas: Sequence[ActionCallDeltaMessageContent]
    ) -> ActionCallMessageContent:
        """Join the pieces of one call: the last id and name that were sent, all the arguments.

        Some providers send the arguments so far in each piece, or an empty object before them.
        """
        return cls(
            id=["", *[delta.id for delta in deltas if delta.id]][-1],
            native=["", *[delta.native for delta in deltas if delta.native]][-1],
            arguments=_arguments([delta.arguments for delta in deltas if delta.arguments]),
            extra=[None, *[delta.extra for delta in deltas if delta.extra]][-1],
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
    if isinstance(artifact, DocumentArtifact):
        return (DocumentMessageContent(artifact),)
    if isinstance(artifact, GenericArtifact) and isinstance(artifact.value, Mapping):
        return (GenericMessageContent(artifact.value),)
    return (TextMessageContent(artifact.to_text()),)


def _joined(pieces: Iterable[str]) -> str:
    """Join texts; some servers cut a character in two, half of it in each piece."""
    text = "".join(pieces)
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    return text


def _arguments(pieces: list[str]) -> str:
    """Join the arguments of a call; where that is no JSON, pieces may hold what came before."""
    if len(pieces) > 1 and pieces[1].lstrip().startswith("{") and pieces[0].strip() == "{}":
        del pieces[0]
    joined = _joined(pieces)
    if len(pieces) > 1 and pieces[-1].startswith(pieces[0]) and pieces[0].startswith("{"):
        grows = all(later.startswith(earlier) for earlier, later in pairwise(pieces))
        if grows and not _is_json(joined) and _is_json(pieces[-1]):
            return pieces[-1]
    return joined


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _action_content(artifact: ActionArtifact) -> BaseMessageContent:
    action = artifact.value
    if action.output is None:
        arguments = json.dumps(dict(action.input), ensure_ascii=False)
        return ActionCallMessageContent(action.tag, action.native, arguments)
    return ActionResultMessageContent(action.tag, action.native, action.output, action.failed)
