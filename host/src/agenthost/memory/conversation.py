"""Remember the questions and answers of earlier runs."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from dataclasses import dataclass

from agenthost.requests import Steps
from agenthost_sdk.artifacts import BaseArtifact, ErrorArtifact
from agenthost_sdk.messages import Message, contents


@dataclass(frozen=True)
class RememberedRun:
    """What a memory keeps of a run.

    Args:
        question: What was asked.
        answer: The output; an `ErrorArtifact` where the run failed.
        rounds: The messages of the run's own rounds, in the form of its dialect.
    """

    question: BaseArtifact
    answer: BaseArtifact
    rounds: tuple[Message, ...] = ()

    @property
    def failed(self) -> bool:
        """Whether the run ended in an error."""
        return isinstance(self.answer, ErrorArtifact)


class BaseMemory(ABC):
    """What a task remembers of its runs; one memory serves one conversation, and many threads."""

    @abstractmethod
    def add(self, run: RememberedRun) -> None:
        """Take in a run that ended, whether it succeeded or not."""

    @abstractmethod
    def recall(self, question: BaseArtifact) -> Steps[list[Message]]:
        """Return what the model is to be shown before the question; it may ask for requests."""


class ConversationMemory(BaseMemory):
    """The questions and answers of the runs that succeeded, oldest first."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._runs: list[RememberedRun] = []

    def add(self, run: RememberedRun) -> None:
        """Remember one run."""
        if run.failed:
            return
        with self._lock:
            self._runs.append(run)

    def clear(self) -> None:
        """Forget all."""
        with self._lock:
            self._runs.clear()

    def __len__(self) -> int:
        return len(self._runs)

    def recall(self, question: BaseArtifact) -> Steps[list[Message]]:  # noqa: ARG002 - all of it
        """Return what was remembered, as messages of the user and the model."""
        yield from ()
        return self.messages()

    def messages(self) -> list[Message]:
        """Return what was remembered, as messages of the user and the model."""
        with self._lock:
            runs = list(self._runs)
        return [message for run in runs for message in _messages(run)]


def _messages(run: RememberedRun) -> tuple[Message, Message]:
    return Message("user", contents(run.question)), Message("assistant", contents(run.answer))
