"""Read an action's input from the JSON text that a model wrote."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from agenthost_sdk.actions import ToolAction
from agenthost_sdk.artifacts import ErrorArtifact

#: How much of an unreadable input the model is shown again.
_SHOWN = 200


def read_input(action: ToolAction, text: str) -> ToolAction:
    """Return the action with its input; one that is no JSON object bears an `ErrorArtifact`.

    No text at all, and `null`, count as `{}`. An object that was encoded twice is decoded twice,
    and that is recorded. Nothing else is guessed: what cannot be read whole is not run.
    """
    if not text.strip():
        return action
    try:
        value = _loads(text)
        decoded = _decoded(value) if isinstance(value, str) else value
    except (ValueError, RecursionError) as error:
        return unread(action, text, _words(error))
    if decoded is None:
        return action
    if not isinstance(decoded, dict):
        return unread(action, text, f"it is {_kind(decoded)}")
    repairs = ("input was encoded twice",) if isinstance(value, str) else ()
    return replace(action, input=decoded, repairs=(*action.repairs, *repairs))


def unread(action: ToolAction, text: str, why: str = "it broke off") -> ToolAction:
    """Return the action answered: its input could not be read whole, so it was not run."""
    shown = text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
    return action.with_output(
        ErrorArtifact(
            f"{action.native} was not run. Its input must be one JSON object, but {why}."
            f" What came: {shown}",
            code="invalid-json",
        )
    )


def _decoded(text: str) -> Any:
    """Return what a text within the JSON holds; one that holds no JSON stays a text."""
    try:
        return _loads(text)
    except json.JSONDecodeError:
        return text


def _loads(text: str) -> Any:
    return json.loads(text, strict=False, parse_constant=_refuse)


def _refuse(word: str) -> Any:
    raise ValueError(f"{word} is no JSON value")


def _words(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"it is not valid JSON: {error.msg} at line {error.lineno}, column {error.colno}"
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    return str(error)


def _kind(value: Any) -> str:
    names = {list: "an array", str: "a string", bool: "a boolean", int: "a number"}
    return names.get(type(value), "a number")
