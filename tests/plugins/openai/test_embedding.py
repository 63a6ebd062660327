"""Vectors from a server on loopback."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from openai.types import CreateEmbeddingResponse

from agenthost_plugin_openai import (
    OpenAiDriversConfig,
    OpenAiEmbeddingDriver,
    agenthost_drivers_configs,
    agenthost_embedding_drivers,
    embedding,
)
from agenthost_plugin_openai.decode import UnreadableReply
from agenthost_sdk.errors import DriverAuthenticationError, DriverConnectionError, NoDriverError
from agenthost_sdk.testing.conformance import EmbeddingDriverConformance
from support.other_requests import vector
from support.provider_server import ProviderServer

Embed = Callable[[OpenAiEmbeddingDriver, Sequence[str]], list[list[float]]]


class TestConformance(EmbeddingDriverConformance):
    driver = OpenAiEmbeddingDriver
    provider_packages = ("openai", "httpx2")


@pytest.fixture(params=["blocking", "async"])
def embed(request: pytest.FixtureRequest) -> Embed:
    """Ask a driver for vectors in each of the two ways."""

    def embed(driver: OpenAiEmbeddingDriver, texts: Sequence[str]) -> list[list[float]]:
        if request.param == "async":
            return asyncio.run(driver.aembed(texts))
        return driver.embed(texts)

    return embed


def test_each_text_gets_its_vector_also_over_several_requests(embed: Embed) -> None:
    texts = ["one", "two", "half \ud83d", "four", "five"]
    with ProviderServer() as server:
        driver = OpenAiEmbeddingDriver(base_url=server.openai_url, batch_size=2)

        vectors = embed(driver, texts)

    assert vectors == [vector(text) for text in ("one", "two", "half ?", "four", "five")]
    assert [len(body["input"]) for body in server.embedded] == [2, 2, 1]
    assert server.embedded[0] == {"model": "text-embedding-3-small", "input": ["one", "two"]}


def test_fields_are_sent_where_they_are_set_and_further_ones_win(embed: Embed) -> None:
    extra = {"user": "ada", "model": None}
    with ProviderServer() as server:
        driver = OpenAiEmbeddingDriver(
            base_url=server.openai_url, model="m", dimensions=4, headers={"x-team": "seven"}
        )
        vectors = embed(driver, ["one"])
        driver.extra_params = {**extra, "model": "other"}
        embed(driver, ["one"])

    assert len(vectors[0]) == 4
    assert server.embedded[0] == {"model": "m", "input": ["one"], "dimensions": 4}
    assert server.embedded[1] == {
        "model": "other",
        "input": ["one"],
        "dimensions": 4,
        "user": "ada",
    }
    assert server.headers[0]["x-team"] == "seven"


def test_an_empty_text_gets_a_vector_too(embed: Embed) -> None:
    with ProviderServer() as server:
        vectors = embed(OpenAiEmbeddingDriver(base_url=server.openai_url), ["", "one"])

    assert vectors == [vector(" "), vector("one")]


def test_a_failure_that_may_pass_is_tried_again_and_any_other_raised(embed: Embed) -> None:
    with ProviderServer(
        [
            {"status": 503, "error": {"message": "Busy."}},
            {"status": 401, "error": {"message": "Who?"}},
        ]
    ) as server:
        driver = OpenAiEmbeddingDriver(
            base_url=server.openai_url, min_retry_delay=0.0, name="vectors", model="m"
        )

        with pytest.raises(DriverAuthenticationError, match=r"vectors:m: Who\?.*OPENAI_API_KEY"):
            embed(driver, ["one"])

        assert embed(driver, ["one"]) == [vector("one")]
    assert len(server.embedded) == 3


def reply(*vectors: tuple[Any, list[float]]) -> CreateEmbeddingResponse:
    data = [{"index": index, "embedding": vector} for index, vector in vectors]
    return CreateEmbeddingResponse.construct(data=data)


def test_vectors_stand_in_the_order_that_their_numbers_tell() -> None:
    assert embedding.vectors(reply((1, [1.0]), (0, [0.0]))) == [[0.0], [1.0]]
    assert embedding.vectors(reply((None, [1.0]), (None, [0.0]))) == [[1.0], [0.0]]
    assert embedding.vectors(reply((0, [1.0]), (0, [0.0]))) == [[1.0], [0.0]]


@pytest.mark.parametrize("answer", ["<html>Not here</html>", reply(), None])
def test_what_is_no_vector_is_told_with_what_to_check(answer: Any) -> None:
    with pytest.raises(UnreadableReply, match="Check that base_url"):
        embedding.vectors(answer)


def test_a_server_that_is_not_there_is_a_failed_connection(embed: Embed) -> None:
    driver = OpenAiEmbeddingDriver(base_url="http://127.0.0.1:9/v1", max_attempts=1)

    with pytest.raises(DriverConnectionError, match="Check that the address is right"):
        embed(driver, ["one"])


def test_a_missing_key_says_which_variable_to_set(embed: Embed) -> None:
    with pytest.raises(NoDriverError, match="MISTRAL_API_KEY"):
        embed(OpenAiEmbeddingDriver(profile="mistral"), ["one"])


def test_the_hooks_and_the_config_give_the_driver() -> None:
    config = agenthost_drivers_configs()["openai"]()

    assert agenthost_embedding_drivers() == {"openai": OpenAiEmbeddingDriver}
    assert isinstance(config, OpenAiDriversConfig)
    assert isinstance(config.embedding_driver, OpenAiEmbeddingDriver)


def test_the_default_model_is_one_that_the_sdk_lists() -> None:
    from typing import get_args

    from openai.types import EmbeddingModel

    assert OpenAiEmbeddingDriver().model in get_args(EmbeddingModel)
