"""Join JSON Schemas: one of several must fit, or all of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, TypeAlias

from agenthost_sdk.schemas.findings import JsonSchema

Emitted: TypeAlias = JsonSchema | bool

#: Keywords whose meaning depends on certain others beside them.
_ENTANGLED = {
    "additionalProperties": {"properties", "patternProperties", "additionalProperties"},
    "items": {"prefixItems"},
}


def any_of(alternatives: Sequence[Emitted]) -> Emitted:
    """Return the schema that one of several must fit: values become an `enum`."""
    possible = [one for one in _distinct(alternatives) if one is not False]
    if not possible:
        return False
    if {} in possible or True in possible:
        return {}
    constants = [one for one in possible if _is_constant(one)]
    others = [one for one in possible if not _is_constant(one)]
    if len(constants) > 1 and len(constants) + len(_nulls(others)) == len(possible):
        constants, others = possible, []
    joined = [*others, _enumerated(constants)] if constants else others
    return joined[0] if len(joined) == 1 else {"anyOf": joined}


def all_of(parts: Sequence[Emitted]) -> Emitted:
    """Return the schema that all of several must fit, as one object where they go together."""
    needed = [one for one in _distinct(parts) if one not in ({}, True)]
    if False in needed:
        return False
    merged: JsonSchema = {}
    for part in needed:
        assert isinstance(part, dict)
        if not _goes_with(part, merged):
            return {"allOf": needed}
        merged.update(part)
    return merged


def _distinct(schemas: Sequence[Emitted]) -> list[Any]:
    """Return schemas without repetitions; as text, since in Python `True` equals 1."""
    return list({json.dumps(one, sort_keys=True): one for one in schemas}.values())


def _is_constant(schema: Any) -> bool:
    return set(schema) == {"const"}


def _nulls(schemas: Sequence[Any]) -> list[Any]:
    return [one for one in schemas if one == {"type": "null"}]


def _enumerated(constants: Sequence[Any]) -> JsonSchema:
    values = [one.get("const") for one in constants]
    if len(values) == 1:
        return {"const": values[0]}
    only_texts = all(isinstance(value, str) for value in values)
    return {"type": "string", "enum": values} if only_texts else {"enum": values}


def _goes_with(part: JsonSchema, merged: JsonSchema) -> bool:
    shared = any(merged[key] != part[key] for key in part if key in merged)
    return not (shared or _is_entangled(part, merged) or _is_entangled(merged, part))


def _is_entangled(one: JsonSchema, other: JsonSchema) -> bool:
    return any(key in one and bool(others & set(other)) for key, others in _ENTANGLED.items())
