"""The runners of a round: ask the model, run its actions, repair its reply, take its answer.

Each works out what is to be done from the `Run` alone, so that a run that broke off goes on where
it stands. A runner returns at once where the round has nothing for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from agenthost.actions.validation import Ready, prepare
from agenthost.requests import Act, Approve, Check, Prompt, Steps, ask
from agenthost.tasks.run import Run
from agenthost.tasks.subtasks import ActionsSubtask
from agenthost_sdk.actions import ToolAction
from agenthost_sdk.artifacts import BaseArtifact, ErrorArtifact, to_artifact
from agenthost_sdk.messages import Message, TextMessageContent, contents

#: A step of a round.
Runner = Callable[[Run, ActionsSubtask], Steps[None]]


def ask_model(run: Run, subtask: ActionsSubtask) -> Steps[None]:
    """Ask the model, and read its reply in the task's dialect."""
    if subtask.message is None:
        subtask.message = yield from ask(Prompt(run.stack()))
    if subtask.reply is None:
        subtask.reply = run.setup.dialect.read(subtask.message, run.toolbox.table)
        subtask.actions = subtask.reply.actions


def run_actions(run: Run, subtask: ActionsSubtask) -> Steps[None]:
    """Resolve, validate and permit each action by itself, and run the good ones side by side."""
    if not subtask.actions or subtask.finished:
        return
    limit = run.setup.limits.max_subtasks
    if run.action_rounds() > limit:
        _stop_at_limit(run, subtask, "max_subtasks", f"{limit} rounds of actions")
        return
    prepared = [_prepared(run, action) for action in subtask.actions]
    settled = []
    for one in prepared:
        settled.append((yield from _permitted(run, one)))
    ready = tuple(one for one in settled if isinstance(one, Ready))
    refused = tuple(one for one in settled if isinstance(one, ToolAction))
    act = Act(subtask.number, subtask.thought, ready, refused)
    outputs = iter((yield from ask(act)))
    subtask.actions = tuple(_answered(one, outputs) for one in settled)
    assert subtask.reply is not None
    subtask.finish(run.setup.dialect.answer(subtask.reply, subtask.actions))
    if not run.setup.reflect_on_tool_use:
        run.stop("actions", subtask.output)


def repair_reply(run: Run, subtask: ActionsSubtask) -> Steps[None]:
    """Hand back a reply that has neither a readable action nor an answer."""
    problem = subtask.reply.problem if subtask.reply else None
    if subtask.finished or problem is None:
        return
    limit = run.setup.limits.max_reply_repairs
    if run.count("reply") >= limit:
        _stop_at_limit(run, subtask, "max_reply_repairs", f"{limit} repairs of a reply", problem)
        return
    subtask.repair = "reply"
    subtask.finish((*_said_again(subtask), _user(problem)))
    yield from ()


def take_answer(run: Run, subtask: ActionsSubtask) -> Steps[None]:
    """End the run with the answer, once every output validator accepts it."""
    if subtask.finished or subtask.reply is None or subtask.reply.answer is None:
        return
    output = subtask.reply.answer
    for validator in run.setup.validators:
        verdict = yield from ask(Check(validator, output))
        if not verdict.accepted:
            _hand_back(run, subtask, verdict.reason)
            return
        output = output if verdict.output is None else to_artifact(verdict.output)
    subtask.finish()
    run.stop("answer", output)


DEFAULT_RUNNERS: tuple[Runner, ...] = (ask_model, run_actions, repair_reply, take_answer)


def _prepared(run: Run, action: ToolAction) -> Ready | ToolAction:
    return action if action.output is not None else prepare(action, run.toolbox)


def _permitted(run: Run, one: Ready | ToolAction) -> Steps[Ready | ToolAction]:
    if isinstance(one, ToolAction):
        return one
    decision = run.setup.permissions.decide(one.spec)
    if decision is None:
        decision = yield from ask(Approve(one.action, one.spec))
    if decision.allowed:
        return one
    reason = decision.reason or f"{one.spec.native} was not allowed, and did not run."
    return one.action.with_output(ErrorArtifact(reason, code="denied"))


def _answered(one: Ready | ToolAction, outputs: Iterator[BaseArtifact]) -> ToolAction:
    return one if isinstance(one, ToolAction) else replace(one.action, output=next(outputs))


def _hand_back(run: Run, subtask: ActionsSubtask, reason: str) -> None:
    limit = run.setup.limits.max_output_repairs
    if run.count("output") >= limit:
        _stop_at_limit(run, subtask, "max_output_repairs", f"{limit} repairs of an answer", reason)
        return
    subtask.repair = "output"
    subtask.finish((*_said_again(subtask), _user(f"This answer was not accepted. {reason}")))


def _said_again(subtask: ActionsSubtask) -> tuple[Message, ...]:
    """Return the model's own words for the replay; an empty reply is left out of the history."""
    text = subtask.message.to_text() if subtask.message else ""
    return (Message("assistant", (TextMessageContent(text),)),) if text.strip() else ()


def _user(text: str) -> Message:
    return Message("user", contents(text))


def _stop_at_limit(
    run: Run, subtask: ActionsSubtask, name: str, measure: str, why: str = ""
) -> None:
    subtask.actions = ()
    subtask.finish()
    last = f" The last fault: {why.rstrip().removesuffix('.')}." if why else ""
    words = (
        f"The run stopped at its limit {name}: {measure}.{last}"
        f" What was done is kept in its subtasks; a higher {name} lets it go on."
    )
    run.stop(name, ErrorArtifact(words, code="limit"))
