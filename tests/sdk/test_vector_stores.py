"""Vectors are kept by namespace and id, and found by their direction."""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenthost_sdk import BaseVectorStoreDriver, LocalVectorStoreDriver, VectorEntry
from agenthost_sdk.errors import DefinitionError
from agenthost_sdk.testing import WordsEmbeddingDriver
from agenthost_sdk.vector_stores import nearest, unit

NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
VECTORS = st.lists(st.lists(NUMBERS, min_size=3, max_size=3), min_size=1, max_size=12)


def filled(**vectors: Sequence[float]) -> LocalVectorStoreDriver:
    store = LocalVectorStoreDriver()
    for name, vector in vectors.items():
        store.upsert(vector, id=name, meta={"text": name})
    return store


def ids(entries: Sequence[VectorEntry]) -> list[str]:
    return [entry.id for entry in entries]


def test_a_query_returns_the_nearest_first_with_its_score() -> None:
    store = filled(east=[2, 0], north=[0, 3], west=[-1, 0], north_east=[1, 1])

    found = store.query([5, 0], count=3)

    assert ids(found) == ["east", "north_east", "north"]
    assert [entry.score for entry in found] == pytest.approx([1, math.sqrt(0.5), 0])
    assert found[0] == VectorEntry("east", (2.0, 0.0), {"text": "east"}, "", 1.0)


def test_texts_are_found_by_what_they_mean() -> None:
    driver, store = WordsEmbeddingDriver(), LocalVectorStoreDriver()
    texts = ["the price of copper", "rain in the north", "trains to the south"]
    for text, vector in zip(texts, driver.embed(texts), strict=True):
        store.upsert(vector, meta={"text": text})

    [found] = store.query(driver.embed(["heavy rain"])[0], count=1)

    assert found.meta["text"] == "rain in the north"


def test_an_upsert_with_a_known_id_replaces_its_entry() -> None:
    store = filled(a=[1, 0])

    again = store.upsert([0, 1], id="a", meta={"text": "new"})

    assert again == "a"
    assert store.entries() == [VectorEntry("a", (0.0, 1.0), {"text": "new"})]


def test_an_upsert_without_an_id_gets_one_of_its_own() -> None:
    store = LocalVectorStoreDriver()

    first, second = store.upsert([1, 0]), store.upsert([1, 0])

    assert first != second
    assert ids(store.entries()) == [first, second]


def test_an_entry_is_loaded_and_deleted_by_its_id() -> None:
    store = filled(a=[1, 0], b=[0, 1])

    assert store.load("a") == VectorEntry("a", (1.0, 0.0), {"text": "a"})
    assert store.load("c") is None
    assert store.delete("a")
    assert not store.delete("a")
    assert ids(store.entries()) == ["b"]
    assert ids(store.query([1, 0])) == ["b"]


def test_namespaces_do_not_see_one_another() -> None:
    store = filled(a=[1, 0])
    store.upsert([1, 0, 0], id="a", namespace="other")

    assert store.load("a", namespace="other") == VectorEntry("a", (1, 0, 0), {}, "other")
    assert ids(store.query([0, 1])) == ["a"]
    assert store.query([1, 0], namespace="none") == []
    assert not store.delete("a", namespace="none")
    assert store.delete("a", namespace="other")
    assert ids(store.entries()) == ["a"]


@pytest.mark.parametrize("call", ["upsert", "query"])
def test_a_vector_of_another_length_is_refused_with_both_lengths(call: str) -> None:
    store = filled(a=[1, 0])

    with pytest.raises(DefinitionError) as refused:
        getattr(store, call)([1, 0, 0])

    assert str(refused.value) == (
        "The vector has 3 numbers, and those of the namespace '' have 2: only vectors of one"
        " embedding model can be compared. Use that model, or another namespace."
    )
    assert ids(store.entries()) == ["a"]


def test_an_emptied_namespace_takes_vectors_of_every_length() -> None:
    store = filled(a=[1, 0])
    store.delete("a")

    store.upsert([1, 0, 0], id="b")

    assert ids(store.query([1, 0, 0])) == ["b"]


@pytest.mark.parametrize(
    "vector",
    [[], "12", b"12", [math.nan], [1, math.inf], ["a"], None, 3, [[1.0]], [10**400]],
    ids=["empty", "text", "bytes", "nan", "infinite", "words", "none", "number", "nested", "huge"],
)
def test_what_is_no_vector_is_refused(vector: Any) -> None:
    store = filled(a=[1])

    with pytest.raises(DefinitionError, match="A vector is a list of finite numbers"):
        store.upsert(vector)
    with pytest.raises(DefinitionError, match="A vector is a list of finite numbers"):
        store.query(vector)


@pytest.mark.parametrize("count", [0, -1, 1.5, True, "3"])
def test_a_count_that_is_no_whole_number_is_refused(count: Any) -> None:
    with pytest.raises(DefinitionError, match="it must be a whole number of at least 1"):
        filled(a=[1, 0]).query([1, 0], count)


def test_what_the_caller_changes_later_changes_no_entry() -> None:
    store, vector, meta = LocalVectorStoreDriver(), [1.0, 0.0], {"text": "a"}
    store.upsert(vector, id="a", meta=meta)

    vector[0], meta["text"] = 9.0, "b"

    assert store.load("a") == VectorEntry("a", (1.0, 0.0), {"text": "a"})


def test_a_vector_without_direction_is_like_no_other() -> None:
    store = filled(nothing=[0, 0], away=[-1, 0])

    assert [entry.score for entry in store.query([1, 0])] == [0.0, -1.0]


@pytest.mark.parametrize("size", [5e-324, 1e-300, 1.0, 1e300, 1.7e308])
def test_the_size_of_the_numbers_does_not_matter(size: float) -> None:
    store = filled(same=[size, size], other=[size, -size])

    found = store.query([1, 1])

    assert ids(found) == ["same", "other"]
    assert [entry.score for entry in found] == pytest.approx([1, 0])


def test_of_equal_ones_the_first_comes_first() -> None:
    store = filled(b=[1, 0], a=[2, 0], c=[3, 0])

    assert ids(store.query([1, 0], count=2)) == ["b", "a"]


@given(vectors=VECTORS, asked=st.lists(NUMBERS, min_size=3, max_size=3), count=st.integers(1, 15))
def test_a_query_is_exact(vectors: list[list[float]], asked: list[float], count: int) -> None:
    """What it leaves out is no nearer than what it returns, whichever vectors there are."""
    store = LocalVectorStoreDriver()
    for place, vector in enumerate(vectors):
        store.upsert(vector, id=str(place))

    found = store.query(asked, count)

    scores = {entry.id: entry.score or 0.0 for entry in found}
    every = {entry.id: entry.score or 0.0 for entry in store.query(asked, len(vectors))}
    left = [score for name, score in every.items() if name not in scores]
    assert len(found) == min(count, len(vectors))
    assert list(scores.values()) == sorted(scores.values(), reverse=True)
    assert all(score <= min(scores.values()) for score in left)
    assert all(-1.0 <= score <= 1.0 for score in every.values())
    assert every == {
        str(place): pytest.approx(cosine(vector, asked), abs=1e-9)
        for place, vector in enumerate(vectors)
    }


def cosine(first: Sequence[float], second: Sequence[float]) -> float:
    """Return the cosine, reckoned in another way: by the lengths of sum and difference."""
    one, other = (_direction(vector) for vector in (first, second))
    if not any(one) or not any(other):
        return 0.0
    longer = math.dist(one, [-number for number in other])
    shorter = math.dist(one, other)
    return (longer**2 - shorter**2) / 4


def _direction(vector: Sequence[float]) -> list[float]:
    largest = max(map(abs, vector))
    scaled = [number / largest if largest else 0.0 for number in vector]
    return [number / (math.hypot(*scaled) or 1.0) for number in scaled]


def test_the_nearest_are_found_by_any_key() -> None:
    units = {1: unit([3, 0]), None: unit([0, 2])}

    assert nearest(units, unit([0, 1]), 1) == [(None, 1.0)]
    assert nearest({}, unit([0, 1]), 1) == []


def test_many_threads_write_read_and_delete_at_once() -> None:
    store, barrier, failures = LocalVectorStoreDriver(), threading.Barrier(8), []

    def work(number: int) -> None:
        barrier.wait()
        try:
            for step in range(50):
                name = f"{number}-{step}"
                store.upsert([float(number + 1), float(step)], id=name)
                assert store.load(name)
                assert store.query([1.0, 1.0], 3)
                assert store.entries()
                assert step % 2 or store.delete(name)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert failures == []
    kept = {f"{number}-{step}" for number in range(8) for step in range(1, 50, 2)}
    assert set(ids(store.entries())) == kept


def test_a_store_is_given_checked_entries_only() -> None:
    class Counting(LocalVectorStoreDriver):
        """Count the entries that are written."""

        written = 0

        def try_upsert(self, entry: VectorEntry) -> None:
            self.written += 1
            super().try_upsert(replace(entry, meta={**entry.meta, "number": self.written}))

    store: BaseVectorStoreDriver = Counting()
    with pytest.raises(DefinitionError):
        store.upsert([])
    store.upsert([1.0], id="a")

    assert store.entries() == [VectorEntry("a", (1.0,), {"number": 1})]
