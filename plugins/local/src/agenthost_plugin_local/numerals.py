"""Read the numbers of a text, in digits and in English words."""

import re
from collections.abc import Iterator

_DIGITS = r"\d+(?:,\d{3})+(?:\.\d+)?|\d*\.?\d+"
_TO_NINETEEN = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
_TO_NINETY = "twenty thirty forty fifty sixty seventy eighty ninety"
_UNITS = {word: number for number, word in enumerate(_TO_NINETEEN.split())}
_TENS = {word: 10 * number for number, word in enumerate(_TO_NINETY.split(), start=2)}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000}
_PLAIN = "|".join([*_UNITS, *_TENS])
_SPELLED = (
    rf"\b(?:{_PLAIN})\b(?:(?:[ -]|(?<=hundred) and |(?<=thousand) and )"
    rf"(?:{'|'.join([*_UNITS, *_TENS, *_SCALES])})\b)*"
)
_NUMERAL = re.compile(rf"(?<![\w.])(?:{_DIGITS})|{_SPELLED}", re.IGNORECASE)

#: What a word says about numbers without naming one: "seven squared" needs a 2.
_IMPLIED = {
    "squared": "2", "square": "2", "cubed": "3", "cube": "3", "half": "2", "halved": "2",
    "double": "2", "doubled": "2", "twice": "2", "third": "3", "triple": "3", "thrice": "3",
    "quarter": "4", "fourth": "4", "fifth": "5", "sixth": "6", "tenth": "10", "dozen": "12",
}  # fmt: skip


def numerals(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield each number as plain digits, with where it starts and ends."""
    for match in _NUMERAL.finditer(text):
        if match[0][0].isalpha():
            yield from _spelled(match)
        else:
            sign = _sign(text[: match.start()])
            number = match[0].replace(",", "")
            yield "-" * bool(sign) + number, match.start() - len(sign), match.end()


def implied(text: str) -> list[str]:
    """Return the numbers that words such as "squared" and "dozen" ask for."""
    return [_IMPLIED[word] for word in re.findall(r"[a-z]+", text.lower()) if word in _IMPLIED]


def _sign(before: str) -> str:
    """Return the minus before a number, unless it stands between two numbers."""
    minus = re.search(r"(?:(?<!\w)[-−]|\bminus )$", before, re.IGNORECASE)
    if not minus or re.search(r"(?:\d|\)|%) ?$", before[: minus.start()]):
        return ""
    return minus[0]


def _spelled(match: re.Match[str]) -> Iterator[tuple[str, int, int]]:
    """Yield a number in words, or several where the words do not make one ("two three")."""
    total = current = 0
    start = end = -1
    for word in re.finditer(r"[a-z]+", match[0], re.IGNORECASE):
        name = word[0].lower()
        if start >= 0 and not _continues(name, current):
            yield str(total + current), match.start() + start, match.start() + end
            total = current = 0
            start = -1
        start = word.start() if start < 0 else start
        end = word.end() if name != "and" else end
        total, current = _plus(name, total, current)
    if match[0].lower() != "one":  # "which one" is no number
        yield str(total + current), match.start() + start, match.start() + end


def _continues(name: str, current: int) -> bool:
    if name in _UNITS:
        return current % 100 == 0 or (current % 10 == 0 and 0 < _UNITS[name] < 10)
    return name in _SCALES or name == "and" or current % 100 == 0


def _plus(name: str, total: int, current: int) -> tuple[int, int]:
    if name == "hundred":
        return total, current * 100
    if name in _SCALES:
        return total + current * _SCALES[name], 0
    return total, current + _UNITS.get(name, _TENS.get(name, 0))
