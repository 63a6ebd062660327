"""Say why a text could not be read as JSON, in words that a model can act on."""

from __future__ import annotations

from typing import Any, Literal

from agenthost_sdk.errors import AgenthostError

Want = Literal["object", "array", "any"]

Reason = Literal[
    "empty", "no-json", "truncated", "ambiguous", "out-of-range", "wrong-kind", "invalid"
]

#: What a model should do about it, after the words of the fault.
_ADVICE: dict[str, str] = {
    "empty": "Write {wanted}.",
    "no-json": "Write {wanted}.",
    "truncated": "It was cut off: write the whole of it again, shorter if it does not fit.",
    "ambiguous": "Write {wanted} and nothing else.",
    "out-of-range": "Write a finite number, or the number as a string.",
    "wrong-kind": "Write {wanted}.",
    "invalid": "Write it again as strict JSON.",
}

_WANTED = {"object": "one JSON object", "array": "one JSON array", "any": "one JSON value"}


class UnreadableJson(AgenthostError):  # noqa: N818 - it names what is wrong, as InvalidInput does
    """A text is no JSON that can be read whole; the message is meant for the model.

    Args:
        reason: The kind of fault.
        message: Where and what it is, and what to do.
    """

    def __init__(self, reason: Reason, message: str) -> None:
        self.reason: Reason = reason
        super().__init__(message)


class Damage(Exception):  # noqa: N818 - never leaves this package
    """A fault at an offset; `told` makes an `UnreadableJson` of the one that counts."""

    def __init__(self, reason: Reason, words: str, offset: int | None = None) -> None:
        self.reason: Reason = reason
        self.words = words
        self.offset = offset
        super().__init__(words)


def told(damage: Damage, text: str, want: Want) -> UnreadableJson:
    """Return the error for a damage, with its place in the text as line and column."""
    place = "" if damage.offset is None else f" at {_place(text, damage.offset)}"
    advice = _ADVICE[damage.reason].format(wanted=wanted(want))
    return UnreadableJson(damage.reason, f"{damage.words}{place}. {advice}")


def wanted(want: Want) -> str:
    """Name what is wanted, such as "one JSON object"."""
    return _WANTED[want]


def nothing() -> Damage:
    """Return the damage that an empty text is."""
    return Damage("empty", "Nothing came where JSON was expected")


def is_kind(value: Any, want: Want) -> bool:
    """Say whether a value is what is wanted."""
    kinds: dict[str, type] = {"object": dict, "array": list, "any": object}
    return isinstance(value, kinds[want])


def of_another_kind(value: Any, want: Want) -> Damage:
    """Return the damage that a value is, which is not of the wanted kind."""
    asked = wanted(want).replace("one", "One", 1)
    return Damage("wrong-kind", f"{asked} is wanted, but {kind_of(value)} came")


def kind_of(value: Any) -> str:
    """Name the kind of a JSON value, with its article."""
    if value is None:
        return "null"
    kinds = {dict: "an object", list: "an array", str: "a string", bool: "a boolean"}
    return kinds.get(type(value), "a number")


def _place(text: str, offset: int) -> str:
    line = text.count("\n", 0, offset) + 1
    column = offset - text.rfind("\n", 0, offset)
    return f"line {line}, column {column}"
