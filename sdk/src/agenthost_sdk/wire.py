"""Write JSON as the bytes that a request carries."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

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
