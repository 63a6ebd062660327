"""Find the passages of a question that may be a text to work on, though nothing quotes them.

A passage is made of words that are no instruction, and stands where the examples' texts stand:
after "turn", "in" or "the word", before "to", "backwards" or the end.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate

from agenthost_plugin_local import values
from agenthost_plugin_local.contexts import AFTER, BEFORE, around
from agenthost_plugin_local.slots import LOOKED_AT, SMALL, Shown, Slot
from agenthost_plugin_local.values import Mention

#: So many passages are offered.
MOST = 8
#: What a small word, and a word of instruction, count in a passage; any other counts 1.
SMALL_WORD, INSTRUCTION = -0.4, -1.0
#: What it counts to begin right after "the sentence" and the like.
CALLED = 2.0

_TOKEN = re.compile(r"\S*\w\S*?(?=[.,;:?!)”»]*(?:\s|$))")
_CALLED = re.compile(r"\bthe (?:sentence|phrase|text|string|title|words?|line|name)\s+$", re.I)


def passages(
    question: str, slot: Slot, weights: Mapping[str, float]
) -> list[tuple[Mention, float]]:
    """Return the likeliest passages, each with how well it does for a text."""
    words = list(_TOKEN.finditer(question, 0, LOOKED_AT))
    loud = _loud(words)
    if loud:
        words = loud
    told = {word for shown in slot.shown for word in _told(shown)}
    sums = [0.0, *accumulate(_ownness(word, told) for word in words)]
    opening = [_likeness(question, word.start(), slot, weights, _left) for word in words]
    closing = [_likeness(question, word.end(), slot, weights, _right) for word in words]
    opening = [
        rating + CALLED * bool(_CALLED.search(question[: word.start()]))
        for rating, word in zip(opening, words, strict=True)
    ]
    rated = [
        (sums[last + 1] - sums[first] + opening[first] + closing[last], first, last)
        for first in range(len(words))
        for last in range(first, len(words))
    ]
    best = sorted(rated, reverse=True)[:MOST]
    return [
        (_mention(question, words[first].start(), words[last].end()), rating)
        for rating, first, last in best
    ]


def _mention(question: str, start: int, end: int) -> Mention:
    return Mention("run", question[start:end], start, end)


def _loud(words: Sequence[re.Match[str]]) -> list[re.Match[str]]:
    """Return the longest row of words in capitals, if it has two and is not the whole."""
    rows: list[list[re.Match[str]]] = [[]]
    for word in words:
        if word[0].isupper():
            rows[-1].append(word)
        elif rows[-1]:
            rows.append([])
    longest = max(rows, key=len)
    is_row = sum(len(word[0]) > 1 for word in longest) > 1
    return longest if is_row and len(longest) < len(words) else []


def _ownness(match: re.Match[str], told: set[str]) -> float:
    """Return how much a word speaks for being part of a text."""
    word = match[0].strip("\"'“”‘’()")
    stands_out = len(word) > 1 and (word.isupper() or (match.start() > 0 and word[:1].isupper()))
    if stands_out or word.lower() not in told | SMALL:
        return 1.0
    return SMALL_WORD if word.lower() in SMALL else INSTRUCTION


def _told(shown: Shown) -> set[str]:
    """Return the words of an example's question outside the text that it gives."""
    question, mention = shown.example.question, shown.mention
    rest = f"{question[: mention.start]} {question[mention.end :]}" if mention else ""
    return {word[0].lower() for word in values.WORD.finditer(rest)}


_Side = Callable[[str, Mention], Sequence[tuple[float, str]]]


def _likeness(
    question: str, place: int, slot: Slot, weights: Mapping[str, float], side: _Side
) -> float:
    """Return how like the words on one side of a place are to those beside the examples' texts."""
    here = side(question, Mention("run", "", place, place))
    return sum(
        weights[shown.example.question] * weight
        for shown in slot.shown
        if shown.mention
        for (weight, one), (_, other) in zip(
            here, side(shown.example.question, shown.mention), strict=True
        )
        if one == other
    )


def _left(text: str, mention: Mention) -> Sequence[tuple[float, str]]:
    return list(zip(BEFORE, around(text, mention)[0], strict=True))


def _right(text: str, mention: Mention) -> Sequence[tuple[float, str]]:
    return list(zip(AFTER, around(text, mention)[1], strict=True))
