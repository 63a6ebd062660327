"""What an answer has to be: a JSON Schema, a check against it, and the type to hand on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from agenthost_sdk.schemas.check import Check
from agenthost_sdk.schemas.findings import JsonSchema
from agenthost_sdk.schemas.local_times import LOCAL_TIMES
from agenthost_sdk.schemas.problems import Problem

_NONE: Mapping[str, Callable[[str], bool]] = MappingProxyType({})


class Output:
    """A JSON Schema together with what becomes of a value that fits it.

    Args:
        schema: The JSON Schema: the one truth.
        parse: Turns a valid value into the author's own; raises `InvalidInput` where it cannot.
        own_formats: Formats to be checked otherwise than `Check` does.

    Raises:
        SchemaError: The schema is not valid.
    """

    def __init__(
        self,
        schema: JsonSchema,
        parse: Callable[[Any], Any],
        own_formats: Mapping[str, Callable[[str], bool]] = _NONE,
    ) -> None:
        self.schema = schema
        self._parse = parse
        self.own_formats = own_formats
        self._check = Check(schema, own_formats=own_formats)

    def check(self, value: Any) -> list[Problem]:
        """Return what the JSON Schema refuses in a value; nothing when it is valid."""
        return self._check(value)

    def parse(self, value: Any) -> Any:
        """Return a value that passed the check as the author's own type has it.

        Raises:
            InvalidInput: The author's type refuses it all the same.
        """
        return self._parse(value)


def output_schema(spec: Any) -> Output:
    """Return what a value of the spec has to be.

    Args:
        spec: A `schema.Schema`, a pydantic model, a dataclass, a TypedDict, any other type, or a
            plain JSON Schema (a dict), which stays as it is.

    Raises:
        SchemaError: No JSON Schema can be made of it.
    """
    if isinstance(spec, Output):
        return spec
    if isinstance(spec, dict):
        return Output(spec, lambda value: value)
    return _of_library(spec) or _of_type(spec)


def _of_library(spec: Any) -> Output | None:
    # Both libraries are imported when one of their own objects may have come.
    import schema as library

    from agenthost_sdk.schemas.schema_library import schema_of_library
    from agenthost_sdk.schemas.schema_values import parse_by_library

    if isinstance(spec, library.And):
        spec = library.Schema(spec)
    if not isinstance(spec, library.Schema):
        return None
    return Output(schema_of_library(spec), lambda value: parse_by_library(spec, value))


def _of_type(spec: Any) -> Output:
    from agenthost_sdk.schemas.typed import Typed
    from agenthost_sdk.schemas.typed_dicts import portable

    typed = Typed(portable(spec))
    return Output(typed.schema, typed.parse, LOCAL_TIMES)
