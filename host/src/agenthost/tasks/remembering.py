"""Ask a task's memory before a run begins, and tell it of the run once it has ended."""

from __future__ import annotations

import logging
from typing import Any

from agenthost.memory.base import BaseMemory, RememberedRun, RememberedStep
from agenthost.requests import Steps
from agenthost.tasks.run import Run
from agenthost_sdk.artifacts import BaseArtifact
from agenthost_sdk.errors import DefinitionError
from agenthost_sdk.messages import Message

_log = logging.getLogger("agenthost")


def recalled(memory: BaseMemory | None, question: BaseArtifact) -> Steps[list[Message]]:
    """Return what a memory shows the model before a question.

    Raises:
        DefinitionError: Its `recall` is no generator, or returned something else than messages.
    """
    if memory is None:
        return []
    name = type(memory).__name__
    steps: Any = memory.recall(question)
    if not hasattr(steps, "send"):
        raise DefinitionError(
            f"{name}.recall is no generator; it returned {steps!r:.60}. Write `yield from ()`"
            " where it has nothing to ask for."
        )
    messages: Any = yield from steps
    if not isinstance(messages, list | tuple) or not all(map(_is_message, messages)):
        raise DefinitionError(
            f"{name}.recall returned {messages!r:.60}; it must return a list of messages."
        )
    return list(messages)


def remember(memory: BaseMemory | None, run: Run) -> None:
    """Give a run that has ended to a memory.

    A memory that raises is logged, as a listener is: what the run came to is not lost for it.
    """
    if memory is None or run.output is None:
        return
    rounds = tuple(message for one in run.subtasks for message in one.messages)
    steps = tuple(
        RememberedStep(one.thought, action) for one in run.subtasks for action in one.actions
    )
    try:
        memory.add(RememberedRun(run.input, run.output, rounds, steps, run.id))
    except Exception:
        name = type(memory).__name__
        _log.exception("The memory %s raised, and does not remember the run.", name)


def _is_message(given: Any) -> bool:
    return isinstance(given, Message)
