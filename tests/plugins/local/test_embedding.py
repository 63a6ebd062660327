"""The real embedding model: texts of like meaning are near. Needs the package index once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import pytest

import agenthost_plugin_local
from agenthost_plugin_local.embedding import LocalEmbeddingDriver
from agenthost_sdk import DriverError
from agenthost_sdk.testing import EmbeddingDriverConformance


@pytest.fixture
def embedding(models_home: Path, monkeypatch: pytest.MonkeyPatch) -> LocalEmbeddingDriver:
    monkeypatch.setenv("AGENTHOST_HOME", str(models_home))
    return LocalEmbeddingDriver()


def likeness(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(x * y for x, y in zip(one, other, strict=True))


def test_it_contributes_the_driver_by_name() -> None:
    assert agenthost_plugin_local.agenthost_embedding_drivers() == {"local": LocalEmbeddingDriver}


class TestLocalEmbeddingDriver(EmbeddingDriverConformance):
    driver = LocalEmbeddingDriver
    provider_packages = ("xllamacpp",)


def test_a_text_is_nearest_to_the_one_that_means_the_same(
    embedding: LocalEmbeddingDriver,
) -> None:
    asked, same, other = embedding.embed(
        [
            "How warm is it in Paris?",
            "The temperature in the French capital is 21 degrees.",
            "The invoice was paid on Tuesday.",
        ]
    )

    assert likeness(asked, same) > likeness(asked, other) + 0.2


@pytest.mark.parametrize(
    "text",
    ["", " ", "a" * 100_000, "好" * 3_000, "🎉" * 3_000, "wörter " * 2_000, "\x00", "\ud800"],
    ids=["empty", "space", "one letter", "chinese", "emoji", "words", "zero", "surrogate"],
)
def test_any_text_gets_a_vector_of_length_one(embedding: LocalEmbeddingDriver, text: str) -> None:
    (vector,) = embedding.embed([text])

    assert len(vector) == 384
    assert math.hypot(*vector) == pytest.approx(1.0)


def test_what_stands_late_in_a_long_text_counts_too(embedding: LocalEmbeddingDriver) -> None:
    filler = "Nothing of note happened on that day in the office. " * 10
    asked, late, without = embedding.embed(
        ["the price of copper", filler + "The price of copper fell.", filler]
    )

    assert likeness(asked, late) > likeness(asked, without) + 0.1


def test_a_model_that_nobody_knows_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(DriverError, match=r"named 'large'.* Known: minilm; .*\.gguf"):
        LocalEmbeddingDriver(model="large").embed(["a"])
