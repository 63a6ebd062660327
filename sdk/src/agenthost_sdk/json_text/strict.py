"""Decode strict JSON, and notice what Python's decoder lets pass, such as doubled keys."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from json import JSONDecodeError, JSONDecoder
from math import isfinite
from typing import Any

from agenthost_sdk.json_text.unreadable import Damage

REPEATED = "of a repeated key the last value taken"
CONTROLS = "raw line breaks or tabs in a string read as they stand"
SURROGATES = "half of a character pair replaced by U+FFFD"

#: The white space that JSON has.
BLANK = " \t\r\n"
SCALAR = re.compile(r"[+\-.]?[0-9][\w.+\-]*|true|false|null|none|-?nan|-?infinity", re.IGNORECASE)
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]|[\ud800-\udfff]")


@dataclass(frozen=True)
class Found:
    """A value, what was repaired to read it, and where it ends in its text."""

    value: Any
    repairs: tuple[str, ...]
    end: int


def decode_at(text: str, start: int) -> Found:
    """Return the value that begins at `start`.

    Raises:
        JSONDecodeError: It is not strict JSON, raw control characters in strings aside.
        Damage: It holds a number that is out of range, or is nested too deeply.
    """
    try:
        return _checked(text, start, *_decode(_STRICT, text, start))
    except _RepeatedKeyError:
        return _forgiven(text, start)
    except JSONDecodeError as error:
        if not error.msg.startswith("Invalid control character"):
            raise
        return _forgiven(text, start)


def whole_strict(body: str) -> Found | None:
    """Return the value that a whole text is; None where it is no JSON, or needs more than that."""
    if body[:1] not in ("{", "[", '"') and not SCALAR.fullmatch(body):
        return None
    try:
        found = decode_at(body, 0)
    except JSONDecodeError:
        return None
    return found if found.end == len(body) else None


def sound_object(text: str) -> dict[str, Any] | None:
    """Return the object that a text is to the letter; None where it needs a closer look."""
    if text[:1] != "{" or _SURROGATE.search(text) is not None:
        return None
    try:
        value, end = _STRICT.raw_decode(text)
    except (ValueError, RecursionError, Damage):
        return None
    return value if end == len(text) else None


def _forgiven(text: str, start: int) -> Found:
    """Decode with doubled keys and raw control characters allowed, and record which there were."""
    value, end = _decode(_FORGIVING, text, start)
    repairs = [
        words for words, decoder in _FAULTS.items() if not _is_decoded_by(decoder, text, start)
    ]
    return _checked(text, start, value, end, *repairs)


def _is_decoded_by(decoder: JSONDecoder, text: str, start: int) -> bool:
    try:
        decoder.raw_decode(text, start)
    except ValueError:
        return False
    return True


def _decode(decoder: JSONDecoder, text: str, start: int) -> tuple[Any, int]:
    try:
        return decoder.raw_decode(text, start)
    except RecursionError:
        raise Damage("invalid", "The JSON is nested too deeply", start) from None
    except (_RepeatedKeyError, JSONDecodeError):
        raise
    except ValueError:  # Python reads no integer of more than some thousand digits
        raise Damage("out-of-range", "A number has too many digits") from None


def _checked(text: str, start: int, value: Any, end: int, *repairs: str) -> Found:
    """Return what was found, without lone surrogates, which no file or request can hold."""
    if text.isascii() and text.find("\\u", start, end) < 0:
        return Found(value, repairs, end)
    if _SURROGATE.search(text, start, end) is None:
        return Found(value, repairs, end)
    holder = [value]
    is_changed = _replace_surrogates(holder)
    return Found(holder[0], (*repairs, SURROGATES) if is_changed else repairs, end)


def _replace_surrogates(holder: list[Any]) -> bool:
    is_changed = False
    waiting: list[Any] = [holder]
    while waiting:
        container = waiting.pop()
        if isinstance(container, dict):
            items = [(_whole(key), part) for key, part in container.items()]
            is_changed |= [key for key, _ in items] != list(container)
            container.clear()
            container.update(items)
        places = list(container) if isinstance(container, dict) else range(len(container))
        for place in places:
            part = container[place]
            if isinstance(part, str):
                container[place] = _whole(part)
                is_changed |= container[place] != part
            elif isinstance(part, dict | list):
                waiting.append(part)
    return is_changed


def _whole(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


class _RepeatedKeyError(ValueError):
    """An object has a key twice."""


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise _RepeatedKeyError
    return value


def _finite(word: str) -> float:
    number = float(word)
    if not isfinite(number):
        raise Damage("out-of-range", f"The number {shown(word)} is out of range")
    return number


def _refuse(word: str) -> Any:
    raise Damage("out-of-range", f"{word} is no number that JSON has")


def shown(word: str, most: int = 20) -> str:
    """Return a word as an error shows it, cut where it is long."""
    return json.dumps(word if len(word) <= most else f"{word[:most]}…", ensure_ascii=False)


_STRICT = JSONDecoder(
    object_pairs_hook=_distinct, parse_float=_finite, parse_constant=_refuse, strict=True
)
_FORGIVING = JSONDecoder(
    object_pairs_hook=dict, parse_float=_finite, parse_constant=_refuse, strict=False
)
_FAULTS = {
    REPEATED: JSONDecoder(object_pairs_hook=_distinct, strict=False),
    CONTROLS: JSONDecoder(strict=True),
}
