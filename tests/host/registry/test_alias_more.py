"""A choice or an alias that comes to nothing says so, and is no fault of the plugin."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from support.sites import CommandLine, Site, plugin_code

SHARED = """
from agenthost_sdk import BaseTool, activity, hookimpl

class Lamp(BaseTool):
    '''Give light.'''

    @activity(read_only=True)
    def name_of(self) -> str:
        '''Tell its name.'''
        return self.name

class Torch(Lamp):
    '''Give light elsewhere.'''

only = Lamp()

def lend():
    return only

@hookimpl
def agenthost_tools():
    return [lend, Torch()]
"""


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    return CommandLine.with_plugins(
        tmp_path_factory.mktemp("aliases"),
        {"first": plugin_code("Greeter"), "second": plugin_code("Other", "bye"), "lamp": SHARED},
    )


@pytest.fixture
def command(shared: CommandLine, tmp_path: Path) -> CommandLine:
    home = tmp_path / "home"
    home.mkdir()
    return CommandLine(home, shared.site)


def configured(command: CommandLine, text: str) -> CommandLine:
    (command.home / "agenthost.toml").write_text(dedent(text), encoding="utf-8")
    return command


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("frist:Greeter", "No plugin named 'frist'. Did you mean 'first'?"),
        ("first:Greter", "No tool of first named 'Greter'. Did you mean 'Greeter'?"),
        ("first:North", "No tool of first named 'North'. Known: Greeter."),
        ("Greeter", "It must be PLUGIN:TOOL."),
    ],
)
def test_an_alias_that_stands_for_nothing_is_told_with_what_mends_it(
    command: CommandLine, target: str, words: str
) -> None:
    configured(command, f'[tools.alias]\nNorth = "{target}"\n')

    listed = command("tools", "list")

    assert listed.code == 0
    assert f"tools.alias.North is {target!r}. {words}" in listed.err
    assert "`agenthost config set tools.alias.North --unset`" in listed.err


@pytest.mark.parametrize(
    ("tool", "plugin", "words"),
    [
        ("Greeter", "frist", "No plugin named 'frist'. Did you mean 'first'?"),
        ("Greter", "first", "No tool of first named 'Greter'. Did you mean 'Greeter'?"),
    ],
)
def test_a_choice_of_what_is_not_there_is_told_with_what_mends_it(
    command: CommandLine, tool: str, plugin: str, words: str
) -> None:
    configured(command, f'[tools.choose]\n{tool} = "{plugin}"\n')

    listed = command("tools", "list")

    assert f"tools.choose.{tool} is {plugin!r}. {words}" in listed.err


def test_an_alias_and_a_choice_that_work_are_told_of_no_more(command: CommandLine) -> None:
    configured(
        command,
        """
        [tools.alias]
        North = "first:Greeter"
        [tools.choose]
        Greeter = "agenthost-plugin-first"
        """,
    )

    assert command("tools", "list").err == ""


def test_an_alias_for_a_plugin_that_is_off_is_not_doubted(command: CommandLine) -> None:
    configured(command, '[tools.alias]\nNorth = "first:Greeter"\n')

    assert command("-p", "no:first", "tools", "list").err == ""


@pytest.mark.parametrize("alias", ["North Pole", "Größe", "N" * 70])
def test_an_alias_that_providers_refuse_is_a_matter_of_the_settings(
    command: CommandLine, alias: str
) -> None:
    configured(command, f'[tools.alias]\n"{alias}" = "first:Greeter"\n')

    listed = command("tools", "list")

    assert f"[tools.alias] {alias!r} cannot be the name of a tool." in listed.err
    assert "Plugin first" not in listed.err
    assert "Greeter_hello" in listed.out


def test_a_tool_that_is_made_already_keeps_its_name_beside_its_alias(
    command: CommandLine,
) -> None:
    configured(
        command,
        """
        [tools.alias]
        Lent = "lamp:lend"
        Made = "lamp:Torch"
        """,
    )

    for name in ("Lamp", "Lent", "Torch", "Made"):
        assert command("tools", "call", f"{name}_name_of").out == f"{name}\n"


@pytest.mark.parametrize("option", ["nosuch", "no:nosuch", "agenthost_plugin_first"])
def test_a_plugin_that_is_not_there_is_named_where_this_call_names_it(
    command: CommandLine, option: str
) -> None:
    listed = command("-p", option, "tools", "list")

    assert listed.code == 0
    assert f"No plugin named {option.removeprefix('no:')!r}." in listed.err
    assert "It is named by -p." in listed.err


def test_a_plugin_that_was_turned_off_and_is_gone_is_not_missed(command: CommandLine) -> None:
    configured(command, '[plugins]\ndisabled = ["gone", "agenthost_plugin_second"]\n')

    told = command("tools", "list").err

    assert "'gone'" not in told
    assert "Did you mean 'agenthost-plugin-second'" in told


def test_two_plugins_of_one_distribution_are_told_apart_in_what_mends_it(
    site: Site, agenthost: CommandLine
) -> None:
    module = "plugin_agenthost_plugin_twin_twin"
    points = f"[agenthost]\none = {module}\nother = {module}\n"
    site.install("twin", plugin_code("Twin"), points=points)

    told = agenthost("tools", "list").err

    assert "`agenthost config set tools.choose.Twin other`" in told
    assert "`agenthost plugins disable other`" in told
