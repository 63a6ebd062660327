"""Find the values that a question names: numbers, dates, times, time zones, quoted text."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from agenthost_plugin_local.numerals import numerals
from agenthost_plugin_local.zones import zone_names

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    "|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
_ORDINAL = r"(?:st|nd|rd|th)?"
_QUOTED = re.compile(
    r"\"([^\"]+)\"|“([^”]+)”|‘([^’]+)’|`([^`]+)`|(?<!\w)'([^']+(?:'(?=\w)[^']*)*)'(?!\w)"
    # A word that is called one is as good as quoted: "the word banana".
    r"|(?<=\bthe word )((?!(?:count|order|of|in|for|is|that|with|limit|length)\b)[^\W\d_]+)"
)
_DATE = re.compile(
    r"\b(?P<iso>\d{4}-\d\d-\d\d)\b"
    rf"|\b(?P<day>\d{{1,2}}){_ORDINAL}(?: of)?[ -](?P<month>{_MONTH})\b\.?"
    r"(?:,?[ -](?P<year>\d{4}))?"
    rf"|\b(?P<month2>{_MONTH})\.? (?P<day2>\d{{1,2}}){_ORDINAL}\b(?:,? (?P<year2>\d{{4}}))?",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"\b(?P<hour>\d{1,2}):(?P<minute>\d\d)(?: ?(?P<half>[ap])\.?m\b\.?)?"
    r"|\b(?P<hour2>\d{1,2})(?:\.(?P<minute2>\d\d))? ?(?P<half2>[ap])\.?m\b\.?"
    r"|\b(?P<hour3>\d{1,2}) ?o['’]clock|\b(?P<word>noon|midday|midnight)\b",
    re.IGNORECASE,
)
_CHARACTERS = {
    "comma": ",", "space": " ", "hyphen": "-", "dash": "-", "underscore": "_", "dot": ".",
    "period": ".", "semicolon": ";", "colon": ":", "slash": "/", "asterisk": "*",
}  # fmt: skip
_CHARACTER = re.compile(rf"\b({'|'.join(_CHARACTERS)})s?\b", re.IGNORECASE)
_SPEAKS_OF_TEXT = re.compile(
    r"\b(?:this|following|text|sentence|words?|string|phrase|tweet|message|title|line|paragraph"
    r"|characters?|letters?|case|please|backwards|caps|in)\b",
    re.IGNORECASE,
)
WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|\d+(?:[.,]\d+)*|[^\w\s]|_")


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


@lru_cache(maxsize=4096)
def mentions(text: str) -> tuple[Mention, ...]:
    """Return the values that a text names, in its order.

    What a quoted text holds is not looked into. A date and a time that stand together are one
    "moment", as is either alone.
    """
    quoted = [_quotation(match) for match in _QUOTED.finditer(text)]
    quoted += _tail(_blanked(text, quoted))
    free = _blanked(text, quoted)
    moments = _joined(list(_moments(free)), free)
    free = _blanked(free, moments)
    numbers = [Mention("number", *found) for found in numerals(free)]
    places = [Mention("zone", *found) for found in zone_names(free)]
    signs = [_character(match) for match in _CHARACTER.finditer(free)]
    return tuple(sorted([*quoted, *moments, *numbers, *places, *signs], key=lambda m: m.start))


def of_kind(text: str, kind: str) -> list[Mention]:
    """Return the mentions of one kind, in the order of the text."""
    return [mention for mention in mentions(text) if mention.kind == kind]


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


@cache
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
    """Return the text after a colon, if what is before the colon speaks of a text."""
    match = re.search(r":\s+([^\W\d].*?)\s*$", text, re.DOTALL)
    if not match or match[1].endswith("?") or not _SPEAKS_OF_TEXT.search(text[: match.start()]):
        return []
    return [Mention("quoted", match[1], *match.span(1))]


def _blanked(text: str, found: Iterable[Mention]) -> str:
    for mention in found:
        text = text[: mention.start] + " " * (mention.end - mention.start) + text[mention.end :]
    return text


def _quotation(match: re.Match[str]) -> Mention:
    inner = next(group for group in match.groups() if group is not None)
    return Mention("quoted", inner, *match.span())


def _character(match: re.Match[str]) -> Mention:
    return Mention("character", _CHARACTERS[match[1].lower()], *match.span())


def _moments(text: str) -> Iterator[Mention]:
    for match in re.finditer(r"\b(?:today|now)\b", text, re.IGNORECASE):
        yield Mention("moment", match[0].lower(), *match.span())
    dates = [Mention("moment", _iso(match), *match.span()) for match in _DATE.finditer(text)]
    yield from dates
    for match in _TIME.finditer(_blanked(text, dates)):
        if clock := _clock(match):
            yield Mention("moment", clock, *match.span())


def _joined(found: list[Mention], text: str) -> list[Mention]:
    """Return the moments with each date and the time right after it made one."""
    joined: list[Mention] = []
    for mention in sorted(found, key=lambda m: m.start):
        last = joined[-1] if joined else None
        if last and _is_date(last) and not _is_date(mention) and _adjoins(last, mention, text):
            joined[-1] = Mention(
                "moment", f"{last.value} {mention.value}", last.start, mention.end
            )
        else:
            joined.append(mention)
    return joined


def _is_date(mention: Mention) -> bool:
    return "-" in mention.value and ":" not in mention.value


def _adjoins(first: Mention, second: Mention, text: str) -> bool:
    return text[first.end : second.start].strip(" ,").lower() in {"", "at", "t"}


def _iso(match: re.Match[str]) -> str:
    if match["iso"]:
        return match["iso"]
    month = MONTHS.index((match["month"] or match["month2"]).lower()[:3]) + 1
    day, year = match["day"] or match["day2"], match["year"] or match["year2"]
    return f"{year}-{month:02}-{int(day):02}" if year else f"--{month:02}-{int(day):02}"


def _clock(match: re.Match[str]) -> str:
    if match["word"]:
        return "00:00" if match["word"].lower() == "midnight" else "12:00"
    hour = int(match["hour"] or match["hour2"] or match["hour3"])
    half = (match["half"] or match["half2"] or "").lower()
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    return f"{hour:02}:{match['minute'] or match['minute2'] or '00'}" if hour < 24 else ""
