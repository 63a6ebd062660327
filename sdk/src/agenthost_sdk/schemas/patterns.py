"""Carry regular expressions between Python and JSON Schema (ECMA 262)."""

from __future__ import annotations

import re

#: What Python writes otherwise than ECMA 262.
_TO_ECMA = {r"\A": "^", r"\Z": "$", r"\z": "$", "(?P<": "(?<", "(?P=": r"\k<"}

#: What only Python knows: flags inside, comments, conditions, verbose and locale forms.
_PYTHON_ONLY = re.compile(r"\(\?(?:[aiLmsux]|#|\(|>)|[*+?}]\+")

_TOKEN = re.compile(r"\\.|\(\?P=(\w+)\)|\(\?P<|\[\^?\]?(?:\\.|[^\]\\])*\]|\$|.", re.DOTALL)


def to_ecma(pattern: str, flags: int = 0) -> str | None:
    """Return a pattern of Python's as ECMA 262 has it, or None where it has no such pattern.

    `$` stays: in Python it also fits before a final line break, which a value need not have.
    """
    if flags & ~re.UNICODE or _PYTHON_ONLY.search(pattern):
        return None
    return _TOKEN.sub(_ecma_token, pattern)


def to_python(pattern: str) -> str:
    r"""Return an ECMA 262 pattern for Python's `re`, whose `$` would take a final line break."""
    return _TOKEN.sub(lambda found: r"\Z" if found[0] == "$" else found[0], pattern)


def _ecma_token(found: re.Match[str]) -> str:
    if found[1]:
        return rf"\k<{found[1]}>"
    return _TO_ECMA.get(found[0], found[0])
