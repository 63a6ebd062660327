"""Rewrite one damaged JSON value as strict JSON, as long as each of its signs has one reading."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from agenthost_sdk.json_text.runs import ITEM, ITEMS, MEMBERS, SINGLE_ITEMS, SINGLE_MEMBERS, STRING
from agenthost_sdk.json_text.strict import shown
from agenthost_sdk.json_text.strings import CLOSERS, SINGLE, quoted_at
from agenthost_sdk.json_text.unreadable import Damage
from agenthost_sdk.json_text.words import UNQUOTED, WORD, read_key, read_word

#: White space and comments; what stands close to a quote or word may be a part of it.
_BLANK = re.compile(
    r"(?:[\s\ufeff]++|(?<![\w\"'`”’»」])(?:(?://|\#)[^\n]*+|/\*[^*]*+(?:\*(?!/)[^*]*+)*+\*/))*+"
)
_COLON = re.compile(r"[:：]|=>?")
_DIGIT_GROUP = re.compile(r"[0-9]{3}(?![\w.])")

_BRACKETS = {"{": "}", "[": "]", "(": ")"}
_KINDS = {"{": "object", "[": "array", "(": "tuple"}
_COMMAS = {",": "", "，": "full-width commas read as plain ones"}

#: Steps that are always granted, and one more for every so many characters.
_FREE_STEPS = 6_000
_CHARACTERS_PER_STEP = 16

_MOST_LEVELS = 200

_Step = Callable[[], "_Step | None"]


@dataclass(frozen=True)
class Mended:
    """The strict JSON of one value, where the value ends in its text, and what was repaired."""

    json: str
    end: int
    repairs: tuple[str, ...]


def mend(text: str, start: int) -> Mended:
    """Return the value that begins at `start`, rewritten; what follows is not looked at.

    Raises:
        Damage: It breaks off, or a sign in it has no reading or several.
    """
    mender = _Mender(text, start)
    mender.run()
    repairs = tuple(mender.repairs) or ("unusual white space passed over",)
    return Mended("".join(mender.out), mender.at, repairs)


class _Mender:
    """Goes from step to step; each reads one sign and returns the step that comes next."""

    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.at = start
        self.out: list[str] = []
        self.repairs: dict[str, None] = {}
        self._closers: list[str] = []
        self._opened: list[int] = []
        #: Where in `out` each open round bracket stands; negative once a comma made it a tuple.
        self._rounds: list[int] = []
        self._has_comma = False
        self._has_gap = False
        #: Whether the last value was unquoted text, which may go on behind a gap.
        self._is_loose = False

    def run(self) -> None:
        """Read the value, or raise `Damage`."""
        left = _FREE_STEPS + (len(self.text) - self.at) // _CHARACTERS_PER_STEP
        step: _Step | None = self._value
        while step is not None:
            step = step()
            left -= 1
            if not left:
                raise Damage("invalid", "The JSON is too damaged to be read whole", self.at)

    # The steps

    def _value(self) -> _Step | None:
        self._skip()
        is_listed = self._closers[-1:] == ["]"]
        if found := (ITEMS if is_listed else ITEM).match(self.text, self.at):
            return self._put(found.group(), found.end(), self._after)
        if is_listed and self._put_single(SINGLE_ITEMS):
            return self._after
        sign = self._sign()
        if sign in _BRACKETS:
            return self._open(sign)
        if sign in CLOSERS:
            quoted = quoted_at(self.text, self.at)
            self._note(*quoted.repairs)
            return self._put(quoted.json, quoted.end, self._after)
        return self._word()

    def _word(self) -> _Step | None:
        found = WORD.match(self.text, self.at)
        if found is None:
            raise self._unexpected("A value")
        if self._closers and found.end() == len(self.text):
            raise Damage("truncated", "The text ends within a value", self.at)
        word, repair = read_word(found.group(), self.at)
        if not self._closers and repair == UNQUOTED:
            raise Damage("no-json", "No JSON was found")
        self._note(repair)
        self._put(word, found.end(), None)
        self._is_loose = repair == UNQUOTED
        return self._after

    def _element(self) -> _Step | None:
        self._skip()
        return self._close() if self._sign() in ("]", ")", "}") else self._value()

    def _member(self) -> _Step | None:
        self._skip()
        sign = self._sign()
        if sign == "}" or sign == "]":
            return self._close()
        if sign in _COMMAS and self._has_comma:
            self._note("a doubled comma removed")
            self.at += 1
            return self._member
        if found := MEMBERS.match(self.text, self.at):
            return self._put(found.group(), found.end(), self._after)
        if self._put_single(SINGLE_MEMBERS):
            return self._after
        is_quoted = self._key(sign)
        return self._colon(is_quoted)

    def _key(self, sign: str) -> bool:
        """Read a key; say whether it was quoted, so that its end is sure."""
        if found := STRING.match(self.text, self.at):
            self._put(found.group(), found.end(), None)
        elif sign in CLOSERS:
            quoted = quoted_at(self.text, self.at, needless="_")  # as in Markdown: user\_id
            self._note(*quoted.repairs)
            self._put(quoted.json, quoted.end, None)
        elif found := WORD.match(self.text, self.at):
            self._note("unquoted keys quoted")
            self._put(read_key(found.group(), self.at), found.end(), None)
            return False
        else:
            raise self._unexpected("A key")
        return True

    def _colon(self, is_quoted: bool) -> _Step | None:
        self._skip()
        if found := _COLON.match(self.text, self.at):
            self._note("" if found.group() == ":" else "another sign read as a colon")
            self.at = found.end()
        elif is_quoted and self._has_gap and self._begins_value():
            self._note("a missing colon added")
        else:
            raise self._unexpected("A colon")
        self.out.append(":")
        return self._value

    def _after(self) -> _Step | None:
        if not self._closers:
            return None
        self._skip()
        sign = self._sign()
        if sign in _COMMAS:
            self.at += 1
            self._note(_COMMAS[sign])
            return self._next()
        if sign in ("]", "}", ")"):
            return self._close()
        if self._begins_next(sign):
            self._note("a missing comma added")
            return self._next()
        raise self._unexpected("A comma or a closing bracket")

    # What the steps are made of

    def _next(self) -> _Step:
        self._has_comma = True
        closer = self._closers[-1]
        if closer == ")":
            self._rounds[-1] = -1
        return self._member if closer == "}" else self._element

    def _open(self, sign: str) -> _Step:
        if len(self._closers) == _MOST_LEVELS:
            raise Damage("invalid", "The JSON is damaged and nested too deeply", self.at)
        self._opened.append(self.at)
        self._closers.append(_BRACKETS[sign])
        self._put("[" if sign == "(" else sign, self.at + 1, None)
        if sign == "(":
            self._rounds.append(len(self.out) - 1)
        return self._member if sign == "{" else self._element

    def _close(self) -> _Step:
        sign, closer = self._sign(), self._closers.pop()
        begun = self._opened.pop()
        if sign != closer:
            pair = f"{shown(sign)} closes what {shown(self.text[begun])} opened"
            raise Damage("invalid", pair, self.at)
        if sign == ")":
            self._round_close()
        else:
            self._note("a trailing comma removed" if self._has_comma else "")
            self.out.append(sign)
        self._has_comma = False
        self.at += 1
        return self._after

    def _round_close(self) -> None:
        opened = self._rounds.pop()
        if 0 <= opened < len(self.out) - 1:  # only brackets round one value, as Python allows
            self.out[opened] = ""
            self._note("round brackets removed")
        else:
            self.out.append("]")
            self._note("a Python tuple read as an array")

    def _begins_value(self) -> bool:
        sign = self._sign()
        return sign in CLOSERS or sign in _BRACKETS or ITEMS.match(self.text, self.at) is not None

    def _begins_next(self, sign: str) -> bool:
        """Say whether what stands here is surely a value, or a key, of its own."""
        if not self._has_gap or self._is_loose or self._closers[-1] == ")":
            return False
        if sign in CLOSERS or sign in _BRACKETS:
            return True
        if self._closers[-1] == "}":
            word = WORD.match(self.text, self.at)
            return word is not None and self.text[word.end() : word.end() + 1] in (":", "：")
        is_group = _DIGIT_GROUP.match(self.text, self.at) is not None
        return not is_group and ITEMS.match(self.text, self.at) is not None

    def _put(self, piece: str, end: int, step: _Step | None) -> _Step | None:
        if self._has_comma:
            self.out.append(",")
            self._has_comma = False
        self._is_loose = False
        self.out.append(piece)
        self.at = end
        return step

    def _put_single(self, run: re.Pattern[str]) -> bool:
        """Read items or members in single quotes; say whether there were any."""
        found = run.match(self.text, self.at) if self._sign() in ("'", "[", "{") else None
        if found is None:
            return False
        self._note(SINGLE)
        self._put(found.group().replace("'", '"'), found.end(), None)
        return True

    def _skip(self) -> None:
        start = self.at
        found = _BLANK.match(self.text, start)
        self.at = found.end() if found else start
        self._has_gap = self.at > start
        if self._has_gap:
            passed = self.text[start : self.at]
            self._note("comments removed" if "/" in passed or "#" in passed else "")

    def _sign(self) -> str:
        return self.text[self.at : self.at + 1]

    def _note(self, *repairs: str) -> None:
        for repair in repairs:
            if repair:
                self.repairs[repair] = None

    def _unexpected(self, awaited: str) -> Damage:
        if self.at >= len(self.text) or self.text.startswith("/*", self.at):
            opened = self._opened[-1] if self._opened else self.at
            what = _KINDS.get(self.text[opened : opened + 1], "value")
            return Damage("truncated", f"The text ends within the {what} that begins", opened)
        following = WORD.match(self.text, self.at)
        found = following.group() if following else self._sign()
        return Damage("invalid", f"{awaited} was expected, but {shown(found)} stands", self.at)
