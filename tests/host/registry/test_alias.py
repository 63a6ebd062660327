"""Settings and options of the call choose plugins and tools before anything is imported."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import dedent

import pytest

from support.sites import CommandLine, Site, plugin_code

STOCK = """
from agenthost_sdk import BaseTool, activity, hookimpl

class Stock(BaseTool):
    '''Count things.'''

    where: str

    @activity(read_only=True)
    def place(self) -> str:
        '''Tell where it is.'''
        return self.where

@hookimpl
def agenthost_tools():
    return [Stock]
"""


@pytest.fixture
def command(site: Site, agenthost: CommandLine) -> CommandLine:
    site.install("first", plugin_code("Greeter"))
    site.install("second", plugin_code("Greeter", "bye"))
    site.install("stock", STOCK)
    return agenthost


def natives(command: CommandLine, *options: str) -> set[str]:
    rows = json.loads(command(*options, "tools", "list", "--json").out)["data"]
    return {activity["native"] for row in rows for activity in row["activities"]}


def test_a_choice_in_the_settings_gives_a_tool_to_a_later_plugin(command: CommandLine) -> None:
    assert natives(command) >= {"Greeter_hello"}

    chosen = command("config", "set", "tools.choose.Greeter", "second")

    assert chosen.code == 0
    assert "Greeter_bye" in natives(command)
    assert "Greeter_hello" not in natives(command)
    assert "second" not in command("tools", "list").err
    assert command("tools", "call", "Greeter_bye", '{"name": "hen"}').out == "Hello hen\n"


def test_an_alias_makes_one_more_tool_with_options_of_its_own(command: CommandLine) -> None:
    (command.home / "agenthost.toml").write_text(
        dedent(
            """
            [tools.alias]
            North = "stock:Stock"
            South = "agenthost-plugin-stock:Stock"
            Later = "second:Greeter"
            [tools.North]
            where = "north"
            [tools.South]
            where = "south"
            """
        )
    )

    found = natives(command)

    assert {"North_place", "South_place", "Later_bye", "Greeter_hello"} <= found
    assert command("tools", "call", "North_place").out == "north\n"
    assert command("tools", "call", "South_place").out == "south\n"
    assert command("tools", "call", "Later_bye", '{"name": "hen"}').out == "Hello hen\n"


def test_a_tool_that_waits_for_an_option_is_no_fault(command: CommandLine) -> None:
    listed = command("tools", "list", "-p", "no:second")
    asked = command("tools", "call", "Stock_place")
    [row] = [
        row for row in command("plugins", "list", "--json").json["data"] if row["name"] == "stock"
    ]

    assert listed.err == ""
    assert "Stock" in listed.out
    assert "agenthost config set tools.Stock.where …" in listed.out
    assert row["state"] == "unset"
    assert (asked.code, "tools.Stock.where" in asked.err) == (2, True)


@pytest.mark.parametrize("table", ["choose", "alias"])
def test_a_choice_that_is_no_text_is_refused(command: CommandLine, table: str) -> None:
    (command.home / "agenthost.toml").write_text(f"[tools.{table}]\nGreeter = 3\n")

    refused = command("tools", "list")

    assert refused.code == 2
    assert f"tools.{table}.Greeter is 3; it must be a text." in refused.err


def test_plugins_are_chosen_before_they_are_imported(site: Site, agenthost: CommandLine) -> None:
    mark = agenthost.home / "mark"
    site.install("good", plugin_code())
    site.install("marking", f"open({str(mark)!r}, 'w')\n" + plugin_code("Marking"))

    without = agenthost("-p", "no:marking", "tools", "list")
    only = agenthost("tools", "list", "-p", "good", "-p", "agenthost-plugin-text")
    by_variable = agenthost("tools", "list", AGENTHOST_PLUGINS="good, text")

    assert not mark.exists()
    assert "Greeter" in without.out
    assert "Calculator" in without.out
    assert only.out == by_variable.out
    assert "Greeter" in only.out
    assert "Calculator" not in only.out


def test_one_who_was_left_out_is_named_where_its_tool_is_asked_for(command: CommandLine) -> None:
    missing = command("-p", "no:stock", "tools", "show", "stock")

    assert missing.code == 4
    assert "The plugin stock is turned off by -p." in missing.err


def test_a_file_of_functions_that_is_missing_is_a_wrong_command_line(
    agenthost: CommandLine,
) -> None:
    result = agenthost("--functions", "nowhere.py", "tools", "list")

    assert (result.code, result.out) == (2, "")
    assert "--functions: There is no file nowhere.py." in result.err


def test_functions_of_a_file_are_tools_of_this_call(
    agenthost: CommandLine, tmp_path: Path
) -> None:
    file = tmp_path / "my_tools.py"
    file.write_text(
        "from os.path import join\n\n"
        "def add(a: int, b: int = 1) -> int:\n"
        "    '''Add two numbers.\n\n    Args:\n        a: One.\n        b: The other.\n    '''\n"
        "    return a + b\n"
    )

    called = agenthost("tools", "call", "Functions_add", '{"a": 2}', "--functions", str(file))
    found = natives(agenthost, f"--functions={file}")
    file.write_text(file.read_text().replace("def add", "def sum_up"))
    renamed = natives(agenthost, "--functions", str(file))
    off = agenthost("--functions", str(file), "tools", "list", "-p", "no:functions")

    assert (called.code, called.out) == (0, "3\n")
    assert "Functions_add" in found
    assert "Functions_join" not in found
    assert "Functions_sum_up" in renamed
    assert off.code == 2
    assert "agenthost plugins install functions" in off.err
