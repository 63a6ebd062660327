"""The SDK's types of replies, read at once where they are as it says, else as the SDK does.

Importing this imports the SDK.
"""

from __future__ import annotations

from typing import Any, Self

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

from agenthost_sdk.wire import read_typed


class Answer(Message):
    """A whole reply."""

    @classmethod
    def build(cls, *, response: object, data: Any) -> Self:  # noqa: ARG003 - the SDK calls it so
        """Return what the server sent as the SDK's type; the SDK calls this to read a reply."""
        return read_typed(cls, data)


class Event(BaseModel):
    """An event of a streamed reply; what is read is of the SDK's type for its kind."""

    @classmethod
    def build(cls, *, response: object, data: Any) -> Any:  # noqa: ARG003 - as above
        """Return what the server sent as the SDK's type; the SDK calls this to read an event."""
        kind = data.get("type") if isinstance(data, dict) else None
        return read_typed(_KINDS.get(kind, RawMessageStartEvent), data)


#: One of an unknown kind is read as the first of them, as the SDK does.
_KINDS: dict[Any, type[BaseModel]] = {
    "message_start": RawMessageStartEvent,
    "content_block_start": RawContentBlockStartEvent,
    "content_block_delta": RawContentBlockDeltaEvent,
    "content_block_stop": RawContentBlockStopEvent,
    "message_delta": RawMessageDeltaEvent,
    "message_stop": RawMessageStopEvent,
}
