"""Vector store drivers: keep vectors, and find those of the most like direction."""

from __future__ import annotations

import heapq
import math
import threading
import uuid
from abc import ABC, abstractmethod
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import mul
from typing import Any, ClassVar, NamedTuple, TypeVar

from agenthost_sdk.errors import DefinitionError

Key = TypeVar("Key")


@dataclass(frozen=True)
class VectorEntry:
    """A vector in a store, and what it stands for."""

    #: Its name within its namespace.
    id: str
    vector: tuple[float, ...]
    #: What the vector stands for, in JSON values, such as {"text": "…"}.
    meta: Mapping[str, Any] = field(default_factory=dict)
    namespace: str = ""
    #: The cosine to the vector of the query: 1 for the same direction, 0 for one that has nothing
    #: to do with it, -1 for the opposite; None where the entry does not come from a query.
    score: float | None = None


@dataclass(kw_only=True, eq=False)
class BaseVectorStoreDriver(ABC):
    """Keep vectors by namespace and id, and find those that are nearest to one.

    A new store writes the five `try_…` methods; those without `try_` check what they are given.
    All vectors of a namespace have one length, since those of different models cannot be
    compared. A whole store:

        from collections.abc import Iterable, Sequence
        from dataclasses import dataclass, field, replace
        from agenthost_sdk import BaseVectorStoreDriver, VectorEntry

        @dataclass(kw_only=True, eq=False)
        class ListVectorStoreDriver(BaseVectorStoreDriver):
            '''Keep a list, and find the vectors with the largest first number.'''

            provider = "list"
            kept: list[VectorEntry] = field(default_factory=list)

            def try_upsert(self, entry: VectorEntry) -> None:
                self.try_delete(entry.id, entry.namespace)
                self.kept.append(entry)

            def try_query(
                self, vector: Sequence[float], count: int, namespace: str
            ) -> list[VectorEntry]:
                scored = [
                    replace(entry, score=entry.vector[0] * vector[0])
                    for entry in self.try_entries(namespace)
                ]
                return sorted(scored, key=lambda entry: -entry.score)[:count]

            def try_load(self, id: str, namespace: str) -> VectorEntry | None:
                found = [entry for entry in self.try_entries(namespace) if entry.id == id]
                return found[0] if found else None

            def try_entries(self, namespace: str) -> Iterable[VectorEntry]:
                return [entry for entry in self.kept if entry.namespace == namespace]

            def try_delete(self, id: str, namespace: str) -> bool:
                found = self.try_load(id, namespace)
                if found:
                    self.kept.remove(found)
                return found is not None

    A driver holds configuration and a client, and serves many threads. It makes its client, and
    imports its provider's package, on first use, not when it is made. What its provider cannot
    do is a `DriverError`.
    """

    #: The driver's name.
    provider: ClassVar[str] = ""
    #: The environment variable that holds the key; None where no key is needed.
    key_env: ClassVar[str | None] = None

    @abstractmethod
    def try_upsert(self, entry: VectorEntry) -> None:
        """Keep an entry, in the place of the one that has its namespace and id, if there is one.

        Raises:
            DefinitionError: The namespace holds vectors of another length.
        """

    @abstractmethod
    def try_query(
        self, vector: Sequence[float], count: int, namespace: str
    ) -> Sequence[VectorEntry]:
        """Return `count` entries of a namespace at most, the nearest first, with their scores.

        Raises:
            DefinitionError: The namespace holds vectors of another length.
        """

    @abstractmethod
    def try_load(self, id: str, namespace: str) -> VectorEntry | None:
        """Return an entry; None where there is none of that id."""

    @abstractmethod
    def try_entries(self, namespace: str) -> Iterable[VectorEntry]:
        """Return all entries of a namespace."""

    @abstractmethod
    def try_delete(self, id: str, namespace: str) -> bool:
        """Take an entry out; return whether it was there."""

    def upsert(
        self,
        vector: Sequence[float],
        *,
        id: str | None = None,
        meta: Mapping[str, Any] | None = None,
        namespace: str = "",
    ) -> str:
        """Keep a vector and return its id.

        Args:
            vector: Its numbers.
            id: Its name; the one that has it already is replaced. A new one where none is given.
            meta: What it stands for, in JSON values.
            namespace: Where it is kept, apart from all others.

        Raises:
            DefinitionError: It is no vector, or the namespace holds vectors of another length.
        """
        numbers = checked_vector(vector)
        entry = VectorEntry(id or uuid.uuid4().hex, numbers, dict(meta or {}), namespace)
        self.try_upsert(entry)
        return entry.id

    def query(
        self, vector: Sequence[float], count: int = 5, *, namespace: str = ""
    ) -> list[VectorEntry]:
        """Return the entries that are most like a vector, the nearest first.

        Args:
            vector: What they are to be like, made by the same embedding driver.
            count: So many at most.
            namespace: Where they are looked for.

        Raises:
            DefinitionError: It is no vector, the namespace holds vectors of another length, or
                the count is no whole number of at least 1.
        """
        numbers, most = checked_vector(vector), _checked_count(count)
        return list(self.try_query(numbers, most, namespace))

    def load(self, id: str, *, namespace: str = "") -> VectorEntry | None:
        """Return the entry of that id; None where there is none."""
        return self.try_load(id, namespace)

    def entries(self, *, namespace: str = "") -> list[VectorEntry]:
        """Return all entries of a namespace."""
        return list(self.try_entries(namespace))

    def delete(self, id: str, *, namespace: str = "") -> bool:
        """Take an entry out; return whether it was there."""
        return self.try_delete(id, namespace)


class _Kept(NamedTuple):
    """An entry, and its vector in the form in which it is compared."""

    entry: VectorEntry
    unit: array[float]


@dataclass(kw_only=True, eq=False)
class LocalVectorStoreDriver(BaseVectorStoreDriver):
    """Keep vectors in this process; a query compares each of its namespace, and is exact.

    That takes about 20 ms for 1,000 vectors of 384 numbers.
    Entries come in the order in which they were first kept; so do those of equal score.
    """

    provider = "local"

    _spaces: dict[str, dict[str, _Kept]] = field(default_factory=dict, init=False, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)

    def try_upsert(self, entry: VectorEntry) -> None:
        """Keep an entry."""
        kept = _Kept(entry, unit(entry.vector))
        with self._lock:
            space = self._spaces.get(entry.namespace, {})
            _check_length(entry.vector, space, entry.namespace)
            self._spaces.setdefault(entry.namespace, space)[entry.id] = kept

    def try_query(
        self, vector: Sequence[float], count: int, namespace: str
    ) -> Sequence[VectorEntry]:
        """Return the entries of the largest cosine."""
        with self._lock:  # entries never change, so they are compared without it
            space = dict(self._spaces.get(namespace, {}))
        _check_length(vector, space, namespace)
        units = {id: kept.unit for id, kept in space.items()}
        return [
            _scored(space[id].entry, score) for id, score in nearest(units, unit(vector), count)
        ]

    def try_load(self, id: str, namespace: str) -> VectorEntry | None:
        """Return an entry."""
        with self._lock:
            kept = self._spaces.get(namespace, {}).get(id)
        return kept.entry if kept else None

    def try_entries(self, namespace: str) -> Iterable[VectorEntry]:
        """Return all entries of a namespace."""
        with self._lock:
            return [kept.entry for kept in self._spaces.get(namespace, {}).values()]

    def try_delete(self, id: str, namespace: str) -> bool:
        """Take an entry out; a namespace without any takes vectors of every length again."""
        with self._lock:
            return self._spaces.get(namespace, {}).pop(id, None) is not None


def checked_vector(vector: Sequence[float]) -> tuple[float, ...]:
    """Return a vector's numbers.

    Raises:
        DefinitionError: There are none, or one of them is no finite number.
    """
    given: Any = vector
    try:
        numbers = () if isinstance(given, str | bytes) else tuple(map(float, given))
    except (TypeError, ValueError, OverflowError):
        numbers = ()
    if not numbers or not all(map(math.isfinite, numbers)):
        raise DefinitionError(
            f"A vector is a list of finite numbers, as an embedding driver makes it; {given!r:.60}"
            " is none."
        )
    return numbers


def unit(vector: Sequence[float]) -> array[float]:
    """Return a vector of the same direction and of length one; one without length as it is."""
    largest = max(map(abs, vector), default=0.0)
    if not largest:
        return array("d", vector)
    # Squares of very large and very small numbers do not fit a float.
    scaled = [number / largest for number in vector]
    length = math.hypot(*scaled)
    return array("d", [number / length for number in scaled])


def nearest(
    units: Mapping[Key, Sequence[float]], asked: Sequence[float], count: int
) -> list[tuple[Key, float]]:
    """Return the keys of the vectors that are most like one, the nearest first, with the cosine.

    Args:
        units: Vectors of length one, as `unit` makes them; of equal ones the first comes first.
        asked: A vector of length one, with as many numbers as they have.
        count: So many at most.
    """
    scores = [(key, _cosine(one, asked)) for key, one in units.items()]
    return heapq.nlargest(count, scores, key=lambda scored: scored[1])


def _cosine(one: Sequence[float], other: Sequence[float]) -> float:
    product: float = sum(map(mul, one, other))
    return max(-1.0, min(1.0, product))  # rounding may lead beyond


def _scored(entry: VectorEntry, score: float) -> VectorEntry:
    return VectorEntry(entry.id, entry.vector, entry.meta, entry.namespace, score)


def _check_length(vector: Sequence[float], space: Mapping[str, _Kept], namespace: str) -> None:
    known = next((len(kept.unit) for kept in space.values()), len(vector))
    if len(vector) != known:
        raise DefinitionError(
            f"The vector has {len(vector)} numbers, and those of the namespace {namespace!r} have"
            f" {known}: only vectors of one embedding model can be compared. Use that model, or"
            " another namespace."
        )


def _checked_count(count: Any) -> int:
    if not isinstance(count, int) or isinstance(count, bool) or count < 1:
        raise DefinitionError(f"count is {count!r}; it must be a whole number of at least 1.")
    return count
