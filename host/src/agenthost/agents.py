"""`Agent`: a task that remembers its conversation; it can be a tool of another."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from functools import cached_property
from typing import Any, Self

from agenthost.actions.combining import combined_annotations
from agenthost.memory.base import BaseMemory
from agenthost.memory.conversation import ConversationMemory
from agenthost.tasks.prompt_task import PromptTask
from agenthost.tasks.run import Run
from agenthost_sdk.activities import Activity, Examples
from agenthost_sdk.artifacts import BaseArtifact, ErrorArtifact, to_artifact
from agenthost_sdk.errors import DefinitionError
from agenthost_sdk.tools import BaseTool

#: The agents that wait for the one that is asked now, by the names of their tools.
_WAITING: ContextVar[tuple[str, ...]] = ContextVar("_WAITING", default=())


class Agent(PromptTask):
    """A `PromptTask` that is asked again and again, and remembers what was said.

        agent = Agent(tools=[Inventory()])
        agent.run("How many units of AB-1200 are left?")
        print(agent.run("And of AB-1300?").value)

    It takes what `PromptTask` takes. Give each conversation an agent of its own.
    """

    def make_memory(self) -> BaseMemory:
        """Remember every run."""
        return ConversationMemory()

    def as_tool(
        self, name: str, description: str, *, max_depth: int = 5, examples: Examples = ()
    ) -> AgentTool:
        """Return a tool by which another agent can ask this one.

        Each question is a run of its own, without memory, so that many can be asked at once; the
        agent's own conversation learns nothing of them.

        Args:
            name: What the other model calls it.
            description: What it reads of it: what this agent is good for.
            max_depth: How many questions deep agents may ask one another, or themselves.
            examples: Questions to the other agent, and the inputs by which it passes them on.
        """
        return AgentTool(self, name, description, max_depth=max_depth, examples=examples)

    def without_memory(self) -> Self:
        """Return the same agent, but each of its runs is a conversation of its own."""
        forgetful = copy.copy(self)
        forgetful.memory = None
        return forgetful


class AgentTool(BaseTool):
    """Ask an agent; made by `Agent.as_tool`.

    The answer is what the agent's run came to; its `meta` holds `usage`, `stopped_by` and
    `run_id` of that run. The agent keeps its own permissions, limits and listeners; towards
    others the tool counts as read-only where all of its agent's tools are.
    """

    def __init__(
        self,
        agent: Agent,
        name: str,
        description: str,
        *,
        max_depth: int = 5,
        examples: Examples = (),
    ) -> None:
        if not isinstance(max_depth, int) or isinstance(max_depth, bool) or max_depth < 1:
            raise DefinitionError(
                f"max_depth is {max_depth!r}; it must be a whole number above 0."
            )
        self.name = name
        self._agent = agent.without_memory()
        self._description = description
        self._max_depth = max_depth
        self._examples = examples

    @property
    def description(self) -> str:
        """What the agent is good for."""
        return self._description

    @cached_property
    def activities(self) -> dict[str, Activity[..., Any]]:
        """The one activity, `ask`."""
        specs = self._agent.setup.toolbox.table.specs.values()
        activity: Activity[..., Any] = Activity(
            AgentTool.ask,
            description=self._description,
            annotations=combined_annotations(spec.annotations for spec in specs),
            examples=self._examples,
        )
        return {"ask": activity}

    async def ask(self, question: str) -> BaseArtifact:
        """Run the agent on a question and return its answer.

        Args:
            question: The question with all that is needed to answer it; nothing else is known.
        """
        waiting = _WAITING.get()
        if len(waiting) >= self._max_depth:
            return self._too_deep(waiting)
        with _waiting_for(self.name):
            run = await self._agent.arun(question)
        return self._outcome(run)

    def _outcome(self, run: Run) -> BaseArtifact:
        told = {"usage": run.usage, "stopped_by": run.stopped_by, "run_id": run.id}
        output = to_artifact(run.output)
        if isinstance(output, ErrorArtifact):
            output = replace(output, value=f"{self.name} has no answer. {output.value}")
        return replace(output, meta={**output.meta, **told})

    def _too_deep(self, waiting: tuple[str, ...]) -> ErrorArtifact:
        return ErrorArtifact(
            f"{self.name} was not asked: agents wait for one another {len(waiting)} deep already"
            f" ({', '.join(waiting)}), and max_depth is {self._max_depth}. Answer without it.",
            code="limit",
        )


@contextmanager
def _waiting_for(name: str) -> Iterator[None]:
    token = _WAITING.set((*_WAITING.get(), name))
    try:
        yield
    finally:
        _WAITING.reset(token)
