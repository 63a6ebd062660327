"""Embedding drivers: texts into vectors, round the one method that a provider's plugin writes."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from agenthost_sdk.errors import DefinitionError, DriverError
from agenthost_sdk.threads import in_thread


@dataclass(kw_only=True, eq=False)
class BaseEmbeddingDriver(ABC):
    """Turn texts into vectors: texts of like meaning into vectors of like direction.

    A new provider writes `try_embed`; `embed` does the rest: it sends the texts in batches,
    without what UTF-8 cannot carry, and checks what comes back. A whole plugin:

        from collections.abc import Sequence
        from dataclasses import dataclass
        from agenthost_sdk import BaseEmbeddingDriver, hookimpl

        @dataclass(kw_only=True, eq=False)
        class VowelEmbeddingDriver(BaseEmbeddingDriver):
            '''Count the vowels.'''

            provider = "vowels"
            model: str = "vowels-1"

            def try_embed(self, texts: Sequence[str]) -> list[list[float]]:
                return [[float(text.count(vowel)) for vowel in "aeiou"] for text in texts]

        @hookimpl
        def agenthost_embedding_drivers():
            return {"vowels": VowelEmbeddingDriver}

    A driver holds configuration and a client, and serves many threads. It makes its client, and
    imports its provider's package, on first use, not when it is made.
    """

    #: The driver's name, as `Host.embedding_driver` takes it.
    provider: ClassVar[str] = ""
    #: The environment variable that holds the key; None where no key is needed.
    key_env: ClassVar[str | None] = None

    model: str
    #: So many texts go into one request.
    batch_size: int = 64
    #: What the driver is called, such as by the settings; "" means as its provider.
    name: str = ""
    #: The variable that holds the key; the driver's own where None.
    key_name: str | None = None

    @property
    def title(self) -> str:
        """The name that errors and listings show."""
        return self.name or self.provider

    @abstractmethod
    def try_embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Return a vector for each text, in their order; at most `batch_size` texts come.

        Raises:
            DriverError: The vectors cannot be had.
        """

    async def atry_embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Await `try_embed` in a thread; a provider with an async client writes its own."""
        return await in_thread(self.try_embed, texts)

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return a vector for each text, in their order, all of one length.

        Raises:
            DriverError: The vectors cannot be had, or are not what they should be.
        """
        vectors: list[list[float]] = []
        for batch in self._batches(texts):
            vectors += self._checked(self.try_embed(batch), batch, vectors)
        return vectors

    async def aembed(self, texts: Sequence[str]) -> list[list[float]]:
        """Do what `embed` does, without blocking the event loop."""
        vectors: list[list[float]] = []
        for batch in self._batches(texts):
            vectors += self._checked(await self.atry_embed(batch), batch, vectors)
        return vectors

    def _batches(self, texts: Sequence[str]) -> Iterator[Sequence[str]]:
        given = _texts(texts)
        if self.batch_size < 1:
            raise DefinitionError(f"batch_size is {self.batch_size}; it must be 1 or more.")
        # Half a pair of surrogates is no character, and no provider can be sent it.
        sendable = [text.encode("utf-8", "replace").decode() for text in given]
        for start in range(0, len(sendable), self.batch_size):
            yield sendable[start : start + self.batch_size]

    def _checked(
        self, given: Any, texts: Sequence[str], earlier: Sequence[Sequence[float]]
    ) -> list[list[float]]:
        """Return the vectors as lists of numbers; refuse what is none, or does not fit."""
        vectors = [self._numbers(vector) for vector in self._listed(given)]
        if len(vectors) != len(texts):
            raise self._error(f"{len(vectors)} vectors for {len(texts)} texts")
        lengths = sorted({len(vector) for vector in (*earlier[:1], *vectors)})
        if len(lengths) != 1 or lengths == [0]:
            raise self._error(f"vectors of {' and '.join(map(str, lengths))} numbers")
        return vectors

    def _listed(self, given: Any) -> list[Any]:
        try:
            return list(given)
        except TypeError:
            raise self._error(f"{given!r:.60} where a list of vectors is needed") from None

    def _numbers(self, vector: Any) -> list[float]:
        try:
            numbers = [float(number) for number in vector]
        except (TypeError, ValueError):
            raise self._error(f"{vector!r:.60} where a vector is needed") from None
        if not all(map(math.isfinite, numbers)):
            raise self._error("a vector in which not every number is finite")
        return numbers

    def _error(self, fault: str) -> DriverError:
        return DriverError(
            f"{type(self).__name__} gave {fault}.", provider=self.provider, model=self.model
        )


def _texts(given: Any) -> list[str]:
    """Return the texts as a list, whatever gives them one after the other.

    Raises:
        DefinitionError: They are no texts, or one text alone.
    """
    texts = None if isinstance(given, str | bytes) or not isinstance(given, Iterable) else [*given]
    if texts is None or not all(isinstance(text, str) for text in texts):
        shown = given if texts is None else texts
        raise DefinitionError(f"embed() takes a list of texts; it was given {shown!r:.80}.")
    return texts
