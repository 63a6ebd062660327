"""Remember the questions and answers of earlier runs, word for word."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass, replace

from agenthost.memory.base import BaseMemory, RememberedRun, checked
from agenthost.requests import Count, Steps, ask
from agenthost_sdk.artifacts import BaseArtifact
from agenthost_sdk.messages import (
    ActionCallMessageContent,
    ActionResultMessageContent,
    BaseMessageContent,
    Message,
)


@dataclass(eq=False)
class KeptRun:
    """A run in a memory, as it is shown; its tokens are counted once."""

    run: RememberedRun
    messages: tuple[Message, ...]
    tokens: int | None = None

    def count(self) -> Steps[int]:
        """Return how many tokens its messages have."""
        if self.tokens is None:
            self.tokens = yield from ask(Count(self.messages))
        return self.tokens


class ConversationMemory(BaseMemory):
    """The questions and answers of earlier runs, oldest first.

    Without limits it keeps all of them. Past a limit the oldest run is forgotten, always as a
    whole.

    Args:
        max_runs: So many runs are kept.
        max_tokens: So many tokens are recalled, as the task's driver counts them.
        tool_rounds: Keep the rounds of each run too, word for word. They are in the form of the
            dialect that they were made in, so all tasks that share the memory need the same one.
        failures: Note beside its question that a run failed, and how; otherwise a run that
            failed is forgotten. In neither case is its error shown as the model's words.

    Raises:
        SettingsError: A limit is no whole number of at least 1.
    """

    def __init__(
        self,
        max_runs: int | None = None,
        max_tokens: int | None = None,
        *,
        tool_rounds: bool = False,
        failures: bool = False,
    ) -> None:
        self.max_runs = checked("max_runs", max_runs)
        self.max_tokens = checked("max_tokens", max_tokens)
        self.tool_rounds = tool_rounds
        self.failures = failures
        self._lock = threading.Lock()
        self._kept: list[KeptRun] = []
        self._added = 0

    def add(self, run: RememberedRun) -> None:
        """Remember one run."""
        if run.failed and not self.failures:
            return
        with self._lock:
            if run.id:  # one that was resumed takes its own place
                self._kept = [one for one in self._kept if one.run.id != run.id]
            self._added += 1
            kept = _with_own_ids(run, self._added) if self.tool_rounds else run
            messages = kept.messages(tool_rounds=self.tool_rounds)
            if messages:
                self._kept.append(KeptRun(run, messages))
            if self.max_runs is not None:
                del self._kept[: -self.max_runs]

    def clear(self) -> None:
        """Forget all."""
        with self._lock:
            self._kept.clear()

    def __len__(self) -> int:
        return len(self._kept)

    def recall(self, question: BaseArtifact) -> Steps[list[Message]]:  # noqa: ARG002 - all of it
        """Return what was remembered, as messages of the user and the model."""
        kept = self.kept()
        if self.max_tokens is not None:
            first = yield from first_that_fits(kept, self.max_tokens)
            self.forget(kept[:first])
            kept = kept[first:]
        return [message for one in kept for message in one.messages]

    def messages(self) -> list[Message]:
        """Return all that is remembered, as messages of the user and the model."""
        return [message for one in self.kept() for message in one.messages]

    def kept(self) -> list[KeptRun]:
        """Return the runs that are remembered now, oldest first."""
        with self._lock:
            return list(self._kept)

    def forget(self, runs: Iterable[KeptRun]) -> None:
        """Forget runs; those that are forgotten already are passed over."""
        gone = set(runs)
        with self._lock:
            self._kept[:] = [one for one in self._kept if one not in gone]


def first_that_fits(kept: list[KeptRun], most: int) -> Steps[int]:
    """Return the place of the first run from which on all runs have at most so many tokens."""
    left = most
    for place in range(len(kept) - 1, -1, -1):
        left -= yield from kept[place].count()
        if left < 0:
            return place + 1
    return 0


def _with_own_ids(run: RememberedRun, number: int) -> RememberedRun:
    """Return a run whose calls bear ids that no other run's have.

    Some models number their calls anew in every reply, and providers refuse a conversation in
    which two calls bear one id.
    """
    rounds = tuple(
        replace(message, content=tuple(_own_id(block, number) for block in message.content))
        for message in run.rounds
    )
    return replace(run, rounds=rounds)


def _own_id(block: BaseMessageContent, number: int) -> BaseMessageContent:
    if isinstance(block, ActionCallMessageContent | ActionResultMessageContent):
        return replace(block, id=f"run{number}_{block.id}")
    return block
