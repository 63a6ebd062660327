"""A prompt driver that replies from a script, for tests that need no model."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

from agenthost_sdk.drivers import BasePromptDriver
from agenthost_sdk.errors import DefinitionError, DriverError
from agenthost_sdk.messages import (
    ActionCallDeltaMessageContent,
    ActionCallMessageContent,
    AudioDeltaMessageContent,
    AudioMessageContent,
    BaseMessageContent,
    DeltaContent,
    DeltaMessage,
    GenericDeltaMessageContent,
    GenericMessageContent,
    Message,
    PromptStack,
    ReasoningDeltaMessageContent,
    ReasoningMessageContent,
    TextDeltaMessageContent,
    TextMessageContent,
    Usage,
    WholeDeltaMessageContent,
)

#: One line of a script; a function of the stack gives one of the others.
ScriptedReply = (
    str | Message | BaseException | Callable[[PromptStack], str | Message | BaseException]
)

#: A native name and its input; a text stands for the arguments as the model wrote them.
ScriptedCall = tuple[str, Mapping[str, Any] | str]

_numbers = count(1)


class ScriptEndedError(DriverError, AssertionError):
    """The script has no reply left: more was asked of the driver than the test foresaw."""


@dataclass(kw_only=True, eq=False)
class ScriptedDriver(BasePromptDriver):
    """Reply from a script, and keep the stacks that were asked.

        from agenthost_sdk.testing import ScriptedDriver, calls

        driver = ScriptedDriver([calls(("Inventory_count", {"sku": "AB-1200"})), "There are 7."])

    A reply is a text, a `Message`, an exception to raise, or a function of the stack that
    returns one of these. Streamed, it comes in pieces. It serves many threads; each gets the
    next reply of the one script.
    """

    provider = "scripted"

    model: str = "scripted-1"
    use_native_tools: bool = True
    #: A reply of the script is what it says; nothing is asked twice unless a test wants it.
    max_attempts: int = 1
    replies: Sequence[ScriptedReply] = field(kw_only=False)
    #: Start the script over when it has ended.
    repeat: bool = False
    #: How many characters come at a time when the reply is streamed.
    piece: int = 8
    #: Each stack that was asked, as it was then.
    stacks: list[PromptStack] = field(default_factory=list, init=False, repr=False)
    _turns: Iterator[int] = field(default_factory=count, init=False, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)

    def __post_init__(self) -> None:
        if isinstance(self.replies, str | Message) or not isinstance(self.replies, Sequence):
            raise DefinitionError(
                f"replies is {self.replies!r:.80}; it must be a list: ScriptedDriver([…])."
            )

    def try_run(self, stack: PromptStack) -> Message:
        """Return the script's next reply."""
        reply, is_repeated = self._next(stack)
        if callable(reply):
            reply = reply(stack)
        if isinstance(reply, BaseException):
            raise reply
        if isinstance(reply, str):
            return Message("assistant", (TextMessageContent(reply),))
        return _with_fresh_ids(reply) if is_repeated else reply

    def try_stream(self, stack: PromptStack) -> Iterator[DeltaMessage]:
        """Yield the script's next reply in pieces."""
        yield from in_pieces(self.try_run(stack), self.piece)

    def _next(self, stack: PromptStack) -> tuple[ScriptedReply, bool]:
        with self._lock:
            self.stacks.append(replace(stack, messages=list(stack.messages)))
            number = next(self._turns)
        if number < len(self.replies):
            return self.replies[number], False
        if self.repeat and self.replies:
            return self.replies[number % len(self.replies)], True
        raise ScriptEndedError(self._ended(stack), provider=self.provider, model=self.model)

    def _ended(self, stack: PromptStack) -> str:
        last = stack.messages[-1] if stack.messages else Message("user", ())
        said = " ".join(block.to_text() for block in last.content)
        return (
            f"the script (replies: {len(self.replies)}) has ended, and one more was asked for."
            f" Asked last ({last.role}): {said[:200]!r}."
            " Add a reply, pass repeat=True, or find out why the loop goes on."
        )


def calls(*asked: ScriptedCall, text: str = "") -> Message:
    """Return a reply that asks for actions, each call with an id of its own.

        calls(("Calculator_evaluate", {"expression": "23 * 19"}), text="I shall work it out.")

    Args:
        asked: Native names with their inputs; a text in place of an input stands as it is.
        text: What the model says before.
    """
    for one in asked:
        if not isinstance(one, tuple | list) or len(one) != 2:
            raise DefinitionError(
                f"{one!r:.80} is no call. A call is a pair of a native name and its input:"
                ' calls(("Inventory_count", {"sku": "AB-1200"})).'
            )
    said = (TextMessageContent(text),) if text else ()
    return Message("assistant", (*said, *map(_call, asked)), finish="actions")


def in_pieces(message: Message, size: int) -> Iterator[DeltaMessage]:
    """Yield a reply as a stream: each block in pieces of `size` characters, tokens, the end."""
    for index, block in enumerate(message.content):
        for content in _pieces(block, index, size):
            yield DeltaMessage(content)
    if message.usage != Usage():
        yield DeltaMessage(usage=message.usage)
    yield DeltaMessage(finish=message.finish, finish_reason=message.finish_reason)


def _call(asked: ScriptedCall) -> ActionCallMessageContent:
    native, given = asked
    arguments = given if isinstance(given, str) else json.dumps(dict(given), ensure_ascii=False)
    return ActionCallMessageContent(_fresh_id(), native, arguments)


def _fresh_id() -> str:
    return f"call_{next(_numbers)}"


def _with_fresh_ids(message: Message) -> Message:
    content = tuple(
        replace(block, id=_fresh_id()) if isinstance(block, ActionCallMessageContent) else block
        for block in message.content
    )
    return replace(message, content=content)


def _pieces(block: BaseMessageContent, index: int, size: int) -> Iterator[DeltaContent]:
    if isinstance(block, TextMessageContent):
        for part in _parts(block.text, size):
            yield TextDeltaMessageContent(part, index)
    elif isinstance(block, ActionCallMessageContent):
        yield ActionCallDeltaMessageContent(index, block.id, block.native, "", block.extra)
        for part in _parts(block.arguments, size):
            yield ActionCallDeltaMessageContent(index, arguments=part)
    elif isinstance(block, ReasoningMessageContent):
        for part in _parts(block.text, size):
            yield ReasoningDeltaMessageContent(part, index)
        yield ReasoningDeltaMessageContent("", index, block.value, block.provider)
    elif isinstance(block, GenericMessageContent):
        yield GenericDeltaMessageContent(block.value, index, block.provider)
    elif isinstance(block, AudioMessageContent):
        yield AudioDeltaMessageContent(block.artifact.value, index, block.artifact.format)
    else:
        yield WholeDeltaMessageContent(block, index)


def _parts(text: str, size: int) -> Iterator[str]:
    for start in range(0, len(text), max(size, 1)):
        yield text[start : start + max(size, 1)]
