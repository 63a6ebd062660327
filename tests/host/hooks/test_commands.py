"""Commands of plugins stand beside those of `agenthost`, and cannot harm them."""

from __future__ import annotations

import pytest

from agenthost.cli.root import COMMANDS
from agenthost.registry.host_commands import HOST_COMMANDS
from support.sites import CommandLine, Site, plugin_code

WEATHER = """
import click
from agenthost_sdk import ToolError, hookimpl

@click.group()
def weather():
    '''Tell the weather.'''

@weather.command()
@click.argument("town")
@click.pass_obj
def tell(session, town):
    '''Tell it of a town.'''
    click.echo(f"{town}: dry, {len(session.host.toolbox(['Greeter']).tools)} tool")

@weather.command()
@click.argument("how")
def fail(how):
    '''Fail.'''
    if how == "usage":
        raise click.UsageError("That is no way.")
    if how == "ours":
        raise ToolError("The sky is gone.")
    if how == "exit":
        raise SystemExit(5)
    raise KeyError("city")

@click.command(hidden=True)
def quiet():
    '''Say nothing.'''

@hookimpl
def agenthost_commands():
    return [weather, quiet]
"""


@pytest.fixture
def command(site: Site, agenthost: CommandLine) -> CommandLine:
    site.install("weather", WEATHER)
    site.install("greeter", plugin_code())
    return agenthost


def test_the_help_lists_a_command_with_its_plugin(command: CommandLine) -> None:
    shown = command("--help")

    assert shown.code == 0
    assert "From plugins:\n  weather  Tell the weather. [weather]" in shown.out
    assert "quiet" not in shown.out
    assert shown.err == ""


def test_a_command_runs_with_the_host_of_the_call(command: CommandLine) -> None:
    told = command("weather", "tell", "Oslo")

    assert (told.code, told.out, told.err) == (0, "Oslo: dry, 1 tool\n", "")
    assert command("quiet").code == 0
    assert "Tell it of a town." in command("weather", "--help").out


def test_a_command_that_raises_is_its_plugins_fault(command: CommandLine) -> None:
    failed = command("weather", "fail", "badly")
    debugged = command("--debug", "weather", "fail", "badly")

    assert failed.code == 3
    assert failed.err.startswith(
        "Error: Plugin weather (agenthost-plugin-weather 1.0): its command"
    )
    assert "raised KeyError: 'city'" in failed.err
    assert "Traceback" not in failed.err
    assert "Traceback" in debugged.err


@pytest.mark.parametrize(
    ("how", "code", "words"),
    [("usage", 2, "That is no way."), ("ours", 1, "Error: The sky is gone."), ("exit", 5, "")],
)
def test_what_a_command_means_for_the_person_is_told_as_such(
    command: CommandLine, how: str, code: int, words: str
) -> None:
    failed = command("weather", "fail", how)

    assert failed.code == code
    assert words in failed.err
    assert "Plugin weather" not in failed.err


def test_a_misspelt_command_of_a_plugin_is_answered_with_its_name(command: CommandLine) -> None:
    missed = command("wether")

    assert missed.code == 2
    assert "Did you mean 'weather'?" in missed.err


SHADOW = """
import click
from agenthost_sdk import hookimpl

@click.command()
def plugins():
    '''Take the place of ours.'''
    click.echo("HIJACKED")

@hookimpl
def agenthost_commands():
    return [plugins, "no command"]
"""


def test_a_command_that_shadows_ours_is_left_out_and_reported(
    site: Site, agenthost: CommandLine
) -> None:
    site.install("shadow", SHADOW)
    site.install("greeter", plugin_code())

    shown = agenthost("plugins", "list", "--json")
    called = agenthost("tools", "call", "Greeter_hello", '{"name": "hen"}')

    [row] = [row for row in shown.json["data"] if row["name"] == "shadow"]
    assert "HIJACKED" not in shown.out
    assert row["state"] == "failed"
    assert "its command 'plugins' is left out, since agenthost has that one itself" in row["error"]
    assert "it is no command of click" in row["error"]
    assert "Plugin shadow" in agenthost("--help").err
    assert (called.code, called.out) == (0, "Hello hen\n")


def test_the_commands_that_no_plugin_can_have_are_those_of_the_root() -> None:
    ours = [row.name for rows in COMMANDS.values() for row in rows]

    assert sorted(HOST_COMMANDS) == sorted(ours)


def test_help_works_where_the_settings_are_broken(command: CommandLine) -> None:
    (command.home / "agenthost.toml").write_text("model = [")

    shown = command("--help")

    assert shown.code == 0
    assert "plugins" in shown.out
