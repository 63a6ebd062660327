"""The limits of a run, each its own, and each named in the error that it leads to."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any

from agenthost_sdk.errors import SettingsError

#: The most seconds that the last turn of a run may take whose time has run out.
LAST_TURN_SECONDS = 30.0


@dataclass(frozen=True)
class Limits:
    """How far a run may go. Zero and less are refused, and None where it is not the default.

    Where a run reaches `max_subtasks`, `max_consecutive_errors`, `max_repeats`, `max_seconds` or
    `max_tokens`, the model gets one last turn without tools, to answer from what it has.
    `run.stopped_by` names the limit, whether or not an answer came of it.

    Args:
        max_subtasks: Rounds of actions; replies that were handed back for their form count too.
        max_reply_repairs: Replies with neither a readable action nor an answer that are handed
            back; the text of the next one stands as the answer.
        max_output_repairs: Answers that the output schema or an output validator refuses and
            that are handed back.
        max_consecutive_errors: Rounds in a row in which every action failed.
        max_repeats: How often in a row the actions of a round may come to the same results on
            the same inputs, or a cycle of up to six rounds may go round. The model is told of
            each such action at its second time; beside others that get on it may go on.
        max_seconds: Time in all. A tool or a model that takes longer is not waited for.
        max_tokens: Tokens in all, as far as the provider reports them.
        max_output_chars: Characters of one result that the model is shown; it can read the rest
            with `agenthost_read_result`.
        max_history_tokens: Tokens of the run's own rounds; past them the oldest are folded.
        keep_rounds: How many of the last rounds are never folded.
        last_turn: Whether the model gets the last turn.
    """

    max_subtasks: int = 20
    max_reply_repairs: int = 3
    max_output_repairs: int = 3
    max_consecutive_errors: int = 5
    max_repeats: int = 3
    max_seconds: float | None = None
    max_tokens: int | None = None
    max_output_chars: int = 20_000
    max_history_tokens: int | None = None
    keep_rounds: int = 2
    last_turn: bool = True

    def __post_init__(self) -> None:
        for field in fields(self):
            if fault := _fault(field.name, getattr(self, field.name), field.default):
                raise SettingsError(fault)


def _fault(name: str, value: Any, default: Any) -> str:
    """Return what is wrong with a limit's value; "" where nothing is."""
    if name == "last_turn":
        return "" if isinstance(value, bool) else f"{name} is {value!r}; it must be true or false."
    if value is None and default is None:
        return ""
    if name == "max_seconds":
        needed, fits = "a number of seconds above 0", _is_positive(value)
    else:
        least = _LEAST.get(name, 1)
        needed = f"a whole number, {least} or more"
        fits = isinstance(value, int) and not isinstance(value, bool) and value >= least
    return "" if fits else f"{name} is {value!r}; it must be {needed}."


#: Limits of which 1 makes no sense: one time is no repetition, and a note needs its room.
_LEAST = {"max_repeats": 2, "max_output_chars": 100}


def _is_positive(value: Any) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and math.isfinite(value) and value > 0
