"""Say what a provider refuses in the JSON Schema of a tool or of an answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]

#: What a strict schema of OpenAI may not say.
NOT_IN_STRICT = frozenset(
    ("allOf", "oneOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas")
)

#: Keys whose values are data, and no schemas.
_DATA = frozenset(("enum", "const", "default", "examples", "required"))
#: Keys whose values are schemas by name: a name in there is no keyword.
_NAMED = frozenset(("properties", "patternProperties", "$defs", "definitions"))


def open_objects(schema: Any, where: str) -> Iterator[str]:
    """Yield where an object of the schema may hold more than its properties."""
    for place, part in _parts(schema, where):
        if _is_object(part) and part.get("additionalProperties") is not False:
            yield f"{place}: a strict schema needs additionalProperties: false"


def optional_properties(schema: Any, where: str) -> Iterator[str]:
    """Yield which properties of the schema's objects may be absent."""
    for place, part in _parts(schema, where):
        if optional := part.get("properties", {}).keys() - set(part.get("required", ())):
            yield f"{place}: a strict schema requires every property, so {sorted(optional)} too"


def forbidden_keywords(schema: Any, where: str, forbidden: frozenset[str]) -> Iterator[str]:
    """Yield where the schema uses what it may not."""
    for place, part in _parts(schema, where):
        if found := forbidden & part.keys():
            yield f"{place}: a strict schema has no {sorted(found)}"


def _is_object(part: Json) -> bool:
    kinds = part.get("type")
    return kinds == "object" or "properties" in part or (kinds == ["object", "null"])


def _parts(schema: Any, where: str) -> Iterator[tuple[str, Json]]:
    """Yield each schema within a schema, itself among them, and where it stands."""
    if isinstance(schema, list):
        for number, item in enumerate(schema):
            yield from _parts(item, f"{where}[{number}]")
    if not isinstance(schema, dict):
        return
    yield where, schema
    for key, value in schema.items():
        if key in _NAMED and isinstance(value, dict):
            for name, part in value.items():
                yield from _parts(part, f"{where}.{key}.{name}")
        elif key not in _DATA:
            yield from _parts(value, f"{where}.{key}")
