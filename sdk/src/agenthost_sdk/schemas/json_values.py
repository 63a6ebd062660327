"""Find what JSON cannot say in a Python value, before any validator sees it."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from math import isfinite
from typing import Any

from agenthost_sdk.schemas.problems import Path, Problem, problem_at

#: Deeper values are refused: validators and parsers recurse, and a native stack has an end.
MOST_LEVELS = 200

#: Above this, Python refuses to write an integer as text (`sys.set_int_max_str_digits`).
_MOST_BITS = 14_000

_WORD = 2**63


def foreign(value: Any) -> list[Problem]:
    """Return a problem for each part of the value that is not JSON."""
    problems: list[Problem] = []
    waiting: list[tuple[Any, Path]] = [(value, ())]
    while waiting:
        found, path = waiting.pop()
        if len(path) > MOST_LEVELS:
            return [problem_at((), "json", f"It is nested deeper than {MOST_LEVELS} levels.")]
        if isinstance(found, dict):
            parts = _entries(found, path, problems)
        elif isinstance(found, list):
            parts = list(enumerate(found))
        else:
            problems += _odd(found, path)
            continue
        for step, part in parts:
            # Nearly every part is a short plain value: a glance, without a call, settles those.
            kind = type(part)
            if (
                part is None
                or kind is bool
                or (kind is str and part.isascii())
                or (kind is int and -_WORD < part < _WORD)
                or (kind is float and isfinite(part))
            ):
                continue
            waiting.append((part, (*path, step)))
    return problems


def _entries(found: dict[Any, Any], path: Path, problems: list[Problem]) -> list[tuple[Any, Any]]:
    """Return a dict's items; keys that JSON cannot have are left out and told of."""
    if set(map(type, found)) <= {str} and "".join(found).isascii():
        return list(found.items())
    problems += _odd_keys(found, path)
    return [(key, part) for key, part in found.items() if isinstance(key, str)]


def _odd_keys(found: dict[Any, Any], path: Path) -> Iterator[Problem]:
    for key in found:
        if not isinstance(key, str):
            message = f"The key {_shown(key)} is no text; the keys of JSON are texts."
            yield problem_at(path, "json", message)
        elif _has_surrogate(key):
            message = f"The key {key!r} has half a character in it (a lone surrogate)."
            yield problem_at(path, "json", message)


def _odd(found: Any, path: Path) -> Iterator[Problem]:
    fault = _fault(found)
    if fault:
        yield problem_at(path, "json", fault)


def _fault(found: Any) -> str:
    """Return words for a value that is not JSON, "" for one that is."""
    if isinstance(found, Enum) or not isinstance(found, str | int | float | None):
        return f"{_shown(found)} is a Python {type(found).__name__}, which JSON cannot say."
    if isinstance(found, str) and _has_surrogate(found):
        return "The text has half a character in it (a lone surrogate)."
    if isinstance(found, float) and not isfinite(found):
        return f"{found} is no number in JSON; a finite one is needed."
    if isinstance(found, int) and found.bit_length() > _MOST_BITS:
        return "The number has too many digits."
    return ""


def _has_surrogate(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def _shown(found: Any) -> str:
    try:
        text = repr(found)
    except Exception:  # a foreign __repr__ may raise anything
        return "The value"
    return text if len(text) <= 60 else f"{text[:57]}..."
