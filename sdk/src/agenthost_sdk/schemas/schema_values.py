"""Turn JSON values into what a `schema.Schema` makes of them."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable
from typing import Any

import schema as library

from agenthost_sdk.errors import InvalidInput
from agenthost_sdk.schemas.problems import Problem, problem_at
from agenthost_sdk.schemas.schema_library import ARRAYS

_KEY_ERROR = re.compile(r"(?:.* )?Key '(.*)' error:\Z", re.DOTALL)


def parse_by_library(given: library.Schema, value: Any) -> Any:
    """Return what the library makes of a JSON value: its `Use`s, its defaults, its own checks.

    JSON has one kind of number and one of sequence, so 3 becomes 3.0 where a float is asked for,
    and an array a tuple or a set.

    Raises:
        InvalidInput: The library refuses the value.
    """
    try:
        return _uncounted(given).validate(fitted(_uncounted(given), value))
    except library.SchemaError as error:
        raise InvalidInput([_problem(error, value)]) from error


def fitted(part: Any, value: Any) -> Any:
    """Return a value with its numbers and sequences as a part of a `Schema` asks for them.

    Where nothing changes, it is the same object.
    """
    if isinstance(part, library.Or):
        return _fitted_to_one(part, value)
    if isinstance(part, library.And):
        return _fitted_to_first(part, value)
    if isinstance(part, library.Schema):
        return fitted(part.schema, value)
    if type(part) in ARRAYS and isinstance(value, list):
        return _sequence(type(part), _items(part, value))
    if isinstance(part, dict) and isinstance(value, dict):
        return _entries(part, value)
    return _plain(part, value) if isinstance(part, type) else value


def _plain(kind: type, value: Any) -> Any:
    if isinstance(value, bool):
        return value
    if kind is float and isinstance(value, int):
        return float(value)
    if kind is int and isinstance(value, float) and value.is_integer():
        return int(value)
    return _sequence(kind, value) if kind in ARRAYS and isinstance(value, list) else value


def _sequence(kind: type, items: list[Any]) -> Any:
    try:
        return items if kind is list else kind(items)
    except TypeError:  # a set of what cannot stand in one; the library says so
        return items


def _items(part: Iterable[Any], value: list[Any]) -> list[Any]:
    either = library.Or(*part)
    items = [_fitted_to_one(either, item) for item in value]
    return value if _same(items, value) else items


def _entries(part: dict[Any, Any], value: dict[str, Any]) -> dict[str, Any]:
    entries = {key: _entry(part, key, item) for key, item in value.items()}
    return value if _same(entries.values(), value.values()) else entries


def _entry(part: dict[Any, Any], key: str, item: Any) -> Any:
    rules = [rule for rule in part if not isinstance(rule, library.Hook)]
    named = [rule for rule in rules if _spelt(rule) == key]
    matching = named or [rule for rule in rules if library.Schema(rule).is_valid(key)]
    return fitted(part[matching[0]], item) if matching else item


def _spelt(rule: Any) -> Any:
    while isinstance(rule, library.Schema | library.Literal):
        rule = rule.schema
    return rule


def _fitted_to_one(part: library.Or[Any], value: Any) -> Any:
    """Return the value as the first alternative that takes it has it; unchanged, if one does."""
    changed = [(one, new) for one in part.args if (new := fitted(one, value)) is not value]
    if not changed or any(library.Schema(one).is_valid(value) for one in part.args):
        return value
    return next((new for one, new in changed if library.Schema(one).is_valid(new)), value)


def _fitted_to_first(part: library.And[Any], value: Any) -> Any:
    """Return the value as the parts want it up to the first that converts by itself."""
    for one in part.args:
        value = fitted(one, value)
        if isinstance(one, library.Use):
            break
    return value


def _same(new: Iterable[Any], old: Iterable[Any]) -> bool:
    return all(one is other for one, other in zip(new, old, strict=True))


def _uncounted(given: library.Schema) -> library.Schema:
    """Return a schema that nothing was matched with yet.

    An Or(only_one=True) counts its matches in itself, which neither threads nor a second value
    survive.
    """
    return copy.deepcopy(given) if _counts(given, set()) else given


def _counts(part: Any, seen: set[int]) -> bool:
    """Return whether an Or(only_one=True) stands anywhere in a part."""
    if id(part) in seen:
        return False
    seen.add(id(part))
    if isinstance(part, library.Or) and part.only_one:
        return True
    if isinstance(part, library.Schema):
        return _counts(part.schema, seen)
    if isinstance(part, library.And):
        return any(_counts(one, seen) for one in part.args)
    if isinstance(part, dict):
        return any(_counts(one, seen) for one in (*part, *part.values()))
    return type(part) in ARRAYS and any(_counts(one, seen) for one in part)


def _problem(error: library.SchemaError, value: Any) -> Problem:
    path: list[str | int] = []
    for words in error.autos:
        key = _KEY_ERROR.match(str(words))
        if key and isinstance(value, dict) and key[1] in value:
            path.append(key[1])
            value = value[key[1]]
    own = next((words for words in reversed(error.errors) if words), None)
    last = next((words for words in reversed(error.autos) if words), "")
    message = own or last or "The schema refuses it"
    return problem_at(tuple(path), "parse", message if message.endswith(".") else f"{message}.")
