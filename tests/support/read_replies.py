"""Read replies of chat completions, whole and in pieces."""

from __future__ import annotations

from typing import Any

from openai.types.chat import ChatCompletion, ChatCompletionChunk

from agenthost_plugin_openai import decode
from agenthost_plugin_openai.chunks import ChunkReader
from agenthost_sdk.messages import (
    Message,
)
from support.provider_server import chunk

Json = dict[str, Any]


def whole(said: Json, finish_reason: str | None = "stop", usage: Json | None = None) -> Message:
    choice = {"index": 0, "message": said, "finish_reason": finish_reason}
    return decode.message(ChatCompletion.construct(choices=[choice], usage=usage))


def streamed(*chunks: Json, is_done: bool = True) -> Message:
    reader = ChunkReader()
    deltas = [
        delta for sent in chunks for delta in reader.read(ChatCompletionChunk.construct(**sent))
    ]
    return Message.from_deltas([*deltas, *reader.end(is_done=is_done)])


def in_pieces(said: Json, finish_reason: str = "stop") -> Message:
    """Return what is read of a message whose fields come one after the other."""
    return streamed(
        *[chunk({name: held}) for name, held in said.items()], chunk({}, finish_reason)
    )


def function(name: str | None = None, arguments: Any = None, **fields: Any) -> Json:
    return {**fields, "function": {"name": name, "arguments": arguments}}
