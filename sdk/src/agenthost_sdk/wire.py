"""Write JSON as the bytes that a request carries, and read replies into an SDK's types."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Protocol, Self, TypeVar

_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


def written(value: Any) -> bytes:
    """Return a value as JSON in UTF-8.

    Two halves of a character that stand side by side are joined; a half alone, which UTF-8 cannot
    carry, becomes U+FFFD.

    Raises:
        TypeError, ValueError, RecursionError: JSON has no word for a part of the value.
    """
    text = _encode(value)
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


def joined(fields: Mapping[str, bytes]) -> bytes:
    """Return an object whose values are written already."""
    return b"{" + b",".join([written(name) + b":" + held for name, held in fields.items()]) + b"}"


class ReplyType(Protocol):
    """What the types of replies have in the SDKs that are made for an API by Stainless."""

    @classmethod
    def model_validate(cls, obj: Any, *, strict: bool) -> Self:
        """Return the object, where the data are exactly of its type."""

    @classmethod
    def construct(cls, **values: Any) -> Self:
        """Return the object, whatever the data are."""


R = TypeVar("R", bound=ReplyType)


def read_typed(kind: type[R], data: Any) -> R:
    """Return what a server sent as a type of its SDK.

    The SDK reads every field by itself, in Python, so that it takes whatever a server sends. What
    is exactly of the type, as nearly all is, pydantic reads many times faster to the same object.
    """
    try:
        return kind.model_validate(data, strict=True)
    except ValueError:
        made: R = kind.construct(**data) if isinstance(data, dict) else data
        return made
