"""Say in one line what an option of a tool takes, and how it is set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def option_words(option: Mapping[str, Any]) -> str:
    """Return an option with its key in the settings, its type, its default and its meaning.

    Args:
        option: A row of the catalog, an `OptionEntry`.
    """
    needed = "needed" if option["required"] else f"default {option['default']!r}"
    key = f"option tools.{option['tool']}.{option['name']}"
    meaning = f"  {option['description']}" if option["description"] else ""
    return f"{key}  {option['type']}, {needed}{meaning}"
