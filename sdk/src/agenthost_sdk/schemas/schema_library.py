"""Make JSON Schema of a `schema.Schema`, as its `validate` would have it.

The library's own `json_schema` calls every type that it does not know a string and inlines
recursion without an end, so this walks the schema itself. `False` is the schema that nothing fits.
"""

from __future__ import annotations

from enum import Enum
from numbers import Number
from typing import Any

import schema as library

from agenthost_sdk.errors import SchemaError
from agenthost_sdk.schemas.findings import JsonSchema
from agenthost_sdk.schemas.merging import Emitted, all_of, any_of
from agenthost_sdk.schemas.references import with_plain_root
from agenthost_sdk.schemas.schema_keys import object_schema, pattern_of

#: The types in which JSON's values arrive.
_JSON_TYPES: dict[type, str] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    list: "array",
    dict: "object",
    type(None): "null",
}

#: What the library tells apart by type and not by `validate`; a JSON array can become each.
ARRAYS = (list, tuple, set, frozenset)


def schema_of_library(given: library.Schema) -> JsonSchema:
    """Return the JSON Schema of a `schema.Schema`.

    What cannot be told, such as a function that judges the value, leaves the value open: the
    library has the last word when the value is parsed.

    Raises:
        SchemaError: No JSON value fits, as with a bare `datetime`.
    """
    walk = Walk()
    emitted = walk.emit(given)
    if isinstance(emitted, bool):
        raise SchemaError(f"No JSON value fits this Schema: {walk.dead_end}.")
    definitions = {"$defs": walk.definitions} if walk.definitions else {}
    return with_plain_root({**emitted, **definitions})


def converts(part: Any, seen: frozenset[int] = frozenset()) -> bool:
    """Return whether a part may hand on another value than it was given."""
    if id(part) in seen:
        return False
    known = seen | {id(part)}
    if isinstance(part, library.Use):
        return True
    if isinstance(part, library.Schema):
        return converts(part.schema, known)
    if isinstance(part, library.And):
        return any(converts(one, known) for one in part.args)
    if type(part) in ARRAYS:
        return any(converts(one, known) for one in part)
    if isinstance(part, dict):
        return any(converts(one, known) for one in (*part, *part.values()))
    return hasattr(part, "validate") and not isinstance(part, library.Regex)


class Walk:
    """One walk over a schema; recursion and `as_reference` become definitions."""

    def __init__(self) -> None:
        self.definitions: dict[str, JsonSchema] = {}
        #: Why nothing fits, where nothing does.
        self.dead_end = "its parts rule each other out"
        self._names: dict[int, str] = {}
        self._open: set[int] = set()

    def emit(self, part: Any, ignore_extra_keys: bool = False) -> Emitted:
        """Return the JSON Schema of a part.

        Args:
            part: Anything that may stand in a `Schema`.
            ignore_extra_keys: Whether a dict that stands here lets other keys pass.
        """
        if id(part) in self._open or self._names.get(id(part)) in self.definitions:
            return {"$ref": f"#/$defs/{self._name(part)}"}
        if not isinstance(part, library.Schema | library.And | dict | list):
            return self._emit(part, ignore_extra_keys)
        self._open.add(id(part))
        emitted = self._emit(part, ignore_extra_keys)
        self._open.remove(id(part))
        shared = id(part) in self._names or getattr(part, "as_reference", False)
        if not shared or isinstance(emitted, bool):
            return emitted
        self.definitions[self._name(part)] = emitted
        return {"$ref": f"#/$defs/{self._name(part)}"}

    def _name(self, part: Any) -> str:
        if id(part) not in self._names:
            wanted = getattr(part, "name", None) or f"Schema{len(self._names) + 1}"
            taken = set(self._names.values())
            fresh = (f"{wanted}{number or ''}" for number in range(len(taken) + 1))
            self._names[id(part)] = next(name for name in fresh if name not in taken)
        return self._names[id(part)]

    def _emit(self, part: Any, ignore: bool) -> Emitted:
        if isinstance(part, library.Schema):
            return _described(self.emit(part.schema, part.ignore_extra_keys), part.description)
        if type(part) in ARRAYS:
            return self._array(part, ignore)
        if isinstance(part, dict):
            return object_schema(part, ignore, self.emit)
        if isinstance(part, type):
            return self._type(part)
        if isinstance(part, library.And):  # which Or is one of
            # The parts do not inherit from where they stand, but from the And or Or itself.
            inner = getattr(part, "_ignore_extra_keys", False)
            return (
                self._or(part, inner) if isinstance(part, library.Or) else self._and(part, inner)
            )
        if isinstance(part, library.Regex):
            return _pattern(part)
        if isinstance(part, library.Literal):
            return _described(self._constant(part.schema), part.description)
        if hasattr(part, "validate") or callable(part):
            return {}
        return self._constant(part)

    def _array(self, part: Any, ignore: bool) -> JsonSchema:
        items = any_of([self.emit(one, ignore) for one in part])
        return {"type": "array", **({"maxItems": 0} if items is False else {"items": items})}

    def _or(self, part: library.Or[Any], ignore: bool) -> Emitted:
        return any_of([self.emit(one, ignore) for one in part.args])

    def _and(self, part: library.And[Any], ignore: bool) -> Emitted:
        told: list[Emitted] = []
        for one in part.args:
            told.append(self.emit(one, ignore))
            if converts(one):  # what follows judges what was made of the value
                break
        return all_of(told)

    def _type(self, kind: type) -> Emitted:
        if kind in ARRAYS:
            return {"type": "array"}
        names = [name for json_type, name in _JSON_TYPES.items() if _fits(json_type, kind)]
        if not names:
            self.dead_end = (
                f"JSON has no {kind.__name__}; convert what it has, as Use(str) or"
                f" Use({kind.__name__}) does"
            )
            return False
        if len(names) == len(_JSON_TYPES):
            return {}
        if "number" in names and "integer" in names:
            names.remove("integer")
        return {"type": names[0] if len(names) == 1 else names}

    def _constant(self, value: Any) -> Emitted:
        plain = value.value if isinstance(value, Enum) and isinstance(value, str | int) else value
        if plain is None:
            return {"type": "null"}
        if isinstance(plain, str | int | float | bool) and not isinstance(plain, Enum):
            return {"const": plain}
        self.dead_end = f"JSON has no {value!r}"
        return False


def _fits(json_type: type, kind: type) -> bool:
    if json_type is bool and kind not in (bool, object):
        return not issubclass(kind, Number) and issubclass(bool, kind)
    return issubclass(json_type, kind)


def _pattern(part: library.Regex) -> JsonSchema:
    pattern = pattern_of(part)
    return {"type": "string"} if pattern is None else {"type": "string", "pattern": pattern}


def _described(emitted: Emitted, description: str | None) -> Emitted:
    if isinstance(emitted, bool) or not description:
        return emitted
    return {**emitted, "description": description}
