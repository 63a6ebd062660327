"""The limits of a run, each named in the error that it leads to."""

from __future__ import annotations

from dataclasses import dataclass, fields

from agenthost_sdk.errors import SettingsError


@dataclass(frozen=True)
class Limits:
    """How far a run may go. Each is a whole number of at least 1.

    Args:
        max_subtasks: Rounds of actions.
        max_reply_repairs: Replies without actions and answer that are handed back.
        max_output_repairs: Answers that an output validator refuses and that are handed back.
    """

    max_subtasks: int = 20
    max_reply_repairs: int = 3
    max_output_repairs: int = 3

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                raise SettingsError(
                    f"{field.name} is {value!r}; it must be a whole number, 1 or more."
                )
