"""A plugin's command is its author's own: options, results, and what goes wrong in it."""

from __future__ import annotations

import pytest

from agenthost.cli.root import in_front
from support.sites import CommandLine

COMMANDS = """
import click
from agenthost_sdk import hookimpl

class Panic(BaseException):
    pass

@click.command()
@click.option("-p", "port")
@click.option("--color")
@click.option("--debug", is_flag=True)
def serve(**given):
    '''Serve.'''
    click.echo(sorted(given.items()))

@click.command()
@click.argument("how")
def end(how):
    '''End in some way.'''
    if how == "number":
        return 42
    if how == "true":
        return True
    if how == "exit":
        click.get_current_context().exit(9)
    if how == "file":
        raise FileNotFoundError(2, "No such file", "/there")
    raise Panic("no luck")

@hookimpl
def agenthost_commands():
    return [serve, end]
"""


@pytest.fixture(scope="module")
def command(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    plugins = {"own": COMMANDS, "broken": "import nothing_of_the_kind\n"}
    return CommandLine.with_plugins(tmp_path_factory.mktemp("commands"), plugins)


def test_the_options_behind_a_command_are_its_own(command: CommandLine) -> None:
    served = command("serve", "-p", "8080", "--color", "red", "--debug")

    assert served.code == 0
    assert served.out == "[('color', 'red'), ('debug', True), ('port', '8080')]\n"


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        (["serve", "-p", "8080"], ["serve", "-p", "8080"]),
        (["--debug", "serve", "--debug"], ["--debug", "serve", "--debug"]),
        (["--json", "serve", "a", "--", "b"], ["serve", "a", "--json", "--", "b"]),
        (["tools", "list", "-p", "no:x"], ["-p", "no:x", "tools", "list"]),
    ],
)
def test_only_options_of_ours_move_in_front(given: list[str], taken: list[str]) -> None:
    assert in_front(given) == taken


@pytest.mark.parametrize(("how", "code"), [("number", 0), ("true", 0), ("exit", 9)])
def test_what_a_command_returns_is_no_exit_code(command: CommandLine, how: str, code: int) -> None:
    assert command("end", how).code == code


@pytest.mark.parametrize(
    ("how", "words"), [("file", "FileNotFoundError: [Errno 2]"), ("panic", "Panic: no luck")]
)
def test_whatever_a_command_raises_is_its_plugins_fault(
    command: CommandLine, how: str, words: str
) -> None:
    failed = command("end", how)

    assert failed.code == 3
    assert f"Error: Plugin own (agenthost-plugin-own 1.0): its command 'end' raised {words}" in (
        failed.err
    )
    assert "Traceback" not in failed.err
    assert "Traceback" in command("--debug", "end", how).err


def test_who_asks_for_a_command_that_is_not_there_is_told_of_the_plugins_that_may_have_it(
    command: CommandLine,
) -> None:
    missing = command("broken", "--help")
    off = command("-p", "no:own", "serve")

    assert (missing.code, off.code) == (2, 2)
    assert "Plugin broken (agenthost-plugin-broken 1.0): it cannot be imported" in missing.err
    assert "The plugin own is turned off by -p." in off.err
