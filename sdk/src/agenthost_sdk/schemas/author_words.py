"""Word what is wrong with a schema for the author who wrote it."""

from __future__ import annotations

import re
from typing import Any

from agenthost_sdk.errors import SchemaError, nearest
from agenthost_sdk.schemas.findings import Finding
from agenthost_sdk.schemas.problems import pointer_to
from agenthost_sdk.schemas.references import references
from agenthost_sdk.schemas.showing import ARTICLES, joined, listed, shown
from agenthost_sdk.schemas.words import worded

#: Types of Python and of other languages, by the JSON type that is meant.
_MEANT = {
    "object": ("dict", "map", "mapping", "hashmap", "struct", "record", "json"),
    "array": ("list", "tuple", "set", "sequence", "vector", "arraylist"),
    "string": ("str", "text", "char", "date", "datetime", "uuid"),
    "integer": ("int", "long", "short", "byte"),
    "number": ("float", "double", "decimal", "num"),
    "boolean": ("bool",),
    "null": ("none", "nil", "nonetype", "undefined"),
}

_ANYTHING = ("any", "object?", "unknown", "mixed", "variant")


def invalid_schema(found: Finding) -> SchemaError:
    """Return the error for a schema that its metaschema refuses."""
    keyword = found.path[-1] if found.path else ""
    place = pointer_to(found.path) or "the root"
    sentence = _type_words(found.value) if keyword == "type" else worded(found)
    return SchemaError(f"This is no valid JSON Schema. At {place}: {sentence}")


def unresolved(schema: Any, words: str) -> SchemaError:
    """Return the error for a reference that leads nowhere in the schema."""
    lost = [reference for reference, target in references(schema) if target is None]
    if not lost:
        return SchemaError(f"A $ref of the schema cannot be followed: {words}.")
    near = nearest(lost[0], (f"#/{keyword}/{name}" for keyword, name in _definitions(schema)), 1)
    meant = f" Did you mean {shown(near[0])}?" if near else ""
    local = "only references within the schema are followed, nothing is fetched"
    return SchemaError(f"The $ref {shown(lost[0])} leads nowhere in the schema ({local}).{meant}")


def _definitions(schema: Any) -> list[tuple[str, str]]:
    held = schema if isinstance(schema, dict) else {}
    keywords = ("$defs", "definitions")
    return [(keyword, str(name)) for keyword in keywords for name in held.get(keyword) or ()]


def _type_words(stated: Any) -> str:
    names = stated if isinstance(stated, list) else [stated]
    wrong = next((name for name in names if name not in ARTICLES), stated)
    if not isinstance(wrong, str):
        return f"{shown(stated)} is no type; write one of {listed(ARTICLES)}, or a list of them."
    folded = re.sub(r"[\[<(].*", "", wrong).strip().casefold()
    if folded in _ANYTHING:
        return f"{shown(wrong)} is no JSON type; leave `type` out where anything may stand."
    meant = [name for name, aliases in _MEANT.items() if folded == name or folded in aliases]
    hint = f"write {joined(map(shown, meant))}; the types are" if meant else "the types are"
    return f"{shown(wrong)} is no JSON type; {hint} {listed(ARTICLES)}."
