"""Carry regular expressions between Python and JSON Schema (ECMA 262)."""

from __future__ import annotations

import re

#: What only Python knows: flags inside, comments, conditions, references to a group by its name,
#: atomic groups and possessive quantifiers.
_PYTHON_ONLY = re.compile(r"\(\?(?:[aiLmsux-]|#|\(|>|P=)|[*+?}]\+")

#: One escape, one opening of a named group, one class of characters, or one other character.
_TOKEN = re.compile(
    r"\\k<(\w+)>|\\.|\(\?P?<([A-Za-z_]\w*)>|\[\^?\]?(?:\\.|[^\]\\])*\]|.", re.DOTALL
)

#: One escape, one range of characters, or one character within a class.
_MEMBER = re.compile(r"\\.|([A-Za-z])-([A-Za-z])|([A-Za-z])|.", re.DOTALL)

_ANCHORS = {r"\A": "^", r"\Z": "$", r"\z": "$"}

#: The flags that can be written into a pattern.
_WRITTEN = re.UNICODE | re.ASCII | re.IGNORECASE | re.DOTALL


def to_ecma(pattern: str, flags: int = 0) -> str | None:
    """Return an author's pattern as JSON Schema has it, or None where it cannot say it.

    `$` stays: in Python it also fits before a final line break, which a value need not have.
    """
    if flags & ~_WRITTEN or _PYTHON_ONLY.search(pattern):
        return None
    return _TOKEN.sub(lambda found: _ecma_token(found, flags), pattern)


def to_python(pattern: str) -> str:
    """Return a pattern of JSON Schema as Python's `re` has it, for the flag `re.ASCII`."""
    return _TOKEN.sub(_python_token, pattern)


def _ecma_token(found: re.Match[str], flags: int) -> str:
    piece = found[0]
    if found[2]:
        return "("
    if piece in _ANCHORS:
        return _ANCHORS[piece]
    if piece == "." and flags & re.DOTALL:
        return r"[\s\S]"
    if piece.startswith(("[]", "[^]")):  # a class that is empty in ECMA 262
        piece = piece.replace("]", r"\]", 1)
    return _in_both_cases(piece) if flags & re.IGNORECASE else piece


def _in_both_cases(piece: str) -> str:
    if piece.isascii() and piece.isalpha():
        return f"[{piece.lower()}{piece.upper()}]"
    return _MEMBER.sub(_member_in_both_cases, piece) if piece.startswith("[") else piece


def _member_in_both_cases(found: re.Match[str]) -> str:
    first, last, single = found.groups()
    if single:
        return single.lower() + single.upper()
    if first and first.islower() is last.islower():
        return f"{first.lower()}-{last.lower()}{first.upper()}-{last.upper()}"
    return found[0]


def _python_token(found: re.Match[str]) -> str:
    if found[1]:
        return f"(?P={found[1]})"
    if found[2]:
        return f"(?P<{found[2]}>"
    return r"\Z" if found[0] == "$" else found[0]
