"""The dialect `native`: the provider's own function calling."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from agenthost.dialects.blocks import BROKE_OFF, EMPTY, called, parts, refusal, said
from agenthost.dialects.leaked import leaked_calls
from agenthost.dialects.reasoning import unmarked, without_reasoning
from agenthost_sdk.actions import NativeNames, ToolAction
from agenthost_sdk.artifacts import ErrorArtifact
from agenthost_sdk.dialects import BaseDialect, Offer, Reply
from agenthost_sdk.json_text import sound_object
from agenthost_sdk.messages import (
    ActionCallMessageContent,
    ActionResultMessageContent,
    BaseMessageContent,
    Message,
    TextMessageContent,
)


class Native(BaseDialect):
    """Calls and results travel as the provider's own blocks; text without calls is the answer."""

    name: ClassVar[str] = "native"
    native: ClassVar[bool] = True
    reminder: ClassVar[str] = "Call a tool, or answer in words."

    def offer(self, table: NativeNames) -> Offer:
        """Return the specs as they are; the driver gives them its provider's form."""
        return Offer(tools=tuple(table.specs.values()))

    def read(self, message: Message, table: NativeNames) -> Reply:
        """Return the calls of a reply, or its content as the answer.

        A call that the model wrote into its text, as `<tool_call>{…}</tool_call>`, counts too.
        """
        if message.finish == "refusal":
            return refusal(message)
        text = unmarked(without_reasoning(message.to_text()))
        actions = called(message, table)
        if actions:
            return Reply(text.strip(), actions, message=message)
        is_cut = message.finish in ("length", "incomplete")
        leaked = (
            leaked_calls(text, table, is_cut=is_cut) if len(table) and _may_leak(text) else None
        )
        if leaked is not None and leaked.actions:
            return Reply(leaked.thought, leaked.actions)
        if message.finish == "incomplete":
            return Reply(problem=BROKE_OFF, text=text.strip())
        if not text.strip() and not parts(message):
            return Reply(problem=f"{EMPTY} {self.reminder if len(table) else 'Answer in words.'}")
        return Reply(answer=said(message, text), cut=message.finish == "length")

    def answer(self, reply: Reply, actions: Sequence[ToolAction]) -> tuple[Message, ...]:
        """Return the calls as the model's message and one result for each as the user's.

        The blocks that only the provider reads, such as its thoughts, stand where they stood.
        """
        asked = [_call(action) for action in actions]
        results = [_result(action) for action in actions]
        return (
            Message("assistant", _replayed(reply, asked), finish="actions"),
            Message("user", tuple(results)),
        )


def _call(action: ToolAction) -> ActionCallMessageContent:
    given = _JSON.encode(dict(action.input))  # `{}` for what was unreadable
    return ActionCallMessageContent(action.tag, action.native, given)


def _result(action: ToolAction) -> ActionResultMessageContent:
    output = action.output or _NOT_RUN
    failed = isinstance(output, ErrorArtifact)
    return ActionResultMessageContent(action.tag, action.native, output, failed)


def _replayed(
    reply: Reply, asked: list[ActionCallMessageContent]
) -> tuple[BaseMessageContent, ...]:
    """Return the blocks of a reply with its calls as they were read."""
    said = reply.message
    if said is None or len(said.calls) != len(asked):
        words = (TextMessageContent(reply.thought),) if reply.thought else ()
        return (*words, *asked)
    calls = iter(asked)
    is_plain = said.to_text().strip() == reply.thought
    thought = reply.thought
    blocks: list[BaseMessageContent] = []
    for block in said.content:
        if isinstance(block, ActionCallMessageContent):
            blocks.append(_as_written(next(calls), block))
        elif not isinstance(block, TextMessageContent) or is_plain:
            blocks.append(block)
        elif (
            thought
        ):  # labels or reasoning were taken off the text: it stands once, as it was read
            blocks.append(TextMessageContent(thought))
            thought = ""
    return tuple(blocks)


def _as_written(
    call: ActionCallMessageContent, written: ActionCallMessageContent
) -> ActionCallMessageContent:
    """Return a call with what only its provider reads, and with the arguments of one that was
    not read because nothing bears its name."""
    if call.arguments == "{}" and sound_object(written.arguments):
        return replace(call, arguments=written.arguments, extra=written.extra)
    return replace(call, extra=written.extra) if written.extra else call


def _may_leak(text: str) -> bool:
    return "<" in text or "[TOOL_CALLS]" in text


_JSON = json.JSONEncoder(ensure_ascii=False)

_NOT_RUN = ErrorArtifact("This action was not run.", code="not-run")
