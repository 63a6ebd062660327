"""Publish the regular expressions of authors, as far as validators take them."""

from __future__ import annotations

from agenthost_sdk.errors import SchemaError
from agenthost_sdk.schemas.check import Check
from agenthost_sdk.schemas.patterns import to_ecma


def published_pattern(pattern: str, flags: int = 0) -> str | None:
    """Return an author's pattern for a JSON Schema, or None where none can say it.

    The author's own type still judges the value.
    """
    written = to_ecma(pattern, flags)
    return written if written is not None and _is_taken(written) else None


def _is_taken(pattern: str) -> bool:
    try:
        Check({"pattern": pattern})
    except SchemaError:
        return False
    return True
