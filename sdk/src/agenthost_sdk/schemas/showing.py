"""Show JSON values in messages: short, as JSON writes them, and named by JSON's types."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

#: JSON's types as they stand in a sentence.
ARTICLES = {
    "string": "a string",
    "integer": "an integer",
    "number": "a number",
    "boolean": "a boolean",
    "array": "an array",
    "object": "an object",
    "null": "null",
}

_KINDS = {
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    list: "array",
    dict: "object",
    type(None): "null",
}

_LONGEST = 60
_MOST = 20


def kind_of(value: Any) -> str:
    """Return the JSON type of a JSON value."""
    return next(name for kind, name in _KINDS.items() if isinstance(value, kind))


def shown(value: Any) -> str:
    """Return a value as JSON, cut where it is long."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def typed(value: Any) -> str:
    """Return a value and its JSON type as the beginning of a sentence."""
    return "It is null" if value is None else f"{shown(value)} is {ARTICLES[kind_of(value)]}"


def is_json_text(value: Any) -> bool:
    """Return whether a value is a text that holds a JSON object or array."""
    return isinstance(value, str) and value.strip()[:1] in ("{", "[") and _parses(value)


def joined(words: Iterable[str], by: str = "or") -> str:
    """Return words as "a, b or c"."""
    *first, last = list(words) or [""]
    return f"{', '.join(first)} {by} {last}" if first else last


def listed(values: Iterable[Any]) -> str:
    """Return values as JSON with commas; past twenty, say how many more there are."""
    texts = [shown(value) for value in values]
    rest = len(texts) - _MOST
    return ", ".join(texts[:_MOST]) + (f" and {rest} more" if rest > 0 else "")


def counted(number: Any, noun: str) -> str:
    """Return "1 item" or "2 items"."""
    plural = {"property": "properties"}.get(noun, f"{noun}s")
    return f"{number} {noun if number == 1 else plural}"


def _parses(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
