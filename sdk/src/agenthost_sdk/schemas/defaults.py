"""Publish the defaults of parameters, as far as JSON can say them."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any

from pydantic_core import to_jsonable_python

from agenthost_sdk.schemas.check import Check
from agenthost_sdk.schemas.findings import JsonSchema
from agenthost_sdk.schemas.json_values import foreign
from agenthost_sdk.schemas.local_times import LOCAL_TIMES


def with_defaults(schema: JsonSchema, defaults: Mapping[str, Any]) -> JsonSchema:
    """Return an object's schema with a default at each key that has one.

    A default that JSON cannot say, or that its own schema refuses (`x: int = None`), is left
    out: a model would send it.
    """
    properties = dict(schema.get("properties", {}))
    definitions = {"$defs": schema["$defs"]} if "$defs" in schema else {}
    for key, default in defaults.items():
        told = _as_json(default) if key in properties else _NOT_JSON
        if told is not _NOT_JSON and not _refused(told, {**properties[key], **definitions}):
            properties[key] = {**properties[key], "default": told}
    return {**schema, "properties": properties}


_NOT_JSON: Any = object()


def _as_json(default: Any) -> Any:
    try:
        told = to_jsonable_python(_in_order(default))
    except Exception:  # it may be any object, whose own code runs here
        return _NOT_JSON
    return _NOT_JSON if foreign(told) else told


def _in_order(default: Any) -> Any:
    """Return a set as a sorted list, so that the schema is the same in every process."""
    return sorted(default) if isinstance(default, Set) else default


def _refused(told: Any, schema: JsonSchema) -> bool:
    return bool(Check(schema, own_formats=LOCAL_TIMES)(told))
