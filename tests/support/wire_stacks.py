"""Build prompt stacks from messages as the providers' protocols have them."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator
from typing import Any

from agenthost_sdk.artifacts import (
    AudioArtifact,
    BaseArtifact,
    ImageArtifact,
    ImageUrlArtifact,
    ListArtifact,
    TextArtifact,
)
from agenthost_sdk.messages import (
    ActionCallMessageContent,
    ActionResultMessageContent,
    AudioMessageContent,
    BaseMessageContent,
    GenericMessageContent,
    ImageMessageContent,
    Message,
    PromptStack,
    ReasoningMessageContent,
    Role,
    TextMessageContent,
)

Json = dict[str, Any]

_ROLES: dict[str, Role] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "tool": "user",
    "assistant": "assistant",
}


def stack_of(api: str, messages: Iterable[Json]) -> PromptStack:
    """Return a stack that says what the messages say, one message for each of them.

    Args:
        api: The protocol of the messages, "chat" or "messages".
        messages: What was said, sound or not.
    """
    blocks = _chat_blocks if api == "chat" else _messages_blocks
    return PromptStack(
        [Message(_ROLES[message["role"]], tuple(blocks(message))) for message in messages]
    )


def _chat_blocks(message: Json) -> Iterator[BaseMessageContent]:
    content = message.get("content")
    if thoughts := message.get("reasoning_content"):
        yield ReasoningMessageContent(thoughts, {"reasoning_content": thoughts}, "openai")
    if message["role"] == "tool":
        yield ActionResultMessageContent(message["tool_call_id"], "", _output(content or ""))
    elif content is not None:
        yield from map(_chat_block, _listed(content))
    for call in message.get("tool_calls") or ():
        function = call["function"]
        yield ActionCallMessageContent(call["id"], function["name"], function["arguments"])


def _chat_block(part: Json) -> BaseMessageContent:
    kind = part["type"]
    if kind == "text":
        return TextMessageContent(part["text"])
    if kind == "image_url":
        return ImageMessageContent(ImageUrlArtifact(part["image_url"]["url"]))
    if kind == "input_audio":
        sound = part["input_audio"]
        data = base64.b64decode(sound["data"])
        return AudioMessageContent(AudioArtifact(data, format=sound["format"]))
    return GenericMessageContent(part, "openai")


def _messages_blocks(message: Json) -> Iterator[BaseMessageContent]:
    return map(_messages_block, _listed(message["content"]))


def _messages_block(block: Json) -> BaseMessageContent:
    kind = block["type"]
    if kind == "text":
        return TextMessageContent(block["text"])
    if kind == "tool_use":
        return ActionCallMessageContent(block["id"], block["name"], json.dumps(block["input"]))
    if kind == "tool_result":
        failed = bool(block.get("is_error"))
        output = _output(block.get("content") or "")
        return ActionResultMessageContent(block["tool_use_id"], "", output, failed)
    if kind == "image" and block["source"]["type"] == "base64":
        return ImageMessageContent(_picture(block["source"]))
    if kind in ("thinking", "redacted_thinking"):
        return ReasoningMessageContent(block.get("thinking", ""), block, "anthropic")
    return GenericMessageContent(block, "anthropic")


def _output(content: str | list[Json]) -> BaseArtifact:
    parts = [_part(block) for block in _listed(content)]
    return parts[0] if len(parts) == 1 else ListArtifact(parts)


def _part(block: Json) -> BaseArtifact:
    if block["type"] == "image" and block["source"]["type"] == "base64":
        return _picture(block["source"])
    return TextArtifact(block["text"] if block["type"] == "text" else json.dumps(block))


def _picture(source: Json) -> ImageArtifact:
    data = base64.b64decode(source["data"])
    return ImageArtifact(data, format=source["media_type"].removeprefix("image/"))


def _listed(content: str | list[Json]) -> list[Json]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content
