"""The state of one run: its rounds, its output, and why it ended."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field, replace
from itertools import chain, count
from typing import Any

from agenthost.actions.toolbox import Toolbox
from agenthost.prompts.stack import system_message
from agenthost.tasks.limits import Limits
from agenthost.tasks.setup import Setup
from agenthost.tasks.subtasks import ActionsSubtask
from agenthost_sdk.actions import ToolAction
from agenthost_sdk.artifacts import BaseArtifact, ErrorArtifact
from agenthost_sdk.dialects import Offer
from agenthost_sdk.errors import AgenthostError, DefinitionError, LimitError
from agenthost_sdk.messages import Message, PromptStack, Usage, note
from agenthost_sdk.tools import BaseTool


@dataclass
class Run:
    """One run of a task, made new by every `run()`; all of its state is here.

    Args:
        setup: What the run works with: tools, dialect, limits, validators.
        input: The question.
        toolbox: The tools on offer now; `add_tools` and `remove_tools` change it between rounds.
        offer: How the dialect puts them to the model.
        rules: The application's part of the system message.
        opening: Memory and question, the messages before the first round; None before it began.
        plan: A plan of the model's own; it stands in the system message.
        id: Its name, which its events bear.
        subtasks: The rounds so far.
        folded: How many of the oldest rounds the model is no longer shown.
        summary: What they came to; "" where they were dropped.
        standing: What the model is shown in their place.
        standing_tokens: How many tokens that has; None where nobody counted yet.
        output: The answer, or the `ErrorArtifact` that stands in its place; None while it runs.
        stopped_by: Why it ended: "answer", "actions" (it does not reflect on results), "length"
            (an answer that broke off at the model's limit of tokens), "refusal" (the model would
            not), "judge", "error", "cancelled", the name of a limit, or the name of what
            interrupted it; "" while it runs.
        limit: The limit that was reached; the next reply is the last.
        measure: How far the run came by that limit, in words.
        stream: Whether the model's replies come in pieces; as its driver has it where None.
        usage: The tokens of all replies together, also of those that made a plan or a summary,
            and of those that broke off and were asked for again, as far as they were counted.
        seconds: How long it took.
        streaks: How often in a row each action of the last round came to the same.
        errors_in_row: How many of the last rounds of actions failed in all of their actions.
    """

    setup: Setup = field(repr=False)
    input: BaseArtifact
    toolbox: Toolbox = field(repr=False)
    offer: Offer = field(repr=False)
    rules: str = field(default="", repr=False)
    id: str = field(default_factory=lambda: uuid.uuid4().hex)
    opening: tuple[Message, ...] | None = field(default=None, repr=False)
    plan: str = ""
    subtasks: list[ActionsSubtask] = field(default_factory=list, repr=False)
    folded: int = 0
    summary: str = field(default="", repr=False)
    standing: tuple[Message, ...] = field(default=(), repr=False)
    standing_tokens: int | None = field(default=0, repr=False)
    output: BaseArtifact | None = None
    stopped_by: str = ""
    limit: str = ""
    measure: str = field(default="", repr=False)
    stream: bool | None = field(default=None, repr=False)
    usage: Usage = Usage()
    seconds: float = 0.0
    streaks: dict[bytes, int] = field(default_factory=dict, repr=False)
    errors_in_row: int = 0
    _rounds: int = field(default=0, repr=False)
    _tags: set[str] = field(default_factory=set, repr=False)
    _repairs: dict[str, int] = field(default_factory=dict, repr=False)
    _system: tuple[tuple[str, ...], tuple[Message, ...]] | None = field(default=None, repr=False)

    @property
    def value(self) -> Any:
        """The output's value, such as the text of the answer."""
        return None if self.output is None else self.output.value

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
        messages = self.history()
        offer = self.offer
        stack = PromptStack(messages, offer.tools, offer.stop, offer.tool_choice)
        output = self.setup.output
        if output is not None and output.strategy == "native":
            stack.output_schema = output.schema
        if self.limit:
            messages.append(self._last_words())
            self._without_tools(stack)
        return stack

    def history(self) -> list[Message]:
        """Return the messages so far: system, opening, and the rounds that are not folded."""
        rounds = [subtask.messages for subtask in self.subtasks[self.folded :]]
        return [*self.system(), *(self.opening or ()), *self.standing, *chain(*rounds)]

    def system(self) -> tuple[Message, ...]:
        """Return the system message: rules, the dialect's text, the output's rule, the plan."""
        output = self.setup.output
        parts = (self.rules, self.offer.system, output.rule if output else "", self.plan)
        if self._system is None or self._system[0] != parts:
            self._system = parts, system_message(parts)
        return self._system[1]

    def add_tools(self, *tools: BaseTool) -> None:
        """Put further tools on offer from the next round on.

        Raises:
            DefinitionError: One of them bears the name of another, or cannot be offered.
            SettingsError: There are more than the driver's provider takes.
        """
        self._use(Toolbox((*self.toolbox.tools, *tools), self.toolbox.origins))

    def remove_tools(self, *names: str) -> None:
        """Take tools off the offer from the next round on, by their names."""
        left = [tool for tool in self.toolbox.tools if tool.name not in names]
        self._use(Toolbox(left, self.toolbox.origins))

    def _use(self, toolbox: Toolbox) -> None:
        self.setup.check_count(toolbox)
        self.toolbox, self.offer = toolbox, self.setup.dialect.offer(toolbox.table)

    def current(self) -> ActionsSubtask:
        """Return the unfinished round, or a new one."""
        if not self.subtasks or self.subtasks[-1].finished:
            self.subtasks.append(ActionsSubtask(len(self.subtasks)))
        return self.subtasks[-1]

    def with_own_tags(self, actions: tuple[ToolAction, ...]) -> tuple[ToolAction, ...]:
        """Return actions whose tags no action of another round bears.

        Some models number their calls anew in every reply, or not at all, and providers refuse a
        conversation in which two calls bear one id. In a text dialect a tag speaks of its own
        round only, and stays.
        """
        if not self.setup.dialect.native:
            return actions
        tags = {action.tag for action in actions}
        if not tags.isdisjoint(self._tags):
            actions = tuple(self._own(action, tags) for action in actions)
        self._tags |= tags
        return actions

    def _own(self, action: ToolAction, tags: set[str]) -> ToolAction:
        if action.tag not in self._tags:
            return action
        fresh = (f"{action.tag}_{number}" for number in count(2))
        tag = next(one for one in fresh if one not in self._tags and one not in tags)
        tags.add(tag)
        return replace(action, tag=tag)

    def finish(
        self, subtask: ActionsSubtask, messages: tuple[Message, ...] = (), repair: str = ""
    ) -> None:
        """Close a round, and count it.

        Args:
            subtask: The round.
            messages: How the next prompt replays it.
            repair: "reply" or "output", where the reply was handed back.
        """
        subtask.finish(messages)
        subtask.repair = repair
        if self.acted(subtask):
            self._rounds += 1
            self.errors_in_row = self.errors_in_row + 1 if subtask.failed else 0
        if repair:
            self._repairs[repair] = self.repairs(repair) + 1

    def acted(self, subtask: ActionsSubtask) -> bool:
        """Return whether a round had actions; calls of the tool that takes the answer are none."""
        tool = self.setup.output_tool
        if tool is None:
            return bool(subtask.actions)
        return any(action.name != tool.name for action in subtask.actions)

    def repairs(self, kind: str) -> int:
        """Return how many replies were handed back, "reply" or "output"."""
        return self._repairs.get(kind, 0)

    def rounds(self) -> int:
        """Return how many rounds count towards `max_subtasks`."""
        return self._rounds + self.repairs("reply")

    def reopened(self, limits: Limits | None = None) -> Run:
        """Return the run itself, ready to go on after what ended it.

        Args:
            limits: Take the place of its own.

        Raises:
            DefinitionError: It has its answer, or has not ended.
        """
        if self.stopped_by in ("", "answer", "actions", "judge", "refusal"):
            state = f"ended with {self.stopped_by!r}" if self.stopped_by else "has not ended"
            raise DefinitionError(
                f"This run {state}; only one that an error, an interrupt or a limit ended can be"
                " resumed. For another question start a new run."
            )
        self.stopped_by = self.limit = self.measure = ""
        self.output, self.errors_in_row, self.streaks = None, 0, {}
        if limits is not None:
            self.setup = replace(self.setup, limits=limits)
        return self

    def stop(self, by: str, output: BaseArtifact | None) -> None:
        """End the run."""
        self.stopped_by, self.output = by, output

    def _last_words(self) -> Message:
        return note(
            f"The limit of this conversation is reached ({self.measure}). No tool can be used any"
            " more. Answer now, from what you have; say what is missing.",
        )

    def _without_tools(self, stack: PromptStack) -> None:
        """Leave only the tool that gives the answer, where there is one."""
        stack.tool_choice = "none"
        tool = self.setup.output_tool
        if tool is not None and stack.tools:
            stack.tools = tuple(spec for spec in stack.tools if spec.native == tool.native)
            stack.tool_choice = "required"
