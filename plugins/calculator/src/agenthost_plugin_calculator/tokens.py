"""Cut an expression, as people write it, into numbers, names and signs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from agenthost_sdk.errors import ToolError

#: Signs and words, and the sign that each stands for.
SPELLINGS = {
    **{sign: sign for sign in ("+", "-", "*", "/", "//", "%", "**", "(", ")", ",", "!")},
    "^": "**",
    **dict.fromkeys("×·⋅∙", "*"),
    **dict.fromkeys("÷∕", "/"),
    **dict.fromkeys("−–—", "-"),
    "√": "√",
    "°": "°",
    "x": "*",
    "times": "*",
    "multiplied by": "*",
    "divided by": "/",
    "plus": "+",
    "minus": "-",
    "mod": "mod",
    "of": "of",
    "percent": "%",
    "per cent": "%",
    "square root of": "√",
    "to the power of": "**",
}

#: The signs in words, for messages.
ALLOWED = "+ - * / // % ** ( ) , × ÷ ^ √ ! °"


@dataclass(frozen=True)
class Token:
    """A piece of an expression and where it starts, counted from 1."""

    kind: Literal["number", "name", "sign", "end"]
    text: str
    position: int


def cut(expression: str) -> list[Token]:
    """Return the pieces of an expression, ended by a token that says so.

    A comma between groups of three digits belongs to the number (4,200), but within the
    parentheses of a function it always separates: max(1,200) has two numbers.

    Raises:
        ToolError: A sign is no part of arithmetic.
    """
    text = _FULL_WIDTH.sub(lambda found: chr(ord(found[0]) - 0xFEE0), expression)
    text = _ENDING.sub("", text)
    return [*_pieces(text), Token("end", "", len(text) + 1)]


def _pieces(text: str) -> Iterator[Token]:
    opened: list[bool] = []
    previous, at = "", 0
    while at < len(text):
        found = (_PIECE_IN_CALL if any(opened) else _PIECE).match(text, at)
        if found is None:
            raise ToolError(_unknown_sign(text, at))
        for token in _tokens(found):
            _count_parentheses(opened, token, previous)
            previous = token.kind
            yield token
        at = found.end()


def _tokens(found: re.Match[str]) -> Iterator[Token]:
    kind, text, position = found.lastgroup, found[0], found.start() + 1
    if kind == "number":
        yield Token("number", _SEPARATOR.sub("", text), position)
    elif kind == "name":
        yield Token("name", "pi" if text == "π" else text, position)
    elif kind == "raised":
        yield Token("sign", "**", position)
        digits = text.translate(_RAISED)
        if digits.startswith("-"):
            yield Token("sign", "-", position)
        yield Token("number", digits.lstrip("-"), position)
    elif kind == "sign":
        yield Token("sign", SPELLINGS[" ".join(text.lower().split())], position)


def _count_parentheses(opened: list[bool], token: Token, previous: str) -> None:
    """Keep for each open parenthesis whether it is a function's."""
    if token.text == "(":
        opened.append(previous == "name")
    elif token.text == ")" and opened:
        opened.pop()


def _unknown_sign(text: str, at: int) -> str:
    return (
        f"{text[at]!r} at position {at + 1} is no part of arithmetic."
        f" Allowed: numbers, {ALLOWED}, functions and constants."
    )


_FULL_WIDTH = re.compile("[\uff01-\uff5e]")
_ENDING = re.compile(r"[\s=?]+\Z")
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")

#: Apostrophes, no-break and thin spaces group digits everywhere, a comma outside functions only.
_GROUPING = "'’\u00a0\u2009\u202f"
_SEPARATOR = re.compile(f"[,_{_GROUPING}]")


def _piece(separators: str) -> re.Pattern[str]:
    exponent = r"(?:e[+-]?[0-9]+)?"
    grouped = rf"[0-9]{{1,3}}(?:[{separators}][0-9]{{3}})+(?![0-9])"
    signs = "|".join(_sign(spelling) for spelling in sorted(SPELLINGS, key=len, reverse=True))
    return re.compile(
        r"(?P<space>\s+|[$€£¥]\s*(?=[0-9.]))"
        rf"|(?P<number>(?:(?:{grouped}|[0-9]+(?:_[0-9]+)*)(?:\.[0-9]*)?|\.[0-9]+){exponent})"
        r"|(?P<raised>⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)"
        rf"|(?P<sign>{signs})"
        r"|(?P<name>π|[a-z_][a-z_0-9]*)",
        re.IGNORECASE,
    )


def _sign(spelling: str) -> str:
    if not spelling[0].isalpha():
        return re.escape(spelling)
    return spelling.replace(" ", r"\s+") + "(?![a-z_])"


_PIECE = _piece("," + _GROUPING)
_PIECE_IN_CALL = _piece(_GROUPING)
