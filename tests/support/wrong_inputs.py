"""Make right inputs of a tool wrong in ten ways, each with the place where it is then wrong.

Places and rules are read from the schema alone, and none of our code is asked. The schemas are
plain: a type, properties, items, an enum; no references and no alternatives.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

Json = dict[str, Any]
Steps: TypeAlias = tuple[str | int, ...]

#: Yields what a part of an input becomes, and the steps from there to what is wrong.
Change: TypeAlias = Callable[[Json, Any], Iterator[tuple[Any, Steps]]]


@dataclass(frozen=True)
class WrongInput:
    """An input that is to be refused."""

    #: What was done to it, a key of `CHANGES`.
    kind: str
    input: Any
    #: The JSON Pointer of what is wrong in it.
    pointer: str


def wrong_inputs(schema: Json, right: Json) -> Iterator[WrongInput]:
    """Yield what an input becomes when it is made wrong in one place."""
    for steps, part_schema, part in _parts(schema, right, ()):
        for kind, change in CHANGES.items():
            for changed, below in change(part_schema, part):
                yield WrongInput(kind, _with(right, steps, changed), _pointer((*steps, *below)))


def _parts(schema: Json, value: Any, steps: Steps) -> Iterator[tuple[Steps, Json, Any]]:
    """Yield each part of a value with the schema that it is held against, the whole first."""
    yield steps, schema, value
    if isinstance(value, dict):
        for name, part in value.items():
            if name in schema.get("properties", {}):
                yield from _parts(schema["properties"][name], part, (*steps, name))
    if isinstance(value, list) and "items" in schema:
        for at, item in enumerate(value):
            yield from _parts(schema["items"], item, (*steps, at))


def _without_a_key(schema: Json, value: Any) -> Iterator[tuple[Any, Steps]]:
    for name in _required(schema, value):
        yield {key: part for key, part in value.items() if key != name}, ()


def _with_another_key(schema: Json, value: Any) -> Iterator[tuple[Any, Steps]]:
    if _is_closed(schema, value):
        yield {**value, "nothing_of_that_name": 1}, ()


def _with_a_misspelt_key(schema: Json, value: Any) -> Iterator[tuple[Any, Steps]]:
    if _is_closed(schema, value):
        for name in value:
            yield {f"{key}z" if key == name else key: part for key, part in value.items()}, ()


def _of_another_type(schema: Json, value: Any) -> Iterator[tuple[Any, Steps]]:
    # A number in a text would be read as one, which is right.
    others = {
        "string": 7,
        "integer": "seven",
        "number": "seven",
        "boolean": "perhaps",
        "array": {"first": 1},
    }
    kind = schema.get("type")
    if kind in others:
        yield others[kind], ()


def _null_for_a_required_key(schema: Json, value: Any) -> Iterator[tuple[Any, Steps]]:
    for name in _required(schema, value):
        if "type" in schema.get("properties", {}).get(name, {}):
            yield {**value, name: None}, (name,)


def _out_of_the_enum(schema: Json, value: Any) -> Iterator[tuple[Any, Steps]]:
    if "enum" in schema:
        is_text = schema.get("type") == "string"
        yield "none of these" if is_text else 987_654_321, ()


def _with_a_fraction(schema: Json, value: Any) -> Iterator[tuple[Any, Steps]]:
    if schema.get("type") == "integer":
        yield value + 0.5, ()


def _boolean_for_a_number(schema: Json, value: Any) -> Iterator[tuple[Any, Steps]]:
    if schema.get("type") in ("integer", "number"):
        yield True, ()


def _in_a_list(schema: Json, value: Any) -> Iterator[tuple[Any, Steps]]:
    if schema.get("type") in ("string", "integer", "number", "boolean"):
        yield [value], ()


def _with_a_wrong_item(schema: Json, value: Any) -> Iterator[tuple[Any, Steps]]:
    if isinstance(value, list) and "type" in schema.get("items", {}):
        wrong = 7 if schema["items"]["type"] in ("string", "array", "object") else "seven"
        yield [*value, wrong], (len(value),)


CHANGES: dict[str, Change] = {
    "a key is missing": _without_a_key,
    "a key is unknown": _with_another_key,
    "a key is misspelt": _with_a_misspelt_key,
    "another type": _of_another_type,
    "null for a required key": _null_for_a_required_key,
    "out of the enum": _out_of_the_enum,
    "a fraction for an integer": _with_a_fraction,
    "a boolean for a number": _boolean_for_a_number,
    "a value in a list": _in_a_list,
    "a wrong item in a list": _with_a_wrong_item,
}


def _required(schema: Json, value: Any) -> Iterator[str]:
    """Yield the keys of a value that may not be left out."""
    if isinstance(value, dict):
        yield from (name for name in schema.get("required", ()) if name in value)


def _is_closed(schema: Json, value: Any) -> bool:
    return isinstance(value, dict) and schema.get("additionalProperties") is False


def _with(whole: Any, steps: Steps, part: Any) -> Any:
    """Return a copy of a value with another part in a place."""
    if not steps:
        return part
    changed = copy.deepcopy(whole)
    holder = changed
    for step in steps[:-1]:
        holder = holder[step]
    holder[steps[-1]] = part
    return changed


def _pointer(steps: Steps) -> str:
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)
