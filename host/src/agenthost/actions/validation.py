"""Resolve an action and hold its input against the activity's schema: ready, or refused."""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from agenthost.actions.toolbox import Toolbox
from agenthost_sdk.actions import ToolAction, ToolSpec
from agenthost_sdk.errors import InvalidInput
from agenthost_sdk.guards import BaseActionGuard
from agenthost_sdk.schemas import Arguments, JsonSchema, Problem
from agenthost_sdk.tools import BaseTool, failure

#: How often the conversions are tried; each pass can uncover what stood inside a text.
_PASSES = 3

_CONVERTED = ("type", "anyOf", "oneOf", "enum", "const")


@dataclass(frozen=True)
class Ready:
    """An action that can run: its tool, its spec, and the input as the author's types have it."""

    action: ToolAction
    tool: BaseTool
    spec: ToolSpec
    arguments: Arguments
    #: Whether the activity is awaited.
    is_async: bool = False
    #: Who looks at what comes of it.
    guards: tuple[BaseActionGuard, ...] = ()


def prepare(action: ToolAction, toolbox: Toolbox) -> Ready | ToolAction:
    """Return the action ready to run, or answered by an `ErrorArtifact` that says what is wrong.

    Each action stands alone: what is wrong with one says nothing of its siblings.
    """
    try:
        spec, tool = toolbox.find(action)
        if action.path != spec.path or action.name != spec.name:
            action = replace(action, name=spec.name, path=spec.path)
        return validated(action, tool, spec)
    except (Exception, SystemExit) as error:  # the code of the author's types runs in it
        return action.with_output(failure(error))


def validated(action: ToolAction, tool: BaseTool, spec: ToolSpec) -> Ready:
    """Hold an action's input against its activity's schema and convert it.

    Raises:
        InvalidInput: The input is refused; its problems have JSON pointers.
    """
    path = action.path or ""
    taken = tool.inputs[path]
    value, repairs = conformed(action.input, taken)
    arguments = taken.parse(_own(value))
    if repairs:
        action = replace(action, input=value, repairs=(*action.repairs, *repairs))
    return Ready(action, tool, spec, arguments, tool.activities[path].is_async)


def _own(value: dict[str, Any]) -> dict[str, Any]:
    """Return a copy, since an activity may change what it is given."""
    for part in value.values():
        if isinstance(part, dict | list):
            return copy.deepcopy(value)
    return dict(value)


class Taken(Protocol):
    """What says which values it takes: an activity's `Input`, or the `Output` of an answer."""

    schema: JsonSchema

    def check(self, value: Any) -> list[Problem]:
        """Return what is wrong with a value."""


def conformed(value: Any, taken: Taken) -> tuple[dict[str, Any], list[str]]:
    """Return the input that the schema accepts, and what was set right to get there.

    Nothing counts as `{}`. Four conversions are safe, and only they are made, each where the
    value as it stands is refused: a null for an optional key that allows no null is left out;
    a number in a text is read where no text is allowed; so is an object or array as JSON text;
    an object under the one, unknown key of another is taken for it where it fits.

    Raises:
        InvalidInput: The input is refused all the same; the problems are those of what was given.
    """
    given = {} if value is None else value
    if not taken.check(given):
        return given, []
    current, repairs, problems = _converted(given, taken)
    if not problems:
        return current, repairs
    key = _wrapping_key(value, taken.schema)
    if key is not None:
        within, further, left = _converted(value[key], taken)
        if not left:
            return within, [f"/{key}: the object within taken as the whole input", *further]
    raise InvalidInput(problems)


def _converted(value: Any, taken: Taken) -> tuple[Any, list[str], list[Problem]]:
    """Return a copy of the value with what is safe set right, what that was, and what is left."""
    current = copy.deepcopy(value)
    repairs: list[str] = []
    problems = taken.check(current)
    for _ in range(_PASSES):
        done = [note for problem in problems if (note := _convert(problem, current, taken.schema))]
        if not done:
            break
        repairs += done
        problems = taken.check(current)
    return current, repairs, problems


def _wrapping_key(value: Any, schema: Mapping[str, Any]) -> str | None:
    """Return the one key of a value that the schema does not know, and that holds what it does."""
    if not isinstance(value, dict) or len(value) != 1:
        return None
    [(key, within)] = value.items()
    known = {name for found in _schemas_at(schema, ()) for name in _properties(found)}
    is_wrapping = key not in known and isinstance(within, dict) and not known.isdisjoint(within)
    return key if is_wrapping else None


def _convert(problem: Problem, value: Any, schema: Mapping[str, Any]) -> str | None:
    """Set one problem right in place, and return words for it; None where it cannot be."""
    if problem.keyword not in _CONVERTED or not problem.path:
        return None
    parent, key = _inside(value, problem.path[:-1]), problem.path[-1]
    if isinstance(key, str) and key not in parent:
        return None  # an earlier problem of the same place was set right by leaving it out
    found = parent[key]
    allowed = _types_at(schema, problem.path)
    if found is None and _is_optional(schema, problem.path) and "null" not in allowed:
        del parent[key]
        return f"{problem.pointer}: null left out"
    if not isinstance(found, str) or not allowed or "string" in allowed:
        return None
    read = _read(found, allowed)
    if read is _UNREAD:
        return None
    parent[key] = read
    return f"{problem.pointer}: {found!r} read as {json.dumps(read)}"


_UNREAD: Any = object()

_JSON_TYPES: dict[type, tuple[str, ...]] = {
    int: ("integer", "number"),
    float: ("number",),
    dict: ("object",),
    list: ("array",),
}


def _read(text: str, allowed: set[str]) -> Any:
    try:
        read = json.loads(text, parse_constant=_refuse_constant, parse_float=_finite)
    except (ValueError, RecursionError):
        return _UNREAD
    kinds = _JSON_TYPES.get(type(read), ())
    if isinstance(read, float) and read.is_integer():
        kinds = _JSON_TYPES[int]  # as JSON Schema has it
    return read if not allowed.isdisjoint(kinds) else _UNREAD


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


def _refuse_constant(word: str) -> Any:
    raise ValueError(word)


def _inside(value: Any, path: tuple[str | int, ...]) -> Any:
    for step in path:
        value = value[step]
    return value


def _is_optional(schema: Mapping[str, Any], path: tuple[str | int, ...]) -> bool:
    """Return whether the last step of the path is a key that may be left out."""
    if not isinstance(path[-1], str):
        return False
    parents = _schemas_at(schema, path[:-1])
    named = any(path[-1] in _properties(parent) for parent in parents)
    return named and all(path[-1] not in parent.get("required", ()) for parent in parents)


def _properties(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    properties = schema.get("properties")
    return properties if isinstance(properties, Mapping) else {}


def _types_at(schema: Mapping[str, Any], path: tuple[str | int, ...]) -> set[str]:
    """Return the JSON types that the schema has for the place; empty where it has no word."""
    return {kind for found in _schemas_at(schema, path) for kind in _types(found)}


def _types(schema: Mapping[str, Any]) -> set[str]:
    stated = schema.get("type")
    if isinstance(stated, str):
        return {stated}
    if isinstance(stated, list):
        return set(stated)
    values = schema["enum"] if "enum" in schema else [schema["const"]] if "const" in schema else []
    return {_type_of(value) for value in values}


def _type_of(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, str):
        return "string"
    return _JSON_TYPES.get(type(value), ("number",))[0]


def _schemas_at(root: Mapping[str, Any], path: tuple[str | int, ...]) -> list[Mapping[str, Any]]:
    """Return the schemas that speak of the place: references and alternatives followed."""
    found = _with_branches(root, [root])
    for step in path:
        found = _with_branches(root, [_below(schema, step) for schema in found])
    return found


def _with_branches(root: Mapping[str, Any], schemas: Iterable[Any]) -> list[Mapping[str, Any]]:
    """Return the schemas with those they lead to, each once, since a reference may go round."""
    waiting, found = list(schemas), dict[int, Mapping[str, Any]]()
    while waiting:
        schema = waiting.pop()
        if isinstance(schema, Mapping) and id(schema) not in found:
            found[id(schema)] = schema
            waiting += _branches(root, schema)
    return list(found.values())


def _below(schema: Mapping[str, Any], step: str | int) -> Any:
    if isinstance(step, str):
        return _properties(schema).get(step, schema.get("additionalProperties"))
    prefix = schema.get("prefixItems") or []
    return prefix[step] if step < len(prefix) else schema.get("items")


def _branches(root: Mapping[str, Any], schema: Mapping[str, Any]) -> Iterator[Any]:
    for keyword in ("anyOf", "oneOf", "allOf"):
        yield from schema.get(keyword) or ()
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.startswith("#"):
        yield _referenced(root, reference)


def _referenced(root: Mapping[str, Any], reference: str) -> Any:
    found: Any = root
    for step in reference.lstrip("#").strip("/").split("/"):
        name = step.replace("~1", "/").replace("~0", "~")
        if name:
            found = found.get(name) if isinstance(found, Mapping) else None
    return found
