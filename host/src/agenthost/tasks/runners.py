"""The runners of a round: ask the model, run its actions, repair its reply, take its answer.

Each works out what is to be done from the `Run` alone, so that a run that broke off goes on where
it stands. A runner returns at once where the round has nothing for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from agenthost.actions.guarding import passed
from agenthost.actions.validation import Ready, prepare
from agenthost.requests import Act, Approve, Call, Prompt, Step, Steps, ask
from agenthost.tasks.answers import (
    answer_rest,
    is_refusal,
    refuse,
    said_again,
    settle,
    take_output,
)
from agenthost.tasks.endings import check_budget, reach, stop_at
from agenthost.tasks.folding import fold
from agenthost.tasks.repeats import LONGEST_CYCLE, noted, signatures, times_repeated
from agenthost.tasks.results import in_words, shown
from agenthost.tasks.run import Run
from agenthost.tasks.subtasks import ActionsSubtask
from agenthost_sdk.actions import ToolAction
from agenthost_sdk.artifacts import BaseArtifact, ErrorArtifact, TextArtifact, error_text
from agenthost_sdk.dialects import Reply
from agenthost_sdk.errors import PluginError
from agenthost_sdk.messages import Message, note

#: A step of a round.
Runner = Callable[[Run, ActionsSubtask], Steps[None]]


def ask_model(run: Run, subtask: ActionsSubtask) -> Steps[None]:
    """Ask the model, and read its reply in the task's dialect."""
    if subtask.message is None:
        check_budget(run)
        if run.stopped_by:
            return
        if run.setup.limits.max_history_tokens is not None:
            yield from fold(run)
        subtask.message = yield from ask(Prompt(run.stack(), _step(run)))
    if subtask.reply is None:
        subtask.reply = _read(run, subtask.message)
        subtask.actions = run.with_own_tags(subtask.reply.actions)


def run_actions(run: Run, subtask: ActionsSubtask) -> Steps[None]:
    """Resolve, validate and permit each action by itself, and run the good ones side by side."""
    if not subtask.actions or subtask.finished:
        return
    if run.setup.output_tool is not None:
        yield from take_output(run, subtask)
        if run.stopped_by:
            return
    limit = run.setup.limits.max_subtasks
    if run.limit or (run.rounds() >= limit and run.acted(subtask)):
        _refuse_all(run, subtask)
        rounds = f"{limit} round{'s' if limit > 1 else ''} of actions"
        reach(run, run.limit or "max_subtasks", run.measure or rounds)
        return
    settled = []
    for action in subtask.actions:
        settled.append((yield from _settled(run, action)))
    ready = tuple([one for one in settled if isinstance(one, Ready)])
    refused = tuple([one for one in settled if isinstance(one, ToolAction)])
    outputs = yield from ask(Act(subtask.number, subtask.thought, ready, refused))
    subtask.actions = _answered(settled, outputs, subtask.actions)
    _close(run, subtask)


def repair_reply(run: Run, subtask: ActionsSubtask) -> Steps[None]:
    """Hand back a reply that has neither a readable action nor an answer.

    Once too many were, its text stands as the answer, or an error where there is none.
    """
    problem = subtask.reply.problem if subtask.reply else None
    if subtask.finished or problem is None:
        return
    limits = run.setup.limits
    if is_refusal(subtask):
        refuse(run, subtask, TextArtifact(""))
    elif run.limit:
        yield from _let_stand(run, subtask, run.limit, run.measure)
    elif run.repairs("reply") >= limits.max_reply_repairs:
        measure = f"{limits.max_reply_repairs} repairs of a reply"
        yield from _let_stand(run, subtask, "max_reply_repairs", measure)
    elif run.rounds() >= limits.max_subtasks:
        measure = f"{limits.max_subtasks} rounds of actions and repairs"
        yield from _let_stand(run, subtask, "max_subtasks", measure)
    else:
        said = _reminded(run, problem)
        run.finish(subtask, (*said_again(subtask), note(said)), repair="reply")


def take_answer(run: Run, subtask: ActionsSubtask) -> Steps[None]:
    """End the run with the answer, once it is what it has to be and every validator accepts it."""
    reply = subtask.reply
    if subtask.finished or reply is None or reply.answer is None:
        return
    yield from settle(run, subtask, reply.answer)


DEFAULT_RUNNERS: tuple[Runner, ...] = (ask_model, run_actions, repair_reply, take_answer)


def _read(run: Run, message: Message) -> Reply:
    dialect = run.setup.dialect
    try:
        return dialect.read(message, run.toolbox.table)
    except Exception as error:
        words = f"The dialect {dialect.name!r} could not read a reply: {error_text(error)}."
        raise PluginError(words) from error


def _reminded(run: Run, problem: str) -> str:
    """Return a problem, the task's own reminder of the form in the place of the dialect's."""
    own = run.setup.repair_prompt
    if not own:
        return problem
    fault = problem.removesuffix(run.setup.dialect.reminder).rstrip()
    return f"{fault} {own}"


def _step(run: Run) -> Step:
    """Return what the next prompt is for."""
    if run.limit:
        return "answer"
    before = run.subtasks[-2] if len(run.subtasks) > 1 else None
    return "repair" if before is not None and before.repair else "act"


def _settled(run: Run, action: ToolAction) -> Steps[Ready | ToolAction]:
    """Return an action that is valid and permitted, or one that is answered by its error."""
    one = action if action.output is not None else prepare(action, run.toolbox)
    if isinstance(one, ToolAction):
        return one
    decision = run.setup.permissions.decide(one.spec)
    if run.setup.guards and (decision is None or decision.allowed):
        one = yield from _guarded(run, one)
        if isinstance(one, ToolAction):
            return one
    if decision is None:
        decision = yield from ask(Approve(one.action, one.spec))
    if decision.allowed:
        return one
    reason = decision.reason or f"{one.spec.native} was not allowed, and did not run."
    return one.action.with_output(ErrorArtifact(reason, code="denied"))


def _guarded(run: Run, one: Ready) -> Steps[Ready | ToolAction]:
    """Let the guards look at an action, which may take their time."""
    let_pass: Ready | ToolAction = yield from ask(Call(lambda: passed(one, run.setup.guards)))
    return let_pass


def _answered(
    settled: Sequence[Ready | ToolAction],
    outputs: Iterable[BaseArtifact],
    kept: Sequence[ToolAction],
) -> tuple[ToolAction, ...]:
    """Return all actions of a round with their outputs; those kept while they ran are reused."""
    coming = iter(outputs)
    actions = []
    for one, before in zip(settled, kept, strict=True):
        if isinstance(one, ToolAction):
            actions.append(one)
        else:
            output = next(coming)
            is_kept = before.output is output
            actions.append(before if is_kept else one.action.with_output(output))
    return tuple(actions)


def _close(run: Run, subtask: ActionsSubtask) -> None:
    """Finish a round of actions: what the model is to see of it, and whether it may go on."""
    if not run.setup.reflect_on_tool_use and not subtask.repair:
        run.finish(subtask)
        run.stop("actions", subtask.output)
        return
    texts = in_words(subtask.actions)
    times, each = 1, [1] * len(texts)
    if run.acted(subtask):  # answers that are refused have a limit of their own
        found = signatures(subtask.actions, texts)
        subtask.signature = tuple(sorted(found))
        run.streaks = {one: run.streaks.get(one, 0) + 1 for one in found}
        each = [run.streaks[one] for one in found]
        times = max(_times(run), min(each))
    reply = subtask.reply
    assert reply is not None
    seen = shown(subtask.actions, texts, run, subtask.number)
    for place, often in enumerate(each):
        if often > 1 or (times > 1 and place == len(each) - 1):
            seen[place] = noted(seen[place], max(often, times if often == 1 else 1))
    run.finish(subtask, run.setup.dialect.answer(reply, seen), repair=subtask.repair)
    _check_circles(run, times)


def _times(run: Run) -> int:
    """Return how often the last round, or a cycle that ends with it, came in a row."""
    most = (run.setup.limits.max_repeats + 1) * LONGEST_CYCLE
    last = run.subtasks[-most * 2 :]
    return times_repeated([one.signature for one in last if one.signature][-most:])


def _check_circles(run: Run, times: int) -> None:
    limits = run.setup.limits
    if times >= limits.max_repeats:
        reach(run, "max_repeats", f"the same actions, inputs and results {times} times")
    elif run.errors_in_row >= limits.max_consecutive_errors:
        why = str(run.subtasks[-1].actions[0].output)
        measure = f"{run.errors_in_row} rounds in a row in which every action failed"
        reach(run, "max_consecutive_errors", measure, why)


def _refuse_all(run: Run, subtask: ActionsSubtask) -> None:
    """Answer the actions of a reply that may not act any more, and close the round."""
    answer_rest(subtask)
    assert subtask.reply is not None
    run.finish(subtask, run.setup.dialect.answer(subtask.reply, subtask.actions))


def _let_stand(run: Run, subtask: ActionsSubtask, limit: str, measure: str) -> Steps[None]:
    """Let the words of a reply that cannot be read stand as the answer."""
    reply = subtask.reply
    assert reply is not None
    if reply.text.strip():
        run.limit, run.measure = limit, measure
        yield from settle(run, subtask, TextArtifact(reply.text.strip()))
    else:
        run.finish(subtask)
        stop_at(run, limit, measure, reply.problem or "")
