"""The dialect `native`: the provider's own function calling."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import ClassVar

from agenthost.dialects.blocks import BROKE_OFF, EMPTY, called, parts, refusal, said
from agenthost.dialects.leaked import leaked_calls
from agenthost.dialects.reasoning import unmarked, without_reasoning
from agenthost_sdk.actions import NativeNames, ToolAction
from agenthost_sdk.artifacts import ErrorArtifact
from agenthost_sdk.dialects import BaseDialect, Offer, Reply
from agenthost_sdk.messages import (
    ActionCallMessageContent,
    ActionResultMessageContent,
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
            return Reply(text.strip(), actions)
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
        """Return the calls as the model's message and one result for each as the user's."""
        words = (TextMessageContent(reply.thought),) if reply.thought else ()
        calls: list[ActionCallMessageContent] = []
        results: list[ActionResultMessageContent] = []
        for action in actions:
            native, output = action.native, action.output or _NOT_RUN
            given = _JSON.encode(dict(action.input))  # `{}` for what was unreadable
            calls.append(ActionCallMessageContent(action.tag, native, given))
            failed = isinstance(output, ErrorArtifact)
            results.append(ActionResultMessageContent(action.tag, native, output, failed))
        return (
            Message("assistant", (*words, *calls), finish="actions"),
            Message("user", tuple(results)),
        )


def _may_leak(text: str) -> bool:
    return "<" in text or "[TOOL_CALLS]" in text


_JSON = json.JSONEncoder(ensure_ascii=False)

_NOT_RUN = ErrorArtifact("This action was not run.", code="not-run")
