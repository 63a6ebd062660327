"""Narrow an activity's schema to what one question can fill it with, for the model to choose.

A small model copies badly: it drops a word, or takes a number from an example. Where a field is a
slot, it may take nothing but what the question holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from agenthost_plugin_local import values
from agenthost_plugin_local.analogy import is_formula, pattern
from agenthost_plugin_local.slots import Slot, is_needed, of_mention, slots
from agenthost_plugin_local.zones import known_zones
from agenthost_sdk.actions import ToolSpec

#: A question longer than this is not cut into runs of words: there would be too many.
MOST_WORDS = 60

#: Tells the grammar engine to write JSON on one line, as the examples show it.
_LAYOUT = {"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": "}


def narrow(spec: ToolSpec, question: str, filled: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema in which what is filled is fixed and the rest is to be chosen."""
    found = {slot.name: slot for slot in slots(spec)}
    fields = spec.schema.get("properties", {})
    wanted = [name for name in fields if name in filled or is_needed(spec, name)]
    wanted = wanted if spec.examples else list(fields)
    properties = {
        name: {"const": filled[name]}
        if name in filled
        else _field(spec, name, fields[name], found.get(name), question)
        for name in wanted
    }
    required = [name for name in wanted if name in filled or is_needed(spec, name)]
    return compact(
        {**spec.schema, "properties": properties, "required": required}
        | {"additionalProperties": False}
    )


def compact(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema with the layout in which the model is to write."""
    return {**schema, "x-guidance": _LAYOUT}


def _field(spec: ToolSpec, name: str, field: Any, slot: Slot | None, question: str) -> Any:
    if not isinstance(field, Mapping):
        return field
    plain = {key: value for key, value in field.items() if key != "default"}
    choices = list(dict.fromkeys(_choices(slot, question))) if slot else []
    if choices:
        return {"type": plain.get("type"), "enum": choices}
    return {**plain, **pattern(question)} if is_formula(spec, name) else plain


def _choices(slot: Slot, question: str) -> Iterable[Any]:
    if slot.kind == "zone":
        return sorted(set(known_zones().values()))
    if slot.kind != "run":
        return [of_mention(mention) for mention in values.of_kind(question, slot.kind)]
    if len(question.split()) > MOST_WORDS:
        return []
    return [run.value for run in values.runs(question, 2 + 2 * slot.longest)]
