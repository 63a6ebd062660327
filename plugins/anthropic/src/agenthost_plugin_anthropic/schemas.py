"""Write schemas in the forms that the API takes: any tool's input, or what it guarantees."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from agenthost_plugin_anthropic.written import Json
from agenthost_sdk.schemas import provider_safe, to_strict

# What narrows a value and cannot be guaranteed, so that it is said in words. The format of a text
# is dropped by the strict form where it is not known.
_SAID = (
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "minItems",
    "maxItems",
    "uniqueItems",
)

# Of one request the API takes no more parts with alternatives than these in all.
_MOST_UNIONS = 16


def input_schema(schema: Mapping[str, Any]) -> Json:
    """Return the form of a schema that is taken for the input of any tool."""
    return provider_safe(dict(schema))


def guaranteed(schema: Mapping[str, Any]) -> Json | None:
    """Return the form of a schema that the API can hold a model to; None where it has none.

    Such are objects that take keys of any name, schemas that lead back to themselves, and those
    with too many alternatives. What the API cannot hold a model to is said in descriptions.
    """
    strict = to_strict(_in_words(provider_safe(dict(schema))))
    if strict is None or _leads_back(strict) or unions(strict) > _MOST_UNIONS:
        return None
    return strict


def are_too_many(schemas: list[Json]) -> bool:
    """Return whether the API cannot guarantee so many schemas in one request."""
    return sum(map(unions, schemas)) > _MOST_UNIONS


def unions(schema: Json) -> int:
    """Return how many parts of a schema have alternatives."""
    return sum("anyOf" in part or isinstance(part.get("type"), list) for part in _parts(schema))


def _parts(schema: Json) -> Iterator[Json]:
    """Yield a strict schema and all schemas in it."""
    yield schema
    for inner in _inner(schema):
        yield from _parts(inner)


def _inner(schema: Json) -> Iterator[Json]:
    yield from schema.get("anyOf", ())
    for key in ("properties", "$defs"):
        yield from schema.get(key, {}).values()
    if "items" in schema:
        yield schema["items"]


def _leads_back(schema: Json) -> bool:
    """Return whether a strict schema refers to itself, or a definition of it to itself."""
    definitions = schema.get("$defs", {})
    seen: dict[str, bool] = {}  # the name of a definition -> whether it is looked through

    def opens(part: Json) -> bool:
        return any(_is_open(one["$ref"]) for one in _parts(part) if "$ref" in one)

    def _is_open(reference: str) -> bool:
        name = reference.removeprefix("#/$defs/")
        if name not in definitions or not seen.get(name, True):
            return True
        if name not in seen:
            seen[name] = False
            if opens(definitions[name]):
                return True
            seen[name] = True
        return False

    return opens(schema)


def _in_words(schema: Any) -> Any:
    """Return a schema with what cannot be guaranteed moved into its descriptions."""
    if not isinstance(schema, dict):
        return schema
    kept = {key: held for key, held in schema.items() if not _is_said(key, held)}
    said = ", ".join(f"{key}: {held}" for key, held in schema.items() if key not in kept)
    for key in ("properties", "$defs", "definitions"):
        if key in kept:
            kept[key] = {name: _in_words(inner) for name, inner in kept[key].items()}
    for key in ("anyOf", "oneOf", "allOf"):
        if key in kept:
            kept[key] = [_in_words(inner) for inner in kept[key]]
    if "items" in kept:
        kept["items"] = _in_words(kept["items"])
    if said:
        kept["description"] = f"{kept.get('description', '')} ({said})".strip()
    return kept


def _is_said(key: str, held: Any) -> bool:
    return key in _SAID and not (key == "minItems" and held in (0, 1))
