"""Validate with jsonschema-rs: fast, and right about numbers and regular expressions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import jsonschema_rs
from jsonschema_rs import ValidationErrorKind as Kind

from agenthost_sdk.errors import SchemaError
from agenthost_sdk.schemas.author_words import invalid_schema, unresolved
from agenthost_sdk.schemas.drafts import draft_of
from agenthost_sdk.schemas.findings import Finding, JsonSchema, step_into
from agenthost_sdk.schemas.nesting import ALTERNATIVES, Nesting
from agenthost_sdk.schemas.rust_nested import NestedAlternatives
from agenthost_sdk.schemas.showing import shown

if TYPE_CHECKING:
    from agenthost_sdk.schemas.python_engine import PythonEngine

_VALIDATORS = {
    "4": jsonschema_rs.Draft4Validator,
    "6": jsonschema_rs.Draft6Validator,
    "7": jsonschema_rs.Draft7Validator,
    "2019-09": jsonschema_rs.Draft201909Validator,
    "2020-12": jsonschema_rs.Draft202012Validator,
}

#: Where these are `false`, they speak of the whole array, which may not be longer.
_CLOSING_ARRAYS = ("items", "additionalItems")


class RustEngine:
    """A schema compiled by jsonschema-rs.

    Args:
        schema: The schema; it is JSON.
        formats: Whether `format` is asserted.
        own_formats: Formats that are checked otherwise than the library does.

    Raises:
        SchemaError: The schema is not valid, or refers to what it does not hold.
    """

    def __init__(
        self,
        schema: JsonSchema | bool,
        formats: bool,
        own_formats: Mapping[str, Callable[[str], bool]],
    ) -> None:
        self._schema, self._formats, self._own_formats = schema, formats, dict(own_formats)
        self._compiled = partial(
            _VALIDATORS[draft_of(schema)],
            formats=self._own_formats,
            validate_formats=formats,
            offline=True,
        )
        try:
            self._validator = self._compiled(schema)
        except jsonschema_rs.ValidationError as error:
            if isinstance(error.kind, Kind.Referencing):
                raise unresolved(schema, error.message) from None
            raise invalid_schema(_finding(error, {}, schema)) from None

    def accepts(self, value: Any) -> bool:
        """Return whether the value is valid."""
        return self._validator.is_valid(value)

    def findings(self, value: Any) -> Iterator[Finding]:
        """Yield what is wrong with the value."""
        if self._nested is not None:
            yield from self._nested.findings(value)
            return
        for error in self._validator.iter_errors(value):
            yield self._read(error, value)

    @cached_property
    def _nested(self) -> NestedAlternatives | PythonEngine | None:
        """What finds the faults instead, where there are alternatives within alternatives."""
        nesting = Nesting(self._schema)
        if not nesting.is_nested():
            return None
        if nesting.leads_out:
            return self._stand_in()
        return NestedAlternatives(self._schema, nesting.places, self._compiled, self._read)

    def _stand_in(self) -> PythonEngine | None:
        """Return the other engine, which can follow references to metaschemas one by one."""
        from agenthost_sdk.schemas.python_engine import PythonEngine  # takes long, needed rarely

        try:
            return PythonEngine(self._schema, self._formats, self._own_formats)
        except SchemaError:  # it knows fewer patterns and references
            return None

    def _read(self, error: jsonschema_rs.ValidationError, value: Any) -> Finding:
        return _finding(error, self._schema, value)


def _finding(error: jsonschema_rs.ValidationError, root: Any, value: Any) -> Finding:
    kind, path, place = error.kind, tuple(error.instance_path), error.schema_path
    keyword, holder = place[-1] if place else "false", step_into(root, place[:-1])
    words = error.message
    if isinstance(kind, Kind.FalseSchema):
        words = f"{shown(step_into(value, path))} is not allowed here."
        if keyword in _CLOSING_ARRAYS:
            path = path[:-1]
        elif keyword != "additionalProperties" and len(place) > 1:
            keyword, holder = place[-2], step_into(root, place[:-2])
        if keyword in ALTERNATIVES:  # it is an alternative, and none of those that hold some
            keyword, holder = "false", {}
    if not isinstance(holder, dict):
        keyword, holder = _told_by_kind(kind, keyword)
    found = Finding(path, str(keyword), holder, step_into(value, path), words)
    if isinstance(kind, Kind.PropertyNames):
        return replace(found, is_key=True, value=kind.error.instance)
    if isinstance(kind, Kind.AnyOf | Kind.OneOfNotValid):
        branches = [tuple(_finding(part, root, value) for part in way) for way in kind.context]
        return replace(found, tried=partial(tuple, branches))
    return found


def _told_by_kind(kind: Kind, keyword: str | int) -> tuple[str | int, JsonSchema]:
    """Return keyword and schema object of an error whose schema is not at hand: a metaschema's."""
    if isinstance(kind, Kind.Required):
        return "required", {"required": [kind.property]}
    nameless = Kind.AdditionalProperties | Kind.AnyOf | Kind.OneOfNotValid | Kind.FalseSchema
    if isinstance(kind, nameless):
        return keyword, {}
    return kind.name, {kind.name: kind.value}
