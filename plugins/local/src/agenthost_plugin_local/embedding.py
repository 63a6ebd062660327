"""The driver that embeds texts on this machine, with the model that also chooses tools."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from agenthost_plugin_local import engine
from agenthost_plugin_local.fetching import fetched
from agenthost_plugin_local.models import MINILM
from agenthost_sdk.embeddings import BaseEmbeddingDriver
from agenthost_sdk.errors import DriverError

#: The model takes 512 tokens at once, and no character has more than one.
_PIECE = 400
#: What comes behind so many pieces of a text is left out.
_MOST_PIECES = 5


@dataclass(kw_only=True, eq=False)
class LocalEmbeddingDriver(BaseEmbeddingDriver):
    """Embed English texts in this process.

    Vectors have length one. A long text is embedded in pieces of 400 characters, and gets the
    mean of the first five.

    Args:
        model: "minilm", which is fetched once (84 MB); or the path of a GGUF file.
        threads: How many threads compute. More than the free cores make it slower.
    """

    provider = "local"

    model: str = MINILM.name
    batch_size: int = 16
    threads: int = 1

    def try_embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return a vector for each text."""
        model = engine.load(self._path(), threads=self.threads, embedding=True)
        pieces = [_pieces(text) for text in texts]
        vectors = iter(model.embed([piece for of_text in pieces for piece in of_text]))
        return [_mean([next(vectors) for _ in of_text]) for of_text in pieces]

    def _path(self) -> Path:
        if self.model == MINILM.name:
            return fetched(MINILM)
        if self.model.endswith(".gguf"):
            return Path(self.model).expanduser()
        raise DriverError(
            f"There is no local embedding model named {self.model!r}."
            f" Known: {MINILM.name}; or give the path of a .gguf file.",
            provider="local",
        )


def _pieces(text: str) -> list[str]:
    """Return what is embedded of a text; llama.cpp takes no empty one."""
    starts = range(0, len(text), _PIECE)[:_MOST_PIECES]
    return [text[start : start + _PIECE] for start in starts] or [" "]


def _mean(vectors: Sequence[Sequence[float]]) -> list[float]:
    """Return the vector of length one that lies between others."""
    sums = [sum(numbers) for numbers in zip(*vectors, strict=True)]
    length = math.hypot(*sums) or 1.0
    return [number / length for number in sums]
