"""Every help shows how its command is written, with examples that can be copied."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

import click
import pytest

from agenthost.cli.root import COMMANDS, cli
from support.all_commands import leaves

#: What ends a command in a shell.
ENDS = ("|", ">", "&&")


def commands() -> Iterator[tuple[str, click.Command]]:
    """Yield each group and each command, by its path."""
    root = click.Context(cli)
    for row in (row for rows in COMMANDS.values() for row in rows):
        group = cli.get_command(root, row.name)
        if isinstance(group, click.Group):
            yield row.name, group
    yield from leaves()


HELPS = dict(commands())


def examples(path: str) -> list[str]:
    """Return the commands of `agenthost` that the help of a command shows."""
    context = click.Context(HELPS[path], info_name=f"agenthost {path}")
    told = HELPS[path].get_help(context).partition("\nOptions:")[0]
    lines = (line.strip() for line in told.splitlines()[1:])
    return [line for line in lines if line.startswith("agenthost ")]


def read(arguments: list[str]) -> click.Context:
    """Return what the command line makes of arguments, and run nothing of it."""
    context = cli.make_context("agenthost", arguments)
    while isinstance(context.command, click.Group):
        # So click keeps what stands behind the options of a group.
        left = [*context._protected_args, *context.args]
        name, command, further = context.command.resolve_command(context, left)
        assert command is not None
        context = command.make_context(name, further, parent=context)
    return context


@pytest.mark.parametrize("path", HELPS)
def test_each_help_has_an_example_of_its_own_command(path: str) -> None:
    shown = examples(path)

    assert any(f"{line} ".startswith(f"agenthost {path} ") for line in shown), shown


@pytest.mark.parametrize("path", HELPS)
def test_each_example_is_written_as_the_command_line_takes_it(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "answer.txt").write_text("Yes.")
    monkeypatch.chdir(tmp_path)

    for line in examples(path):
        _, *arguments = takewhile(lambda word: word not in ENDS, shlex.split(line))
        context = read(arguments)

        words = context.command_path.split()
        assert words == ["agenthost", *arguments][: len(words)], line
        context.close()


def test_an_example_with_an_option_that_there_is_not_would_be_seen() -> None:
    with pytest.raises(click.NoSuchOption):
        read(["tools", "list", "--no-such-option"])
