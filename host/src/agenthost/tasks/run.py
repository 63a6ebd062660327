"""The state of one run: its rounds, its output, and why it ended."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from typing import Any

from agenthost.tasks.plan import Plan
from agenthost.tasks.subtasks import ActionsSubtask
from agenthost_sdk.artifacts import BaseArtifact, ErrorArtifact
from agenthost_sdk.errors import AgenthostError, LimitError
from agenthost_sdk.messages import Message, PromptStack, Usage


@dataclass
class Run:
    """One run of a task, made new by every `run()`; all of its state is here.

    Args:
        plan: What the run works with: tools, dialect, limits, validators.
        input: The question.
        opening: The messages before the first round.
        subtasks: The rounds so far.
        output: The answer, or the `ErrorArtifact` that stands in its place; None while it runs.
        stopped_by: Why it ended: "answer", "actions" (it does not reflect on results), the name
            of a limit, "error", or the name of what interrupted it; "" while it runs.
        seconds: How long it took.
    """

    plan: Plan = field(repr=False)
    input: BaseArtifact
    opening: tuple[Message, ...] = field(repr=False)
    id: str = field(default_factory=lambda: uuid.uuid4().hex)
    subtasks: list[ActionsSubtask] = field(default_factory=list, repr=False)
    output: BaseArtifact | None = None
    stopped_by: str = ""
    seconds: float = 0.0

    @property
    def value(self) -> Any:
        """The output's value, such as the text of the answer."""
        return None if self.output is None else self.output.value

    @property
    def usage(self) -> Usage:
        """The tokens of all replies together."""
        total = Usage()
        for subtask in self.subtasks:
            if subtask.message is not None:
                total += subtask.message.usage
        return total

    def raise_for_error(self) -> Run:
        """Return the run itself, unless it failed.

        Raises:
            AgenthostError: The run ended in an error; a `LimitError` where a limit ended it.
                What another exception ended is raised as that exception.
        """
        if not isinstance(self.output, ErrorArtifact):
            return self
        if self.output.exception is not None:
            raise self.output.exception
        raise (LimitError if self.output.code == "limit" else AgenthostError)(self.output.value)

    def stack(self) -> PromptStack:
        """Return what the model is to be shown next."""
        messages = list(self.opening)
        for subtask in self.subtasks:
            messages.extend(subtask.messages)
        offer = self.plan.offer
        return PromptStack(messages, offer.tools, offer.stop, offer.tool_choice)

    def current(self) -> ActionsSubtask:
        """Return the unfinished round, or a new one."""
        if not self.subtasks or self.subtasks[-1].finished:
            self.subtasks.append(ActionsSubtask(len(self.subtasks)))
        return self.subtasks[-1]

    def count(self, repair: str) -> int:
        """Return how many rounds were handed back for the named kind of repair."""
        return sum(subtask.repair == repair for subtask in self.subtasks)

    def action_rounds(self) -> int:
        """Return how many rounds ran actions."""
        return sum(bool(subtask.actions) for subtask in self.subtasks)

    def has_ended(self) -> bool:
        """Return whether nothing more is to be done."""
        return bool(self.stopped_by)

    def stop(self, by: str, output: BaseArtifact | None) -> None:
        """End the run."""
        self.stopped_by, self.output = by, output
