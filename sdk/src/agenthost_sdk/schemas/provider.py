"""Bring a schema into the form that providers take for a tool's input or an answer."""

from __future__ import annotations

from typing import Any

from agenthost_sdk.schemas.findings import JsonSchema, step_into
from agenthost_sdk.schemas.folding import folded, needs_folding
from agenthost_sdk.schemas.problems import Path
from agenthost_sdk.schemas.references import References, mapped, without_identity

#: The key that holds a value whose schema is not one of an object.
VALUE = "value"


def provider_safe(schema: JsonSchema) -> JsonSchema:
    """Return the form of a schema that every provider takes: an object at the root.

    `$id` and `$schema` go, references lead to the same places without them, definitions stay. A
    combination at the root (`anyOf`, `oneOf`, `allOf`, `enum`, `not`), which providers refuse,
    becomes one object with the keys of all its parts and words in its description; the value
    itself is to be held against the true schema. What is no object is put under `value` (see
    `is_wrapped` and `unwrapped`).
    """
    local = without_identity(schema)
    if is_wrapped(schema):
        return _wrapped(local)
    return folded(local) if needs_folding(local) else local


def is_wrapped(schema: JsonSchema) -> bool:
    """Return whether `provider_safe` puts a value of this schema under the key `value`."""
    return not _is_object(schema, References(schema), ())


def unwrapped(schema: JsonSchema, value: Any) -> Any:
    """Return the value that a provider's answer in the safe form of a schema holds."""
    held = isinstance(value, dict) and set(value) == {VALUE} and is_wrapped(schema)
    return value[VALUE] if held else value


def _is_object(schema: Any, finder: References, seen: Path) -> bool:
    """Return whether only objects fit a schema, as far as its root says so."""
    if not isinstance(schema, dict):
        return False
    if "type" in schema:
        return schema["type"] in ("object", ["object"])
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference not in seen:
        target = finder.target((), reference)
        found = step_into(finder.schema, target) if target is not None else None
        return _is_object(found, finder, (*seen, reference))
    if "properties" in schema or any(
        _is_object(part, finder, seen) for part in schema.get("allOf", ())
    ):
        return True
    choices = [schema[keyword] for keyword in ("anyOf", "oneOf") if keyword in schema]
    values = schema.get("enum") or [schema.get("const")]
    return any(all(_is_object(part, finder, seen) for part in parts) for parts in choices) or all(
        isinstance(value, dict) for value in values
    )


def _wrapped(schema: JsonSchema) -> JsonSchema:
    """Return an object that holds the value; definitions stay where references find them."""
    definitions: list[str] = [key for key in ("$defs", "definitions") if key in schema]

    def moved(part: JsonSchema, path: Path) -> JsonSchema:  # noqa: ARG001 - as `mapped` calls it
        reference = part.get("$ref")
        if not isinstance(reference, str) or _leads_to(reference, definitions):
            return part
        return {**part, "$ref": f"#/properties/{VALUE}{reference.removeprefix('#')}"}

    inner = mapped(schema, moved)
    hoisted = {key: inner.pop(key) for key in definitions}
    return {
        "type": "object",
        "properties": {VALUE: inner},
        "required": [VALUE],
        "additionalProperties": False,
        **hoisted,
    }


def _leads_to(reference: str, definitions: list[str]) -> bool:
    return reference.startswith(tuple(f"#/{key}/" for key in definitions)) or reference[:1] != "#"
