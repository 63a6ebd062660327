"""Decide what an unquoted word in damaged JSON stands for."""

from __future__ import annotations

import json
import re

from agenthost_sdk.json_text.strict import shown
from agenthost_sdk.json_text.unreadable import Damage

UNQUOTED = "unquoted text read as a string"
LITERALS = "literals of another language read as JSON's"
NUMBERS = "numbers of another language read as JSON's"

#: What may stand in a word; full-width signs separate as their narrow forms do.
WORD = re.compile(r"""[^\s\ufeff,:=;{}\[\]()"'`“”„‟‘’‚‛«»‹›「」：，、；/#\\<>]++""")

_LITERALS = {"true": "true", "false": "false", "null": "null", "none": "null", "nil": "null"}
_ENDLESS = {"nan", "inf", "infinity"}
_HEX = re.compile(r"([+-]?)0[xX]([0-9a-fA-F]{1,16})")
_DECIMAL = re.compile(
    r"[+-]?(?:(?:0|[1-9][0-9]*(?:_[0-9]+)*+)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
)
_TEXT = re.compile(r"[^\W\d][\w.\-$@]*|[0-9]+[.\-][\w.\-]*|[0-9]+[^\W\d][\w.\-]*")
_LEADING_ZERO = re.compile(r"[+-]?0[0-9_]+")


def read_word(word: str, offset: int) -> tuple[str, str]:
    """Return the JSON that a word stands for, and what was repaired ("" where it is JSON).

    Raises:
        Damage: No single value is meant by it.
    """
    if (literal := _LITERALS.get(word.lower())) is not None:
        return literal, "" if literal == word else LITERALS
    if word.lstrip("+-").lower() in _ENDLESS:
        raise Damage("out-of-range", f"{word} is no number that JSON has", offset)
    if (number := _number(word)) is not None:
        return number, "" if number == word else NUMBERS
    if _TEXT.fullmatch(word) and word != "undefined" and not _LEADING_ZERO.fullmatch(word):
        return json.dumps(word), UNQUOTED
    raise Damage("invalid", f"A value was expected, but {shown(word)} stands", offset)


def read_key(word: str, offset: int) -> str:
    """Return the JSON of a key that was written without quotes.

    Raises:
        Damage: It has neither a letter nor a digit, as an ellipsis.
    """
    if not any(map(str.isalnum, word)):
        raise Damage("invalid", f"A key was expected, but {shown(word)} stands", offset)
    return json.dumps(word)


def _number(word: str) -> str | None:
    if found := _HEX.fullmatch(word):
        return str(int(found[1] + found[2], 16))
    if not _DECIMAL.fullmatch(word):
        return None
    plain = word.lstrip("+").replace("_", "")
    plain = re.sub(r"^(-?)\.", r"\g<1>0.", plain)
    return re.sub(r"\.(?![0-9])", ".0", plain)
