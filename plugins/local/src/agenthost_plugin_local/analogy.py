"""Write a formula for a question in the manner of the example that is nearest to it.

Where the examples of a text field consist of their questions' numbers ("48 * 37" for "48 times
37"), the nearest one with as many numbers is the pattern, and the question's numbers go into it.
A formula that stands in the question as it is is taken from there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from agenthost_plugin_local import values
from agenthost_plugin_local.evidence import nearness, ratings
from agenthost_plugin_local.numerals import implied
from agenthost_sdk.actions import ToolSpec

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_WORD = re.compile(r"[^\W\d_]+")
#: What may be part of a formula in a field's description: signs, and the names of functions.
_SIGNS = re.compile(r"[-+*/%^×÷√!]+|\b[a-z]{2,}\b")

#: The share of a field's examples that must consist of their questions' numbers.
MOST = 0.8
#: What it costs that a formula's numbers rise where those of its example fall.
ODD = 0.1


def is_formula(spec: ToolSpec, name: str) -> bool:
    """Say whether the examples fill the field with formulas of their questions' numbers."""
    if spec.schema.get("properties", {}).get(name, {}).get("type") != "string":
        return False
    given = [(e.question, str(e.input[name])) for e in spec.examples if name in e.input]
    fitting = sum(_is_made_of(text, question) for question, text in given)
    return bool(given) and fitting >= MOST * len(given)


def formula(spec: ToolSpec, name: str, question: str, weights: Mapping[str, float]) -> str | None:
    """Return the formula for a question; None where no example is like it."""
    given = {e.question: str(e.input[name]) for e in spec.examples if name in e.input}
    about = str(spec.schema["properties"][name].get("description", ""))
    written = _written(_in_figures(question), [*given.values(), *_SIGNS.findall(about)])
    return written or _spoken(question, given) or _likeliest(given, question, weights)


def _likeliest(
    given: Mapping[str, str], question: str, weights: Mapping[str, float]
) -> str | None:
    """Return the formula that the nearest examples make with the question's numbers."""
    makers: dict[str, dict[str, float]] = {}
    for text, shown in given.items():
        made = _adapted(text, shown, question)
        if made:
            odd = ODD * (_order(made) != _order(shown))
            makers.setdefault(made, {})[text] = nearness(weights[text]) - odd
    rated = ratings(question, makers)
    return max(rated, key=lambda made: rated[made]) if rated else None


def _order(text: str) -> list[bool]:
    """Return whether each number of a formula is greater than the one before it."""
    numbers = [float(number) for number in _NUMBER.findall(text)]
    return [one < other for one, other in pairwise(numbers)]


def pattern(question: str) -> dict[str, Any]:
    """Return the part of a schema that lets a text have no numbers but the question's."""
    numbers = dict.fromkeys([*_unsigned(question), *implied(question)])
    if not numbers:
        return {}
    number = "(" + "|".join(map(re.escape, numbers)) + ")"
    gap = r'[^0-9."\\\n]'
    return {"pattern": f"^{gap}{{0,14}}{number}({gap}{{1,14}}{number}){{0,6}}{gap}{{0,4}}$"}


def _numbers(question: str) -> list[str]:
    return [mention.value for mention in values.of_kind(question, "number")]


def _unsigned(question: str) -> list[str]:
    return [number.lstrip("-") for number in _numbers(question)]


def _is_made_of(text: str, question: str) -> bool:
    numbers = _NUMBER.findall(text)
    known = _unsigned(question)
    count = str(len(known))
    asked = sum(number in {*known, *implied(question), count} for number in numbers)
    return bool(numbers) and asked >= len(numbers) - 1 and set(known) <= {*numbers}


def _in_figures(question: str) -> str:
    """Return the question with its numbers in plain digits, "1.250,50" as "1250.50"."""
    pieces, end = [], 0
    for mention in values.of_kind(question, "number"):
        pieces += [question[end : mention.start], mention.value]
        end = mention.end
    return "".join([*pieces, question[end:]])


def _written(question: str, shown: Sequence[str]) -> str | None:
    """Return the longest piece of the question that is a formula in the examples' signs."""
    signs = "".join(sorted(set("".join(shown)) - set(" (),.") - set("0123456789")))
    signs = re.escape(re.sub(r"[^\W_]", "", signs))
    words = "|".join(sorted({word for text in shown for word in _WORD.findall(text)}))
    if not signs:
        return None
    part = rf"(?:(?:{words})\(|[\d{signs}() ,.])" if words else rf"[\d{signs}() ,.]"
    pieces = (match[0].strip(" ,.") for match in re.finditer(rf"{part}+", question))
    formulas = [p for p in pieces if len(_NUMBER.findall(p)) > 1 and _joins(p, signs)]
    numbers = len(_NUMBER.findall(question))
    longest = max(formulas, key=len, default="")
    return longest if len(_NUMBER.findall(longest)) == numbers and longest else None


def _joins(piece: str, signs: str) -> bool:
    """Say whether a sign stands between all of the numbers, as in no list or range of them."""
    return all(re.search(f"[{signs}(]", gap) for gap in _NUMBER.split(piece)[1:-1])


def _spoken(question: str, given: Mapping[str, str]) -> str | None:
    """Return the formula for a row of numbers whose joining words the examples agree on.

    It is read from left to right: "12 plus 7 times 3" becomes "12 + 7 * 3".
    """
    opening, *gaps, closing = _gaps(question)
    known: dict[str, set[str]] = {}
    openings = set()
    for text, formula_ in given.items():
        first, *words, last = _gaps(text)
        before, *signs, after = _NUMBER.split(formula_)
        if len(words) == len(signs) and not before + after and _in_order(text, formula_):
            openings |= {first, last}
            for phrase, sign in zip(words, signs, strict=True):
                known.setdefault(phrase, set()).add(sign)
    if not gaps or not {opening, closing} <= openings | {""}:
        return None
    signs = [known.get(gap, set()) for gap in gaps]
    if any(len(choices) != 1 for choices in signs):
        return None
    numbers = _numbers(question)
    joined = (f"{next(iter(sign))}{n}" for sign, n in zip(signs, numbers[1:], strict=True))
    return numbers[0] + "".join(joined)


def _gaps(text: str) -> list[str]:
    """Return the words before, between and after the numbers of a text."""
    ends, pieces = 0, []
    for mention in values.of_kind(text, "number"):
        pieces.append(text[ends : mention.start])
        ends = mention.end
    return [piece.strip(" ?.!,").lower() for piece in [*pieces, text[ends:]]]


def _in_order(text: str, formula_: str) -> bool:
    return _unsigned(text) == _NUMBER.findall(formula_)


def _adapted(shown: str, text: str, question: str) -> str | None:
    """Return the formula of an example with the question's numbers; None where it cannot be."""
    old, new = _numbers(shown), _aligned(shown, question)
    if not new:
        return None
    implied_new = implied(question)
    template = "".join(_templates(text, old, implied(shown)))
    if len(old) != len(new):
        template = _stretched(template, len(old), len(new))
    if not template or ("{implied}" in template and not implied_new):
        return None
    return template.format(*new, implied="".join(implied_new[:1]), count=len(new))


def _aligned(shown: str, question: str) -> list[str]:
    """Return the question's numbers in the order in which an example's stand, per cents apart.

    There are none where the one has per cents and the other has not.
    """
    old, new = _parts_of_hundred(shown), _parts_of_hundred(question)
    numbers = _numbers(question)
    if sorted(old) != sorted(new):
        return numbers if len(old) != len(new) and set(old) == set(new) else []
    waiting = {
        part: iter([n for n, is_part in zip(numbers, new, strict=True) if is_part == part])
        for part in (True, False)
    }
    return [next(waiting[part]) for part in old]


def _parts_of_hundred(text: str) -> list[bool]:
    """Return for each number of a text whether it is a per cent."""
    found = values.of_kind(text, "number")
    return [bool(_PER_CENT.match(text, mention.end)) for mention in found]


_PER_CENT = re.compile(r"\s?(?:%|per ?cent\b)", re.IGNORECASE)


def _templates(text: str, numbers: Sequence[str], hinted: Sequence[str]) -> Iterator[str]:
    """Yield the pieces of a formula with its numbers as places to fill, signs included."""
    unsigned = [number.lstrip("-") for number in numbers]
    end, met = 0, Counter[str]()
    for match in _NUMBER.finditer(text):
        before = text[end : match.start()]
        is_signed = f"-{match[0]}" in numbers and before.endswith("-")
        yield _escaped(before[:-1] if is_signed else before)
        yield _place(match[0], met[match[0]], unsigned, hinted)
        met[match[0]] += 1
        end = match.end()
    yield _escaped(text[end:])


def _escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _place(number: str, met: int, numbers: Sequence[str], hinted: Sequence[str]) -> str:
    """Return the place for a number of a formula in which it was met so often before."""
    places = [index for index, other in enumerate(numbers) if other == number]
    if places:
        return f"{{{places[min(met, len(places) - 1)]}}}"
    if number in hinted:
        return "{implied}"
    return "{count}" if number == str(len(numbers)) else number


def _stretched(template: str, old: int, new: int) -> str:
    """Return a template for more or fewer numbers, if its numbers stand in an even row."""
    separator = re.search(r"\{0\}([^{}\d]+)\{1\}", template)
    if not separator or old < 2 or new < 2:
        return ""
    row = separator[1].join(f"{{{index}}}" for index in range(old))
    longer = separator[1].join(f"{{{index}}}" for index in range(new))
    is_even = old > 2 or separator[1].strip() in {"+", ",", "*"}
    return template.replace(row, longer) if row in template and is_even else ""
