"""Keep conversations as a provider has them, so that each message is written once."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from operator import is_
from typing import Generic, Protocol, Self, TypeVar

from agenthost_sdk.messages import Message


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
    on from there. Many threads may ask at once.

    Args:
        make: Returns a writer that has written nothing yet.
        most: How many conversations are kept; the one that was asked for longest ago goes first.
            Their messages stay in memory as long.
    """

    def __init__(self, make: Callable[[], W], most: int = 16) -> None:
        self._make = make
        self._kept: deque[tuple[list[Message], W]] = deque(maxlen=most)
        self._lock = threading.Lock()

    def written(self, messages: Sequence[Message]) -> W:
        """Return a writer that has taken the messages; it is the caller's own."""
        known, writer = self._longest(messages)
        for message in messages[known:]:
            writer.take(message)
        with self._lock:
            self._kept.append((list(messages), writer))
        return writer.copy()

    def _longest(self, messages: Sequence[Message]) -> tuple[int, W]:
        """Take out the writer that knows most of the messages; tell how many it knows."""
        with self._lock:
            known, place = max(
                (len(begun), place)
                for place, (begun, _) in enumerate([*self._kept, _NONE])
                if _begins_with(messages, begun)
            )
            if not known:
                return 0, self._make()
            _, writer = self._kept[place]
            del self._kept[place]
        return known, writer


_NONE: tuple[list[Message], None] = ([], None)


def _begins_with(messages: Sequence[Message], kept: list[Message]) -> bool:
    """Return whether the first messages are the very ones that are kept."""
    return len(kept) <= len(messages) and all(map(is_, kept, messages))
