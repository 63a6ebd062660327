"""The SDK's types of replies, read at once where they are as it says, else as the SDK does.

Importing this imports the SDK.
"""

from __future__ import annotations

from typing import Any, Self

from openai.types.chat import ChatCompletion, ChatCompletionChunk

from agenthost_sdk.wire import read_typed


class Completion(ChatCompletion):
    """A whole reply."""

    @classmethod
    def build(cls, *, response: object, data: Any) -> Self:  # noqa: ARG003 - the SDK calls it so
        """Return what the server sent as the SDK's type; the SDK calls this to read a reply."""
        return read_typed(cls, data)


class Chunk(ChatCompletionChunk):
    """A piece of a streamed reply."""

    @classmethod
    def build(cls, *, response: object, data: Any) -> Self:  # noqa: ARG003 - as above
        """Return what the server sent as the SDK's type; the SDK calls this to read a chunk."""
        return read_typed(cls, data)
