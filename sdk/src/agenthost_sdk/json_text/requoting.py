"""Put quotes right that stand within strings or are missing, by a library whose work is checked.

The library guesses, and may drop what it does not understand. So its value counts only if it
holds every sign of the text in the same order, quotes and white space aside.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from agenthost_sdk.json_text.strict import Found, decode_at
from agenthost_sdk.json_text.strings import CLOSERS

REQUOTED = "misplaced quotes put right"

#: The library takes up to 5 microseconds for a character, 100 for a bracket, and time that grows
#: with the square of the quotes.
MOST_CHARACTERS = 4_000
_MOST_BRACKETS = 60
_MOST_CHARACTERS_BY_QUOTES = 300_000

_QUOTES = "".join({*CLOSERS, *"".join(CLOSERS.values())})
_NO_NAMES = {"nan", "inf", "infinity", "undefined"}
_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_ESCAPE = re.compile(r"""\\([bfnrt"'\\/]|u([0-9a-fA-F]{4}))""")
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_LITERAL = re.compile(r"\b(?:True|False|None|TRUE|FALSE|NULL)\b")
_NOTHING = str.maketrans("", "", _QUOTES + "\\ \t\r\n\f\b")
#: Strings that a programming language would join.
_SUM = re.compile(r"""["'`]\s*+\+\s*+["'`]""")
#: What stands between two strings; within one, it may be that two were taken for it.
_TWO = re.compile(rf"[{re.escape(_QUOTES)}]\s*+[,:]\s*+[{re.escape(_QUOTES)}]")
_TRAILING_COMMA = re.compile(r",(?=[}\]])")


def requote(source: str, end: int) -> Found | None:
    """Return the value that a whole text is, to end at `end`; None where that is not sure."""
    if not _is_small(source) or _SUM.search(source):
        return None
    value = _guessed(source)
    if not isinstance(value, dict | list) or not _holds_all(source, value):
        return None
    found = decode_at(json.dumps(value), 0)
    return Found(found.value, (REQUOTED, *found.repairs), end)


def _is_small(source: str) -> bool:
    return (
        len(source) <= MOST_CHARACTERS
        and source.count("{") + source.count("[") <= _MOST_BRACKETS
        and len(source) * _quotes_in(source) <= _MOST_CHARACTERS_BY_QUOTES
    )


def _guessed(source: str) -> Any:
    import json_repair  # takes longer to import than all the rest, and is seldom needed

    try:
        return json_repair.loads(source, skip_json_loads=True)
    except Exception:  # it also raises what it did not mean to, such as AssertionError
        return None


def _holds_all(source: str, value: Any) -> bool:
    parts = list(_written(value))
    strings = [part for kind, part in parts if kind != "sign"]
    said = _unescaped(source)
    bare = _bare_in_order(strings, said)
    quotes = _quotes_in(said) - 2 * len(strings)
    return (
        "\\" not in said
        and bare is not None
        and quotes <= sum(map(_quotes_in, strings)) <= quotes + 2 * bare
        and not any(_quotes_in(part) for kind, part in parts if kind == "key")
        and not any(_TWO.search(part) for part in strings)
        and _signs(said) == _signs("".join(part for _, part in parts))
    )


def _bare_in_order(strings: list[str], said: str) -> int | None:
    """Return how many strings stand without quotes; None if one is not there, in its turn.

    Those in quotes stand there as they are, white space and all; others must be plain names.
    """
    pairs = [(begin, end) for begin, ends in CLOSERS.items() if begin in said for end in ends]
    place, bare = 0, 0
    for part in strings:
        found = [said.find(f"{begin}{part}{end}", place) for begin, end in pairs]
        quoted = min((one for one in found if one >= 0), default=len(said))
        plain = _name_at(part, said, place, quoted)
        if plain < 0 and quoted == len(said):
            return None
        bare += plain >= 0
        place = plain + len(part) if plain >= 0 else quoted + len(part) + 2
    return bare


def _name_at(part: str, said: str, start: int, stop: int) -> int:
    """Return where a plain name stands that no quote touches, not even one of its own; or -1."""
    if not part.isidentifier() or part.lower() in _NO_NAMES:
        return -1
    place = said.find(part, start, stop)
    around = said[:place].rstrip()[-1:] + said[place + len(part) :].lstrip()[:1]
    return -1 if any(sign in _QUOTES for sign in around) else place


def _quotes_in(text: str) -> int:
    return sum(text.count(sign) for sign in _QUOTES)


def _signs(text: str) -> str:
    """Return what a text says: its signs without quotes and white space, numbers in one form."""
    text = _LITERAL.sub(lambda found: _plain(found.group()), text)
    text = _NUMBER.sub(lambda found: _number(found.group()), text)
    return _TRAILING_COMMA.sub("", text.translate(_NOTHING))


def _plain(literal: str) -> str:
    return literal.lower().replace("none", "null")


def _number(word: str) -> str:
    return word if word.isdigit() else repr(float(word))


def _unescaped(source: str) -> str:
    return _ESCAPE.sub(
        lambda found: chr(int(found[2], 16)) if found[2] else _ESCAPES.get(found[1], found[1]),
        source,
    )


def _written(value: Any) -> Iterator[tuple[str, str]]:
    """Yield a value's parts as JSON has them, its strings without quotes or escapes."""
    if isinstance(value, dict):
        yield "sign", "{"
        for place, (key, part) in enumerate(value.items()):
            yield "sign", "," if place else ""
            yield "key", str(key)
            yield "sign", ":"
            yield from _written(part)
        yield "sign", "}"
    elif isinstance(value, list):
        yield "sign", "["
        for place, part in enumerate(value):
            yield "sign", "," if place else ""
            yield from _written(part)
        yield "sign", "]"
    elif isinstance(value, str):
        yield "string", value
    else:
        yield "sign", _scalar(value)


def _scalar(value: Any) -> str:
    try:
        return json.dumps(value, allow_nan=False)
    except ValueError:  # endless, or of too many digits
        return "\0"
