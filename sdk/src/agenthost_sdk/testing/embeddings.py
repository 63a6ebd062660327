"""An embedding driver that needs no model: texts that share words are alike."""

from __future__ import annotations

import hashlib
import math
import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field

from agenthost_sdk.embeddings import BaseEmbeddingDriver

_WORD = re.compile(r"\w+")


@dataclass(kw_only=True, eq=False)
class WordsEmbeddingDriver(BaseEmbeddingDriver):
    """Embed a text by its words, the same way in every process, and keep the texts.

        from agenthost_sdk.testing import WordsEmbeddingDriver

        [cat, same, dog] = WordsEmbeddingDriver().embed(["the cat", "The cat!", "a dog"])

    Each word adds to one place of the vector, which its hash chooses; vectors have length one,
    or none where the text has no word. It serves many threads.
    """

    provider = "words"

    model: str = "words-1"
    #: How many numbers a vector has.
    size: int = 256
    #: Each text that was embedded, in order.
    texts: list[str] = field(default_factory=list, init=False, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)

    def try_embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return a vector for each text."""
        with self._lock:
            self.texts.extend(texts)
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> list[float]:
        vector = [0.0] * self.size
        for word in _WORD.findall(text.casefold()):
            vector[_place(word, self.size)] += 1.0
        length = math.hypot(*vector) or 1.0
        return [number / length for number in vector]


def _place(word: str, size: int) -> int:
    digest = hashlib.blake2b(word.encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(digest) % size
