"""Read an input that is written as text: JSON, or the words themselves."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from agenthost.dialects.reading import read_input, unread
from agenthost.dialects.sections import fence_end
from agenthost_sdk import json_text
from agenthost_sdk.actions import ToolAction, ToolSpec

_FENCE = re.compile(r"(?P<mark>`{3,}+|~{3,}+)[^\n`]*+\n")
_JSON_WORD = re.compile(r"(?:json|python)?[:\s]*(?=[{])", re.IGNORECASE)

#: Words for an input that has nothing in it.
_NOTHING = frozenset({"", "()", "none", "null", "n/a", "na", "nothing", "empty", "no input"})

#: How a JSON object or a Python dictionary begins; `{ print $1 }` is neither.
_OBJECT = re.compile(r"\{\s*(?:\}\s*\Z|[\"'“”‘’]|[\w$-]+\s*:|//|/\*|#|\Z)")

_ENCODED = re.compile(r"[\"'“`]{1,3}\s*\{")

#: The beginning of an object, wherever it stands.
_KEYED = re.compile(r"\{\s*+[\"“](?P<key>[^\"”\n]{1,80})[\"”]\s*+:")
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "«": "»"}


def with_text(
    action: ToolAction,
    spec: ToolSpec,
    text: str,
    *,
    is_cut: bool = False,
    is_delimited: bool = False,
) -> ToolAction:
    """Return the action with the input that a text holds.

    A JSON object is read as such. Other words are the value of the activity's only property, or
    of the only required one, exactly as they stand; else of a property `raw`. Round the whole,
    a code fence and one pair of quotes or backticks are taken off.

    Args:
        action: The action, without its input.
        spec: The activity.
        text: What stood for the input.
        is_cut: Whether the reply broke off; then words may lack their end, and are not taken.
        is_delimited: Whether the text stood in brackets of its own; then quotes are part of it.
    """
    text = text.strip()
    if text.endswith("}") and _OBJECT.match(text):
        action = read_input(action, text)
        return _without_echo(action, spec) if "$" in text else action
    bare, is_whole = _unwrapped(text)
    if _OBJECT.match(start := bare.lstrip()):
        is_bare = bare == text
        return _with_object(action, spec, start, () if is_bare else ("read out of a code fence",))
    if is_cut and not is_whole and not is_delimited:
        return unread(action, text, "the reply broke off before its end: send less at a time")
    name = only_property(spec)
    if _is_nothing(bare, spec):
        return action
    if _ENCODED.match(bare) or (name is None and "{" in bare):
        try:
            return _object_within(action, bare)
        except json_text.UnreadableJson:
            pass  # it may be words with a brace in them
    if not is_delimited and (why := _broken_object(bare, spec)):
        return unread(action, bare, why)
    key = name or "raw"
    words = bare if is_delimited else _unquoted(bare)
    return _noted(action, {key: words}, (f"the text was taken as {key!r}",))


def _without_echo(action: ToolAction, spec: ToolSpec) -> ToolAction:
    value, notes = without_echo(action.input, spec)
    return _noted(action, value, notes) if notes else action


def without_echo(
    value: Mapping[str, Any], spec: ToolSpec
) -> tuple[Mapping[str, Any], tuple[str, ...]]:
    """Return an input without keys that echo the schema, such as `$schema`, and a note of them."""
    echoed = [key for key in value if key.startswith("$")]
    echoed = [key for key in echoed if key not in properties_of(spec)] if echoed else []
    if not echoed:
        return value, ()
    kept = {key: given for key, given in value.items() if key not in echoed}
    return kept, (f"left out: {', '.join(map(repr, echoed))}",)


def only_property(spec: ToolSpec) -> str | None:
    """Return the property that a bare text is meant for; None where that cannot be told."""
    properties, required = properties_of(spec), required_of(spec)
    if len(properties) == 1:
        return next(iter(properties))
    return required[0] if len(required) == 1 and required[0] in properties else None


def properties_of(spec: ToolSpec) -> Mapping[str, object]:
    """Return the properties that an input may have, with their schemas."""
    properties = spec.schema.get("properties")
    return properties if isinstance(properties, Mapping) else {}


def required_of(spec: ToolSpec) -> list[str]:
    """Return the properties that an input must have."""
    required = spec.schema.get("required")
    return [name for name in required if isinstance(name, str)] if required else []


def _with_object(
    action: ToolAction, spec: ToolSpec, bare: str, notes: tuple[str, ...]
) -> ToolAction:
    """Read the object that begins the text; words that follow are none of it."""
    try:
        read, end = json_text.read_json_at(bare, 0, "object")
    except json_text.UnreadableJson:
        return read_input(action, bare)
    rest = bare[end:].strip()
    if rest.startswith("{"):
        return read_input(action, bare)
    left_out = ("what stood behind the object was left out",) if rest else ()
    value, echoed = without_echo(read.value, spec)
    return _noted(action, value, (*notes, *read.repairs, *left_out, *echoed))


def _broken_object(bare: str, spec: ToolSpec) -> str:
    """Return why an object that stands in a text for the input is not whole; "" without one."""
    keyed = _KEYED.search(bare)
    is_meant = keyed is not None and (
        only_property(spec) is None or keyed["key"] in properties_of(spec)
    )
    if not is_meant and not _ENCODED.match(bare):
        return ""
    try:
        json_text.read_json(bare, "object")
    except json_text.UnreadableJson as error:
        return str(error) if error.reason == "truncated" else ""
    return ""


def _object_within(action: ToolAction, bare: str) -> ToolAction:
    read = json_text.read_json(bare, "object")
    return _noted(action, read.value, read.repairs)


def _unwrapped(text: str) -> tuple[str, bool]:
    """Return a text without the fence or the backticks round it, and whether it had them whole."""
    fence = _FENCE.match(text)
    if fence is not None:
        end = fence_end(text[0], text, fence.end())
        inner = text[fence.end() : end.start() if end else len(text)]
        return inner.removesuffix("\n"), end is not None
    for mark in ("```", "`"):
        inner = text[len(mark) : -len(mark)]
        if text == f"{mark}{inner}{mark}" and inner and "`" not in inner:
            return _without_word(inner), True
    return _without_word(text), False


def _without_word(text: str) -> str:
    if text.startswith("{"):
        return text
    word = _JSON_WORD.match(text)
    return text[word.end() :] if word is not None else text


def _is_nothing(bare: str, spec: ToolSpec) -> bool:
    word = bare.strip(" .").lower()
    return word in _NOTHING and (word in ("", "null") or not required_of(spec))


def _unquoted(text: str) -> str:
    """Return a text without the quotes round it, where both ends have one and nothing else."""
    closing = _QUOTES.get(text[:1])
    inner = text[1:-1]
    if closing is None or len(text) < 2 or not text.endswith(closing):
        return text
    return text if text[0] in inner or closing in inner else inner


def _noted(action: ToolAction, value: Mapping[str, Any], notes: tuple[str, ...]) -> ToolAction:
    return replace(action, input=value, repairs=(*action.repairs, *notes))
