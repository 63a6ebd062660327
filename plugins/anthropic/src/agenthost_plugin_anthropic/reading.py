"""Read replies into the SDK's types: at once where they are as it says, else as the SDK does.

The SDK reads every field by itself, in Python, so that it takes whatever a server sends, and looks
for the type of each event among all. What is exactly of its types, as nearly all is, pydantic
reads several times faster to the same objects; a streamed reply has hundreds of events.

Importing this imports the SDK.
"""

from __future__ import annotations

from typing import Any, Self, TypeVar

from anthropic import BaseModel
from anthropic.types import (
    Message,
    RawContentBlockDeltaEvent,
    RawContentBlockStartEvent,
    RawContentBlockStopEvent,
    RawMessageDeltaEvent,
    RawMessageStartEvent,
    RawMessageStopEvent,
)

M = TypeVar("M", bound=BaseModel)


class Answer(Message):
    """A whole reply."""

    @classmethod
    def build(cls, *, response: object, data: Any) -> Self:  # noqa: ARG003 - the SDK calls it so
        """Return what the server sent as the SDK's type; the SDK calls this to read a reply."""
        return _read(cls, data)


class Event(BaseModel):
    """An event of a streamed reply; what is read is of the SDK's type for its kind."""

    @classmethod
    def build(cls, *, response: object, data: Any) -> Any:  # noqa: ARG003 - as above
        """Return what the server sent as the SDK's type; the SDK calls this to read an event."""
        kind = data.get("type") if isinstance(data, dict) else None
        return _read(_KINDS.get(kind, RawMessageStartEvent), data)


def _read(kind: type[M], data: Any) -> M:
    try:
        return kind.model_validate(data, strict=True)
    except ValueError:
        made: M = kind.construct(**data) if isinstance(data, dict) else data
        return made


#: One of an unknown kind is read as the first of them, as the SDK does.
_KINDS: dict[Any, type[BaseModel]] = {
    "message_start": RawMessageStartEvent,
    "content_block_start": RawContentBlockStartEvent,
    "content_block_delta": RawContentBlockDeltaEvent,
    "content_block_stop": RawContentBlockStopEvent,
    "message_delta": RawMessageDeltaEvent,
    "message_stop": RawMessageStopEvent,
}
