"""Name a test's parameters alike in every process, so that several can share the tests."""

from __future__ import annotations

import re


def shown(value: object) -> str:
    """Return a value as text: a set in order, and nothing with its address in memory."""
    if isinstance(value, set | frozenset):
        return "{" + ", ".join(sorted(map(shown, value))) + "}"
    return re.sub(r" at 0x[0-9a-fA-F]+", "", str(value))
