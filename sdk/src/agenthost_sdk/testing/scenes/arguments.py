"""Scenes of one call whose arguments are damaged, wrong, or only look so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from agenthost_sdk.actions import ToolSpec
from agenthost_sdk.messages import Message
from agenthost_sdk.testing.scenes.scene import Part, Scene, written

#: Where the arguments stand by themselves; within a text of JSON the scene makes no sense.
_ALONE = ("native", "classic")


def _malformed(part: Part) -> Message:
    return part.call(part.arguments.rpartition(":")[0] + ":" if part.input else '{"')


def _single_quotes(part: Part) -> Message:
    return part.call(repr(dict(part.input)))


def _comments(part: Part) -> Message:
    return part.call(f"{part.arguments[:-1]} // as asked\n}}")


def _smart_quotes(part: Part) -> Message:
    return part.call(re.sub(r'"((?:[^"\\]|\\.)*)"', r"“\1”", part.arguments))


def _array(part: Part) -> Message:
    return part.call(written([*part.input.values()] or [1]))


def _missing(part: Part) -> Message:
    required = [name for name in part.schema.get("required", ()) if name in part.input]
    dropped = required[-1:] or [*part.input][-1:]
    return part.call(written({k: v for k, v in part.input.items() if k not in dropped}))


def _wrong_type(part: Part) -> Message:
    name = next(iter(part.input), "of")
    wrong = ["not", "meant"] if isinstance(part.input.get(name), Mapping) else {"not": "meant"}
    return part.call(part.changed(**{name: wrong}))


def _number(part: Part, make: Any) -> Message:
    """Return a call in which a whole number became something else."""
    name = next(part.properties("integer"), "") or next(part.properties("number"), "number")
    given = part.input.get(name, 1)
    return part.call(part.changed(**{name: make(given)}))


def _not_a_number(part: Part) -> Message:
    name = next(part.properties("number", "integer"), "number")
    return part.call(part.changed(**{name: float("nan")}))


def _null(part: Part) -> Message:
    return part.call(part.changed(**{next(_optional(part.schema), "more"): None}))


def _twice(part: Part) -> Message:
    name = next(iter(part.input), "more")
    return part.call(f'{{"{name}": "an earlier thought", {part.arguments.lstrip("{")}')


def _cut(part: Part) -> str:
    """Return the arguments as they stand when a reply breaks off within the last value."""
    return part.arguments.rstrip('}]"')[:-2] or '{"'


def _cut_optional(part: Part) -> Message:
    name = next(iter(part.schema.get("properties", {})), "more")
    return part.call(_cut(part) if part.input else f'{{"{name}": "exam')


def _has_required(spec: ToolSpec) -> bool:
    return bool(spec.schema.get("required"))


def _needs_nothing(spec: ToolSpec) -> bool:
    return not _has_required(spec)


def _optional(schema: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names of the arguments that may be left out, and may not be null."""
    for name, stated in schema.get("properties", {}).items():
        kind = stated.get("type") if isinstance(stated, Mapping) else None
        if name not in schema.get("required", ()) and isinstance(kind, str) and kind != "null":
            yield name


def _has_optional(spec: ToolSpec) -> bool:
    return any(_optional(spec.schema))


def _has_integer(spec: ToolSpec) -> bool:
    stated = spec.schema.get("properties", {}).values()
    return any(isinstance(one, Mapping) and one.get("type") == "integer" for one in stated)


SCENES = (
    Scene("good", "A right call, for comparison.", "runs", Part.call),
    Scene(
        "malformed_json",
        "The arguments end behind a colon.",
        "told",
        _malformed,
        wants=_has_required,
    ),
    Scene(
        "trailing_comma",
        "A comma stands before the closing brace.",
        "runs",
        lambda part: part.call(part.arguments[:-1] + (",}" if part.input else "}")),
        wants=_has_required,
    ),
    Scene("single_quotes", "The arguments are a Python literal.", "runs", _single_quotes),
    Scene(
        "smart_quotes",
        "Typographic quotes take the place of straight ones.",
        "runs",
        _smart_quotes,
    ),
    Scene("comments", "A comment stands among the arguments.", "runs", _comments),
    Scene(
        "markdown_fence",
        "The arguments stand in a code fence.",
        "runs",
        lambda part: part.call(f"```json\n{part.arguments}\n```"),
        dialects=_ALONE,
    ),
    Scene(
        "double_encoded",
        "The arguments are a JSON text within a JSON text.",
        "runs",
        lambda part: part.call(written(part.arguments)),
    ),
    Scene(
        "double_object",
        "Two different objects stand where one belongs.",
        "told",
        lambda part: part.call(part.arguments + written({**part.input, "again": 1})),
        dialects=_ALONE,
    ),
    Scene(
        "trailing_quotes",
        "An empty text follows the arguments.",
        "runs",
        lambda part: part.call(part.arguments + '""'),
        dialects=_ALONE,
    ),
    Scene(
        "empty_args_required",
        "No arguments at all, though some are required.",
        "told",
        lambda part: part.call(""),
        wants=_has_required,
    ),
    Scene(
        "empty_args_noarg",
        "No arguments at all, and none are required.",
        "runs",
        lambda part: part.call(""),
        wants=_needs_nothing,
    ),
    Scene(
        "null_args_noarg",
        "null for arguments, and none are required.",
        "runs",
        lambda part: part.call("null"),
        wants=_needs_nothing,
    ),
    Scene("array_args", "The arguments are an array.", "told", _array, wants=_has_required),
    Scene(
        "wrapped_args",
        "The arguments are wrapped in one more object.",
        "runs",
        lambda part: part.call(written({"_": part.input})),
        wants=_has_required,
    ),
    Scene("missing_arg", "A required argument is missing.", "told", _missing, wants=_has_required),
    Scene(
        "wrong_type",
        "An argument is of a wrong type.",
        "told",
        _wrong_type,
        wants=_has_required,
    ),
    Scene(
        "string_number",
        "A whole number is written as a text.",
        "runs",
        lambda part: _number(part, str),
        wants=_has_integer,
    ),
    Scene(
        "float_for_int",
        "A whole number is written with a decimal point.",
        "runs",
        lambda part: _number(part, float),
        wants=_has_integer,
    ),
    Scene(
        "bool_for_int",
        "true stands where a whole number belongs.",
        "told",
        lambda part: _number(part, bool),
        wants=_has_integer,
    ),
    Scene(
        "extra_arg",
        "An argument is given that the activity does not have.",
        "told",
        lambda part: part.call(part.changed(not_an_argument=1)),
    ),
    Scene(
        "null_optional",
        "null for an argument that may be left out.",
        "runs",
        _null,
        wants=_has_optional,
    ),
    Scene("nan_arg", "NaN stands among the arguments.", "told", _not_a_number, wants=_has_integer),
    Scene(
        "dup_keys",
        "An argument is given twice; the last holds.",
        "runs",
        _twice,
        wants=_has_required,
    ),
    Scene(
        "length_truncated",
        "The reply breaks off within the arguments, at the limit of tokens.",
        "told",
        lambda part: part.broken_off(_cut(part)),
    ),
    Scene(
        "truncated_optional",
        "The arguments break off, and the activity requires none of them.",
        "told",
        _cut_optional,
        wants=lambda spec: _needs_nothing(spec) and _has_optional(spec),
    ),
)
