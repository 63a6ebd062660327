"""Keep conversations as a provider has them, so that each message is written once."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from operator import call, is_
from typing import Any, Generic, NamedTuple, Protocol, Self, TypeVar
from weakref import ref

from agenthost_sdk.messages import (
    ActionCallMessageContent,
    ActionResultMessageContent,
    BaseMessageContent,
    Message,
)


class Writer(Protocol):
    """Writes the messages of one conversation, one after the other, in a provider's form."""

    def take(self, message: Message) -> None:
        """Write the next message, or keep it back until it is clear how it goes on."""

    def copy(self) -> Self:
        """Return a writer that stands where this one does, and goes on by itself."""


W = TypeVar("W", bound=Writer)


class Conversations(Generic[W]):
    """The last conversations that were written.

    A run asks with all its messages in every round, and only the last few are new. A message
    never changes, so that a conversation that begins with the very messages of a kept one goes
    on from there. One whose messages nobody else holds any more is forgotten. Many threads may
    ask at once.

    Args:
        make: Returns a writer that has written nothing yet.
        most: How many conversations are kept; the one that was asked for longest ago goes first.
    """

    def __init__(self, make: Callable[[], W], most: int = 1024) -> None:
        self._make = make
        self._most = most
        #: By the identity of the last message, the one that was asked for longest ago first.
        self._kept: OrderedDict[int, _Kept[W]] = OrderedDict()
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy has written nothing yet."""
        return type(self), (self._make, self._most)

    def written(self, messages: Sequence[Message]) -> W:
        """Return a writer that has taken the messages; it is the caller's own."""
        begun, writer = self._longest(messages)
        for message in messages[len(begun) :]:
            writer.take(message)
            begun.append(ref(message, partial(_forget, self._kept, id(message))))
        if messages:
            with self._lock:
                self._kept[id(messages[-1])] = _Kept(begun, writer)
                if len(self._kept) > self._most:
                    self._kept.popitem(last=False)
        return writer.copy()

    def _longest(self, messages: Sequence[Message]) -> _Kept[W]:
        """Take out the writer that knows most of the messages."""
        with self._lock:
            for known in range(len(messages), 0, -1):
                last = id(messages[known - 1])
                kept = self._kept.get(last)
                if kept is not None and _begins_with(messages, kept.begun):
                    del self._kept[last]
                    return kept
        return _Kept([], self._make())


def results_apart(message: Message) -> Iterator[Message]:
    """Yield a message of the model's with the results in it as messages of the user's.

    Some histories keep the result of a call beside the call, and what the model said then behind
    it; providers want it from the user. All stays in its order, unless a call has its result
    elsewhere: the model cannot go on before that, so what it says stands before the results then.
    """
    if not any(map(_is_result, message.content)):
        yield message
        return
    for is_result, blocks in groupby(_in_order(message.content), _is_result):
        yield replace(message, role="user" if is_result else "assistant", content=tuple(blocks))


def _is_result(block: BaseMessageContent) -> bool:
    return isinstance(block, ActionResultMessageContent)


def _in_order(blocks: Iterable[BaseMessageContent]) -> Sequence[BaseMessageContent]:
    """Return blocks so that those behind a result of theirs do not cut off another one."""
    blocks, called, waiting = list(blocks), set[str](), set[str]()
    for block in blocks:
        if isinstance(block, ActionCallMessageContent):
            called.add(block.id)
            waiting.add(block.id)
        elif isinstance(block, ActionResultMessageContent):
            waiting.discard(block.id)
    if not waiting:
        return blocks

    def place(block: BaseMessageContent) -> int:
        if not isinstance(block, ActionResultMessageContent):
            return 1
        return 2 if block.id in called else 0  # a result of an earlier message's call comes first

    return sorted(blocks, key=place)


class _Kept(NamedTuple, Generic[W]):
    """A writer, and the messages that it has taken."""

    begun: list[ref[Message]]
    writer: W


def _begins_with(messages: Sequence[Message], begun: list[ref[Message]]) -> bool:
    """Return whether the first messages are the very ones that are kept."""
    return len(begun) <= len(messages) and all(map(is_, map(call, begun), messages))


def _forget(kept: OrderedDict[int, _Kept[W]], last: int, _: object) -> None:
    """Forget the conversation that ended in a message that is no more.

    It may be called at any time, by the garbage collector, and so takes no lock.
    """
    kept.pop(last, None)
