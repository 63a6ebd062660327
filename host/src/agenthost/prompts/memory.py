"""Remember the questions and answers of earlier runs."""

from __future__ import annotations

import threading

from agenthost_sdk.artifacts import BaseArtifact
from agenthost_sdk.messages import Message, contents


class ConversationMemory:
    """The questions and answers of the runs that succeeded, oldest first; safe for threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._runs: list[tuple[BaseArtifact, BaseArtifact]] = []

    def add(self, question: BaseArtifact, answer: BaseArtifact) -> None:
        """Remember one run."""
        with self._lock:
            self._runs.append((question, answer))

    def clear(self) -> None:
        """Forget all."""
        with self._lock:
            self._runs.clear()

    def __len__(self) -> int:
        return len(self._runs)

    def messages(self) -> list[Message]:
        """Return what was remembered, as messages of the user and the model."""
        with self._lock:
            runs = list(self._runs)
        return [message for question, answer in runs for message in _messages(question, answer)]


def _messages(question: BaseArtifact, answer: BaseArtifact) -> tuple[Message, Message]:
    return Message("user", contents(question)), Message("assistant", contents(answer))
