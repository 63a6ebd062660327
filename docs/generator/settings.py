"""The page of settings: each key, and an example of the file."""

from __future__ import annotations

from typing import Any

import agenthost.settings
from agenthost.settings import SETTINGS, Setting, Settings
from agenthost.tasks.limits import Limits
from generator.markdown import to_markdown

#: What each kind of setting takes, in words; a kind that is not here is not documented yet.
_TAKES = {
    "text": "a text",
    "texts": "a list of texts",
    "count": "a whole number from 1",
    "seconds": "seconds above 0",
}


def page() -> str:
    """Return the page."""
    parts = (
        "# Settings, one by one",
        "Where they are kept, what goes before what, and how to change them is told in"
        " [Settings](../settings.md). In a variable, a list is separated by commas.",
        "\n".join(map(_row, SETTINGS)),
        "## The file",
        _example(),
    )
    return "\n\n".join(parts) + "\n"


def _example() -> str:
    """Return the example of the file that the code's own description has."""
    _, _, example = to_markdown(agenthost.settings.__doc__ or "").partition("The file:")
    return example.strip()


def _row(setting: Setting) -> str:
    default = _default(setting)
    shown = str(default).removesuffix(".0")
    unset = "" if default in (None, []) else f", {shown} where it is not set"
    return (
        f"- `{setting.key}`: {setting.meaning}; {_TAKES[setting.kind]}{unset}."
        f" Variable: `{setting.variable}`"
    )


def _default(setting: Setting) -> Any:
    value = Settings().value(setting)
    if value is None and setting.attribute == "limits":
        return getattr(Limits(), setting.key.partition(".")[2])
    return value
