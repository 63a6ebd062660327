"""Hold values against a JSON Schema: compiled once, every error with its place and words."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import islice
from types import MappingProxyType
from typing import Any

from agenthost_sdk.errors import SchemaError
from agenthost_sdk.schemas.alternatives import meant
from agenthost_sdk.schemas.findings import Engine, JsonSchema
from agenthost_sdk.schemas.json_values import foreign
from agenthost_sdk.schemas.problems import Problem, in_order, problem_at
from agenthost_sdk.schemas.words import worded

#: How many errors are looked at; a long array that is wrong throughout has as many as items.
_MOST_LOOKED_AT = 1_000

_NONE: Mapping[str, Callable[[str], bool]] = MappingProxyType({})


class Check:
    """A JSON Schema, compiled once; calling it with a value returns what is wrong.

    It serves many threads, never changes a value, never fetches anything, and never raises for
    any value.

    Args:
        schema: The schema, in the draft that its `$schema` names, else 2020-12.
        formats: Whether `format` is asserted; names that are not known are passed over.
        own_formats: Formats to be checked otherwise than RFC 3339 and its like say.

    Raises:
        SchemaError: It is no valid JSON Schema, or a `$ref` leads nowhere in it.
    """

    def __init__(
        self,
        schema: JsonSchema | bool,
        *,
        formats: bool = True,
        own_formats: Mapping[str, Callable[[str], bool]] = _NONE,
    ) -> None:
        self.schema = schema
        self._engine = _compiled(schema, formats, own_formats)

    def __call__(self, value: Any) -> list[Problem]:
        """Return what is wrong with the value, sorted by place; nothing when it is valid."""
        problems = foreign(value)
        if problems:
            return in_order(problems)
        try:
            return [] if self._engine.accepts(value) else self._problems(value)
        except (ValueError, RecursionError) as error:
            return [problem_at((), "json", f"The value cannot be checked: {error}.")]

    def _problems(self, value: Any) -> list[Problem]:
        findings = (one for found in self._engine.findings(value) for one in meant(found))
        problems = in_order(
            problem_at(found.path, found.keyword, worded(found))
            for found in islice(findings, _MOST_LOOKED_AT)
        )
        return problems or [problem_at((), "false", "It does not fit the schema.")]


def check(schema: JsonSchema | bool, value: Any) -> list[Problem]:
    """Return what is wrong with a value; the compiled schema is kept for a while.

    Raises:
        SchemaError: It is no valid JSON Schema, or a `$ref` leads nowhere in it.
    """
    try:
        text = json.dumps(schema, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return Check(schema)(value)  # which says what is not JSON in it
    return _kept(text)(value)


@lru_cache(maxsize=64)
def _kept(text: str) -> Check:
    return Check(json.loads(text))


def _compiled(
    schema: JsonSchema | bool, formats: bool, own_formats: Mapping[str, Callable[[str], bool]]
) -> Engine:
    if not isinstance(schema, dict | bool):
        raise SchemaError(f"A JSON Schema is an object or a boolean, not {schema!r}.")
    problems = foreign(schema)
    if problems:
        raise SchemaError(f"The schema is not JSON. {problems[0]}")
    try:
        # Each engine is imported when the first schema is compiled, and only one of them.
        from agenthost_sdk.schemas.rust_engine import RustEngine
    except ImportError:  # there is no wheel of it for every machine
        from agenthost_sdk.schemas.python_engine import PythonEngine

        return PythonEngine(schema, formats, own_formats)
    return RustEngine(schema, formats, own_formats)
