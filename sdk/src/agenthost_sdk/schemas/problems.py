"""Say what is wrong with a value, and where in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

Path: TypeAlias = tuple[str | int, ...]

#: The most problems that are told of one value; a reader mends the first and asks again.
MOST_PROBLEMS = 20


@dataclass(frozen=True)
class Problem:
    """One thing wrong with a value."""

    #: A JSON Pointer into the value; "" is the value itself.
    pointer: str
    #: The same place as keys and indices.
    path: Path
    #: The keyword of JSON Schema that was broken; "json" for what JSON cannot say, "parse" where
    #: the author's own type refused.
    keyword: str
    #: What was found and what is allowed, as a sentence.
    message: str

    def __str__(self) -> str:
        return f"{self.pointer}: {self.message}" if self.pointer else self.message


def problem_at(path: Path, keyword: str, message: str) -> Problem:
    """Return a problem whose pointer is made from its path."""
    return Problem(pointer_to(path), path, keyword, message)


def pointer_to(path: Iterable[str | int]) -> str:
    """Return a path as a JSON Pointer (RFC 6901)."""
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in path)


def in_order(problems: Iterable[Problem]) -> list[Problem]:
    """Return problems sorted by their places, without repetitions, and not too many of them."""
    unique = dict.fromkeys(problems)
    return sorted(unique, key=lambda problem: _sortable(problem.path))[:MOST_PROBLEMS]


def _sortable(path: Path) -> tuple[tuple[bool, int, str], ...]:
    return tuple((False, step, "") if isinstance(step, int) else (True, 0, step) for step in path)
