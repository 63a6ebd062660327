"""Give the calls of a conversation ids, names and arguments that every request may bear."""

from __future__ import annotations

import hashlib
import json
import re
from typing import NoReturn, Self

#: Characters in the id of a call at most.
LONGEST_ID = 40

_LEGAL = re.compile(rf"[!-~]{{1,{LONGEST_ID}}}\Z")
_ILLEGAL = re.compile(r"[^!-~]")
_HASHED = 8


class CallIds:
    """The ids of the calls of one conversation, of which none is used twice.

    An id that is missing, too long, illegal or used before is replaced; the one that stands in
    its place follows from it and from how often it came.

    Args:
        length: How many letters and digits an id must have; 0 where any legal one will do.
    """

    def __init__(self, length: int = 0) -> None:
        self._length = length
        self._used: set[str] = set()
        self._times: dict[str, int] = {}

    def free(self, wanted: str) -> str:
        """Return the id that stands for the one that is wanted, and note that it is used."""
        wanted = wanted or "call"
        sent = self._legal(wanted)
        while sent in self._used:
            times = self._times[wanted] = self._times.get(wanted, 1) + 1
            sent = self._legal(f"{wanted}_{times}")
        self._used.add(sent)
        return sent

    def copy(self) -> Self:
        """Return ids that go on from here by themselves."""
        copy = type(self)(self._length)
        copy._used, copy._times = set(self._used), dict(self._times)
        return copy

    def _legal(self, wanted: str) -> str:
        if self._length:
            is_legal = len(wanted) == self._length and wanted.isascii() and wanted.isalnum()
            return wanted if is_legal else _hash(wanted)[: self._length]
        if _LEGAL.match(wanted):
            return wanted
        begun = _ILLEGAL.sub("_", wanted)[: LONGEST_ID - _HASHED - 1]
        return f"{begun}_{_hash(wanted)[:_HASHED]}"


def sendable_arguments(arguments: str) -> str:
    """Return the arguments, or an empty object where they are none.

    The provider would refuse every later request; what was wrong, the call's result says.
    """
    try:
        is_object = isinstance(_STRICT.decode(arguments), dict)
    except (ValueError, RecursionError):
        is_object = False
    return arguments if is_object else "{}"


def _refuse(word: str) -> NoReturn:
    raise ValueError(word)  # NaN and Infinity are no JSON


_STRICT = json.JSONDecoder(parse_constant=_refuse)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
