"""Read the functions and calls of the Berkeley Function-Calling Leaderboard as tools.

Its functions are described in a dialect of types that is no JSON Schema (`dict`, `float`, `any`,
`tuple`, `String` …), and its calls list the values that count as right for each argument, where
"" says that the argument may be left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agenthost.actions.toolbox import Toolbox
from agenthost_sdk import BaseTool, activity
from agenthost_sdk.actions import ToolAction, ToolSpec, native_name
from support.data_files import FUNCTIONS

Json = dict[str, Any]

#: The tool that the functions of a row are activities of.
TOOL = "Bfcl"

_TYPES = {
    "array": "array",
    "boolean": "boolean",
    "dict": "object",
    "float": "number",
    "integer": "integer",
    "string": "string",
    "tuple": "array",
}

#: What means the same in both.
_KEPT = ("default", "description", "enum", "format", "maximum")


@dataclass(frozen=True)
class Row:
    """A line of a file: functions, and the calls that answer its question."""

    id: str
    functions: list[Json]
    calls: list[tuple[str, Json]]

    def toolbox(self) -> Toolbox:
        """Return the functions as the activities of one tool."""
        methods = {f"function_{at}": _activity(one) for at, one in enumerate(self.functions)}
        kind = type(TOOL, (BaseTool,), methods)
        return Toolbox([kind()])

    def schemas(self) -> dict[str, Json]:
        """Return the input's JSON Schema of each function by its name."""
        return {one["name"]: input_schema(one["parameters"]) for one in self.functions}


def files() -> list[str]:
    """Return the names of the files; none where the folder is missing."""
    return [path.name for path in sorted(FUNCTIONS.glob("*.jsonl"))]


def rows(file: str) -> Iterator[Row]:
    """Yield the rows of a file."""
    for line in Path(FUNCTIONS / file).read_text("utf-8").splitlines():
        read = json.loads(line)
        calls = [call for step in read.get("ground_truth", ()) for call in step.items()]
        yield Row(read.get("id", read.get("name")), read.get("function", [read]), calls)


def action(function: str, given: Any) -> ToolAction:
    """Return an action that calls a function by its name."""
    return ToolAction("1", TOOL, _path(function), given)


def spec_of(function: str, toolbox: Toolbox) -> ToolSpec:
    """Return the spec of a function by its name."""
    return toolbox.find(action(function, {}))[0]


def input_schema(parameters: Json) -> Json:
    """Return the JSON Schema of a function's input; it takes what it names, and nothing else."""
    schema = json_schema(parameters)
    return {**schema, "properties": schema.get("properties", {}), "additionalProperties": False}


def json_schema(described: Json) -> Json:
    """Return a description in the dialect as a JSON Schema."""
    schema = {key: described[key] for key in _KEPT if key in described}
    kind = _TYPES.get(described.get("type", "").lower())  # "any", and once "", is any type
    if kind is not None:
        schema["type"] = kind
    if described.get("properties"):
        parts = described["properties"].items()
        schema["properties"] = {name: json_schema(part) for name, part in parts}
        schema["additionalProperties"] = False
    if described.get("required"):
        schema["required"] = described["required"]
    if "items" in described:
        schema["items"] = json_schema(described["items"])
    if kind == "array" and "enum" in schema:  # what it allows are the items
        schema["items"] = {**schema.get("items", {}), "enum": schema.pop("enum")}
    return schema


def fullest(call: Json) -> Json:
    """Return the input of a call with all arguments that have a value."""
    return {name: _plain(values) for name, values in call.items() if any(map(_is_value, values))}


def shortest(call: Json) -> Json:
    """Return the input of a call without what may be left out."""
    needed = {name: values for name, values in call.items() if "" not in values}
    return fullest(needed)


def _activity(function: Json) -> Any:
    # The method returns what it was given, so that a test sees what arrived.
    def given(self: BaseTool, /, **inputs: Any) -> Json:
        return inputs

    return activity(
        name=_path(function["name"]),
        description=function["description"],
        schema=input_schema(function["parameters"]),
    )(given)


def _path(function: str) -> str:
    """Return a function's name as a provider takes it behind the tool's."""
    return native_name(TOOL, function).removeprefix(f"{TOOL}_")


def _plain(allowed: list[Any]) -> Any:
    """Return the first value that is allowed."""
    return _chosen(next(filter(_is_value, allowed)))


def _chosen(value: Any) -> Any:
    """Return a value with one of those that are allowed for each key in it."""
    if isinstance(value, list):
        return [_chosen(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {key: _plain(allowed) for key, allowed in value.items() if any(map(_is_value, allowed))}


def _is_value(allowed: object) -> bool:
    return allowed != ""
