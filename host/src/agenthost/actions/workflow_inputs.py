"""What a workflow takes: names with annotations, or a schema."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from agenthost_sdk.errors import DefinitionError
from agenthost_sdk.schemas import Input, JsonSchema, input_of, input_of_signature


def declared_input(spec: Any, name: str) -> Input:
    """Return what a workflow takes.

    Args:
        spec: Names with annotations, or with pairs of annotation and default; else whatever an
            activity's schema can be.
        name: The workflow's name, for error texts.

    Raises:
        DefinitionError: A name cannot be one.
        SchemaError: No JSON Schema can be made of it.
    """
    if not isinstance(spec, Mapping) or spec.get("type") == "object":
        return input_of(spec)

    def run(**given: Any) -> None:
        """Stand for a function that takes what the mapping names."""

    run.__qualname__, run.__doc__ = f"{name}.run", None
    run.__signature__ = _signature(spec, name)  # type: ignore[attr-defined]  # functions may have it
    return input_of_signature(run)


def defaults_of(schema: JsonSchema) -> dict[str, Any]:
    """Return the defaults that a schema has for the keys of its object."""
    properties = schema.get("properties", {}).items()
    return {key: part["default"] for key, part in properties if _has_default(part)}


def _has_default(part: Any) -> bool:
    return isinstance(part, Mapping) and "default" in part


def _signature(spec: Mapping[str, Any], name: str) -> inspect.Signature:
    try:
        return inspect.Signature([_parameter(key, stated) for key, stated in spec.items()])
    except (TypeError, ValueError) as error:
        raise DefinitionError(
            f"The inputs of the workflow {name!r} cannot be used: {error}. Write names with"
            " annotations, such as {'sku': str, 'units': (int, 1)}, or give a JSON Schema."
        ) from error


def _parameter(key: str, stated: Any) -> inspect.Parameter:
    annotation, default = stated if _is_pair(stated) else (stated, inspect.Parameter.empty)
    return inspect.Parameter(
        key, inspect.Parameter.KEYWORD_ONLY, annotation=annotation, default=default
    )


def _is_pair(stated: Any) -> bool:
    return isinstance(stated, tuple) and len(stated) == 2
