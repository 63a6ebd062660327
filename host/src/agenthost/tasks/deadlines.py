"""Hold actions and prompts to the time that a run has left."""

from __future__ import annotations

from agenthost.tasks.limits import LAST_TURN_SECONDS
from agenthost.tasks.run import Run
from agenthost_sdk.errors import LimitError


def seconds_left(run: Run) -> float | None:
    """Return how long the next request may take; None where there is no limit of time."""
    most = run.setup.limits.max_seconds
    if most is None:
        return None
    if run.limit:
        return min(LAST_TURN_SECONDS, most)
    return max(0.0, most - run.seconds)


def out_of_time(run: Run) -> LimitError:
    """Return the error of a run whose model did not reply in time."""
    most = run.setup.limits.max_seconds
    return LimitError(
        f"The run stopped at its limit max_seconds: the model did not reply within {most:g}"
        " seconds in all. What was done is kept in its subtasks; `resume` with a higher"
        " max_seconds lets it go on.",
        limit="max_seconds",
    )
