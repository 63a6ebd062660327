"""Rate groups of examples for a question: by how near they are, and by the words they share."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TypeVar

from agenthost_plugin_local.wording import features

#: How much the nearer examples count.
SHARPNESS = 15.0
#: What it counts that a question's words occur in the examples of a group.
EVIDENCE = 0.05
#: How much a group's share of a word is drawn towards that of all examples.
CAUTION = 2.0

Name = TypeVar("Name")


def ratings(question: str, groups: Mapping[Name, Mapping[str, float]]) -> dict[Name, float]:
    """Return how well each group of examples fits a question.

    Args:
        question: What the user said.
        groups: The examples' questions, each with how near it is.
    """
    spoken_for = evidence(question, groups)
    return {
        name: _nearness(list(near.values())) + EVIDENCE * spoken_for[name]
        for name, near in groups.items()
    }


def nearness(weight: float) -> float:
    """Return how near an example is, from what it weighs among all."""
    return math.log(max(weight, 1e-300)) / SHARPNESS


def evidence(question: str, groups: Mapping[Name, Iterable[str]]) -> dict[Name, float]:
    """Return how much more often a question's words occur in each group than elsewhere."""
    members = {name: [_words(text) for text in texts] for name, texts in groups.items()}
    counts = {name: Counter(f for text in texts for f in text) for name, texts in members.items()}
    total = sum(len(texts) for texts in members.values()) + 1
    everywhere = sum(counts.values(), Counter[str]())
    shares = {f: (everywhere[f] + 0.5) / total for f in _words(question) if everywhere[f]}
    scale = math.sqrt(len(_words(question)) or 1)
    return {
        name: sum(
            math.log((counts[name][f] + CAUTION * share) / (len(texts) + CAUTION) / share)
            for f, share in shares.items()
        )
        / scale
        for name, texts in members.items()
    }


def _nearness(near: list[float]) -> float:
    return math.log(sum(math.exp(SHARPNESS * each) for each in near) or 1e-300) / SHARPNESS


def _words(text: str) -> list[str]:
    """Return the words of a text, their stems and pairs, without the pieces of words."""
    return [feature for feature in features(text) if feature[0] != "c"]
