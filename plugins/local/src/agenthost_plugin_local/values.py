"""Find the values that a question names: numbers, dates, times, time zones, quoted text."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from agenthost_plugin_local.moments import moments
from agenthost_plugin_local.numerals import numerals
from agenthost_plugin_local.zones import zone_names

_QUOTED = re.compile(
    r"\"([^\"]+)\"|“([^”]+)”|„([^“”]+)[“”]|«([^»]+)»|‘([^’]+)’|`([^`]+)`|(?<!\w)'([^']+(?:'(?=\w)[^']*)*)'(?!\w)"
    # A word that is called one is as good as quoted: "the word banana".
    r"|(?<=\bthe word )((?!(?:count|order|of|in|for|is|that|with|limit|length)\b)[^\W\d_]+)"
)
_CHARACTERS = {
    "comma": ",", "space": " ", "hyphen": "-", "dash": "-", "underscore": "_", "dot": ".",
    "period": ".", "semicolon": ";", "colon": ":", "slash": "/", "asterisk": "*",
}  # fmt: skip
_CHARACTER = re.compile(rf"\b({'|'.join(_CHARACTERS)})(?:e?s)?\b", re.IGNORECASE)
_SPEAKS_OF_TEXT = re.compile(
    r"\b(?:this|following|text|sentence|words?|string|phrase|tweet|message|title|line|paragraph"
    r"|characters?|letters?|case|please|backwards|caps|in)\b",
    re.IGNORECASE,
)
_ENDS_IN_TEXT = re.compile(
    r"\b(?:this|following|text|sentence|words?|string|phrase|tweet|message|title|line|paragraph"
    r"|headline|quote)$",
    re.IGNORECASE,
)
WORD = re.compile(r"[^\W\d_]+(?:['’/-][^\W\d_]+)*|\d+(?:[.,]\d+)*|[^\w\s]|_")


@dataclass(frozen=True)
class Mention:
    """A value named in a text: its kind, its normal form, and where it stands."""

    kind: str
    value: str
    start: int
    end: int

    def overlaps(self, other: "Mention") -> bool:
        """Say whether both stand on the same piece of the text."""
        return self.start < other.end and other.start < self.end


@lru_cache(maxsize=2048)
def mentions(text: str) -> tuple[Mention, ...]:
    """Return the values that a text names, in its order.

    What a quoted text holds is not looked into. A date and a time that stand together are one
    "moment", as is either alone.
    """
    quoted = [_quotation(match) for match in _QUOTED.finditer(text)]
    quoted += _tail(_blanked(text, quoted))
    free = _blanked(text, quoted)
    dated = [Mention("moment", *found) for found in moments(free)]
    free = _blanked(free, dated)
    numbers = [Mention("number", *found) for found in numerals(free)]
    places = [Mention("zone", *found) for found in zone_names(free)]
    if places and not dated:
        numbers = [_as_hour(number, free) for number in numbers]
    signs = [_character(match) for match in _CHARACTER.finditer(free)]
    return tuple(sorted([*quoted, *dated, *numbers, *places, *signs], key=lambda m: m.start))


def of_kind(text: str, kind: str) -> list[Mention]:
    """Return the mentions of one kind, in the order of the text."""
    return [mention for mention in mentions(text) if mention.kind == kind]


def ones(text: str) -> list[Mention]:
    """Return where "a" or "one" stands for the number 1, if no other number is named."""
    return [Mention("number", "1", *match.span()) for match in _ONE.finditer(text)]


_ONE = re.compile(r"\b(?:an?|one)\b(?= \w)", re.IGNORECASE)


def runs(text: str, longest: int) -> list[Mention]:
    """Return every run of up to so many words of a text."""
    marks = [match.span() for match in WORD.finditer(text)]
    return [
        Mention("run", text[start:end], start, end)
        for first, (start, _) in enumerate(marks)
        for _, end in marks[first : first + longest]
    ]


def is_present(mention: Mention) -> bool:
    """Say whether a moment is the present one, which no figure names."""
    return mention.kind == "moment" and mention.value.isalpha()


#: What stands for a value where only the shape of a question matters.
STAND_INS = {"quoted": '"word"', "moment": "10:00", "date": "2025-01-01", "number": "5"}


@lru_cache(maxsize=2048)
def mask(text: str) -> str:
    """Return the text with its values replaced by stand-ins of their kind."""
    pieces, end = [], 0
    for mention in mentions(text):
        kind = "date" if mention.value[4:5] == "-" else mention.kind
        if kind in STAND_INS and mention.start >= end and not is_present(mention):
            pieces += [text[end : mention.start], STAND_INS[kind]]
            end = mention.end
    return "".join([*pieces, text[end:]])


def unquoted(text: str) -> str:
    """Return the text without what it quotes."""
    return _blanked(text, of_kind(text, "quoted"))


def _tail(text: str) -> list[Mention]:
    """Return the text after a colon or a line, if what is before it speaks of a text."""
    for match in (re.search(r":\s+(\S.*?)\s*$", text, re.DOTALL), _BELOW.fullmatch(text)):
        if match and _is_text(match[1], text[: match.start(1)].rstrip(": \n")):
            return [Mention("quoted", match[1], *match.span(1))]
    return []


_BELOW = re.compile(r"[^\n]+\n\s*(\S.*?)\s*", re.DOTALL)


def _is_text(tail: str, head: str) -> bool:
    if _ENDS_IN_TEXT.search(head):
        return True
    is_wordy = any(letter.isalpha() for letter in tail) and not tail.endswith("?")
    return is_wordy and bool(_SPEAKS_OF_TEXT.search(head) or _words(head) & _words(tail))


def _words(text: str) -> set[str]:
    return {word for word in re.findall(r"[^\W\d_]+", text.lower()) if len(word) > 3}


def _blanked(text: str, found: Iterable[Mention]) -> str:
    for mention in found:
        text = text[: mention.start] + " " * (mention.end - mention.start) + text[mention.end :]
    return text


def _quotation(match: re.Match[str]) -> Mention:
    inner = next(group for group in match.groups() if group is not None)
    return Mention("quoted", inner, *match.span())


def _character(match: re.Match[str]) -> Mention:
    return Mention("character", _CHARACTERS[match[1].lower()], *match.span())


def _as_hour(number: Mention, text: str) -> Mention:
    """Return "at 9" as a time, which it is where places are named and nothing else is a time."""
    is_hour = number.value.isdigit() and int(number.value) < 24
    if not is_hour or not text[: number.start].lower().endswith("at "):
        return number
    return Mention("moment", f"{int(number.value):02}:00", number.start, number.end)
