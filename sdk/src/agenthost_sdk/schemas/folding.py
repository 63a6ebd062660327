"""Fold a combination at the root of a schema into one object that takes at least as much."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from agenthost_sdk.schemas.findings import JsonSchema, step_into
from agenthost_sdk.schemas.merging import all_of, any_of
from agenthost_sdk.schemas.references import References
from agenthost_sdk.schemas.showing import joined, shown

_CHOICES = ("anyOf", "oneOf")
_FOLDED = ("$ref", "allOf", *_CHOICES, "not", "enum", "const")


def needs_folding(schema: JsonSchema) -> bool:
    """Return whether the root of an object's schema has what providers refuse there."""
    return schema.get("type") != "object" or any(keyword in schema for keyword in _FOLDED)


def folded(schema: JsonSchema) -> JsonSchema:
    """Return one plain object in place of a combination of objects: with the keys of all of them.

    What it can no longer say stands in its description.
    """
    return _fold(schema, References(schema), frozenset())


def _fold(schema: JsonSchema, finder: References, seen: frozenset[str]) -> JsonSchema:
    base = {key: held for key, held in schema.items() if key not in _FOLDED}
    made = {**base, "type": "object", "properties": dict(schema.get("properties", {}))}
    for part in _parts(schema, finder, seen):
        _add(made, part)
    for keyword in _CHOICES:
        ways = [
            _fold(one, finder, seen) for one in schema.get(keyword, ()) if isinstance(one, dict)
        ]
        if ways:
            _add(made, _either(ways))
            _tell(made, _choice_words(ways, exactly=keyword == "oneOf"))
    for words in _told(schema):
        _tell(made, words)
    return made


def _parts(schema: JsonSchema, finder: References, seen: frozenset[str]) -> Iterator[JsonSchema]:
    """Yield, folded, what must fit as well: the target of `$ref`, the parts of `allOf`."""
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference not in seen:
        target = finder.target((), reference)
        found = step_into(finder.schema, target) if target is not None else None
        if isinstance(found, dict):
            yield _fold(found, finder, seen | {reference})
    for part in schema.get("allOf", ()):
        if isinstance(part, dict):
            yield _fold(part, finder, seen)


def _add(made: JsonSchema, part: JsonSchema) -> None:
    """Add what must fit as well to an object's schema."""
    properties = made["properties"]
    for name, held in part["properties"].items():
        properties[name] = all_of([properties[name], held]) if name in properties else held
    required = dict.fromkeys((*made.get("required", ()), *part.get("required", ())))
    if required:
        made["required"] = list(required)
    if part.get("additionalProperties") is False:
        made["additionalProperties"] = False
    for keyword, held in part.items():
        if keyword not in ("$defs", "definitions"):
            made.setdefault(keyword, held)


def _either(ways: Sequence[JsonSchema]) -> JsonSchema:
    """Return one object for several alternatives: all their keys, required where all do so."""
    properties: dict[str, Any] = {}
    for way in ways:
        for name, held in way["properties"].items():
            properties[name] = any_of([properties[name], held]) if name in properties else held
    either: JsonSchema = {"type": "object", "properties": properties}
    shared = set.intersection(*(set(way.get("required", ())) for way in ways))
    if shared:
        either["required"] = [name for name in ways[0]["required"] if name in shared]
    if all(way.get("additionalProperties") is False for way in ways):
        either["additionalProperties"] = False
    return either


def _choice_words(ways: Sequence[JsonSchema], exactly: bool) -> str:
    """Return words for what `anyOf` or `oneOf` said of the keys; none where it said nothing."""
    groups = [tuple(way.get("required") or way["properties"]) for way in ways]
    if len(set(groups)) < 2 or not all(groups):
        return ""
    named = joined(f"({', '.join(map(shown, group))})" for group in groups)
    return f"Give {'exactly' if exactly else 'at least'} one of these groups of keys: {named}."


def _told(schema: JsonSchema) -> Iterator[str]:
    """Yield words for the other keywords that cannot stay at the root."""
    if "not" in schema:
        yield f"It must not fit {json.dumps(schema['not'])}."
    values = schema["enum"] if "enum" in schema else [schema["const"]] if "const" in schema else []
    if values:
        yield f"It must be {joined(map(json.dumps, values))}."


def _tell(made: JsonSchema, words: str) -> None:
    if words:
        made["description"] = " ".join(filter(None, (made.get("description"), words)))
