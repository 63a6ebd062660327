"""Write values as the JSON bytes of a request."""

from __future__ import annotations

import json
from typing import Any

Json = dict[str, Any]

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode


def written(value: Any) -> bytes:
    """Return a value as JSON in UTF-8.

    Half a character, which UTF-8 cannot carry, is replaced; two halves side by side are joined.

    Raises:
        TypeError, ValueError, RecursionError: JSON has no word for some part of the value.
    """
    text = _encode(value)
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


def sound_object(text: str) -> bytes:
    """Return an object that stands as JSON in a text; `{}` where there is none.

    A provider refuses every later request that repeats what cannot be read, and the result of a
    call says what was wrong with it.
    """
    try:
        value = json.loads(text)
        return written(value) if isinstance(value, dict) else b"{}"
    except (ValueError, RecursionError):
        return b"{}"
