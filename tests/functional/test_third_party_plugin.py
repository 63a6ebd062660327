"""A plugin of somebody else: installed it is there, uninstalled gone, broken it harms nobody."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from support.installed import InstalledHost
from support.readme import README, blocks, write_plugin
from support.sites import Result
from support.wheelhouse import Wheelhouse

COUNT = 'Inventory_count {"sku": "AB-1200"}'


@pytest.fixture(scope="module")
def visited(wheelhouse: Wheelhouse, tmp_path_factory: pytest.TempPathFactory) -> InstalledHost:
    """Return a host with the calculator, for the tests that install and uninstall."""
    place = tmp_path_factory.mktemp("life")
    names = ("agenthost", "agenthost-plugin-calculator")
    return InstalledHost(wheelhouse.environment(place / "venv", *names), place)


@dataclass(frozen=True)
class Life:
    """What the command line said while the README's plugin came, broke, was mended and went."""

    host: InstalledHost
    before: Result
    installed: Result
    broken: dict[str, Result]
    mended: Result
    uninstalled: dict[str, Result]


@pytest.fixture(scope="module")
def life(visited: InstalledHost) -> Life:
    """Install the README's plugin in editable form, break it, mend it, and uninstall it."""
    host = visited
    before = host("tools", "list", "--json")
    distribution = write_plugin(host.place)
    host.environment.install("-e", distribution)
    installed = host("tools", "list", "--json")
    module = distribution / "src" / "agenthost_plugin_inventory" / "__init__.py"
    code = module.read_text()
    module.write_text(code.replace("def count(", "def count(("))
    broken = _told(host, "list", "json", "plugins", "call", "show", "doctor")
    module.write_text(code)
    mended = host("tools", "call", "Inventory_count", '{"sku": "AB-1200"}')
    host.environment.uninstall("agenthost-plugin-inventory")
    uninstalled = _told(host, "json", "plugins", "call", "show")
    return Life(host, before, installed, broken, mended, uninstalled)


def _told(host: InstalledHost, *wanted: str) -> dict[str, Result]:
    commands = {
        "list": ("tools", "list"),
        "json": ("tools", "list", "--json"),
        "plugins": ("plugins", "list", "--json"),
        "call": ("tools", "call", "Calculator_evaluate", '{"expression": "23 * 19"}'),
        "show": ("tools", "show", "inventory"),
        "doctor": ("doctor",),
    }
    return {name: host(*commands[name]) for name in wanted}


def _names(listed: Result) -> list[str]:
    return [row["name"] for row in listed.json["data"]]


def test_an_installed_plugin_is_listed_with_its_distribution(furnished: InstalledHost) -> None:
    result = furnished("tools", "list")

    assert result.code == 0
    assert "Inventory  agenthost-plugin-inventory 0.1.0  Look up stock." in result.out
    assert "Inventory_count  [read-only]" in result.out
    assert result.err == ""


def test_a_program_is_told_the_same(furnished: InstalledHost) -> None:
    result = furnished("tools", "list", "--json")

    [row] = [row for row in result.json["data"] if row["name"] == "Inventory"]
    [activity] = row["activities"]
    assert (row["plugin"], row["distribution"]) == ("inventory", "agenthost-plugin-inventory")
    assert activity["native"] == "Inventory_count"
    assert activity["annotations"] == {"read_only": True}
    assert activity["schema"]["required"] == ["sku"]
    assert activity["examples"][0]["question"] == "Any AB-1200 left?"


def test_it_can_be_called_and_does_what_the_readme_says(furnished: InstalledHost) -> None:
    [shown] = [block.code for block in blocks(README, "console") if "tools call Inv" in block.code]
    expected = shown.splitlines()[-1]

    result = furnished("tools", "call", "Inventory_count", '{"sku": "AB-1200"}')

    assert (result.code, result.out, result.err) == (0, f"{expected}\n", "")


def test_a_default_and_an_option_arrive_as_the_signature_has_them(
    furnished: InstalledHost,
) -> None:
    given = {"sku": "AB-1200", "include_reserved": True}

    result = furnished("tools", "call", "Inventory.count", json.dumps(given), "--json")

    assert result.json["data"]["value"] == 7


def test_a_run_calls_it_in_another_plugins_driver(furnished: InstalledHost) -> None:
    result = furnished("run", "-m", "parrot:x", COUNT)

    assert (result.code, result.out) == (0, "5\n")
    assert 'Inventory_count({"sku": "AB-1200"}) → 5' in result.err


def test_a_run_tells_a_program_which_actions_ran(furnished: InstalledHost) -> None:
    result = furnished("run", "-m", "parrot:x", "--json", COUNT)

    data = result.json["data"]
    [action] = data["subtasks"][0]["actions"]
    assert data["output"] == "5"
    assert data["model"] == "parrot:x"
    assert data["usage"]["total_tokens"] == 14
    assert (action["native"], action["input"]) == ("Inventory_count", {"sku": "AB-1200"})
    assert (action["output"], action["failed"]) == (5, False)


def test_a_streamed_run_says_its_answer_once(furnished: InstalledHost) -> None:
    result = furnished("run", "-m", "parrot:x", "--stream", COUNT)

    assert (result.code, result.out) == (0, "5\n")


def test_what_says_nothing_of_itself_is_refused_and_the_flags_are_named(
    furnished: InstalledHost,
) -> None:
    result = furnished("run", "-m", "parrot:x", 'Nest_build {"twigs": 3}')

    assert result.code == 6
    assert "Nest_build was not run" in result.out
    assert "--allow Nest_build" in result.out
    assert "--yes" in result.out


@pytest.mark.parametrize("flags", [["--yes"], ["--allow", "Nest_*"]], ids=["yes", "allow"])
def test_it_runs_where_a_flag_allows_it(furnished: InstalledHost, flags: list[str]) -> None:
    result = furnished("run", "-m", "parrot:x", *flags, 'Nest_build {"twigs": 3}')

    assert (result.code, result.out) == (0, "a nest of 3 twigs\n")


def test_a_rule_in_the_settings_allows_it_too(alone: InstalledHost) -> None:
    alone("config", "set", "permissions.allow", "Nest_build")

    result = alone("run", "-m", "parrot:x", 'Nest_build {"twigs": 3}')

    assert result.out == "a nest of 3 twigs\n"


def test_a_deny_rule_beats_yes(furnished: InstalledHost) -> None:
    result = furnished(
        "run", "-m", "parrot:x", "--yes", "--deny", "Nest_*", 'Nest_build {"twigs": 3}'
    )

    assert "denies it" in result.out


def test_a_wrong_input_says_where_and_why(furnished: InstalledHost) -> None:
    result = furnished("tools", "call", "Inventory_count", '{"sku": 5}')

    assert (result.code, result.out) == (5, "")
    assert "/sku" in result.err
    assert "string" in result.err
    assert "Traceback" not in result.err


def test_a_program_is_told_where_a_wrong_input_is_wrong(furnished: InstalledHost) -> None:
    result = furnished("tools", "call", "Inventory_count", '{"sku": 5}', "--json")

    error = result.json["error"]
    assert (result.code, error["exit"]) == (5, 5)
    assert [problem["pointer"] for problem in error["problems"]] == ["/sku"]


def test_an_unknown_name_is_answered_with_the_near_ones(furnished: InstalledHost) -> None:
    result = furnished("tools", "call", "Inventory_cuont", "{}")

    assert (result.code, result.out) == (4, "")
    assert "Did you mean 'Inventory_count'?" in result.err


def test_a_wrong_input_of_a_model_never_reaches_the_plugin(furnished: InstalledHost) -> None:
    result = furnished("run", "-m", "parrot:x", 'Inventory_count {"sku": 5}')

    assert result.code == 0
    assert "/sku" in result.out


def test_a_plugin_is_there_once_it_is_installed(life: Life) -> None:
    assert _names(life.before) == ["Calculator"]
    assert _names(life.installed) == ["Calculator", "Inventory"]


@pytest.mark.parametrize("what", ["list", "json", "plugins"])
def test_a_broken_plugin_is_named_and_stops_nothing(life: Life, what: str) -> None:
    result = life.broken[what]

    assert result.code == 0
    assert "agenthost-plugin-inventory" in result.err
    assert "invalid syntax" in result.err
    assert "Traceback" not in result.err


def test_the_other_plugin_works_beside_a_broken_one(life: Life) -> None:
    assert (life.broken["call"].code, life.broken["call"].out) == (0, "437\n")
    assert "Traceback" not in life.broken["call"].err
    assert _names(life.broken["json"]) == ["Calculator"]


def test_the_state_of_a_broken_plugin_is_shown_to_programs(life: Life) -> None:
    states = {row["name"]: row["state"] for row in life.broken["plugins"].json["data"]}

    assert (states["calculator"], states["inventory"]) == ("ok", "failed")


@pytest.mark.parametrize("what", ["doctor", "show"])
def test_asking_for_a_broken_plugin_exits_with_the_code_of_a_defect(life: Life, what: str) -> None:
    result = life.broken[what]

    assert result.code == 3
    assert "invalid syntax" in result.out + result.err
    assert "Traceback" not in result.out + result.err


def test_doctor_says_how_to_remove_a_broken_plugin(life: Life) -> None:
    assert "pip uninstall" in life.broken["doctor"].out
    assert "agenthost-plugin-inventory" in life.broken["doctor"].out


def test_a_mended_plugin_works_at_once(life: Life) -> None:
    assert (life.mended.code, life.mended.out, life.mended.err) == (0, "5\n", "")


def test_an_uninstalled_plugin_is_gone(life: Life) -> None:
    gone = life.uninstalled

    assert _names(gone["json"]) == ["Calculator"]
    assert "inventory" not in _names(gone["plugins"])
    assert gone["call"].out == "437\n"
    assert gone["show"].code == 4
    assert all(gone[what].err == "" for what in ("json", "plugins", "call"))


def test_an_uninstalled_plugin_is_not_in_the_catalog(life: Life) -> None:
    catalogs = Path(life.host.folder, "cache").glob("catalog-*")
    latest = max(catalogs, key=lambda path: path.stat().st_mtime_ns)

    assert "Calculator_evaluate" in latest.read_text()
    assert "nventory" not in latest.read_text()
