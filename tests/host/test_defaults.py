"""The drivers of a task that is given none: of the innermost block, of the process, installed."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agenthost import Defaults, PromptTask
from agenthost.defaults import InstalledDriversConfig
from agenthost.folders import Folders
from agenthost.keys import KeyStore
from agenthost_sdk import BasePromptDriver, BaseTool, DriversConfig, activity
from agenthost_sdk.errors import DefinitionError
from agenthost_sdk.keys import find_key
from agenthost_sdk.testing import ScriptedDriver, calls


class Says(DriversConfig):
    """A model with one answer."""

    def __init__(self, answer: str) -> None:
        self.answer = answer

    def make_prompt_driver(self) -> BasePromptDriver:
        return ScriptedDriver([self.answer], repeat=True)


@pytest.fixture(autouse=True)
def as_it_was() -> Iterator[None]:
    """Leave the process as it was."""
    earlier = Defaults.drivers_config
    yield
    Defaults.drivers_config = earlier


def answer() -> str:
    return str(PromptTask("?").run().value)


async def aanswer() -> str:
    run = await PromptTask("?").arun()
    return str(run.value)


def test_a_task_runs_on_what_was_set_for_the_process() -> None:
    Defaults.drivers_config = Says("Set.")

    assert answer() == "Set."


def test_the_innermost_block_goes_before_what_was_set_and_what_was_set_before_the_installed() -> (
    None
):
    installed = Defaults.drivers_config
    Defaults.drivers_config = Says("Set.")

    with Says("Outer."):
        with Says("Inner."):
            assert answer() == "Inner."
        Defaults.drivers_config = Says("Set within.")
        assert answer() == "Outer."

    assert answer() == "Set within."
    assert isinstance(installed, InstalledDriversConfig)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (None, "is set to None; it must be a DriversConfig."),
        (ScriptedDriver, "Write ScriptedDriver() to make one."),
        (Says, "Write Says() to make one."),
        ("openai", "is set to 'openai'"),
    ],
)
def test_what_is_no_config_is_refused_and_changes_nothing(given: Any, words: str) -> None:
    before = Defaults.drivers_config

    with pytest.raises(DefinitionError) as refused:
        Defaults.drivers_config = given

    assert words in str(refused.value)
    assert Defaults.drivers_config is before


def test_a_task_that_is_made_in_a_block_keeps_its_driver_afterwards() -> None:
    Defaults.drivers_config = Says("Set.")
    with Says("Block."):
        task = PromptTask("?")

    assert task.run().value == "Block."
    assert answer() == "Set."


def test_a_thread_that_runs_at_the_time_uses_what_was_set() -> None:
    Defaults.drivers_config = Says("Set.")
    entered, answered, answers = threading.Event(), threading.Event(), []

    def work() -> None:
        assert entered.wait(60)
        answers.append(answer())
        answered.set()

    thread = threading.Thread(target=work)
    thread.start()
    with Says("Block."):
        entered.set()
        assert answered.wait(60)
        answers.append(answer())
    thread.join()

    assert answers == ["Set.", "Block."]


def test_tasks_side_by_side_each_use_the_block_that_they_are_in() -> None:
    Defaults.drivers_config = Says("Set.")

    async def within(number: int, all_are_in: asyncio.Barrier) -> list[str]:
        with Says(f"Block {number}."):
            await all_are_in.wait()
            first = await aanswer()
            await all_are_in.wait()
        return [first, await aanswer()]

    async def together() -> list[list[str]]:
        all_are_in = asyncio.Barrier(5)
        return await asyncio.gather(*(within(number, all_are_in) for number in range(5)))

    assert asyncio.run(together()) == [[f"Block {number}.", "Set."] for number in range(5)]


def test_an_activity_is_in_the_block_that_its_run_is_in() -> None:
    class Asking(BaseTool):
        """Ask another model."""

        @activity
        def ask(self) -> str:
            """Ask."""
            return answer()

        @activity
        async def aask(self) -> str:
            """Ask, without blocking."""
            return await aanswer()

    asked = calls(("Asking_ask", {}), ("Asking_aask", {}))
    task = PromptTask("?", tools=[Asking()], prompt_driver=ScriptedDriver([asked, "Done."]))

    with Says("Block."):
        run = task.run()

    assert [str(action.output) for action in run.subtasks[0].actions] == ["Block.", "Block."]


def test_the_installed_drivers_are_chosen_by_this_persons_settings_and_keys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AGENTHOST_HOME", str(tmp_path))
    monkeypatch.delenv("AGENTHOST_MODEL", raising=False)
    (tmp_path / "agenthost.toml").write_text(
        'model = "mine:small"\n[drivers.mine]\ndriver = "local"\n'
    )

    config = InstalledDriversConfig()

    assert (config.prompt_driver.title, config.prompt_driver.model) == ("mine", "small")
    assert config.embedding_driver is config.embedding_driver


def test_loading_the_defaults_lets_keys_be_found_in_this_persons_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AGENTHOST_HOME", str(tmp_path))
    monkeypatch.delenv("SOME_API_KEY", raising=False)
    KeyStore(Folders.under(str(tmp_path))).set("SOME_API_KEY", "kept-kept-kept")

    assert find_key("SOME_API_KEY") == "kept-kept-kept"


def test_reading_the_defaults_imports_no_plugin_and_reads_no_setting() -> None:
    code = (
        "import sys; from agenthost import Defaults; Defaults.drivers_config;"
        "print([name for name in sys.modules if name.startswith('agenthost_plugin')"
        " or name in ('tomllib', 'importlib_metadata', 'openai', 'anthropic')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"


def test_what_was_set_can_be_taken_back() -> None:
    Defaults.drivers_config = DriversConfig()

    del Defaults.drivers_config

    assert isinstance(Defaults.drivers_config, InstalledDriversConfig)
