"""Bring a schema into the strict form, whose values a provider guarantees."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agenthost_sdk.schemas.findings import JsonSchema, step_into
from agenthost_sdk.schemas.merging import all_of
from agenthost_sdk.schemas.references import References, subschemas, without_identity
from agenthost_sdk.schemas.showing import counted, joined, kind_of, shown

#: What the strict form knows and takes over.
_KEPT = (
    "description",
    "enum",
    "const",
    "pattern",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minItems",
    "maxItems",
)

#: The formats that it knows; others are told in words.
_FORMATS = frozenset(
    ("date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid")
)

#: What it cannot say, and what no value could be guaranteed without.
_BEYOND = frozenset(
    (
        "not",
        "if",
        "then",
        "else",
        "dependentRequired",
        "dependentSchemas",
        "dependencies",
        "patternProperties",
        "propertyNames",
        "contains",
        "prefixItems",
        "additionalItems",
        "unevaluatedItems",
        "unevaluatedProperties",
        "$dynamicRef",
        "$recursiveRef",
    )
)

#: As much as OpenAI takes: levels of objects in objects, keys, values to choose from.
_MOST_LEVELS = 10
_MOST_KEYS = 5_000
_MOST_VALUES = 1_000

_MOST_EXAMPLES = 3


def to_strict(schema: JsonSchema) -> JsonSchema | None:
    """Return the strict form of an object's schema, or None where it has none.

    Every object is closed and every key required; a key that was optional may be null, which
    then means that it is left out. There are no defaults, and no `$ref` has keywords beside it.
    What providers do not know (such as `maxLength`, `default` or `title`) is told in the
    description: the value itself is to be held against the true schema.

    An object that takes keys of any name has no strict form, nor has a value of any kind, nor
    what is larger than providers take.
    """
    if schema.get("type") != "object" or "anyOf" in schema or "oneOf" in schema:
        return None
    try:
        made = _Strict(without_identity(schema)).root()
    except _NoStrictForm:
        return None
    return None if _is_too_large(made) else made


class _NoStrictForm(Exception):  # noqa: N818 - it is caught where it is raised
    """Some part cannot be said strictly."""


class _Strict:
    """The strict form of one schema while it is made."""

    def __init__(self, schema: JsonSchema) -> None:
        self._schema = schema
        self._finder = References(schema)
        self._names: dict[str, str] = {}
        self._definitions: dict[str, JsonSchema] = {}

    def root(self) -> JsonSchema:
        """Return the whole strict form, with the definitions that it still refers to."""
        untitled = {key: held for key, held in self._schema.items() if key != "title"}
        made = self._convert(untitled, frozenset())
        return {**made, "$defs": self._definitions} if self._definitions else made

    def _convert(self, part: Any, opened: frozenset[str]) -> JsonSchema:
        """Return the strict form of a part; `opened` are the references written out round it."""
        if not isinstance(part, dict) or not _BEYOND.isdisjoint(part):
            raise _NoStrictForm
        if "allOf" in part:
            return self._convert(_flattened(part), opened)
        if "$ref" in part:
            return self._referred(part, opened)
        made = {key: part[key] for key in _KEPT if key in part}
        if words := _words(part):
            made["description"] = words
        if part.get("format") in _FORMATS:
            made["format"] = part["format"]
        for keyword in ("anyOf", "oneOf"):
            if keyword in part:
                made["anyOf"] = [self._convert(one, opened) for one in part[keyword]]
        return made | self._typed(part, opened, anything="anyOf" not in made)

    def _typed(self, part: JsonSchema, opened: frozenset[str], anything: bool) -> JsonSchema:
        """Return what the type of a part adds: every part has one, or alternatives."""
        kinds = _kinds(part)
        if not kinds and anything:
            raise _NoStrictForm
        made: JsonSchema = {"type": kinds[0] if len(kinds) == 1 else kinds} if kinds else {}
        if "object" in kinds:
            made |= self._object(part, opened)
        if "array" in kinds:
            made["items"] = self._convert(part.get("items"), opened)
        return made

    def _object(self, part: JsonSchema, opened: frozenset[str]) -> JsonSchema:
        others = part.get("additionalProperties", "properties" not in part)
        required = part.get("required", ())
        fields = {
            name: held for name, held in part.get("properties", {}).items() if held is not False
        }
        if others is not False or not set(required) <= set(fields):
            raise _NoStrictForm
        converted = {
            name: self._convert(_without_plain_title(held, name), opened)
            for name, held in fields.items()
        }
        return {
            "properties": {
                name: made if name in required else _nullable(made)
                for name, made in converted.items()
            },
            "required": list(converted),
            "additionalProperties": False,
        }

    def _referred(self, part: JsonSchema, opened: frozenset[str]) -> JsonSchema:
        """Return a bare reference, or what it leads to where words stand beside it."""
        reference = part["$ref"]
        place = self._finder.target((), reference)
        target = step_into(self._schema, place) if place is not None else None
        if not isinstance(target, dict):
            raise _NoStrictForm
        beside = {key: held for key, held in part.items() if key in _KEPT}
        if words := _words(part):
            beside["description"] = words
        if beside and reference not in opened:
            return self._convert({**target, **beside}, opened | {reference})
        if not place:
            return {"$ref": "#"}
        if reference not in self._names:
            self._names[reference] = name = self._fresh_name(str(place[-1]))
            self._definitions[name] = self._convert(target, opened | {reference})
        return {"$ref": f"#/$defs/{self._names[reference]}"}

    def _fresh_name(self, wanted: str) -> str:
        taken = set(self._names.values())
        names = (f"{wanted}{number or ''}" for number in range(len(taken) + 1))
        return next(name for name in names if name not in taken)


def _words(part: JsonSchema) -> str:
    """Return the description of a part, with what the strict form leaves out of it."""
    description = str(part.get("description") or "")
    told = [f"{words}." for words in _told(part, bool(description))]
    return " ".join([description, *(one for one in told if one not in description)]).strip()


def _told(part: JsonSchema, is_described: bool) -> Iterator[str]:
    if not is_described and isinstance(part.get("title"), str):
        yield part["title"].rstrip(".")
    yield from _bounds(part, "Length", "character")
    yield from _bounds(part, "Properties", "key")
    if part.get("uniqueItems") is True:
        yield "No item twice"
    if isinstance(part.get("format"), str) and part["format"] not in _FORMATS:
        yield f"Format: {part['format']}"
    for keyword in ("contentMediaType", "contentEncoding"):
        if isinstance(part.get(keyword), str):
            yield f"Content: {part[keyword]}"
    if part.get("default") is not None:  # null is how a key is left out
        yield f"By default {shown(part['default'])}"
    if examples := part.get("examples"):
        yield f"For example {joined(map(shown, examples[:_MOST_EXAMPLES]))}"
    if part.get("deprecated") is True:
        yield "Deprecated"


def _bounds(part: JsonSchema, size: str, noun: str) -> Iterator[str]:
    least, most = part.get(f"min{size}", 0), part.get(f"max{size}")
    if most is not None and least:
        yield counted(most, noun) if least == most else f"{least} to {counted(most, noun)}"
    elif most is not None:
        yield f"At most {counted(most, noun)}"
    elif least:
        yield f"At least {counted(least, noun)}"


def _without_plain_title(part: Any, name: str) -> Any:
    """Return a key's schema without a title that only repeats the key, as pydantic writes it."""
    title = part.get("title") if isinstance(part, dict) else None
    if isinstance(title, str) and title.replace(" ", "_").casefold() == name.casefold():
        return {key: held for key, held in part.items() if key != "title"}
    return part


def _is_too_large(made: JsonSchema) -> bool:
    parts = [part for _, part in subschemas(made)]
    keys = sum(len(part.get("properties", ())) for part in parts)
    values = sum(len(part.get("enum", ())) for part in parts)
    definitions = [*made.get("$defs", {}).values()]
    levels = _levels([made, *definitions])
    return levels > _MOST_LEVELS or keys > _MOST_KEYS or values > _MOST_VALUES


def _levels(part: Any) -> int:
    """Return how deep objects stand in objects; what a reference leads to is not looked into."""
    if isinstance(part, list):
        return max(map(_levels, part), default=0)
    if not isinstance(part, dict):
        return 0
    within = _levels([*part.get("properties", {}).values()]) + ("properties" in part)
    return max(within, _levels([part.get("items"), part.get("anyOf")]))


def _flattened(part: JsonSchema) -> JsonSchema:
    rest = {key: held for key, held in part.items() if key != "allOf"}
    merged = all_of([rest, *part["allOf"]])
    if isinstance(merged, bool) or "allOf" in merged:
        raise _NoStrictForm
    return merged


def _kinds(part: JsonSchema) -> list[str]:
    """Return the types that a part names, or those of its values."""
    if "type" in part:
        return part["type"] if isinstance(part["type"], list) else [part["type"]]
    values = part["enum"] if "enum" in part else [part["const"]] if "const" in part else []
    return list(dict.fromkeys(kind_of(value) for value in values))


def _nullable(made: JsonSchema) -> JsonSchema:
    if _allows_null(made):
        return made
    words = {"description": made["description"]} if "description" in made else {}
    bare = {key: held for key, held in made.items() if key != "description"}
    return {"anyOf": [*_ways(bare), {"type": "null"}], **words}


def _ways(made: JsonSchema) -> list[JsonSchema]:
    return made["anyOf"] if set(made) == {"anyOf"} else [made]


def _allows_null(made: JsonSchema) -> bool:
    if any(_allows_null(way) for way in made.get("anyOf", ())):
        return True
    values = made.get("enum", [made["const"]] if "const" in made else [None])
    return "null" in _kinds(made) and None in values
