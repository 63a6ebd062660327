"""What the host expects of a vector store driver."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar
from uuid import uuid4

from agenthost_sdk.errors import DefinitionError
from agenthost_sdk.testing.conformance.declared import declared
from agenthost_sdk.vector_stores import BaseVectorStoreDriver

_EAST, _NORTH, _NORTHEAST = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.8, 0.6, 0.0)


class VectorStoreDriverConformance:
    """Hold a vector store against what the host expects of one.

    It is written to: name the class of one that runs here, or write `make_store` for one on a
    server of your own. Each test keeps to a namespace of its own.
    """

    store: ClassVar[type[BaseVectorStoreDriver]]

    def make_store(self) -> BaseVectorStoreDriver:
        """Return the store to be tested; called for each test."""
        made: BaseVectorStoreDriver = declared(self, "store")()
        return made

    def test_the_store_is_described(self) -> None:
        """If it fails: write a docstring that says where the vectors are kept."""
        made = type(self.make_store())
        written = vars(made).get("__doc__") or ""

        # A dataclass without a docstring gets its signature for one.
        is_written = written and not written.startswith(f"{made.__name__}(")
        assert is_written, f"{made.__name__} has no docstring."

    def test_what_was_kept_is_loaded_as_it_was(self) -> None:
        """If it fails: keep id, vector, meta and namespace as `try_upsert` is given them."""
        store, space = self.make_store(), _space()
        store.upsert(
            _NORTHEAST, id="ab-1", meta={"text": "é", "parts": [1, None]}, namespace=space
        )

        entry = store.load("ab-1", namespace=space)

        assert entry is not None, "An entry that was kept is not there."
        assert entry.meta == {"text": "é", "parts": [1, None]}, f"meta is {entry.meta!r}"
        assert _is_close(entry.vector, _NORTHEAST), f"vector is {entry.vector}"
        assert (entry.id, entry.namespace) == ("ab-1", space), f"{entry!r:.200}"

    def test_the_nearest_come_first_with_their_cosines(self) -> None:
        """If it fails: sort by the cosine, the largest first, and give it as `score`."""
        store, space = self._filled()

        found = store.query(_EAST, 3, namespace=space)

        assert [entry.id for entry in found] == ["east", "northeast", "north"], f"{found}"
        scores = [entry.score or 0.0 for entry in found]
        assert _is_close(scores, (1.0, 0.8, 0.0)), f"The scores are {scores}"

    def test_a_query_gives_as_many_as_were_asked_for_at_most(self) -> None:
        """If it fails: heed `count`."""
        store, space = self._filled()

        assert len(store.query(_EAST, 2, namespace=space)) == 2
        assert len(store.query(_EAST, 9, namespace=space)) == 3

    def test_an_entry_takes_the_place_of_the_one_with_its_id(self) -> None:
        """If it fails: replace the entry that has that id in that namespace."""
        store, space = self._filled()
        store.upsert(_NORTH, id="east", namespace=space)

        entries = {entry.id: entry.vector for entry in store.entries(namespace=space)}

        assert sorted(entries) == ["east", "north", "northeast"], f"{sorted(entries)}"
        assert _is_close(entries["east"], _NORTH), f"It is still {entries['east']}"

    def test_namespaces_are_apart(self) -> None:
        """If it fails: look in the namespace that is asked for, and in no other."""
        store, space = self._filled()
        other = _space()

        assert store.entries(namespace=other) == []
        assert store.query(_EAST, namespace=other) == []
        assert store.load("east", namespace=other) is None
        assert store.delete("east", namespace=other) is False
        assert len(store.entries(namespace=space)) == 3

    def test_what_was_deleted_is_gone(self) -> None:
        """If it fails: `try_delete` takes the entry out, and says whether it was there."""
        store, space = self._filled()

        assert store.delete("east", namespace=space) is True, "It says that nothing was there."
        assert store.delete("east", namespace=space) is False, "It says that it was there still."
        assert store.load("east", namespace=space) is None, "It can still be loaded."
        found = [entry.id for entry in store.query(_EAST, namespace=space)]
        assert "east" not in found, f"It is still found: {found}"

    def test_a_vector_of_another_length_is_refused(self) -> None:
        """If it fails: raise `DefinitionError`; vectors of two models cannot be compared."""
        store, space = self._filled()

        for name, ask in (("try_upsert", store.upsert), ("try_query", store.query)):
            try:
                ask((1.0, 0.0), namespace=space)
            except DefinitionError:
                continue
            raise AssertionError(f"`{name}` takes a vector of two numbers among some of three.")

    def _filled(self) -> tuple[BaseVectorStoreDriver, str]:
        store, space = self.make_store(), _space()
        for id, vector in (("north", _NORTH), ("east", _EAST), ("northeast", _NORTHEAST)):
            store.upsert(vector, id=id, namespace=space)
        return store, space


def _space() -> str:
    return f"conformance-{uuid4().hex}"


def _is_close(some: Sequence[float], others: Sequence[float]) -> bool:
    """Return whether numbers are alike; a store may keep them with fewer digits."""
    return len(some) == len(others) and all(
        abs(one - other) < 1e-3 for one, other in zip(some, others, strict=True)
    )
