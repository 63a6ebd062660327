"""Make a plan before the first round."""

from __future__ import annotations

from dataclasses import dataclass

from agenthost.requests import Steps
from agenthost.tasks.asides import ask_aside, tools_in_words
from agenthost.tasks.run import Run
from agenthost.tasks.subtasks import ActionsSubtask

#: How the model is asked for a plan.
PLAN_WORDS = (
    "Do not act and do not answer yet: make a plan first. Write the steps by which you will come"
    " to the answer, numbered, each in one short sentence that names the tool it needs. Reply"
    " with the plan alone."
)


@dataclass(frozen=True)
class PlanFirst:
    """Ask the model for a plan before its first round; a subtask runner, to stand first.

        PromptTask(…, subtask_runners=[PlanFirst(), *DEFAULT_RUNNERS])

    The model is shown the question and the names of the tools, and can call none of them. The
    plan becomes `run.plan`, and stands in the system message of all rounds. It is asked for once;
    a run of which none can be had goes on without.

    Args:
        words: How the model is asked.
    """

    words: str = PLAN_WORDS

    def __call__(self, run: Run, subtask: ActionsSubtask) -> Steps[None]:
        """Make the plan of a run that has not begun."""
        if run.plan or run.limit or subtask.number or subtask.message is not None:
            return
        parts = [part for part in (tools_in_words(run), self.words) if part]
        plan = yield from ask_aside(run, "plan", "\n\n".join(parts))
        if plan:
            run.plan = with_heading(plan)


def with_heading(plan: str) -> str:
    """Return a plan as it stands in the system message."""
    return f"The plan, which you made yourself:\n{plan}"
