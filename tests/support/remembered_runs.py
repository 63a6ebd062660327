"""What the tests of memories share: runs to remember, and how a memory's messages read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from agenthost.memory.base import BaseMemory, RememberedRun, RememberedStep
from agenthost_sdk import ErrorArtifact, Message, TextArtifact, ToolAction
from support.answering import Answering


def ended(question: str, answer: str, *steps: RememberedStep) -> RememberedRun:
    """Return a run that was answered."""
    return RememberedRun(TextArtifact(question), TextArtifact(answer), steps=steps)


def failed(question: str, words: str) -> RememberedRun:
    """Return a run that ended in an error."""
    return RememberedRun(TextArtifact(question), ErrorArtifact(words))


def step(thought: str, sku: str, came: str) -> RememberedStep:
    """Return an action of a run, answered."""
    action = ToolAction("1", "Stock", "count", {"sku": sku}, TextArtifact(came))
    return RememberedStep(thought, action)


def recalled(
    memory: BaseMemory, question: str = "q", answering: Answering | None = None
) -> list[tuple[str, str]]:
    """Return who says what in the messages that a memory recalls."""
    return said((answering or Answering()).run(memory.recall(TextArtifact(question))))


def said(messages: Iterable[Message]) -> list[tuple[str, str]]:
    """Return who says what."""
    return [(message.role, message.to_text()) for message in messages]


def remember(memory: BaseMemory, numbers: Sequence[int]) -> None:
    """Add runs with a question and an answer for each number."""
    for number in numbers:
        memory.add(ended(f"q{number}", f"a{number}"))


def pairs(*numbers: int) -> list[tuple[str, str]]:
    """Return the questions and answers of these runs as they are shown."""
    both = ([("user", f"q{number}"), ("assistant", f"a{number}")] for number in numbers)
    return [one for pair in both for one in pair]
