"""Tell how alike two values stand in their questions: the words round them, and their place."""

from __future__ import annotations

from functools import lru_cache

from agenthost_plugin_local import values
from agenthost_plugin_local.values import Mention

#: What the nearest and the second word before a value count, and those after it.
BEFORE, AFTER = (2.0, 1.0), (1.5, 0.5)
#: What it counts to be the first (second, third …) of its kind as well.
PLACE = 1.0
#: What it counts to come after a value of the same kind, and to come before one.
BESIDE = (3.0, 1.0)


def alike(shown: str, there: Mention, question: str, here: Mention) -> float:
    """Return how alike the value `there` in one text and `here` in another stand."""
    (left, right), (left_, right_) = around(shown, there), around(question, here)
    rating = sum(
        weight for weight, one, other in zip(BEFORE, left, left_, strict=True) if one == other
    )
    rating += sum(
        weight for weight, one, other in zip(AFTER, right, right_, strict=True) if one == other
    )
    if here.kind == there.kind != "run":
        rating += PLACE * (_place(shown, there) == _place(question, here))
        pairs = zip(BESIDE, _beside(shown, there), _beside(question, here), strict=True)
        rating += sum(weight for weight, one, other in pairs if one == other)
    return rating


def is_beside(name: str, question: str, mention: Mention) -> bool:
    """Say whether a word such as "weeks" in "3 weeks" names the value's own field."""
    left, right = around(question, mention)
    return stem(name) in {right[0], left[0]}


@lru_cache(maxsize=4096)
def around(question: str, mention: Mention) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the stems of the two words before a value and of the two after it."""
    left = _shapes(question, 0, mention.start)
    right = _shapes(question, mention.end, len(question))
    return tuple([*reversed(left), "^", "^"][:2]), tuple([*right, "$", "$"][:2])


def stem(word: str) -> str:
    """Return the beginning of a word, which its forms share."""
    word = word.lower()
    return word if len(word) < 4 else word.removesuffix("s")[:5]


def _shapes(question: str, start: int, end: int) -> list[str]:
    """Return the words of a piece of text, a value by the name of its kind."""
    known = [m for m in values.mentions(question) if m.start >= start and m.end <= end]
    pieces = [(mention.start, f"<{mention.kind}>") for mention in known]
    for word in values.WORD.finditer(question, start, end):
        if word[0] not in ".,?!" and not any(m.start <= word.start() < m.end for m in known):
            pieces.append((word.start(), stem(word[0])))
    return [text for _, text in sorted(pieces)]


@lru_cache(maxsize=4096)
def _beside(question: str, mention: Mention) -> tuple[str, str]:
    """Return the kinds of the values that come before and after a value; "" for none."""
    found = values.mentions(question)
    before = [m.kind for m in found if m.end <= mention.start]
    after = [m.kind for m in found if m.start >= mention.end]
    return before[-1] if before else "", after[0] if after else ""


def _place(question: str, mention: Mention) -> int:
    return sum(m.start < mention.start for m in values.of_kind(question, mention.kind))
