"""Say what a strict provider would find wrong with a prompt stack."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from agenthost_sdk.messages import (
    ActionCallMessageContent,
    ActionResultMessageContent,
    Message,
    PromptStack,
)


def objections(stack: PromptStack) -> Iterator[str]:
    """Yield what a strict provider would find wrong with a stack."""
    ids: set[str] = set()
    following = [*stack.messages[1:], None]
    for message, after in zip(stack.messages, following, strict=True):
        if not any(_says_something(block) for block in message.content):
            yield f"an empty message of the {message.role}"
        for call in message.calls:
            yield from _call_objections(call, ids)
        if message.calls:
            yield from _pairing_objections(message, after)
        if message.role != "user" and _results(message):
            yield f"a result in a message of the {message.role}"
    if stack.messages[-1].role != "user":
        yield "the last message is not the user's"


def _says_something(block: Any) -> bool:
    if isinstance(block, ActionCallMessageContent | ActionResultMessageContent):
        return True
    return bool(block.to_text().strip())


def _call_objections(call: ActionCallMessageContent, ids: set[str]) -> Iterator[str]:
    if not call.id or call.id in ids:
        yield f"the id {call.id!r} is empty or stands twice"
    ids.add(call.id)
    if not re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", call.native):
        yield f"the name {call.native!r}"
    if not isinstance(_strictly_read(call.arguments), dict):
        yield f"the arguments {call.arguments!r}"


def _strictly_read(text: str) -> Any:
    def refuse(word: str) -> Any:
        raise ValueError(word)

    try:
        return json.loads(text, parse_constant=refuse)
    except ValueError:
        return None


def _pairing_objections(message: Message, after: Message | None) -> Iterator[str]:
    called = [call.id for call in message.calls]
    answered = [result.id for result in _results(after)] if after else []
    if called != answered:
        yield f"the calls {called} are followed by the results {answered}"


def _results(message: Message) -> list[ActionResultMessageContent]:
    return [block for block in message.content if isinstance(block, ActionResultMessageContent)]
