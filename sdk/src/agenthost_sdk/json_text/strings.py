"""Read strings that are quoted or escaped in other ways than JSON's, and write them as JSON."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from agenthost_sdk.json_text.strict import CONTROLS
from agenthost_sdk.json_text.unreadable import Damage

#: The signs that begin a string, and those that end it.
CLOSERS = {
    '"': '"',
    "'": "'",
    "`": "`",
    "“": "”“‟",
    "”": "”“‟",
    "„": "“”‟",
    "‟": "”“‟",
    "‘": "’‘‛",
    "’": "’‘‛",
    "‚": "‘’‛",
    "‛": "’‘‛",
    "«": "»",
    "»": "«",
    "‹": "›",
    "「": "」",
}

#: Escapes that JSON has, those of Python, any other; and what must not stand bare.
_ODD = re.compile(
    r"""(?P<json>(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))++)"""
    r"""|\\(?P<python>x[0-9a-fA-F]{2}|U00(?:0[0-9a-fA-F]|10)[0-9a-fA-F]{4})"""
    r"""|\\(?P<other>.)|(?P<bare>["\x00-\x1f]++)""",
    re.DOTALL,
)

_HAS_ODD = re.compile(r'["\\\x00-\x1f]')

#: Of a string with lone backslashes such as "C:\\dir\\new" nobody knows if it has a line break.
_TWO_READINGS = re.compile(r"(?<!\\)(?:\\\\)*+\\[bfnrt][a-zA-Z]")
_DOUBTFUL = r"Backslashes must be written as \\ in the string that begins"

SINGLE = "single quotes read as double ones"
KEPT = "backslashes that escape nothing kept as text"

_QUOTES = {'"': "", "'": SINGLE, "`": "backticks read as quotes"}


class Quoted(NamedTuple):
    """A string written as JSON, where it ends in its text, and what was repaired."""

    json: str
    end: int
    repairs: tuple[str, ...]


def quoted_at(text: str, start: int, needless: str = "") -> Quoted:
    """Return the string whose opening quote stands at `start`.

    Args:
        text: The whole text.
        start: Where the quote stands.
        needless: Signs whose backslash means nothing, besides that of a quote.

    Raises:
        Damage: The text ends before the string does.
    """
    if text.startswith(('"""', "'''"), start) and (tripled := _tripled(text, start)) is not None:
        return tripled
    opening = text[start]
    end = _body_end(text, start + 1, CLOSERS[opening])
    if end >= len(text):
        raise Damage("truncated", "The text ends within the string that begins", start)
    return _rewritten(text[start + 1 : end], end + 1, opening, needless)


def _body_end(text: str, start: int, ends: str) -> int:
    found = _body(ends).match(text, start)
    end = found.end() if found else start
    return len(text) if text[end : end + 1] == "\\" else end


@cache
def _body(ends: str) -> re.Pattern[str]:
    return re.compile(rf"[^\\{ends}]*+(?:\\.[^\\{ends}]*+)*+", re.DOTALL)


def _tripled(text: str, start: int) -> Quoted | None:
    """Return a string in three quotes, as Python has them; None where no three close it."""
    marks = text[start : start + 3]
    end = text.find(marks, start + 3)
    if end < 0:
        return None
    quoted = _rewritten(text[start + 3 : end], end + 3, marks[0])
    return Quoted(quoted.json, quoted.end, ("triple quotes read as double ones", *quoted.repairs))


def _rewritten(body: str, end: int, opening: str, needless: str = "") -> Quoted:
    said = _QUOTES.get(opening, "typographic quotes read as plain ones")
    repairs: dict[str, None] = {said: None} if said else {}
    if _HAS_ODD.search(body) is None:
        return Quoted(f'"{body}"', end, tuple(repairs))

    def rewrite(found: re.Match[str]) -> str:
        kind = found.lastgroup
        if kind == "json":
            return found.group()
        if kind == "python":
            repairs["Python escapes read"] = None
            return _escaped(chr(int(found["python"][1:], 16)))
        if kind == "bare":
            return _bare(found.group(), repairs)
        return _other(found["other"], opening, needless, repairs)

    written = _ODD.sub(rewrite, body)
    if KEPT in repairs and _TWO_READINGS.search(body):
        raise Damage("invalid", _DOUBTFUL, end - len(body) - 1)
    return Quoted(f'"{written}"', end, tuple(repairs))


def _bare(signs: str, repairs: dict[str, None]) -> str:
    if signs.strip('"'):
        repairs[CONTROLS] = None
    return "".join(map(_escaped, signs))


def _other(sign: str, opening: str, needless: str, repairs: dict[str, None]) -> str:
    """Return an escape that JSON does not have: an escaped quote, or a backslash that is meant."""
    if sign in "'`" or sign in CLOSERS[opening] + needless:
        if sign != opening:
            repairs["needless escapes taken off"] = None
        return sign
    repairs[KEPT] = None
    return "\\\\" + (_escaped(sign) if sign < " " else sign)


def _escaped(sign: str) -> str:
    if sign in '"\\':
        return f"\\{sign}"
    return f"\\u{ord(sign):04x}" if sign < " " else sign
