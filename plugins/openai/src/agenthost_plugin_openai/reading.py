"""Read replies into the SDK's types: at once where they are as it says, else as the SDK does.

The SDK reads every field by itself, in Python, so that it takes whatever a server sends. What is
exactly of its types, as nearly all is, pydantic reads twenty times faster to the same objects; a
streamed reply has hundreds of chunks.

Importing this imports the SDK.
"""

from __future__ import annotations

from typing import Any, Self, TypeVar

from openai import BaseModel
from openai.types.chat import ChatCompletion, ChatCompletionChunk

M = TypeVar("M", bound=BaseModel)


class Completion(ChatCompletion):
    """A whole reply."""

    @classmethod
    def build(cls, *, response: object, data: Any) -> Self:  # noqa: ARG003 - the SDK calls it so
        """Return what the server sent as the SDK's type; the SDK calls this to read a reply."""
        return _read(cls, data)


class Chunk(ChatCompletionChunk):
    """A piece of a streamed reply."""

    @classmethod
    def build(cls, *, response: object, data: Any) -> Self:  # noqa: ARG003 - as above
        """Return what the server sent as the SDK's type; the SDK calls this to read a chunk."""
        return _read(cls, data)


def _read(kind: type[M], data: Any) -> M:
    try:
        return kind.model_validate(data, strict=True)
    except ValueError:
        made: M = kind.construct(**data) if isinstance(data, dict) else data
        return made
