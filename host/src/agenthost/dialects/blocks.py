"""Take a model's message apart: its words, its calls, and its other blocks."""

from __future__ import annotations

import re

from agenthost.dialects.entries import (
    MOST_ACTIONS,
    TOO_MANY,
    nameless,
    refused,
    unique_tags,
    unknown,
)
from agenthost.dialects.reading import read_input, unread
from agenthost_sdk.actions import NativeNames, ToolAction
from agenthost_sdk.artifacts import BaseArtifact, TextArtifact
from agenthost_sdk.dialects import Reply
from agenthost_sdk.errors import NotFoundError
from agenthost_sdk.json_text import sound_object
from agenthost_sdk.messages import (
    ActionCallMessageContent,
    BaseMessageContent,
    GenericMessageContent,
    Message,
    ReasoningMessageContent,
    TextMessageContent,
)

EMPTY = "The reply was empty."

BROKE_OFF = "The reply broke off. Write it again, whole."

CUT_OFF = "The reply was cut off at its longest. Write it again, shorter."

_REFUSED = "The model refused to answer, and gave no reason."

_NO_PART = (
    TextMessageContent,
    ActionCallMessageContent,
    GenericMessageContent,
    ReasoningMessageContent,
)


def said(message: Message, text: str | None = None) -> BaseArtifact:
    """Return what a message says as an answer: its text, with the pictures or sounds beside it.

    Args:
        message: The message.
        text: Its text, where labels or reasoning were taken off.
    """
    text = message.to_text() if text is None else text
    others = parts(message)
    if not others:
        return TextArtifact(text)
    words = (TextMessageContent(text),) if text.strip() else ()
    return Message("assistant", (*words, *others)).to_artifact()


def parts(message: Message) -> tuple[BaseMessageContent, ...]:
    """Return the blocks that are part of an answer without being text, such as pictures."""
    return tuple(block for block in message.content if not isinstance(block, _NO_PART))


def refusal(message: Message) -> Reply:
    """Return the answer that a refusal is: its words. What it began to ask for is not run."""
    is_silent = not message.to_text().strip() and not parts(message)
    return Reply(answer=TextArtifact(_REFUSED) if is_silent else said(message))


def called(message: Message, table: NativeNames) -> tuple[ToolAction, ...]:
    """Return the calls of a message as actions, in the model's order, their tags unique.

    The last call of a reply that broke off may lack its end, and bears an error.
    """
    calls = message.calls
    tags = [*unique_tags([call.id for call in calls], "call")]
    last = len(calls) - 1 if message.finish in ("length", "incomplete") else -1
    actions = [
        _called(call, tag, table, is_cut=place == last)
        for place, (call, tag) in enumerate(zip(calls, tags, strict=True))
    ]
    if len(actions) > MOST_ACTIONS:
        rest = [refused(one, TOO_MANY, "too-many") for one in actions[MOST_ACTIONS:]]
        actions[MOST_ACTIONS:] = rest
    return tuple(actions)


def _called(
    call: ActionCallMessageContent, tag: str, table: NativeNames, *, is_cut: bool
) -> ToolAction:
    if not call.native.strip():
        return nameless(tag, table)
    spec = table.specs.get(call.native)
    value = None if is_cut or spec is None else sound_object(call.arguments)
    if spec is not None and value is not None:
        return ToolAction(tag, spec.name, spec.path, value)  # the way of nearly all calls
    try:
        action = ToolAction(tag, spec.name, spec.path) if spec else _meant(call, tag, table)
    except NotFoundError as error:
        return unknown(tag, call.native, None, error)
    if is_cut:
        why = "the output was cut off before its end: send less at a time"
        return unread(action, call.arguments, why)
    read = read_input(action, call.arguments)
    if not read.failed and not read.input and _WORDS.search(_FENCE.sub("", call.arguments)):
        # Words beside an empty object may be the input that was meant.
        return unread(action, call.arguments, "words stand beside an empty object")
    return read


#: Something that was said, a word before JSON or `null` aside.
_WORDS = re.compile(r"\b(?!(?:json|null|none)\b)[^\W_]", re.IGNORECASE)
_FENCE = re.compile(r"`{3,}+\w*+")


def _meant(call: ActionCallMessageContent, tag: str, table: NativeNames) -> ToolAction:
    meant = table.meant_by(call.native)
    return ToolAction(tag, meant.spec.name, meant.spec.path, repairs=(meant.repair,))
