"""Make the JSON Schema of an array of actions over a table of tools."""

from __future__ import annotations

import json
from typing import Any

from agenthost_sdk.actions import NativeNames, ToolSpec


def array_schema(table: NativeNames) -> str:
    """Return the schema as text: each item asks for one activity, by its name and path."""
    definitions: dict[str, Any] = {}
    branches = [_branch(spec, definitions) for spec in table.specs.values()]
    schema = {"type": "array", "minItems": 1, "items": {"anyOf": branches}}
    whole = {**schema, "$defs": definitions} if definitions else schema
    return json.dumps(whole, ensure_ascii=False, separators=(",", ":"))


def _branch(spec: ToolSpec, definitions: dict[str, Any]) -> dict[str, Any]:
    properties: dict[str, Any] = {"tag": {"type": "string"}, "name": {"const": spec.name}}
    if spec.path is not None:
        properties["path"] = {"const": spec.path}
    properties["input"] = _input(spec, definitions)
    return {
        "type": "object",
        "description": spec.description,
        "properties": properties,
        "required": [*properties],
        "additionalProperties": False,
    }


def _input(spec: ToolSpec, definitions: dict[str, Any]) -> dict[str, Any]:
    """Return the input's schema; one with references becomes a definition of the array's."""
    place = f"#/$defs/{spec.native}"
    moved: dict[str, Any] = _moved(dict(spec.schema), place)
    if moved == spec.schema:
        return moved
    definitions[spec.native] = moved
    return {"$ref": place}


def _moved(part: Any, place: str) -> Any:
    """Return a schema with its references leading to where it now stands."""
    if isinstance(part, list):
        return [_moved(item, place) for item in part]
    if not isinstance(part, dict):
        return part
    moved = {key: _moved(value, place) for key, value in part.items()}
    reference = moved.get("$ref")
    if isinstance(reference, str) and reference.startswith("#"):
        moved["$ref"] = place + reference[1:]
    return moved
