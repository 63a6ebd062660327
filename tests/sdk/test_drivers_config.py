"""A set of drivers: made once, overridden, merged, and the one in force within a block."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Generator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenthost_sdk import (
    BaseEmbeddingDriver,
    BasePromptDriver,
    BaseVectorStoreDriver,
    DriversConfig,
    LocalVectorStoreDriver,
)
from agenthost_sdk.drivers_config import entered_config
from agenthost_sdk.errors import DefinitionError, NoDriverError
from agenthost_sdk.testing import ScriptedDriver, WordsEmbeddingDriver
from agenthost_sdk.threads import in_thread


class Talking(DriversConfig):
    """A provider with a language model."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.made: list[BasePromptDriver] = []

    def make_prompt_driver(self) -> BasePromptDriver:
        self.made.append(ScriptedDriver(["Hello."]))
        return self.made[-1]


class Painting(DriversConfig):
    """A provider with vectors and pictures."""

    def make_embedding_driver(self) -> BaseEmbeddingDriver:
        return WordsEmbeddingDriver()

    def make_image_driver(self) -> list[str]:
        return ["a painter"]


def test_each_driver_is_made_on_first_use_and_once() -> None:
    config = Talking()

    assert config.made == []
    assert config.prompt_driver is config.prompt_driver
    assert config.prompt_driver is config.driver("prompt")
    assert len(config.made) == 1


def test_many_threads_that_ask_at_once_get_one_driver() -> None:
    inside, go_on = threading.Event(), threading.Event()

    class Slow(Talking):
        def make_prompt_driver(self) -> BasePromptDriver:
            inside.set()
            assert go_on.wait(60)
            return super().make_prompt_driver()

    config, got = Slow(), []
    threads = [
        threading.Thread(target=lambda: got.append(config.prompt_driver)) for _ in range(16)
    ]
    for thread in threads:
        thread.start()
    assert inside.wait(60)
    go_on.set()
    for thread in threads:
        thread.join()

    assert len(config.made) == 1
    assert got == [config.made[0]] * 16


def test_what_cannot_be_made_is_tried_again() -> None:
    class Late(Talking):
        def make_prompt_driver(self) -> BasePromptDriver:
            if not self.made:
                self.made.append(ScriptedDriver([]))
                raise OSError("not yet")
            return super().make_prompt_driver()

    config = Late()
    with pytest.raises(OSError, match="not yet"):
        _ = config.prompt_driver

    assert config.prompt_driver is config.made[1]


@pytest.mark.parametrize("kind", ["prompt", "embedding", "image"])
def test_a_kind_that_nothing_makes_says_what_to_do(kind: str) -> None:
    class Empty(DriversConfig):
        """Have nothing."""

    with pytest.raises(NoDriverError) as lacking:
        Empty().driver(kind)

    assert str(lacking.value) == (
        f"Empty has no {kind} driver. Give it one, {kind}_driver=…, or merge it with a config"
        f" that has one: config | other. A subclass makes it in make_{kind}_driver."
    )


def test_the_vector_store_is_in_memory_where_nothing_else_is_said() -> None:
    config = Talking()

    assert isinstance(config.vector_store_driver, LocalVectorStoreDriver)
    assert config.vector_store_driver is config.driver("vector_store")
    assert config.vector_store_driver is not Talking().vector_store_driver


def test_a_further_kind_is_made_as_its_class_says() -> None:
    config = Painting()

    assert config.driver("image") == ["a painter"]
    assert config.driver("image") is config.driver("image")
    assert Painting.made_kinds() == ("embedding", "image")
    assert DriversConfig.made_kinds() == ()


def test_a_driver_that_is_given_takes_the_place_of_the_one_that_is_made() -> None:
    prompt, embedding, store = ScriptedDriver([]), WordsEmbeddingDriver(), LocalVectorStoreDriver()
    config = Talking(
        prompt_driver=prompt, embedding_driver=embedding, vector_store_driver=store, image_driver=7
    )

    assert config.prompt_driver is prompt
    assert config.embedding_driver is embedding
    assert config.vector_store_driver is store
    assert config.driver("image") == 7
    assert config.made == []


def test_a_function_or_a_class_that_is_given_makes_the_driver_on_first_use() -> None:
    made: list[BaseEmbeddingDriver] = []

    def make() -> BaseEmbeddingDriver:
        made.append(WordsEmbeddingDriver())
        return made[-1]

    by_function = Talking(embedding_driver=make)
    by_class = Talking(embedding_driver=WordsEmbeddingDriver)

    assert made == []
    assert by_function.embedding_driver is by_function.embedding_driver is made[0]
    assert isinstance(by_class.embedding_driver, WordsEmbeddingDriver)


def test_a_driver_that_can_be_called_is_still_a_driver() -> None:
    @dataclass(kw_only=True, eq=False)
    class Callable(WordsEmbeddingDriver):
        """Be called for a driver that makes others."""

        def __call__(self) -> None:
            raise AssertionError

    driver = Callable()

    assert DriversConfig(embedding_driver=driver).embedding_driver is driver


def test_drivers_are_set_afterwards_too() -> None:
    config, driver, vectors = Talking(), ScriptedDriver([]), WordsEmbeddingDriver()
    store = LocalVectorStoreDriver()
    earlier = config.prompt_driver

    config.prompt_driver = driver
    config.embedding_driver = vectors
    config.vector_store_driver = store
    config.set_driver("image", lambda: "a painter")

    assert config.prompt_driver is driver is not earlier
    assert config.embedding_driver is vectors
    assert config.vector_store_driver is store
    assert config.driver("image") == "a painter"


@pytest.mark.parametrize(
    ("kind", "wrong", "needed"),
    [
        ("prompt", "gpt", "BasePromptDriver"),
        ("prompt", None, "BasePromptDriver"),
        ("embedding", 7, "BaseEmbeddingDriver"),
        ("vector_store", {}, "BaseVectorStoreDriver"),
        ("image", None, "image driver"),
    ],
)
def test_what_is_no_driver_is_refused_when_it_is_set_and_when_it_is_made(
    kind: str, wrong: Any, needed: str
) -> None:
    config = Talking()
    expected = f"driver of Talking is {wrong!r}; it must be a {needed}, or a function"

    with pytest.raises(DefinitionError) as set_wrongly:
        config.set_driver(kind, wrong)
    config.set_driver(kind, lambda: wrong)
    with pytest.raises(DefinitionError) as made_wrongly:
        config.driver(kind)

    assert expected in str(set_wrongly.value)
    assert expected in str(made_wrongly.value)


def test_a_driver_of_another_kind_is_refused() -> None:
    with pytest.raises(DefinitionError, match=r"must be a BasePromptDriver"):
        DriversConfig(prompt_driver=WordsEmbeddingDriver())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (
            "embeding_driver",
            "Talking takes no 'embeding_driver'. Did you mean 'embedding_driver'?",
        ),
        ("prompt", "Did you mean 'prompt_driver'?"),
        ("model", "It takes prompt_driver, embedding_driver, vector_store_driver, and further"),
        ("_driver", "Talking takes no '_driver'."),
    ],
)
def test_a_name_that_is_no_drivers_is_answered_with_the_nearest(name: str, words: str) -> None:
    with pytest.raises(DefinitionError) as refused:
        Talking(**{name: "x"})

    assert words in str(refused.value)


def test_a_subclass_need_not_call_the_constructor_of_its_base() -> None:
    class Own(DriversConfig):
        """Take a text."""

        def __init__(self, says: str) -> None:
            self.says = says

        def make_prompt_driver(self) -> BasePromptDriver:
            return ScriptedDriver([self.says])

    assert Own("Hi.").prompt_driver.run("?").to_text() == "Hi."


def test_of_two_configs_what_the_second_has_wins() -> None:
    first, second = Talking(vector_store_driver=LocalVectorStoreDriver()), Painting()

    merged = first | second

    assert merged.prompt_driver is first.prompt_driver
    assert merged.embedding_driver is second.embedding_driver
    assert merged.driver("image") is second.driver("image")
    assert merged.vector_store_driver is first.vector_store_driver
    assert first.merged(second).prompt_driver is first.prompt_driver


def test_a_merged_config_makes_nothing_before_it_is_asked() -> None:
    config = Talking()

    merged = config | Talking() | DriversConfig()

    assert config.made == []
    assert isinstance(merged.prompt_driver, ScriptedDriver)
    assert config.made == []


def test_what_is_set_on_a_merged_config_changes_neither_part() -> None:
    first, second, driver = Talking(), Talking(), ScriptedDriver([])
    merged = first | second

    merged.prompt_driver = driver

    assert merged.prompt_driver is driver
    assert first.prompt_driver is not driver
    assert second.prompt_driver is not driver
    assert (DriversConfig() | merged).prompt_driver is driver


def test_a_merged_config_lacks_what_both_lack() -> None:
    with pytest.raises(NoDriverError, match=r"Talking \| DriversConfig has no embedding driver"):
        _ = (Talking() | DriversConfig()).embedding_driver


def test_only_configs_are_merged() -> None:
    with pytest.raises(TypeError):
        Talking() | {"prompt_driver": ScriptedDriver([])}  # type: ignore[operator]


#: Which of three kinds each of up to five configs has.
OWNED = st.lists(
    st.sets(st.sampled_from(["prompt", "embedding", "image"])), min_size=1, max_size=5
)


@given(owned=OWNED, split=st.integers(0, 4))
def test_merging_is_the_same_in_whatever_order_it_is_done(
    owned: list[set[str]], split: int
) -> None:
    """The last one that has a kind gives it, and brackets make no difference."""
    drivers: dict[str, Any] = {"prompt": ScriptedDriver([]), "embedding": WordsEmbeddingDriver()}
    configs = [
        DriversConfig(**{f"{kind}_driver": drivers.get(kind, [place]) for kind in kinds})
        for place, kinds in enumerate(owned)
    ]
    place = split % len(configs)
    left = _merged(configs)
    right = _merged([*configs[:place], _merged(configs[place:])])

    for kind in ("prompt", "embedding", "image"):
        having = [config for config, kinds in zip(configs, owned, strict=True) if kind in kinds]
        if having:
            assert left.driver(kind) is right.driver(kind) is having[-1].driver(kind)
        else:
            for config in (left, right):
                with pytest.raises(NoDriverError):
                    config.driver(kind)
    assert left.vector_store_driver is right.vector_store_driver is configs[0].vector_store_driver


def _merged(configs: list[DriversConfig]) -> DriversConfig:
    whole, *others = configs
    for other in others:
        whole = whole | other
    return whole


def test_a_block_enters_its_config_and_leaves_it_also_on_an_error() -> None:
    first, second = Talking(), Talking()

    with first as entered:
        assert entered is entered_config() is first
        with suppress(OSError), second:
            assert entered_config() is second
            raise OSError
        assert entered_config() is first
        with second, first:
            assert entered_config() is first
        assert entered_config() is first

    assert entered_config() is None


def test_a_config_nests_in_itself() -> None:
    config = Talking()

    with config:
        with config, config:
            assert entered_config() is config
        assert entered_config() is config

    assert entered_config() is None


def test_blocks_that_generators_leave_crosswise_end_each_for_itself() -> None:
    def inside(config: DriversConfig) -> Generator[None]:
        with config:
            yield

    first, second = Talking(), Talking()
    generator = inside(first)
    next(generator)

    with second:
        generator.close()
        assert entered_config() is second

    assert entered_config() is None


def test_another_thread_that_runs_at_the_time_does_not_see_it() -> None:
    seen: list[DriversConfig | None] = []
    entered, looked = threading.Event(), threading.Event()

    def look() -> None:
        assert entered.wait(60)
        seen.append(entered_config())
        looked.set()

    thread = threading.Thread(target=look)
    thread.start()
    with Talking():
        entered.set()
        assert looked.wait(60)
    thread.join()

    assert seen == [None]


def test_one_config_is_entered_by_many_threads_at_once() -> None:
    config, others = Talking(), [Talking() for _ in range(8)]
    barrier, seen = threading.Barrier(8), []

    def work(other: DriversConfig) -> None:
        found = []
        for _ in range(20):
            with config:
                barrier.wait(60)
                found.append(entered_config() is config)
                with other:
                    barrier.wait(60)
                    found.append(entered_config() is other)
                found.append(entered_config() is config)
            found.append(entered_config() is None)
        seen.append(all(found))

    threads = [threading.Thread(target=work, args=(other,)) for other in others]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert seen == [True] * 8


def test_tasks_that_run_at_the_time_do_not_see_it_and_those_started_within_do() -> None:
    config, other = Talking(), Talking()
    entered, may_leave = asyncio.Event(), asyncio.Event()

    async def beside() -> DriversConfig | None:
        await entered.wait()
        with other:
            await asyncio.sleep(0)
            assert entered_config() is other
        found = entered_config()
        may_leave.set()
        return found

    async def within() -> list[DriversConfig | None]:
        running = asyncio.create_task(beside())
        await asyncio.sleep(0)
        with config:
            entered.set()
            await may_leave.wait()
            started = asyncio.create_task(_entered())
            in_a_thread = in_thread(entered_config)
            return [await running, await started, await in_a_thread, entered_config()]

    assert asyncio.run(within()) == [None, config, config, config]


async def _entered() -> DriversConfig | None:
    await asyncio.sleep(0)
    return entered_config()


def test_a_config_says_what_it_has_without_making_it() -> None:
    config = Talking(embedding_driver=WordsEmbeddingDriver)

    assert repr(config) == "<Talking: prompt, embedding>"
    assert repr(config | Painting()) == "<Talking | Painting: prompt, embedding, image>"
    assert repr(DriversConfig()) == "<DriversConfig: no drivers of its own>"
    assert config.made == []


def test_a_providers_own_vector_store_wins() -> None:
    class Storing(DriversConfig):
        def make_vector_store_driver(self) -> BaseVectorStoreDriver:
            return LocalVectorStoreDriver()

    first, second = Storing(), Talking()

    assert (second | first).vector_store_driver is first.vector_store_driver
    assert (first | second).vector_store_driver is first.vector_store_driver
    assert Storing.made_kinds() == ("vector_store",)
