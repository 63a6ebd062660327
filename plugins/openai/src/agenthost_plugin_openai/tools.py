"""Write the tools on offer, and the schema of an answer, once for all rounds of a run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agenthost_sdk.actions import ToolSpec, native_name
from agenthost_sdk.schemas import provider_safe, to_strict
from agenthost_sdk.wire import written

Json = dict[str, Any]


class WrittenForms:
    """The tools and the schema that were sent last: a run offers the same ones every round.

    Args:
        strict: Whether the server keeps to schemas that are marked as strict.
    """

    def __init__(self, strict: bool) -> None:
        self._strict = strict
        self._tools: tuple[tuple[ToolSpec, ...], bytes] = ((), b"[]")
        self._format: tuple[Mapping[str, Any] | None, bytes] = (None, b"")

    def tools(self, offered: tuple[ToolSpec, ...]) -> bytes:
        """Return the tools as functions."""
        kept = self._tools  # read once, since other threads may put theirs in its place
        if kept[0] is not offered:
            made = [tool(spec, self._strict) for spec in offered]
            kept = self._tools = (offered, written(made))
        return kept[1]

    def response_format(self, schema: Mapping[str, Any]) -> bytes:
        """Return the form that makes the model answer in JSON that meets the schema."""
        kept = self._format  # as above
        if kept[0] is not schema:
            kept = self._format = (schema, written(response_format(schema, self._strict)))
        return kept[1]


def tool(spec: ToolSpec, strict: bool = False) -> Json:
    """Return an activity as a function that the model can call."""
    function = {"name": spec.native, "description": spec.description}
    return {"type": "function", "function": function | _form("parameters", spec.schema, strict)}


def response_format(schema: Mapping[str, Any], strict: bool = False) -> Json:
    """Return the form that makes the model answer in JSON that meets the schema."""
    name = native_name(str(schema.get("title") or "output"), None)
    form = {"name": name} | _form("schema", schema, strict)
    return {"type": "json_schema", "json_schema": form}


def _form(key: str, schema: Mapping[str, Any], strict: bool) -> Json:
    """Return the strict form of a schema where it has one, else the form that is always taken."""
    safe = provider_safe(dict(schema))
    narrowed = to_strict(safe) if strict else None
    return {key: safe} if narrowed is None else {key: narrowed, "strict": True}
