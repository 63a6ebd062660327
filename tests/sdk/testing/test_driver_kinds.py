"""The conformance classes of drivers configs and vector stores find each fault."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from agenthost_sdk.drivers import BasePromptDriver
from agenthost_sdk.drivers_config import DriversConfig
from agenthost_sdk.testing import (
    DriversConfigConformance,
    ScriptedDriver,
    VectorStoreDriverConformance,
    WordsEmbeddingDriver,
)
from agenthost_sdk.testing.checks import run_tests
from agenthost_sdk.vector_stores import LocalVectorStoreDriver, VectorEntry


class Polite(DriversConfig):
    """A model that says hello."""

    def make_prompt_driver(self) -> BasePromptDriver:
        return ScriptedDriver(["Hello!"], repeat=True)

    def make_embedding_driver(self) -> WordsEmbeddingDriver:
        return WordsEmbeddingDriver()


class TestPolite(DriversConfigConformance):
    config = Polite


class TestLocalStore(VectorStoreDriverConformance):
    store = LocalVectorStoreDriver


def failing(check: type, **attributes: Any) -> set[str]:
    return {one.check for one in run_tests(type("It", (check,), attributes)) if one.message}


class Undescribed(Polite):
    pass


class Empty(DriversConfig):
    """Makes nothing."""


class Wrong(Polite):
    """Makes what is no driver, or nothing without a key."""

    def make_prompt_driver(self) -> Any:
        return "a model"

    def make_embedding_driver(self) -> WordsEmbeddingDriver:
        raise KeyError("ODD_API_KEY")


class Deaf(Polite):
    """Takes drivers, and drops them."""

    def __init__(self, **drivers: Any) -> None:
        super().__init__()


class Forgetful(Polite):
    """Makes a new one each time."""

    def driver(self, kind: str) -> Any:
        return self._made(kind)


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        (Undescribed, {"the config is described"}),
        (Empty, {"it makes a driver"}),
        (
            Wrong,
            {
                "each driver can be made",
                "each driver is made once",
                "a given driver takes the place of its own",
            },
        ),
        (Deaf, {"a given driver takes the place of its own"}),
        (Forgetful, {"each driver is made once", "a given driver takes the place of its own"}),
    ],
)
def test_each_fault_of_a_config_is_found(config: type, expected: set[str]) -> None:
    assert failing(DriversConfigConformance, config=config) == expected


@dataclass(kw_only=True, eq=False)
class Bare(LocalVectorStoreDriver):
    def try_delete(self, id: str, namespace: str) -> bool:
        return super().try_delete(id, namespace) or True


@dataclass(kw_only=True, eq=False)
class Backwards(LocalVectorStoreDriver):
    """Give the farthest first, and all of them."""

    def try_query(
        self, vector: Sequence[float], count: int, namespace: str
    ) -> Sequence[VectorEntry]:
        return super().try_query(vector, 1000, namespace)[::-1]


@dataclass(kw_only=True, eq=False)
class Mixed(LocalVectorStoreDriver):
    """Keep everything in one namespace, without what it stands for."""

    def try_upsert(self, entry: VectorEntry) -> None:
        super().try_upsert(replace(entry, meta={}, namespace=""))

    def try_query(
        self, vector: Sequence[float], count: int, namespace: str
    ) -> Sequence[VectorEntry]:
        return super().try_query(vector, count, "")

    def try_load(self, id: str, namespace: str) -> VectorEntry | None:
        return super().try_load(id, "")


@pytest.mark.parametrize(
    ("store", "expected"),
    [
        (
            Bare,
            {
                "the store is described",
                "namespaces are apart",
                "what was deleted is gone",
            },
        ),
        (
            Backwards,
            {
                "the nearest come first with their cosines",
                "a query gives as many as were asked for at most",
            },
        ),
        (
            Mixed,
            {
                "what was kept is loaded as it was",
                "an entry takes the place of the one with its id",
                "namespaces are apart",
                "what was deleted is gone",
            },
        ),
    ],
)
def test_each_fault_of_a_store_is_found(store: type, expected: set[str]) -> None:
    assert failing(VectorStoreDriverConformance, store=store) == expected
