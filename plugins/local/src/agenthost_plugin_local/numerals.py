"""Read the numbers of a text, in digits and in English words."""

import re
import unicodedata
from collections.abc import Iterator

#: Thousands are set off by commas, by spaces or apostrophes, or by dots before a decimal comma.
_DIGITS = (
    r"(?!0)\d{1,3}(?:,\d{3})+(?![\d,])(?:\.\d+)?"
    r"|\d{1,3}(?:['’ \u00a0\u2009\u202f]\d{3})+(?!\d)(?:[.,]\d+)?"
    r"|\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:\.\d{3}){2,}(?!\d)"
    r"|(?<!\d,)\d+,\d+(?!\d|,\d)"
    r"|\d+ \d/\d(?![\d/])|\d* ?[½¼¾⅓⅔⅛]"
    r"|\d*\.?\d+"
)
_TO_NINETEEN = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
_TO_NINETY = "twenty thirty forty fifty sixty seventy eighty ninety"
_UNITS = {word: number for number, word in enumerate(_TO_NINETEEN.split())}
_TENS = {word: 10 * number for number, word in enumerate(_TO_NINETY.split(), start=2)}
_SCALES = {"dozen": 12, "hundred": 100, "thousand": 1000, "million": 1_000_000}
_SCALE = "|".join(_SCALES)
_PARTS = {"half": 0.5, "a half": 0.5, "a quarter": 0.25, "three quarters": 0.75}
_PLAIN = "|".join([*_UNITS, *_TENS])
_SPELLED = (
    rf"\b(?:{_PLAIN}|a(?= (?:{_SCALE})\b))\b"
    r"(?:(?:[ -]|(?<=hundred) and |(?<=thousand) and )"
    rf"(?:{'|'.join([*_UNITS, *_TENS, *_SCALES])})\b)*"
)
_NUMERAL = re.compile(
    r"\b(?P<part>half|a quarter|three quarters)(?: of)? an?\b(?: (?P<scale2>dozen|million)\b)?"
    rf"|(?:(?P<digits>(?<![\w.])(?:{_DIGITS}))|(?P<words>{_SPELLED}))"
    r"(?: and (?P<more>a half|a quarter|three quarters)\b)?"
    rf"(?: (?P<scale>{_SCALE})\b)?",
    re.IGNORECASE,
)

#: What a word says about numbers without naming one: "seven squared" needs a 2.
_IMPLIED = {
    "squared": "2", "square": "2", "cubed": "3", "cube": "3", "half": "2", "halved": "2",
    "double": "2", "doubled": "2", "twice": "2", "third": "3", "triple": "3", "thrice": "3",
    "quarter": "4", "fourth": "4", "fifth": "5", "sixth": "6", "tenth": "10",
}  # fmt: skip


def numerals(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield each number as plain digits, with where it starts and ends."""
    end = 0
    for match in _NUMERAL.finditer(text):
        sign = _sign(text[end : match.start()], is_first=end == 0)
        for number, start, stop in _read(match):
            yield "-" * bool(sign) + number, start - len(sign), stop
            sign, end = "", stop


def implied(text: str) -> list[str]:
    """Return the numbers that words such as "squared" and "half" ask for."""
    return [_IMPLIED[word] for word in re.findall(r"[a-z]+", text.lower()) if word in _IMPLIED]


def _sign(before: str, *, is_first: bool) -> str:
    """Return the minus before a number, unless it stands between two numbers."""
    minus = re.search(r"(?:(?<!\w)[-−]|\bminus )$", before, re.IGNORECASE)
    if not minus:
        return ""
    is_between = not is_first and not before[: minus.start()].strip(" )%°")
    return "" if is_between else minus[0]


def _read(match: re.Match[str]) -> Iterator[tuple[str, int, int]]:
    """Yield the number of a match; several where its words do not make one ("two three")."""
    if match["part"]:
        scale = _SCALES.get((match["scale2"] or "").lower(), 1)
        yield _written(_PARTS[match["part"].lower()] * scale), *match.span()
    elif match["digits"] and not (match["more"] or match["scale"]):
        yield _figure(match["digits"]), *match.span()
    elif match["digits"]:
        yield _with_more(match, float(_figure(match["digits"]))), *match.span()
    else:
        *others, (last, start, end) = _spelled(match["words"], match.start())
        yield from others
        if match["more"] or match["scale"]:
            last, end = _with_more(match, float(last)), match.end()
        if match[0].lower() != "one":  # "which one" is no number
            yield last, start, end


def _with_more(match: re.Match[str], number: float) -> str:
    scale = _SCALES.get((match["scale"] or "").lower(), 1)
    return _written((number + _PARTS.get((match["more"] or "").lower(), 0)) * scale)


def _figure(digits: str) -> str:
    """Return a figure in plain digits with a decimal point."""
    mixed = re.fullmatch(r"(\d+) (\d)/(\d)", digits)
    if mixed and mixed[3] != "0":
        return _written(int(mixed[1]) + int(mixed[2]) / int(mixed[3]))
    if not digits[-1].isdecimal():
        return _written(float(digits[:-1].strip() or 0) + unicodedata.numeric(digits[-1]))
    if re.fullmatch(r"(?!0)\d{1,3}(?:,\d{3})+(?:\.\d+)?", digits):
        return digits.replace(",", "")
    if re.fullmatch(r"\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:\.\d{3}){2,}", digits):
        digits = digits.replace(".", "")
    return re.sub(r"[^\d.]", "", digits.replace(",", "."))


def _written(number: float) -> str:
    return f"{number:.10g}" if abs(number) < 1e10 else str(int(number))


def _spelled(words: str, offset: int) -> list[tuple[str, int, int]]:
    """Return the number in words, or several where the words do not make one ("two three")."""
    found = []
    total = current = 0
    start = end = -1
    for word in re.finditer(r"[a-z]+", words, re.IGNORECASE):
        name = word[0].lower()
        if start >= 0 and not _continues(name, current):
            found.append((str(total + current), offset + start, offset + end))
            total = current = 0
            start = -1
        start = word.start() if start < 0 else start
        end = word.end() if name != "and" else end
        total, current = _plus(name, total, current)
    return [*found, (str(total + current), offset + start, offset + end)]


def _continues(name: str, current: int) -> bool:
    if name in _UNITS:
        return current % 100 == 0 or (current % 10 == 0 and 0 < _UNITS[name] < 10)
    return name in _SCALES or name == "and" or current % 100 == 0


def _plus(name: str, total: int, current: int) -> tuple[int, int]:
    if name == "hundred":
        return total, current * 100
    if name in _SCALES:
        return total + current * _SCALES[name], 0
    return total, current + (1 if name == "a" else _UNITS.get(name, _TENS.get(name, 0)))
