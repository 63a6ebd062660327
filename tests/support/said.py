"""Short forms for messages, and for what they become in a request for a chat completion."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from agenthost_plugin_openai.conversation import Conversation
from agenthost_plugin_openai.encode import Encoder
from agenthost_plugin_openai.profiles import UNKNOWN, Profile
from agenthost_sdk.actions import ToolSpec
from agenthost_sdk.artifacts import (
    BaseArtifact,
    TextArtifact,
)
from agenthost_sdk.messages import (
    ActionCallMessageContent,
    ActionResultMessageContent,
    BaseMessageContent,
    Message,
    PromptStack,
    TextMessageContent,
)

Json = dict[str, Any]

COUNT = ToolSpec(
    native="Stock_count",
    name="Stock",
    path="count",
    description="Count the units on hand.",
    schema={"type": "object", "properties": {"sku": {"type": "string"}}},
)


def text(words: str) -> TextMessageContent:
    return TextMessageContent(words)


def asked(id: str, arguments: str = "{}", native: str = "Stock_count") -> ActionCallMessageContent:
    return ActionCallMessageContent(id, native, arguments)


def came(id: str, output: BaseArtifact | None = None) -> ActionResultMessageContent:
    return ActionResultMessageContent(id, "Stock_count", output or TextArtifact("4"))


def assistant(*blocks: BaseMessageContent) -> Message:
    return Message("assistant", blocks)


def user(*blocks: BaseMessageContent) -> Message:
    return Message("user", blocks)


def rules(words: str) -> Message:
    return Message("system", (text(words),))


def sent_as(stacked: Iterable[Message], profile: Profile = UNKNOWN) -> list[Json]:
    """Return the messages of a request."""
    writer = Conversation(profile, profile.system_role)
    for message in stacked:
        writer.take(message)
    written: list[Json] = json.loads(writer.messages())
    return written


def request(
    stack: PromptStack,
    *,
    model: str = "gpt-4.1-mini",
    strict: bool = False,
    stream: bool = False,
    profile: Profile = UNKNOWN,
    **options: Any,
) -> Json:
    body: Json = json.loads(
        Encoder(profile, model, strict).request(stack, stream=stream, **options)
    )
    return body
