"""Read an action's input from the JSON text that a model wrote."""

from __future__ import annotations

from agenthost_sdk.actions import ToolAction
from agenthost_sdk.artifacts import ErrorArtifact
from agenthost_sdk.json_text import UnreadableJson, read_json

#: How much of an unreadable input the model is shown again.
_SHOWN = 200


def read_input(action: ToolAction, text: str) -> ToolAction:
    """Return the action with its input; one that is no JSON object bears an `ErrorArtifact`.

    No text at all, and `null`, count as `{}`. What was repaired to read the input is recorded on
    the action. Nothing is completed: what cannot be read whole is not run.
    """
    if not text.strip():
        return action
    try:
        read = read_json(text, "object")
    except UnreadableJson as error:
        if error.reason == "wrong-kind" and _is_null(text):
            return action
        return _unread(action, text, f"Its input must be one JSON object. {error}")
    repairs = (*action.repairs, *read.repairs)
    return ToolAction(action.tag, action.name, action.path, read.value, action.output, repairs)


def unread(action: ToolAction, text: str, why: str = "it broke off") -> ToolAction:
    """Return the action answered: its input could not be read whole, so it was not run."""
    return _unread(action, text, f"Its input must be one JSON object, but {why}.")


def _is_null(text: str) -> bool:
    return text.strip().strip("\"'`").lower() in ("null", "none")


def _unread(action: ToolAction, text: str, words: str) -> ToolAction:
    said = f"{action.native} was not run. {words} What came: {_shown(text)}"
    return action.with_output(ErrorArtifact(said, code="invalid-json"))


def _shown(text: str) -> str:
    if len(text) <= _SHOWN:
        return text
    return f"{text[:_SHOWN]}… ({len(text):,} characters in all)"
