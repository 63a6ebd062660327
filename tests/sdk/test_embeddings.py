"""The template round a provider's one method of embedding."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from agenthost_sdk import BaseEmbeddingDriver, DriverError
from agenthost_sdk.errors import DefinitionError
from agenthost_sdk.testing import EmbeddingDriverConformance, WordsEmbeddingDriver


@dataclass(kw_only=True, eq=False)
class Given(BaseEmbeddingDriver):
    """Return what it was told to, or the length of each text."""

    provider = "given"
    model: str = "given-1"
    gives: Any = None
    batches: list[list[str]] = field(default_factory=list)

    def try_embed(self, texts: Sequence[str]) -> Any:
        self.batches.append(list(texts))
        return [[len(text)] for text in texts] if self.gives is None else self.gives


@dataclass(kw_only=True, eq=False)
class Awaited(Given):
    """Embed natively in async code."""

    async def atry_embed(self, texts: Sequence[str]) -> Any:
        await asyncio.sleep(0)
        return [[-1.0] for _ in texts]


class TestWordsEmbeddingDriver(EmbeddingDriverConformance):
    driver = WordsEmbeddingDriver


def embedded(driver: BaseEmbeddingDriver, texts: Sequence[str], is_async: bool) -> Any:
    return asyncio.run(driver.aembed(texts)) if is_async else driver.embed(texts)


def test_texts_go_in_batches_and_come_back_in_order(is_async: bool) -> None:
    driver = Given(batch_size=2)

    vectors = embedded(driver, ["a", "bb", "ccc", "dddd", "eeeee"], is_async)

    assert vectors == [[1.0], [2.0], [3.0], [4.0], [5.0]]
    assert driver.batches == [["a", "bb"], ["ccc", "dddd"], ["eeeee"]]


def test_a_text_that_utf_8_cannot_carry_is_sent_without_the_fault(is_async: bool) -> None:
    driver = Given()

    embedded(driver, ["a\ud800b", "🎉"], is_async)

    assert driver.batches == [["a?b", "🎉"]]


def test_no_texts_are_no_request(is_async: bool) -> None:
    driver = Given()

    assert embedded(driver, [], is_async) == []
    assert driver.batches == []


def test_a_providers_own_async_method_is_awaited() -> None:
    assert asyncio.run(Awaited().aembed(["a"])) == [[-1.0]]


@pytest.mark.parametrize(
    ("gives", "fault"),
    [
        ([[1.0]], "1 vectors for 2 texts"),
        ([[1.0], [1.0], [1.0]], "3 vectors for 2 texts"),
        ([[1.0], [1.0, 2.0]], "vectors of 1 and 2 numbers"),
        ([[], []], "vectors of 0 numbers"),
        ([[1.0], [math.nan]], "not every number is finite"),
        ([[1.0], [math.inf]], "not every number is finite"),
        ([[1.0], None], "None where a vector is needed"),
        ([[1.0], ["x"]], r"\['x'\] where a vector is needed"),
        (5, "5 where a list of vectors is needed"),
    ],
    ids=["too few", "too many", "uneven", "empty", "nan", "inf", "none", "words", "no list"],
)
def test_what_is_no_vector_for_each_text_is_the_providers_fault(
    gives: Any, fault: str, is_async: bool
) -> None:
    with pytest.raises(DriverError, match=f"Given gave .*{fault}") as caught:
        embedded(Given(gives=gives), ["a", "b"], is_async)

    assert (caught.value.provider, caught.value.model) == ("given", "given-1")


def test_all_batches_must_have_vectors_of_one_length() -> None:
    class Growing(Given):
        def try_embed(self, texts: Sequence[str]) -> Any:
            return [[0.0] * len(text) for text in texts]

    with pytest.raises(DriverError, match="vectors of 1 and 2 numbers"):
        Growing(batch_size=1).embed(["a", "bb"])


def test_texts_may_come_one_after_the_other(is_async: bool) -> None:
    texts: Any = (text for text in ("a", "bb"))

    assert embedded(Given(), texts, is_async) == [[1.0], [2.0]]


def test_a_text_in_place_of_a_list_is_refused(is_async: bool) -> None:
    with pytest.raises(DefinitionError, match="takes a list of texts; it was given 'hello'"):
        embedded(Given(), "hello", is_async)


@pytest.mark.parametrize("given", [None, 7, b"hello", ["a", None]], ids=repr)
def test_what_holds_no_texts_is_refused(given: Any) -> None:
    with pytest.raises(DefinitionError, match="takes a list of texts; it was given"):
        Given().embed(given)


def test_a_batch_of_none_is_refused() -> None:
    with pytest.raises(DefinitionError, match="batch_size is 0"):
        Given(batch_size=0).embed(["a"])


def test_the_kits_driver_finds_texts_alike_that_share_words() -> None:
    driver = WordsEmbeddingDriver()

    cat, same, cats, dog, nothing = driver.embed(["the cat", "The cat!", "the tail", "dog", "…"])

    def likeness(other: list[float]) -> float:
        return sum(x * y for x, y in zip(cat, other, strict=True))

    assert likeness(same) == pytest.approx(1.0)
    assert likeness(cats) == pytest.approx(0.5)
    assert likeness(dog) == 0.0
    assert not any(nothing)
    assert driver.texts[0] == "the cat"


def test_the_kits_driver_gives_the_same_vectors_in_every_process() -> None:
    (vector,) = WordsEmbeddingDriver(size=16).embed(["one two three"])

    assert [place for place, number in enumerate(vector) if number] == [3, 9, 14]
