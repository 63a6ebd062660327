"""Keep a long run within its history's limit: summarise or drop its oldest rounds."""

from __future__ import annotations

import logging

from agenthost.memory.folding import folding_stack, rounds_to_fold, standing_message
from agenthost.memory.summaries import summary_in
from agenthost.requests import Count, Prompt, Steps, ask
from agenthost.tasks.run import Run
from agenthost.tasks.subtasks import ActionsSubtask
from agenthost_sdk.errors import DriverError

_log = logging.getLogger("agenthost")


def fold(run: Run) -> Steps[None]:
    """Fold the oldest rounds, once the run's rounds have more tokens than `max_history_tokens`.

    Rounds of which no summary can be had are dropped from the prompt; in `run.subtasks` they stay.
    """
    if run.setup.limits.max_history_tokens is None:
        return
    # What stands for the rounds takes room too, so that one time may not be enough.
    while number := (yield from _number_due(run)):
        waiting = _waiting(run)
        summary = ""
        if run.setup.folding == "summarise":
            summary = yield from _summary(run, waiting[:number])
        run.folded += number
        run.summary = summary
        run.standing = (standing_message(run.folded, summary),)
        run.standing_tokens = None


def _number_due(run: Run) -> Steps[int]:
    """Return how many of the oldest rounds are to be folded now."""
    limits = run.setup.limits
    assert limits.max_history_tokens is not None
    counts = yield from _counted(_waiting(run))
    before = yield from _standing_tokens(run)
    return rounds_to_fold(
        counts,
        limits.max_history_tokens,
        limits.keep_rounds,
        folding=run.setup.folding,
        before=before,
    )


def _waiting(run: Run) -> list[ActionsSubtask]:
    """Return the rounds that the model is still shown."""
    return [one for one in run.subtasks[run.folded :] if one.finished]


def _counted(rounds: list[ActionsSubtask]) -> Steps[list[int]]:
    """Return the tokens of rounds; each is counted once, since it does not change."""
    counts = []
    for one in rounds:
        if one.tokens is None:
            one.tokens = yield from ask(Count(one.messages))
        counts.append(one.tokens)
    return counts


def _standing_tokens(run: Run) -> Steps[int]:
    """Return the tokens of what stands for the rounds that were folded; counted once as well."""
    if run.standing_tokens is None:
        run.standing_tokens = yield from ask(Count(run.standing))
    return run.standing_tokens


def _summary(run: Run, rounds: list[ActionsSubtask]) -> Steps[str]:
    stack = folding_stack(run.input, [one.messages for one in rounds], run.summary)
    try:
        message = yield from ask(Prompt(stack, "summarise"))
    except DriverError as error:
        _log.warning("No summary of the oldest rounds could be had (%s); they are dropped.", error)
        return run.summary
    return summary_in(message) or run.summary
