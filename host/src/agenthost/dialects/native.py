"""The dialect `native`: the provider's own function calling."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import ClassVar

from agenthost.dialects.reading import read_input, unread
from agenthost_sdk.actions import NativeNames, ToolAction
from agenthost_sdk.artifacts import ErrorArtifact
from agenthost_sdk.dialects import BaseDialect, Offer, Reply
from agenthost_sdk.errors import NotFoundError
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

    def offer(self, table: NativeNames) -> Offer:
        """Return the specs as they are; the driver gives them its provider's form."""
        return Offer(tools=tuple(table.specs.values()))

    def read(self, message: Message, table: NativeNames) -> Reply:
        """Return the calls of a reply, or its content as the answer."""
        calls = message.calls
        if calls:
            cut = message.finish in ("length", "incomplete")
            return Reply(
                thought=message.to_text().strip(),
                actions=tuple(_actions(calls, table, cut)),
            )
        if message.finish == "incomplete":
            return Reply(problem="The reply broke off. Write it again, whole.")
        if not message.to_text().strip() and not _has_other(message):
            return Reply(problem="The reply was empty. Call a tool, or answer in words.")
        return Reply(answer=message.to_artifact())

    def answer(self, reply: Reply, actions: Sequence[ToolAction]) -> tuple[Message, ...]:
        """Return the calls as the model's message and one result for each as the user's."""
        said = (TextMessageContent(reply.thought),) if reply.thought else ()
        calls = [_call(action) for action in actions]
        results = [_result(action) for action in actions]
        return (
            Message("assistant", (*said, *calls), finish="actions"),
            Message("user", tuple(results)),
        )


def _actions(
    calls: Sequence[ActionCallMessageContent], table: NativeNames, cut: bool
) -> Iterator[ToolAction]:
    ids = _fresh_ids([call.id for call in calls])
    for place, (call, tag) in enumerate(zip(calls, ids, strict=True)):
        last_of_a_cut_reply = cut and place == len(calls) - 1
        yield _action(call, tag, table, last_of_a_cut_reply)


def _action(call: ActionCallMessageContent, tag: str, table: NativeNames, cut: bool) -> ToolAction:
    try:
        spec = table.resolve(call.native)
    except NotFoundError as error:
        return ToolAction(tag, call.native).with_output(
            ErrorArtifact(str(error), code="not-found", exception=error)
        )
    action = ToolAction(tag, spec.name, spec.path)
    return unread(action, call.arguments) if cut else read_input(action, call.arguments)


def _fresh_ids(ids: Sequence[str]) -> list[str]:
    """Return the ids, those that are missing or stand twice made anew, so that each is unique."""
    given: list[str] = []
    for place, name in enumerate(ids, 1):
        tag, number = name or f"call_{place}", 2
        while tag in given or (tag != name and tag in ids):
            tag, number = f"{name or f'call_{place}'}_{number}", number + 1
        given.append(tag)
    return given


def _has_other(message: Message) -> bool:
    return any(not isinstance(block, TextMessageContent) for block in message.content)


def _call(action: ToolAction) -> ActionCallMessageContent:
    return ActionCallMessageContent(action.tag, action.native, _arguments(action))


def _arguments(action: ToolAction) -> str:
    """Return the input as JSON; an unreadable one is replayed as `{}`, beside its error."""
    return json.dumps(dict(action.input), ensure_ascii=False)


def _result(action: ToolAction) -> ActionResultMessageContent:
    output = action.output or ErrorArtifact("This action was not run.", code="not-run")
    failed = isinstance(output, ErrorArtifact)
    return ActionResultMessageContent(action.tag, action.native, output, failed)
