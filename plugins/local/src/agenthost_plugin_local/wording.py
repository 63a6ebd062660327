"""Tell how like two texts are in their words: shared words, pairs of words and stems."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from agenthost_plugin_local import values

#: What each kind of feature counts: whole words, stems, pairs of words, pieces of words.
_COUNTS = {"w": 1.0, "s": 0.7, "p": 0.7, "c": 0.35}


@dataclass(frozen=True)
class Wording:
    """Compares texts by words, rare ones counted more; made from the texts to compare with."""

    rarity: Mapping[str, float]
    unknown: float

    @classmethod
    def of(cls, texts: Iterable[str]) -> Wording:
        """Return the comparison for a body of texts."""
        found = [features(text) for text in texts]
        seen = Counter(feature for each in found for feature in each)
        total = len(found) + 1
        rarity = {feature: math.log(total / (count + 0.5)) for feature, count in seen.items()}
        return cls(rarity, math.log(total / 0.5))

    def __call__(self, first: str, second: str) -> float:
        """Return how like the texts are, from 0 to 1."""
        one, other = self._vector(first), self._vector(second)
        return sum(value * other.get(feature, 0.0) for feature, value in one.items())

    def _vector(self, text: str) -> dict[str, float]:
        weights = {
            feature: _COUNTS[feature[0]] * self.rarity.get(feature, self.unknown)
            for feature in features(text)
        }
        length = math.sqrt(sum(weight * weight for weight in weights.values())) or 1.0
        return {feature: weight / length for feature, weight in weights.items()}


@lru_cache(maxsize=2048)
def features(text: str) -> frozenset[str]:
    """Return the words of a text, their stems, the pairs of words and pieces of the long ones."""
    words = _words(text)
    found = {f"w:{word}" for word in words}
    found |= {f"p:{one} {two}" for one, two in zip(["^", *words], [*words, "$"], strict=True)}
    for word in words:
        if word.isalpha() and len(word) > 3:
            found.add(f"s:{word[:4]}")
            marked = f"<{word}>"
            found |= {f"c:{marked[start : start + 4]}" for start in range(len(marked) - 3)}
    return frozenset(found)


def _words(text: str) -> list[str]:
    """Return the words in lower case, values by the name of their kind."""
    pieces, end = [], 0
    for mention in values.mentions(text):
        named = mention.kind in {"quoted", "moment", "number"} and not values.is_present(mention)
        if named and mention.start >= end:
            pieces += [text[end : mention.start], f" _{mention.kind} "]
            end = mention.end
    plain = "".join([*pieces, text[end:]]).lower()
    return re.findall(r"_?[a-z]+|[^\w\s]", plain)
