"""What an activity takes: a JSON Schema, a check against it, and the author's own type."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from agenthost_sdk.errors import SchemaError
from agenthost_sdk.schemas.check import Check
from agenthost_sdk.schemas.findings import JsonSchema
from agenthost_sdk.schemas.problems import Problem


@dataclass(frozen=True)
class Arguments:
    """What a function is called with: `f(*args, **kwargs)`."""

    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = field(default_factory=dict)


class Input:
    """What an activity takes.

    Args:
        schema: Its JSON Schema: the one truth, an object at the root.
        description: What the activity does, as its docstring says.
        parse: Turns a valid value into arguments; raises `InvalidInput` where it cannot.
        own_formats: Formats to be checked otherwise than `Check` does.

    Raises:
        SchemaError: The schema is not valid, or is not one of an object.
    """

    def __init__(
        self,
        schema: JsonSchema,
        description: str,
        parse: Callable[[dict[str, Any]], Arguments],
        own_formats: Mapping[str, Callable[[str], bool]] = MappingProxyType({}),
    ) -> None:
        self.schema = schema
        self.description = description
        #: Turns a value that passed the check into arguments, as the author's own types have it;
        #: raises `InvalidInput` where they refuse it all the same.
        self.parse = parse
        #: Returns what the JSON Schema refuses in a value; nothing when it is valid.
        self.check: Callable[[Any], list[Problem]] = Check(schema, own_formats=own_formats)
        if schema.get("type") != "object":
            found = f"`type` is {schema['type']!r}" if "type" in schema else "it has no `type`"
            raise SchemaError(
                f"The schema of an input needs `type: object` at its root; {found}."
                " Put the value under a key of an object."
            )
