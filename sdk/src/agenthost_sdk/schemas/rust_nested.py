"""Find with jsonschema-rs what is wrong with values of alternatives within alternatives.

The library tells of each alternative all that is wrong below it, and of each alternative in
there again: that grows with a power of the value's depth. Here a validator ends at alternatives,
and they are tried when a message needs them.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import quote

import jsonschema_rs

from agenthost_sdk.schemas.drafts import metaschema_of
from agenthost_sdk.schemas.findings import Branches, Finding, JsonSchema, step_into
from agenthost_sdk.schemas.nesting import ALTERNATIVES
from agenthost_sdk.schemas.problems import Path, pointer_to
from agenthost_sdk.schemas.tries import Tries

_ROOT = "json-schema:///checked"

#: Stands beside alternatives in our copy of the schema, and holds the place of both.
_PLACE = "agenthost:place"

#: Compiles a schema that refers into a registry.
Compile = Callable[..., jsonschema_rs.Validator]

#: Makes a finding of an error at a value.
Read = Callable[[jsonschema_rs.ValidationError, Any], Finding]


class NestedAlternatives:
    """A schema whose alternatives are tried one by one.

    Args:
        schema: The schema; every reference in it leads to a place in it.
        places: Where in it there are alternatives.
        compiled: Compiles a schema, given a registry and perhaps keywords of our own.
        read: Makes a finding of an error at a value.
    """

    def __init__(self, schema: Any, places: Iterable[Path], compiled: Compile, read: Read) -> None:
        self._schema = schema
        self._compiled = partial(compiled, registry=_registry(schema, places))
        self._read = read
        whole = _Whole(schema, self._compiled)
        self._keywords = {name: _keyword(name, whole) for name in ALTERNATIVES}
        self._ending: dict[Path, jsonschema_rs.Validator] = {}

    def findings(self, value: Any) -> Iterator[Finding]:
        """Yield what is wrong with the value."""
        return self._findings((), value, (), Tries())

    def _findings(self, place: Path, value: Any, path: Path, tries: Tries) -> Iterator[Finding]:
        """Yield what the schema at a place has against the part of the value at a path."""
        if place not in self._ending:
            self._ending[place] = self._compiled(_reference(place), keywords=self._keywords)
        for error in self._ending[place].iter_errors(value):
            found, cause = self._read(error, value), error.__cause__
            found = replace(found, path=(*path, *found.path))
            yield self._open(found, cause, tries) if isinstance(cause, _UnfitError) else found

    def _open(self, found: Finding, unfit: _UnfitError, tries: Tries) -> Finding:
        """Return the finding so that it tries the alternatives when it is asked for them."""
        holder = step_into(self._schema, unfit.place[:-1])
        tried = partial(self._branches, unfit.place, found.value, found.path, tries)
        return replace(found, schema=holder, tried=None if unfit.too_many else tried)

    def _branches(self, place: Path, value: Any, path: Path, tries: Tries) -> Branches:
        ways = _ways(self._schema, place)
        return tries.of(partial(self._findings, way, value, path, tries) for way in ways)


class _Whole:
    """Tells whether values fit the alternatives of a schema, with all that is below them.

    Our keywords hold it, and it holds nothing that they are compiled into: what the library holds
    is not seen by the garbage collector, so a circle through it would stay for good.
    """

    def __init__(self, schema: Any, compiled: Compile) -> None:
        self._schema = schema
        self._compiled = compiled
        self._validators: dict[tuple[str, Path], jsonschema_rs.Validator] = {}

    def fits(self, keyword: str, place: Path, value: Any) -> bool:
        """Return whether a value fits alternatives, counted as the keyword says."""
        if (keyword, place) not in self._validators:
            ways = [_reference(way) for way in _ways(self._schema, place)]
            self._validators[keyword, place] = self._compiled({keyword: ways})
        return self._validators[keyword, place].is_valid(value)


class _UnfitError(Exception):
    """No alternative of a place fits, or too many of them."""

    def __init__(self, place: Path, too_many: bool) -> None:
        super().__init__("It fits none of the forms that are allowed")
        self.place = place
        self.too_many = too_many


def _keyword(keyword: str, whole: _Whole) -> type[jsonschema_rs.KeywordValidator]:
    """Return a keyword that only asks whether its alternatives fit."""

    class Alternatives:
        def __init__(self, parent_schema: dict[str, Any], *_: Any) -> None:
            self._place = (*parent_schema[_PLACE], keyword)

        def validate(self, instance: Any) -> None:
            if not whole.fits(keyword, self._place, instance):
                too_many = keyword == "oneOf" and whole.fits("anyOf", self._place, instance)
                raise _UnfitError(self._place, too_many)

    return Alternatives


def _registry(schema: Any, places: Iterable[Path]) -> jsonschema_rs.Registry:
    """Return a registry of a copy of the schema that has the places of alternatives in it."""
    root = {**copy.deepcopy(schema), "$schema": metaschema_of(schema)}
    for place in places:
        step_into(root, place)[_PLACE] = list(place)
    return jsonschema_rs.Registry([(_ROOT, root)])


def _reference(place: Path) -> JsonSchema:
    return {"$ref": f"{_ROOT}#{quote(pointer_to(place))}"}


def _ways(schema: Any, place: Path) -> list[Path]:
    """Return the places of the alternatives that a place holds."""
    return [(*place, index) for index in range(len(step_into(schema, place)))]
