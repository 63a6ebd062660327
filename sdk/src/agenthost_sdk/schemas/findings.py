"""What a validator finds wrong, in one form for every validator."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol, TypeAlias

from agenthost_sdk.schemas.problems import Path

JsonSchema: TypeAlias = dict[str, Any]

#: What each of several alternatives found wrong.
Branches: TypeAlias = "tuple[tuple[Finding, ...], ...]"


@dataclass(frozen=True)
class Finding:
    """One broken keyword: where in the value, and the schema object that holds it."""

    path: Path
    keyword: str
    #: The schema object that the keyword stands in; empty where it cannot be told.
    schema: Mapping[str, Any]
    #: The part of the value at the path; the key itself, where the names of keys are judged.
    value: Any
    #: The validator's own words, for keywords that have none of ours.
    words: str
    #: Whether the name of a key is judged.
    is_key: bool = False
    #: For `anyOf` and `oneOf` where no alternative fits: tries each of them, when it is asked.
    tried: Callable[[], Branches] | None = field(default=None, compare=False)

    @cached_property
    def branches(self) -> Branches:
        """What each alternative found wrong; nothing where there are none, or too many to try."""
        return self.tried() if self.tried is not None else ()

    @property
    def limit(self) -> Any:
        """What the keyword says in the schema."""
        return self.schema.get(self.keyword)


class Engine(Protocol):
    """A schema, compiled by some validator; serves many threads."""

    def accepts(self, value: Any) -> bool:
        """Return whether the value is valid."""
        ...

    def findings(self, value: Any) -> Iterable[Finding]:
        """Yield what is wrong with the value."""
        ...


def step_into(value: Any, path: Iterable[str | int]) -> Any:
    """Return the part of a JSON value at a path, or None where the path leads nowhere."""
    for step in path:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return None
    return value
