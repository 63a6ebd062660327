"""Make inputs of a wrong type out of what an activity takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from agenthost_sdk.actions import ToolSpec

#: One value of each of JSON's types; half a number is no integer.
_VALUES: Mapping[str, Any] = {
    "object": {"not": "meant"},
    "array": [["not meant"]],
    "string": "not meant",
    "number": 0.5,
    "boolean": True,
    "null": None,
}

#: The keywords of a schema that ask for nothing.
_WORDS = frozenset(
    ("title", "description", "default", "example", "examples", "deprecated", "$comment")
)


def wrong_inputs(spec: ToolSpec) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each argument whose type is stated with an input in which its type is wrong."""
    right = dict(spec.examples[0].input) if spec.examples else {}
    for name, argument in spec.schema.get("properties", {}).items():
        stated = _types(argument)
        for kind, value in _VALUES.items():
            if stated and kind not in stated:
                yield name, {**right, name: value}


def is_untyped(argument: Any) -> bool:
    """Return whether an argument takes any JSON value, since its schema only describes it."""
    return argument is True or (isinstance(argument, dict) and _WORDS.issuperset(argument))


def _types(argument: Any) -> set[str]:
    """Return the types that an argument may have; none where the schema does not tell."""
    if not isinstance(argument, dict):
        return set()
    if "type" in argument:
        stated = argument["type"]
        return {stated} if isinstance(stated, str) else set(stated)
    branches = [_types(branch) for branch in argument.get("anyOf") or argument.get("oneOf") or ()]
    return set().union(*branches) if all(branches) else set()
