"""Make an input that an activity accepts: that of its example, else one made from its schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agenthost_sdk.actions import ToolSpec

#: How deep a schema is followed; one that refers to itself has no end.
_DEPTH = 8

_TEXTS = {
    "date": "2026-01-31",
    "date-time": "2026-01-31T12:00:00+00:00",
    "time": "12:00:00+00:00",
    "email": "someone@example.org",
    "uri": "https://example.org",
    "uuid": "12345678-1234-5678-1234-567812345678",
}


def right_input(spec: ToolSpec) -> dict[str, Any]:
    """Return the input of the activity's first example; without one, what its schema requires."""
    if spec.examples:
        return dict(spec.examples[0].input)
    made = _value(spec.schema, spec.schema, _DEPTH)
    return made if isinstance(made, dict) else {}


def _value(schema: Any, root: Mapping[str, Any], depth: int) -> Any:
    """Return a value for a part of a schema; what it leaves open is a text."""
    schema = _resolved(schema, root)
    for keyword in ("const", "default"):
        if keyword in schema:
            return schema[keyword]
    for keyword in ("enum", "examples"):
        if schema.get(keyword):
            return schema[keyword][0]
    branches = schema.get("anyOf") or schema.get("oneOf") or schema.get("allOf")
    if branches and "type" not in schema:
        return _value(branches[0], root, depth - 1)
    return _typed(schema, root, depth)


def _typed(schema: Mapping[str, Any], root: Mapping[str, Any], depth: int) -> Any:
    stated = schema.get("type", "object" if "properties" in schema else "string")
    kind = stated if isinstance(stated, str) else stated[0]
    if kind == "object":
        return _object(schema, root, depth)
    if kind == "array":
        least = schema.get("minItems", 0) if depth > 0 else 0
        return [_value(schema.get("items", {}), root, depth - 1) for _ in range(least)]
    if kind in ("integer", "number"):
        return _number(schema)
    return {"boolean": True, "null": None}.get(kind, _text(schema))


def _object(schema: Mapping[str, Any], root: Mapping[str, Any], depth: int) -> dict[str, Any]:
    properties = schema.get("properties", {})
    required = schema.get("required", ()) if depth > 0 else ()
    return {name: _value(properties.get(name, {}), root, depth - 1) for name in required}


def _number(schema: Mapping[str, Any]) -> float:
    least = schema.get("minimum", schema.get("exclusiveMinimum", 0) + 1)
    most = schema.get("maximum", least)
    return least if least <= most else most  # type: ignore[no-any-return]


def _text(schema: Mapping[str, Any]) -> str:
    text = _TEXTS.get(schema.get("format", ""), "example")
    text = text.ljust(schema.get("minLength", 0), "x")
    return text[: schema.get("maxLength")]


def _resolved(schema: Any, root: Mapping[str, Any]) -> Mapping[str, Any]:
    """Follow the references within the schema, as far as they lead to one."""
    for _ in range(_DEPTH):
        if not isinstance(schema, Mapping) or "$ref" not in schema:
            break
        found: Any = root
        for step in str(schema["$ref"]).lstrip("#").strip("/").split("/"):
            found = found.get(step, {}) if isinstance(found, Mapping) else {}
        schema = found
    return schema if isinstance(schema, Mapping) else {}
