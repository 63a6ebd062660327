"""Find the values that a question names: numbers, dates, times, time zones, quoted text."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from agenthost_plugin_local.days import named_days, this_day
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
    r"\b(?P<iso>\d{4}[-/]\d\d[-/]\d\d)\b"
    r"|\b(?P<day3>\d{1,2})\.(?P<month3>\d{1,2})\.(?P<year3>\d{4})\b"
    rf"|\b(?P<day>\d{{1,2}}){_ORDINAL}(?: of)?[ -](?P<month>{_MONTH})\b\.?"
    r"(?:,?[ -](?P<year>\d{4}))?"
    rf"|\b(?P<month2>{_MONTH})\.? (?P<day2>\d{{1,2}}){_ORDINAL}\b(?:,? (?P<year2>\d{{4}}))?",
    re.IGNORECASE,
)
_TO_TWELVE = "one two three four five six seven eight nine ten eleven twelve"
_HOURS = _TO_TWELVE.split()
_HOUR = rf"(?:\d{{1,2}}|{'|'.join(_HOURS)})"
_TIME = re.compile(
    r"\b(?P<hour>\d{1,2}):(?P<minute>\d\d)(?: ?(?P<half>[ap])\.?m\b\.?)?"
    r"|\b(?P<hour2>\d{1,2})(?:\.(?P<minute2>\d\d))? ?(?P<half2>[ap])\.?m\b\.?"
    rf"|\b(?P<part>half past|quarter past|quarter to) (?P<hour4>{_HOUR})\b"
    r"(?: in the (?P<late2>morning|afternoon|evening)| ?(?P<half4>[ap])\.?m\b\.?)?"
    rf"|\b(?P<hour3>{_HOUR})(?: ?o['’]clock| in the (?P<late>morning|afternoon|evening))"
    r"|\b(?P<word>noon|midday|midnight)\b",
    re.IGNORECASE,
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
    moments = _joined(list(_moments(free)), free)
    free = _blanked(free, moments)
    numbers = [Mention("number", *found) for found in numerals(free)]
    places = [Mention("zone", *found) for found in zone_names(free)]
    if places and not moments:
        numbers = [_as_hour(number, free) for number in numbers]
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
    """Return the text after a colon, if what is before the colon speaks of a text."""
    match = re.search(r":\s+(\S.*?)\s*$", text, re.DOTALL)
    head = text[: match.start()] if match else ""
    if not match or not (_ENDS_IN_TEXT.search(head) or _is_text(match[1], head)):
        return []
    return [Mention("quoted", match[1], *match.span(1))]


def _is_text(tail: str, head: str) -> bool:
    is_wordy = tail[0].isalpha() and not tail.endswith("?")
    return is_wordy and bool(_SPEAKS_OF_TEXT.search(head))


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
    yield from (Mention("moment", *named) for named in named_days(text))
    found = _DATE.finditer(text)
    dates = [Mention("moment", _iso(match, text), *match.span()) for match in found]
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


def _as_hour(number: Mention, text: str) -> Mention:
    """Return "at 9" as a time, which it is where places are named and nothing else is a time."""
    is_hour = number.value.isdigit() and int(number.value) < 24
    if not is_hour or not text[: number.start].lower().endswith("at "):
        return number
    return Mention("moment", f"{int(number.value):02}:00", number.start, number.end)


def _is_date(mention: Mention) -> bool:
    return "-" in mention.value and ":" not in mention.value


def _adjoins(first: Mention, second: Mention, text: str) -> bool:
    return text[first.end : second.start].strip(" ,").lower() in {"", "at", "t"}


def _iso(match: re.Match[str], text: str) -> str:
    """Return the date as YYYY-MM-DD; one without a year is of the year named elsewhere, or now."""
    if match["iso"]:
        return match["iso"].replace("/", "-")
    if match["day3"]:
        return f"{match['year3']}-{int(match['month3']):02}-{int(match['day3']):02}"
    month = MONTHS.index((match["month"] or match["month2"]).lower()[:3]) + 1
    day, year = match["day"] or match["day2"], match["year"] or match["year2"]
    other = re.search(r"\b(?:19|20)\d\d\b", text)
    year = year or (other[0] if other else str(this_day().year))
    return f"{year}-{month:02}-{int(day):02}"


def _clock(match: re.Match[str]) -> str:
    """Return the time as HH:MM; "" where it is none."""
    if match["word"]:
        return "00:00" if match["word"].lower() == "midnight" else "12:00"
    hour = _hour(match["hour"] or match["hour2"] or match["hour3"] or match["hour4"])
    half = (match["half"] or match["half2"] or match["half4"] or "").lower()
    late = (match["late"] or match["late2"] or "").lower()
    if half or late:
        hour = hour % 12 + (12 if half == "p" or late in {"afternoon", "evening"} else 0)
    minute = int(match["minute"] or match["minute2"] or 0)
    hour, minute = _shifted(hour, minute, (match["part"] or "").lower())
    return f"{hour % 24:02}:{minute:02}" if hour < 25 and minute < 60 else ""


def _hour(text: str) -> int:
    return int(text) if text.isdigit() else _HOURS.index(text.lower()) + 1


def _shifted(hour: int, minute: int, part: str) -> tuple[int, int]:
    shifts = {"half past": (hour, 30), "quarter past": (hour, 15), "quarter to": (hour - 1, 45)}
    return shifts.get(part, (hour, minute))
