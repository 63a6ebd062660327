"""Decide whether an answer may end the run: the schema first, then the output validators."""

from __future__ import annotations

from collections.abc import Mapping

from agenthost.requests import Check, Steps, ask
from agenthost.tasks.endings import stop_at
from agenthost.tasks.run import Run
from agenthost.tasks.subtasks import ActionsSubtask
from agenthost_sdk.actions import ToolAction
from agenthost_sdk.artifacts import BaseArtifact, ErrorArtifact, TextArtifact, to_artifact
from agenthost_sdk.errors import InvalidInput
from agenthost_sdk.json_text import UnreadableJson
from agenthost_sdk.messages import Message, note, text_message

#: What stands in place of the result of an action beside the final answer.
NOT_RUN = "This action was not run: the final answer was given in the same reply."


def settle(
    run: Run, subtask: ActionsSubtask, answer: BaseArtifact, by: str = "answer"
) -> Steps[None]:
    """End the run with an answer, or hand it back to the model.

    The output schema is asked first, then the output validators in their order. A round that is
    finished already (its actions ran, and somebody found the answer in their results) is not
    handed back: the loop simply goes on.

    Args:
        run: The run.
        subtask: The round that the answer belongs to.
        answer: The answer as it came.
        by: What `run.stopped_by` is to say.
    """
    if is_refusal(subtask) and not subtask.finished:
        refuse(run, subtask, answer)
        return
    fault, output = _conformed(run, subtask, answer)
    if not fault:
        output, fault = yield from _validated(run, output)
    if fault:
        _hand_back(run, subtask, fault)
        return
    if not subtask.finished:
        run.finish(subtask)
    cut = bool(subtask.reply and subtask.reply.cut)
    run.stop(run.limit or ("length" if cut and by == "answer" else by), output)


def take_output(run: Run, subtask: ActionsSubtask) -> Steps[None]:
    """Take the answer that a reply gives by calling the output tool, once one is accepted.

    Of several the first that is accepted counts, and what stands beside it is answered as not
    run. Where none is, each of these calls is answered by its faults, and the actions beside
    them run. One that could not be read is a refused answer too.
    """
    faults: dict[int, str] = {}
    for place in _output_calls(run, subtask):
        fault, output = _accepted(run, subtask.actions[place])
        if not fault:
            output, fault = yield from _validated(run, output)
        if not fault:
            _answer_refused(subtask, faults)
            _take(run, subtask, place, output)
            return
        faults[place] = fault
    if not faults:
        return
    _answer_refused(subtask, faults)
    if run.limit or _is_used_up(run):
        answer_rest(subtask)
        _replay(run, subtask)
        _stop_refused(run, "\n".join(faults.values()))
        return
    subtask.repair = "output"


def answer_rest(subtask: ActionsSubtask) -> None:
    """Answer the actions that are open as not run, since the run has reached its limit."""
    words = "This action was not run: the run has reached its limit."
    not_run = ErrorArtifact(words, code="limit")
    subtask.actions = tuple(
        one if one.output is not None else one.with_output(not_run) for one in subtask.actions
    )


def is_refusal(subtask: ActionsSubtask) -> bool:
    """Return whether the model refused to answer, as its provider says."""
    return subtask.message is not None and subtask.message.finish == "refusal"


def refuse(run: Run, subtask: ActionsSubtask, answer: BaseArtifact) -> None:
    """End the run: the model will not answer, and no repair of a form changes that.

    Its words are the output where any words will do, else an error that holds them.
    """
    run.finish(subtask)
    words = answer.to_text().strip() or "The model refused to answer, and gave no reason."
    is_free = run.setup.output is None and not run.setup.validators
    said = answer if is_free and answer.to_text().strip() else ErrorArtifact(words, code="refusal")
    run.stop("refusal", said)


def said_again(subtask: ActionsSubtask) -> tuple[Message, ...]:
    """Return the model's own words for the replay; an empty reply is left out of the history."""
    text = subtask.message.to_text() if subtask.message else ""
    return (text_message("assistant", text),) if text.strip() else ()


def handed_back(subtask: ActionsSubtask, fault: str) -> tuple[Message, ...]:
    """Return how a round is replayed whose answer was not accepted: the answer and its fault."""
    return (*said_again(subtask), note(not_accepted(fault)))


def not_accepted(fault: str) -> str:
    """Return the words by which the model is told that its answer was not accepted."""
    return f"This answer was not accepted. {fault}"


def _conformed(
    run: Run, subtask: ActionsSubtask, answer: BaseArtifact
) -> tuple[str, BaseArtifact]:
    """Return what is wrong with an answer under the output schema, and what it came to."""
    output = run.setup.output
    if output is None:
        return "", to_artifact(answer)
    if subtask.reply and subtask.reply.cut:
        return "It broke off at the limit of tokens. Write it again, shorter.", answer
    try:
        return "", output.read(answer)
    except (InvalidInput, UnreadableJson) as error:
        hint = f" Pass it to {output.tool.native}." if output.tool is not None else ""
        return f"{error}{hint}", answer


def _output_calls(run: Run, subtask: ActionsSubtask) -> list[int]:
    """Return the places of the calls of the output tool that are open, or could not be read."""
    tool = run.setup.output_tool
    if tool is None:
        return []
    called = enumerate(subtask.actions)
    return [n for n, one in called if one.name == tool.name and (one.failed or one.output is None)]


def _take(run: Run, subtask: ActionsSubtask, place: int, output: BaseArtifact) -> None:
    """End the run with the answer that the call at a place gave."""
    subtask.actions = tuple(
        one if one.output else one.with_output(_beside(n == place, output))
        for n, one in enumerate(subtask.actions)
    )
    _replay(run, subtask)
    run.stop(run.limit or "answer", output)


def _answer_refused(subtask: ActionsSubtask, faults: Mapping[int, str]) -> None:
    subtask.actions = tuple(
        one.with_output(ErrorArtifact(faults[n], code="invalid-output"))
        if n in faults and one.output is None
        else one
        for n, one in enumerate(subtask.actions)
    )


def _accepted(run: Run, action: ToolAction) -> tuple[str, BaseArtifact]:
    assert run.setup.output is not None
    if action.output is not None:
        return str(action.output), action.output
    try:
        return "", run.setup.output.accepted(dict(action.input))
    except InvalidInput as error:
        return str(error), TextArtifact("")


def _validated(run: Run, output: BaseArtifact) -> Steps[tuple[BaseArtifact, str]]:
    """Return what the output validators make of an answer, and the reason of one that refuses."""
    for validator in run.setup.validators:
        verdict = yield from ask(Check(validator, output))
        if not verdict.accepted:
            return output, verdict.reason
        output = output if verdict.output is None else to_artifact(verdict.output)
    return output, ""


def _hand_back(run: Run, subtask: ActionsSubtask, fault: str) -> None:
    if subtask.finished:
        return
    messages = handed_back(subtask, fault)
    if run.limit or _is_used_up(run):
        run.finish(subtask, messages)  # seen by the model where the run is resumed
        _stop_refused(run, fault)
        return
    run.finish(subtask, messages, repair="output")


def _is_used_up(run: Run) -> bool:
    return run.repairs("output") >= run.setup.limits.max_output_repairs


def _stop_refused(run: Run, fault: str) -> None:
    most = run.setup.limits.max_output_repairs
    if run.limit:
        stop_at(run, run.limit, run.measure, fault)
    else:
        stop_at(run, "max_output_repairs", f"{most} repairs of an answer", fault)


def _replay(run: Run, subtask: ActionsSubtask) -> None:
    assert subtask.reply is not None
    run.finish(subtask, run.setup.dialect.answer(subtask.reply, subtask.actions))


def _beside(is_answer: bool, output: BaseArtifact) -> BaseArtifact:
    return output if is_answer else ErrorArtifact(NOT_RUN, code="not-run")
