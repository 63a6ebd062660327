"""What a run gets from the plugins: made when it is used, with options, by name."""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from agenthost.registry.catalog import load_catalog
from agenthost.registry.plugins import Registry
from agenthost.registry.selection import unmatched_settings
from agenthost.settings import Settings
from agenthost_sdk.actions import ToolAction
from agenthost_sdk.errors import NotFoundError, PluginError, SettingsError
from support.sites import Site, plugin_code

STOCK = """
from agenthost_sdk import BaseTool, activity, hookimpl

class Inventory(BaseTool):
    '''Look up stock.'''

    warehouse: str = "main"
    shelf: int = 0

    @activity(read_only=True)
    def count(self, sku: str) -> str:
        '''Count the units on hand.'''
        return f"{sku} in {self.warehouse}"

    @activity(destructive=True)
    def reserve(self, sku: str) -> str:
        '''Reserve a unit.'''
        return sku

def make_second() -> BaseTool:
    return Inventory(name="Second", warehouse="second")

@hookimpl
def agenthost_tools():
    return [Inventory, make_second]
"""

OTHERS = """
from agenthost_sdk import (
    BaseDialect, BaseEmbeddingDriver, BaseOutputValidator, BasePromptDriver, DriversConfig,
    Verdict, hookimpl
)
from dataclasses import dataclass

@dataclass(kw_only=True, eq=False)
class EchoPromptDriver(BasePromptDriver):
    '''Say it again.'''

    provider = "echo"
    key_env = "ECHO_API_KEY"
    rank = 7
    model: str = "echo-1"

    def try_run(self, stack): ...
    def try_stream(self, stack): ...

@dataclass(kw_only=True, eq=False)
class EchoEmbeddingDriver(BaseEmbeddingDriver):
    '''Measure it.'''

    provider = "echo"
    model: str = "echo-2"

    def try_embed(self, texts):
        return [[len(text)] for text in texts]

class Short(BaseOutputValidator):
    '''Refuse a long answer.'''

    def validate(self, output):
        return Verdict.accept()

class Shout(BaseDialect):
    '''Ask aloud.'''

    name = "shout"

    def offer(self, table): ...
    def read(self, message, table): ...
    def answer(self, reply, actions): ...

@hookimpl
def agenthost_prompt_drivers():
    return {"echo": EchoPromptDriver}

@hookimpl
def agenthost_embedding_drivers():
    return {"echo": EchoEmbeddingDriver}

class EchoDriversConfig(DriversConfig):
    '''All that echoes.'''

    def make_prompt_driver(self):
        return EchoPromptDriver()

    def make_image_driver(self):
        return "a mirror"

@hookimpl
def agenthost_drivers_configs():
    return {"echo": EchoDriversConfig}

@hookimpl
def agenthost_output_validators():
    return {"short": Short}

@hookimpl
def agenthost_dialects():
    return [Shout]

@hookimpl
def agenthost_event_listeners():
    return [print]
"""

BOTH = ["count", "reserve"]


@pytest.fixture
def stock(installed: Site) -> Site:
    installed.install("stock", STOCK)
    return installed


def offered(registry: Registry, *names: str) -> dict[str, list[str]]:
    selection = list(names) or None
    return {loaded.tool.name: list(loaded.tool.activities) for loaded in registry.tools(selection)}


def test_all_enabled_tools_are_made_without_a_selection(stock: Site, settings: Settings) -> None:
    [first, _] = Registry(settings).tools()

    assert first.origin == "agenthost-plugin-stock"
    assert first.plugin == "stock"
    assert offered(Registry(settings)) == {
        "Inventory": BOTH,
        "Second": BOTH,
    }


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["Inventory"], {"Inventory": BOTH}),
        (["Inventory_reserve"], {"Inventory": ["reserve"]}),
        (["Inventory_reserve", "Inventory_count"], {"Inventory": BOTH}),
        (["Second_count", "Inventory"], {"Second": ["count"], "Inventory": BOTH}),
        (["stock"], {"Inventory": BOTH, "Second": BOTH}),
        (
            ["agenthost-plugin-stock", "Second"],
            {"Inventory": BOTH, "Second": BOTH},
        ),
    ],
)
def test_a_selection_names_tools_activities_or_plugins(
    stock: Site, settings: Settings, names: list[str], expected: dict[str, list[str]]
) -> None:
    assert offered(Registry(settings), *names) == expected


def test_an_activity_that_was_not_selected_is_refused_at_dispatch(
    stock: Site, settings: Settings
) -> None:
    [loaded] = Registry(settings).tools(["Inventory_count"])

    refused = loaded.tool.run(ToolAction("1", "Inventory", "reserve", {"sku": "A"}))

    assert "No activity" in refused.to_text()


def test_an_unknown_name_is_answered_with_its_nearest(stock: Site, settings: Settings) -> None:
    with pytest.raises(NotFoundError, match="Did you mean 'Inventory'"):
        Registry(settings).tools(["Inventry"])


def test_options_come_from_the_settings(stock: Site, settings: Settings) -> None:
    chosen = settings._replace(tool_options={"Inventory": {"warehouse": "north"}})

    [loaded] = Registry(chosen).tools(["Inventory"])

    output = loaded.tool.run(ToolAction("1", "Inventory", "count", {"sku": "A"}))
    assert output.value == "A in north"


def test_a_wrong_option_is_reported_and_the_other_tools_work(
    stock: Site, settings: Settings
) -> None:
    wrong = settings._replace(tool_options={"Inventory": {"warehous": "north"}})
    registry = Registry(wrong)

    assert list(offered(registry)) == ["Second"]
    assert any("no option 'warehous'. Did you mean 'warehouse'" in p for p in registry.problems())


@pytest.mark.parametrize(
    ("options", "words", "command"),
    [
        (
            {"Inventory": {"shelf": "five"}},
            "[tools.Inventory] shelf is wrong. The option 'shelf' of Inventory does not fit:"
            ' "five" is a string; an integer is needed.',
            "agenthost config set tools.Inventory.shelf …",
        ),
        (
            {"Inventory": {"shelv": 5}},
            "Did you mean 'shelf'?",
            "agenthost config set tools.Inventory.shelv --unset",
        ),
        (
            {"make_second": {"warehouse": "x"}},
            "make_second has no option 'warehouse'",
            "agenthost config set tools.make_second.warehouse --unset",
        ),
    ],
    ids=["wrong", "unknown", "of a function"],
)
def test_a_wrong_option_is_the_fault_of_the_setting_and_not_of_the_plugin(
    stock: Site, settings: Settings, options: dict[str, dict[str, Any]], words: str, command: str
) -> None:
    registry = Registry(settings._replace(tool_options=options))

    [line] = registry.problems()

    assert line.startswith(f"{settings.folders.settings_file}: ")
    assert words in line
    assert command in line
    assert "disable" not in line
    with pytest.raises(SettingsError, match="config set"):
        registry.tools(list(options))


def test_an_option_that_a_tool_needs_is_asked_for(installed: Site, settings: Settings) -> None:
    installed.install("stock", STOCK.replace('warehouse: str = "main"', "warehouse: str"))

    registry = Registry(settings)
    [record] = [plugin for plugin in registry.catalog.plugins if plugin.name == "stock"]

    assert record.state == "unset"
    assert registry.problems() == []
    with pytest.raises(SettingsError, match=r"\[tools.Inventory\] lacks warehouse\.") as refused:
        registry.tools(["Inventory"])
    assert "`agenthost config set tools.Inventory.warehouse …`" in str(refused.value)


def test_the_catalog_tells_the_options_of_a_tool_that_cannot_be_made_too(
    installed: Site, settings: Settings
) -> None:
    code = STOCK.replace('warehouse: str = "main"', "#: Where it is.\n    warehouse: str")
    installed.install("stock", code)
    aliased = settings._replace(tool_aliases={"South": "stock:Inventory"})

    [record] = [one for one in Registry(aliased).catalog.plugins if one.name == "stock"]

    first = next(row for row in record.options if row.name == "warehouse")
    assert (first.tool, first.type, first.required) == ("Inventory", "str", True)
    assert first.description == "Where it is."
    assert {row.tool for row in record.options} >= {"Inventory", "South"}


def test_an_option_that_a_tool_needs_beside_others_is_a_problem(
    installed: Site, settings: Settings
) -> None:
    installed.install("stock", STOCK.replace('warehouse: str = "main"', "warehouse: str"))

    [line] = Registry(settings._replace(tool_options={"Inventory": {"shelf": 1}})).problems()

    assert "[tools.Inventory] lacks warehouse." in line


def test_options_of_a_tool_that_nobody_contributes_are_reported(
    installed: Site, settings: Settings
) -> None:
    installed.install("stock", STOCK)
    lost = settings._replace(
        tool_options={"Inventry": {"x": 1}}, disabled_plugins=(), only_plugins=None
    )

    [line] = unmatched_settings(load_catalog(lost), lost)

    assert "[tools.Inventry]" in line
    assert "'Inventory'" in line
    assert "`agenthost config set tools.Inventry --unset`" in line
    assert line not in Registry(lost).problems()


@pytest.mark.parametrize("disabled", ["Inventory", "Second_count"])
def test_what_settings_turn_off_is_not_offered_and_says_so_when_it_is_asked_for(
    stock: Site, settings: Settings, disabled: str
) -> None:
    registry = Registry(settings._replace(disabled_tools=(disabled,)))

    natives = [f"{tool}_{path}" for tool, paths in offered(registry).items() for path in paths]

    assert not [native for native in natives if native.startswith(disabled)]
    with pytest.raises(NotFoundError, match=r"turned off by tools\.disabled"):
        registry.tools([disabled])


def test_only_the_plugins_of_the_selection_are_imported(stock: Site, settings: Settings) -> None:
    stock.install("other", plugin_code())
    registry = Registry(settings)

    registry.tools(["Inventory"])

    assert "plugin_agenthost_plugin_stock_stock" in sys.modules
    assert "plugin_agenthost_plugin_other_other" not in sys.modules


def test_a_plugin_that_fails_only_now_is_reported_and_left_out(
    stock: Site, settings: Settings, tmp_path: Path
) -> None:
    trap = tmp_path / "trap"
    code = f"import os\nif os.path.exists({str(trap)!r}): raise RuntimeError('today')\n"
    stock.install("moody", code + plugin_code())
    registry = Registry(settings)
    assert [owned.tool.name for owned in registry.catalog.tools] == [
        "Greeter",
        "Inventory",
        "Second",
    ]

    trap.touch()

    assert list(offered(registry)) == ["Inventory", "Second"]
    assert any("RuntimeError: today" in line for line in registry.problems())
    with pytest.raises(PluginError, match=r"moody.*RuntimeError: today"):
        registry.tools(["Greeter"])


def test_prints_at_import_do_not_reach_the_output(
    installed: Site, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    installed.install("loud", "print('hello')\n" + plugin_code())

    Registry(settings).tools()

    assert capsys.readouterr().out == ""


def test_drivers_are_known_without_importing_them(installed: Site, settings: Settings) -> None:
    installed.install("others", OTHERS)
    registry = Registry(settings)

    [driver] = registry.drivers()

    assert driver._asdict() == {
        "name": "echo",
        "description": "Say it again.",
        "model": "echo-1",
        "key_env": "ECHO_API_KEY",
        "rank": 7,
    }
    assert not [name for name in sys.modules if name.startswith("plugin_")]


def test_embedding_drivers_are_known_without_importing_them(
    installed: Site, settings: Settings
) -> None:
    installed.install("others", OTHERS)
    registry = Registry(settings)

    [(row, record)] = registry.catalog.embeddings.values()

    assert row == ("echo", "Measure it.", "echo-2", None)
    assert record.name == "others"
    assert not [name for name in sys.modules if name.startswith("plugin_")]


def test_drivers_configs_are_known_without_importing_them(
    installed: Site, settings: Settings
) -> None:
    installed.install("others", OTHERS)
    registry = Registry(settings)

    [(row, record)] = registry.catalog.drivers_configs.values()

    assert row == ("echo", "All that echoes.", ["prompt", "image"])
    assert record.name == "others"
    assert not [name for name in sys.modules if name.startswith("plugin_")]


def test_what_is_no_drivers_config_is_reported_and_the_others_work(
    installed: Site, settings: Settings
) -> None:
    wrong = """
@hookimpl
def agenthost_drivers_configs():
    return {"wrong": EchoPromptDriver, "no name": DriversConfig, "right": EchoDriversConfig}
"""
    installed.install("others", OTHERS + wrong)

    [(row, record)] = Registry(settings).catalog.drivers_configs.values()

    assert row.name == "right"
    assert "'wrong' cannot be used: TypeError: it is" in record.faults[0].text
    assert "which is no subclass of DriversConfig" in record.faults[0].text
    assert "a drivers config's name is one word without ':'" in record.faults[1].text


def test_drivers_validators_dialects_and_listeners_are_imported_by_name(
    installed: Site, settings: Settings
) -> None:
    installed.install("others", OTHERS)
    registry = Registry(settings)

    assert registry.driver_class("echo").__name__ == "EchoPromptDriver"
    assert registry.embedding_class("echo").__name__ == "EchoEmbeddingDriver"
    assert registry.drivers_config_class("echo").__name__ == "EchoDriversConfig"
    assert type(registry.validator("short")()).__name__ == "Short"
    assert {"shout", "native", "actions_json"} <= set(registry.dialects())
    assert registry.listeners() == [print]


def test_an_unknown_driver_or_validator_is_answered_with_its_nearest(
    installed: Site, settings: Settings
) -> None:
    installed.install("others", OTHERS)
    registry = Registry(settings)

    with pytest.raises(NotFoundError, match="Did you mean 'echo'"):
        registry.driver_class("ecco")
    with pytest.raises(NotFoundError, match=r"No embedding driver named 'ecco'.*mean 'echo'"):
        registry.embedding_class("ecco")
    with pytest.raises(NotFoundError, match=r"No drivers config named 'ecco'.*mean 'echo'"):
        registry.drivers_config_class("ecco")
    with pytest.raises(NotFoundError, match="Did you mean 'short'"):
        registry.validator("shrt")


def test_many_threads_get_their_tools_from_one_import(stock: Site, settings: Settings) -> None:
    registry = Registry(settings)
    barrier = threading.Barrier(16)
    made: list[int] = []

    def work() -> None:
        barrier.wait()
        made.append(len(registry.tools()))

    threads = [threading.Thread(target=work) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert made == [2] * 16
