"""Make an activity's input: from its signature, or from what its author gives in its place."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

from agenthost_sdk.errors import InvalidInput
from agenthost_sdk.schemas.annotations import docstring_of
from agenthost_sdk.schemas.inputs import Arguments, Input
from agenthost_sdk.schemas.output import output_schema
from agenthost_sdk.schemas.problems import problem_at
from agenthost_sdk.schemas.receiving import Receiver


def input_of_signature(
    function: Callable[..., Any], *, owner: type | None = None, skip_first: bool = False
) -> Input:
    """Return what a function takes, as its signature and docstring say.

    Each parameter is a key; one without a default is required; `*args` is an optional array;
    `**kwargs` allows further keys, and without it the object is closed. A description comes from
    `Annotated` (a pydantic `Field`, a text or a `Doc`), else from the docstring.

    Args:
        function: A function, method, class, `functools.partial` or object with `__call__`.
        owner: The class in whose body the function stands, whose names its annotations may use.
        skip_first: Leave out the first parameter, the `self` of a function not yet bound.

    Raises:
        SchemaError: A parameter has no JSON Schema; the message names function and parameter.
    """
    # Pydantic is imported with it, which those who only read or draw on the sdk never need.
    from agenthost_sdk.schemas.signature import signature_input

    return signature_input(function, owner, skip_first)


def input_of(
    spec: Any,
    function: Callable[..., Any] | None = None,
    *,
    owner: type | None = None,
    skip_first: bool = False,
) -> Input:
    """Return what an activity takes, as a spec says.

    Args:
        spec: A `schema.Schema`, a pydantic model, a dataclass, a TypedDict, or a plain JSON
            Schema (a dict), which stays as it is.
        function: What will be called; its parameters get the keys of their names (see
            `Receiver`). Without it every key is handed on by its name.
        owner: The class in whose body the function stands.
        skip_first: Leave out the function's first parameter, `self`.

    Raises:
        SchemaError: No JSON Schema of an object can be made of the spec, or the function has a
            parameter that no key fills.
    """
    if isinstance(spec, Input):
        return spec
    taken = output_schema(spec)
    aliases = _aliases(spec)
    keys = {*taken.schema.get("properties", {}), *aliases}
    is_open = taken.schema.get("additionalProperties", True) is not False
    receiver = function and Receiver(
        function, keys, is_open, spec, owner=owner, skip_first=skip_first
    )

    def parse(value: dict[str, Any]) -> Arguments:
        whole = taken.parse(value)
        if receiver is None:
            return Arguments(kwargs=_by_name(whole, aliases, frozenset()))
        return receiver.arguments(_by_name(whole, aliases, receiver.names), whole)

    described = _description(function, owner) or taken.schema.get("description", "")
    return Input(taken.schema, described, parse, taken.own_formats)


def _description(function: Callable[..., Any] | None, owner: type | None) -> str:
    from agenthost_sdk.schemas.docstrings import read_docstring  # its parser is slow to import

    return read_docstring(docstring_of(function, owner)).description if function else ""


def _aliases(spec: Any) -> dict[str, str]:
    """Return the fields of a pydantic model with the names that they have in JSON."""
    fields: Mapping[str, Any] = getattr(spec, "model_fields", {}) if isinstance(spec, type) else {}
    aliases = {name: field.validation_alias or name for name, field in fields.items()}
    return {name: alias if isinstance(alias, str) else name for name, alias in aliases.items()}


def _by_name(whole: Any, aliases: Mapping[str, str], wanted: Any) -> dict[str, Any]:
    """Return the parts of a parsed input; a field goes by its alias where that is asked for."""
    if getattr(whole, "__pydantic_root_model__", False):
        return _by_name(whole.root, {}, wanted)
    if isinstance(whole, Mapping):
        return dict(whole)
    if dataclasses.is_dataclass(whole):
        return {field.name: getattr(whole, field.name) for field in dataclasses.fields(whole)}
    if not aliases:
        fault = f"The input became a {type(whole).__name__}, which has no keys to hand on."
        raise InvalidInput([problem_at((), "parse", fault)])
    named = {
        alias if alias in wanted and name not in wanted else name: getattr(whole, name)
        for name, alias in aliases.items()
    }
    return {**named, **(getattr(whole, "model_extra", None) or {})}
