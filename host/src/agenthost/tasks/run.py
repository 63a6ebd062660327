"""The state of one run: its rounds, its output, and why it ended."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from typing import Any

from agenthost.actions.toolbox import Toolbox
from agenthost.prompts.stack import system_message
from agenthost.tasks.setup import Setup
from agenthost.tasks.subtasks import ActionsSubtask
from agenthost_sdk.artifacts import BaseArtifact, ErrorArtifact
from agenthost_sdk.dialects import Offer
from agenthost_sdk.errors import AgenthostError, LimitError
from agenthost_sdk.messages import Message, PromptStack, Usage
from agenthost_sdk.tools import BaseTool


@dataclass
class Run:
    """One run of a task, made new by every `run()`; all of its state is here.

    Args:
        setup: What the run works with: tools, dialect, limits, validators.
        input: The question.
        toolbox: The tools on offer now; `add_tools` and `remove_tools` change it between rounds.
        offer: How the dialect puts them to the model.
        opening: Memory and question, the messages before the first round; None before it began.
        plan: A plan of the model's own; it stands in the system message.
        subtasks: The rounds so far.
        output: The answer, or the `ErrorArtifact` that stands in its place; None while it runs.
        stopped_by: Why it ended: "answer", "actions" (it does not reflect on results), the name
            of a limit, "error", or the name of what interrupted it; "" while it runs.
        seconds: How long it took.
    """

    setup: Setup = field(repr=False)
    input: BaseArtifact
    toolbox: Toolbox = field(repr=False)
    offer: Offer = field(repr=False)
    opening: tuple[Message, ...] | None = field(default=None, repr=False)
    plan: str = ""
    id: str = field(default_factory=lambda: uuid.uuid4().hex)
    subtasks: list[ActionsSubtask] = field(default_factory=list, repr=False)
    output: BaseArtifact | None = None
    stopped_by: str = ""
    seconds: float = 0.0
    _system: tuple[tuple[str, ...], tuple[Message, ...]] | None = field(default=None, repr=False)

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
        messages = [*self.system(), *(self.opening or ())]
        for subtask in self.subtasks:
            messages.extend(subtask.messages)
        offer = self.offer
        return PromptStack(messages, offer.tools, offer.stop, offer.tool_choice)

    def system(self) -> tuple[Message, ...]:
        """Return the system message: rules, the dialect's text, and the plan."""
        parts = (self.setup.rules, self.offer.system, self.plan)
        if self._system is None or self._system[0] != parts:
            self._system = parts, system_message(parts)
        return self._system[1]

    def add_tools(self, *tools: BaseTool) -> None:
        """Put further tools on offer from the next round on."""
        self._use(Toolbox((*self.toolbox.tools, *tools), self.toolbox.origins))

    def remove_tools(self, *names: str) -> None:
        """Take tools off the offer from the next round on, by their names."""
        left = [tool for tool in self.toolbox.tools if tool.name not in names]
        self._use(Toolbox(left, self.toolbox.origins))

    def _use(self, toolbox: Toolbox) -> None:
        self.toolbox, self.offer = toolbox, self.setup.dialect.offer(toolbox.table)

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
