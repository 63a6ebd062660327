"""Read one JSON value from a text: strictly first, then past all that models put around it."""

from __future__ import annotations

from dataclasses import dataclass
from json import JSONDecodeError
from typing import Any

from agenthost_sdk.json_text.strict import BLANK, Found, decode_at, sound_object, whole_strict
from agenthost_sdk.json_text.unreadable import (
    Damage,
    Want,
    is_kind,
    nothing,
    of_another_kind,
    told,
)

DECODED_AGAIN = "decoded twice"

#: How often a string is taken for JSON that was encoded once more.
_MOST_LAYERS = 4


@dataclass(frozen=True)
class JsonText:
    """A value that was read, and in words what had to be repaired; empty for strict JSON."""

    value: Any
    repairs: tuple[str, ...]


def read_json(text: str, want: Want = "any") -> JsonText:
    """Return the one JSON value that a text is, or contains.

    Strict JSON passes as it stands. Else reasoning, fences and prose are left out, and damage is
    repaired where the text has one reading; a string that holds an object or an array is decoded
    where one is wanted.

    Args:
        text: What the model wrote.
        want: The kind of value that is wanted; another one is refused.

    Raises:
        UnreadableJson: There is no such value, more than one, or it cannot be read whole.
    """
    if want != "array" and (value := sound_object(text)) is not None:
        return JsonText(value, ())  # the way of nearly all calls
    try:
        found = _fitting(_read(text, want), want)
    except Damage as damage:
        raise told(damage, text, want) from None
    return JsonText(found.value, found.repairs)


def read_json_at(text: str, start: int, want: Want = "any") -> tuple[JsonText, int]:
    """Return the JSON value that begins at `start`, and the offset behind it.

    What follows it is not looked at, so it serves readers of labelled text.

    Args:
        text: The whole text.
        start: Where the value's bracket or quote stands.
        want: The kind of value that is wanted; another one is refused.

    Raises:
        UnreadableJson: No such value begins there, or it cannot be read whole.
    """
    try:
        if not 0 <= start < len(text):
            raise nothing()
        found = _fitting(_value_at(text, start), want)
    except Damage as damage:
        raise told(damage, text, want) from None
    return JsonText(found.value, found.repairs), found.end


def _read(text: str, want: Want) -> Found:
    body = text.strip(BLANK)
    if (found := whole_strict(body)) is not None:
        return found
    from agenthost_sdk.json_text.loose import read_loosely  # sound JSON pays for none of it

    return read_loosely(text, want)


def _fitting(found: Found, want: Want) -> Found:
    """Return what was found if it is of the wanted kind; a string is decoded to be so."""
    if is_kind(found.value, want):
        return found
    value, repairs = found.value, list(found.repairs)
    for _ in range(_MOST_LAYERS):
        if not isinstance(value, str) or value.strip(BLANK)[:1] not in ("{", "[", '"'):
            break
        inner = _inner(value.strip(BLANK))
        value = inner.value
        repairs += [DECODED_AGAIN, *inner.repairs]
        if is_kind(value, want):
            return Found(value, tuple(dict.fromkeys(repairs)), found.end)
    raise of_another_kind(found.value, want)


def _inner(text: str) -> Found:
    try:
        found = _value_at(text, 0)
    except Damage as damage:  # its place would be one in the inner text
        raise Damage(damage.reason, f"Within the string: {damage.words}") from None
    if found.end != len(text):
        raise Damage("wrong-kind", "A string came that holds more than JSON")
    return found


def _value_at(text: str, start: int) -> Found:
    try:
        return decode_at(text, start)
    except JSONDecodeError:
        from agenthost_sdk.json_text.finding import value_at  # sound JSON pays for none of it

        return value_at(text, start)
