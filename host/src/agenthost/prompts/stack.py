"""Build what stands before a run's own rounds: rules, the dialect's text, memory, the question."""

from __future__ import annotations

from collections.abc import Sequence

from agenthost.prompts.memory import ConversationMemory
from agenthost_sdk.artifacts import BaseArtifact
from agenthost_sdk.messages import Message, TextMessageContent, contents


def opening(
    question: BaseArtifact,
    *,
    rules: Sequence[str] = (),
    format_text: str = "",
    memory: ConversationMemory | None = None,
) -> list[Message]:
    """Return the messages before the first round: system, memory, question.

    There is a system message only where it has something to say; the memory follows it.
    Nothing here is rendered: rules and questions reach the model as they are.
    """
    system = "\n\n".join(part for part in (_ruled(rules), format_text) if part)
    messages = [Message("system", (TextMessageContent(system),))] if system else []
    if memory is not None:
        messages += memory.messages()
    return [*messages, Message("user", contents(question))]


def _ruled(rules: Sequence[str]) -> str:
    if len(rules) < 2:
        return "".join(rules)
    return "Rules:\n" + "\n".join(f"{number}. {rule}" for number, rule in enumerate(rules, 1))
