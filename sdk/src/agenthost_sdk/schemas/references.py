"""Walk a schema: its subschemas, its references, and where these lead."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin

from agenthost_sdk.schemas.findings import JsonSchema, step_into
from agenthost_sdk.schemas.problems import Path, pointer_to

#: Keywords whose value is a schema, or a list of schemas.
_ONE = frozenset(
    (
        "additionalItems",
        "additionalProperties",
        "contains",
        "contentSchema",
        "else",
        "if",
        "items",
        "not",
        "propertyNames",
        "then",
        "unevaluatedItems",
        "unevaluatedProperties",
        "allOf",
        "anyOf",
        "oneOf",
        "prefixItems",
    )
)

#: Keywords whose value holds schemas by name.
_NAMED = frozenset(
    (
        "$defs",
        "definitions",
        "dependencies",
        "dependentSchemas",
        "patternProperties",
        "properties",
    )
)

#: What names a schema or a place in it.
_IDENTITY = frozenset({"$id", "$schema", "$anchor", "$dynamicAnchor"})


def subschemas(schema: Any, path: Path = ()) -> Iterator[tuple[Path, JsonSchema]]:
    """Yield a schema and every schema in it, with its place; booleans are left out."""
    if not isinstance(schema, dict):
        return
    yield path, schema
    for keyword, held in schema.items():
        if keyword in _NAMED and isinstance(held, dict):
            for name, part in held.items():
                yield from subschemas(part, (*path, keyword, name))
        elif keyword in _ONE and isinstance(held, list):
            for index, part in enumerate(held):
                yield from subschemas(part, (*path, keyword, index))
        elif keyword in _ONE:
            yield from subschemas(held, (*path, keyword))


def mapped(schema: Any, change: Callable[[JsonSchema, Path], JsonSchema], path: Path = ()) -> Any:
    """Return a schema with every schema in it changed, the innermost first."""
    if not isinstance(schema, dict):
        return schema
    return change({key: _mapped(key, held, change, path) for key, held in schema.items()}, path)


def _mapped(
    keyword: str, held: Any, change: Callable[[JsonSchema, Path], JsonSchema], path: Path
) -> Any:
    if keyword in _NAMED and isinstance(held, dict):
        return {name: mapped(one, change, (*path, keyword, name)) for name, one in held.items()}
    if keyword in _ONE and isinstance(held, list):
        return [mapped(one, change, (*path, keyword, at)) for at, one in enumerate(held)]
    return mapped(held, change, (*path, keyword)) if keyword in _ONE else held


def references(schema: Any) -> Iterator[tuple[str, Path | None]]:
    """Yield each `$ref` with the place it leads to, None where that is not in the schema."""
    finder = References(schema)
    for path, part in subschemas(schema):
        reference = part.get("$ref")
        if isinstance(reference, str):
            yield reference, finder.target(path, reference)


def with_plain_root(schema: JsonSchema) -> JsonSchema:
    """Return a schema with its root written out, where that only refers to a definition."""
    definitions = schema.get("$defs", {})
    name = schema.get("$ref", "").removeprefix("#/$defs/")
    if name not in definitions:
        return schema
    rest = {key: part for key, part in schema.items() if key != "$ref"}
    return {**definitions[name], **rest}


def without_identity(schema: JsonSchema) -> JsonSchema:
    """Return a schema without `$id` and `$schema`; its references are pointers from its root."""
    finder = References(schema)

    def bared(part: JsonSchema, path: Path) -> JsonSchema:
        kept = {key: held for key, held in part.items() if key not in _IDENTITY}
        reference = kept.get("$ref")
        target = finder.target(path, reference) if isinstance(reference, str) else None
        return kept if target is None else {**kept, "$ref": f"#{pointer_to(target)}"}

    bare: JsonSchema = mapped(schema, bared)
    return bare


class References:
    """Finds what the references of one schema lead to, by pointer, anchor or `$id`."""

    def __init__(self, schema: Any) -> None:
        self.schema = schema
        self._bases = _bases(schema)
        self._documents = {base: path for path, base in reversed(self._bases.items())}
        self._anchors = {
            (self._base(path), name): path
            for path, part in subschemas(schema)
            for name in _anchor_names(part)
        }

    def target(self, path: Path, reference: str) -> Path | None:
        """Return where a reference that stands at a place leads, or None."""
        base, fragment = urldefrag(_resolved(self._base(path), reference))
        document = self._documents.get(base)
        if document is None:
            return None
        if fragment and not fragment.startswith("/"):
            return self._anchors.get((base, fragment))
        found = self._stepped(document, fragment)
        return found if isinstance(step_into(self.schema, found), dict | bool) else None

    def _stepped(self, document: Path, fragment: str) -> Path:
        steps: list[str | int] = [*document]
        for raw in unquote(fragment).split("/")[1:]:
            step = raw.replace("~1", "/").replace("~0", "~")
            held = step_into(self.schema, steps)
            steps.append(int(step) if isinstance(held, list) and step.isdecimal() else step)
        return tuple(steps)

    def _base(self, path: Path) -> str:
        return next(
            self._bases[path[:length]]
            for length in range(len(path), -1, -1)
            if path[:length] in self._bases
        )


def _bases(schema: Any) -> dict[Path, str]:
    """Return the base URI of the schema and of each part that has an `$id` of its own."""
    bases: dict[Path, str] = {(): ""}
    for path, part in subschemas(schema):
        named = urldefrag(part["$id"])[0] if isinstance(part.get("$id"), str) else ""
        if named:
            outer = max((known for known in bases if path[: len(known)] == known), key=len)
            bases[path] = _resolved(bases[outer], named)
    return bases


def _anchor_names(part: JsonSchema) -> Iterator[str]:
    for key in ("$anchor", "$dynamicAnchor"):
        if isinstance(part.get(key), str):
            yield part[key]
    if isinstance(part.get("$id"), str) and (name := urldefrag(part["$id"])[1]):
        yield name  # how drafts 6 and 7 write an anchor


def _resolved(base: str, reference: str) -> str:
    # urljoin knows no base without slashes, such as "urn:example:root".
    return base + reference if reference.startswith("#") else urljoin(base, reference)
