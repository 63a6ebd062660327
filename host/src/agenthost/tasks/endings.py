"""Bring a run to its end at a limit: a last turn without tools, or an error that says why."""

from __future__ import annotations

from agenthost.tasks.run import Run
from agenthost_sdk.artifacts import ErrorArtifact


def reach(run: Run, limit: str, measure: str, why: str = "") -> None:
    """Note that a limit was reached: the next reply is the last, or the run ends now.

    Args:
        run: The run.
        limit: The limit's name.
        measure: How far the run came, such as "20 rounds of actions".
        why: What was wrong last, where something was.
    """
    if run.limit or not run.setup.limits.last_turn:
        stop_at(run, limit, measure, why)
    else:
        run.limit, run.measure = limit, measure


def stop_at(run: Run, limit: str, measure: str, why: str = "") -> None:
    """End a run with an error that names its limit; what was done stays in its subtasks."""
    last = f" The last fault: {why.rstrip().removesuffix('.')}." if why else ""
    words = (
        f"The run stopped at its limit {limit}: {measure}.{last}"
        f" What was done is kept in its subtasks; `resume` with a higher {limit} lets it go on."
    )
    run.stop(limit, ErrorArtifact(words, code="limit"))


def check_budget(run: Run) -> None:
    """Reach the limit of time or tokens where one of them is used up before the next prompt."""
    limits = run.setup.limits
    if run.limit:  # the last turn is granted, whatever it takes
        return
    if limits.max_seconds is not None and run.seconds >= limits.max_seconds:
        reach(run, "max_seconds", f"{limits.max_seconds:g} seconds")
    elif limits.max_tokens is not None and run.usage.total_tokens >= limits.max_tokens:
        spent = f"{run.usage.total_tokens} tokens where {limits.max_tokens} are allowed"
        reach(run, "max_tokens", spent)
