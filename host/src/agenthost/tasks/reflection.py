"""Have the model look at what it did: at its plan after each round, at its answer before it ends.

Both are subtask runners. All they know stands in the run, so that one that broke off goes on.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from agenthost.requests import Steps
from agenthost.tasks.answers import handed_back, is_refusal, not_accepted
from agenthost.tasks.asides import ask_aside, labelled, tools_in_words
from agenthost.tasks.planning import PlanFirst, with_heading
from agenthost.tasks.run import Run
from agenthost.tasks.runners import DEFAULT_RUNNERS, Runner, ask_model
from agenthost.tasks.subtasks import ActionsSubtask
from agenthost_sdk.artifacts import BaseArtifact, ErrorArtifact, JsonArtifact

#: How the model is asked about its plan.
REFLECT_WORDS = (
    "Do not act and do not answer now. Look at what the last actions gave, and at the plan. If"
    " the plan still fits, reply with the one word KEEP. If it does not, or if there is none,"
    " reply with NEW PLAN: and the whole plan as it is to be now, the steps that are done marked"
    " with [x]."
)

#: How the model is asked about its answer, which is shown before.
REVIEW_WORDS = (
    "Do not act now. Hold this answer against the question and against what the actions gave. If"
    " it can be given as it stands, reply with the one word ACCEPT. If something in it is wrong"
    " or missing, reply with REVISE: and what is to be changed, in a sentence or two."
)


@dataclass(frozen=True)
class Reflect:
    """Ask the model after each round of actions whether its plan still fits; a subtask runner.

    It may stand before or behind `DEFAULT_RUNNERS`. A new plan takes the place of `run.plan`; a
    reply that says neither changes nothing.

    Args:
        words: How the model is asked.
    """

    words: str = REFLECT_WORDS

    def __call__(self, run: Run, subtask: ActionsSubtask) -> Steps[None]:
        """Look at the plan, where a round of actions has just ended."""
        if run.limit or not _follows_actions(run, subtask):
            return
        plan = f"The plan so far: {'see above' if run.plan else 'none'}."
        asked = "\n\n".join(part for part in (tools_in_words(run), plan, self.words) if part)
        new = _new_plan((yield from ask_aside(run, "reflect", asked)))
        if new:
            run.plan = with_heading(new)


@dataclass(frozen=True)
class ReviewAnswer:
    """Ask the model about its answer before it is taken; a subtask runner, behind `ask_model`.

    An answer that is to be revised is handed back with the reason, and counts as a repair of an
    output. Where no such repair is left, or the run has reached a limit, nothing is asked.

    Args:
        words: How the model is asked; the answer is shown before them.
        most: How many answers of a run are looked at.
    """

    words: str = REVIEW_WORDS
    most: int = 1

    def __call__(self, run: Run, subtask: ActionsSubtask) -> Steps[None]:
        """Look at an answer that is about to be taken."""
        answer = None if subtask.finished or subtask.reviewed else _answer(run, subtask)
        if answer is None or run.limit or self._is_used_up(run):
            return
        before = "This is the answer that would be given:\n\n"
        reply = yield from ask_aside(run, "reflect", before, answer, f"\n\n{self.words}")
        subtask.reviewed = True
        reason = _reason(reply)
        if reason:
            _send_back(run, subtask, reason)

    def _is_used_up(self, run: Run) -> bool:
        if run.repairs("output") >= run.setup.limits.max_output_repairs:
            return True
        return sum(one.reviewed for one in run.subtasks) >= self.most


_PLAN_FIRST, _REFLECT, _REVIEW = PlanFirst(), Reflect(), ReviewAnswer()


def reflective_runners(
    *judges: Runner,
    plan: Runner | None = _PLAN_FIRST,
    reflect: Runner | None = _REFLECT,
    review: Runner | None = _REVIEW,
) -> tuple[Runner, ...]:
    """Return the runners of a task that plans and reflects, in their right order.

        PromptTask(…, subtask_runners=reflective_runners(ModelJudge()))

    Args:
        judges: Who may end the run after a round of actions.
        plan: Makes the plan; None leaves it out, here and below.
        reflect: Looks at the plan after each round of actions.
        review: Looks at the answer before it is taken.
    """
    runners: list[Runner | None] = [plan]
    for runner in DEFAULT_RUNNERS:
        runners += [reflect, runner, review] if runner is ask_model else [runner]
    return tuple(runner for runner in (*runners, *judges) if runner is not None)


def _follows_actions(run: Run, subtask: ActionsSubtask) -> bool:
    """Return whether the round, or the one before where it has not begun, ran actions."""
    if subtask.message is None and subtask.number:
        subtask = run.subtasks[subtask.number - 1]
    return subtask.finished and bool(subtask.actions)


def _new_plan(reply: str) -> str:
    """Return the plan in a reply; "" where it keeps the old one, or cannot be read."""
    plan = labelled(reply, _PLAN)
    if plan:
        return "" if _keeps(plan) else plan
    is_list = len(_ITEM.findall(reply)) > 1
    return reply if is_list and not _keeps(reply) else ""


_PLAN = r"(?:(?:the|my|a) )?(?:new|revised|updated|changed) plan|plan(?=[*_ ]*[:：])"

#: A line of a list.
_ITEM = re.compile(r"^[ \t]*(?:\d+[.)]|[-*•]|\[[ xX]\])[ \t]+\S", re.MULTILINE)


def _keeps(reply: str) -> bool:
    return labelled(reply, r"(?:keep|unchanged|no change)(?: (?:it|(?:the )?plan))?") is not None


def _answer(run: Run, subtask: ActionsSubtask) -> BaseArtifact | None:
    """Return the answer of a reply, in words or as the input of the tool that takes it."""
    if subtask.reply is None or is_refusal(subtask):
        return None
    for action in subtask.actions:
        if _gives_answer(run, action.name) and action.output is None:
            return JsonArtifact(dict(action.input))
    return subtask.reply.answer


def _gives_answer(run: Run, name: str) -> bool:
    tool = run.setup.output_tool
    return tool is not None and tool.name == name


def _reason(reply: str) -> str:
    """Return why an answer is to be revised; "" where it is accepted, or nothing can be read."""
    accepted = labelled(reply, r"accept(?:ed)?")
    reason = labelled(reply, r"revise(?:d)?|reject(?:ed)?|redo")
    if not reason or (accepted is not None and len(accepted) > len(reason)):  # it came first
        return ""
    return reason


def _send_back(run: Run, subtask: ActionsSubtask, reason: str) -> None:
    if subtask.actions:  # the answer is one of them: it gets its result, and its siblings run
        refused = ErrorArtifact(not_accepted(reason), code="invalid-output")
        subtask.repair = "output"
        subtask.actions = tuple(
            replace(one, output=refused) if _gives_answer(run, one.name) else one
            for one in subtask.actions
        )
        return
    run.finish(subtask, handed_back(subtask, reason), repair="output")
