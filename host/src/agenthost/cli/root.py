"""The command group `agenthost`; the module of a command is imported when it is used."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from agenthost import __version__
from agenthost.cli.lazy import LazyCommand
from agenthost.cli.plugin_commands import RootGroup
from agenthost.cli.session import Session, colour_of, help_width
from agenthost.registry.host_commands import HOST_COMMANDS

COMMANDS = {
    "Running": (
        LazyCommand("run", "agenthost.cli.run", "Put a question to a model and its tools."),
    ),
    "Tools": (
        LazyCommand("tools", "agenthost.cli.tools", "List, show and call tools."),
        LazyCommand("drivers", "agenthost.cli.drivers", "List and show the models' drivers."),
        LazyCommand("validators", "agenthost.cli.validators", "List and try output validators."),
        LazyCommand("dialects", "agenthost.cli.dialects", "List the reply formats."),
    ),
    "Setup": (
        LazyCommand("plugins", "agenthost.cli.plugins", "Install, list and write plugins."),
        LazyCommand("config", "agenthost.cli.config", "Show and change settings."),
        LazyCommand("keys", "agenthost.cli.keys", "Keep the keys of providers."),
        LazyCommand("paths", "agenthost.cli.paths", "Say in which folders files are kept."),
        LazyCommand("completion", "agenthost.cli.completion", "Let a shell complete names."),
        LazyCommand("doctor", "agenthost.cli.doctor", "Say what is wrong and what mends it."),
    ),
}


@click.group(
    cls=RootGroup,
    context_settings={
        "terminal_width": help_width(),
        "help_option_names": ["-h", "--help"],
    },
    sections=COMMANDS,
    epilog="Exit codes: 0 ok, 1 failure, 2 usage, 3 plugin defect, 4 not found, 5 validation"
    " failed, 6 denied, 7 limit or time, 130 interrupted.",
)
@click.version_option(__version__, message="agenthost %(version)s")
@click.option("--debug", is_flag=True, envvar="AGENTHOST_DEBUG", help="Show tracebacks.")
@click.option(
    "-p",
    "plugins",
    metavar="[no:]NAME",
    multiple=True,
    is_eager=True,
    help="Leave a plugin out (no:NAME), or let in no other (NAME).",
)
@click.option(
    "--functions",
    metavar="FILE",
    multiple=True,
    is_eager=True,
    help="Have the functions of a Python file as tools.",
)
@click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    help="Colour the output; NO_COLOR and FORCE_COLOR are heeded too.",
)
@click.pass_context
def cli(ctx: click.Context, /, color: str, **_: Any) -> None:
    """Use tools with language models; every tool and every model is a plugin.

    \b
    agenthost run "What is 23 * 19?"
    agenthost tools call Calculator_evaluate '{"expression": "23 * 19"}'
    """
    ctx.color = colour_of(color)
    ctx.obj = ctx.obj or Session.of(ctx.params)


def in_front(arguments: Sequence[str]) -> list[str]:
    """Return the arguments with the options of `agenthost` itself before the command.

    What stands behind the command of a plugin belongs to that, whose options have names of its
    own. `--json` in front of a command is put behind what that was given.
    """
    ours: list[str] = []
    others: list[str] = []
    asks: list[str] = []
    left = list(arguments)
    while left and left[0] != "--":
        one = left.pop(0)
        if one == "--debug" or one.startswith(("--color=", "--functions=")):
            ours.append(one)
        elif one in ("--color", "--functions", "-p") and left:
            ours.extend((one, left.pop(0)))
        elif one == "--json" and not others:
            asks = [one]
        else:
            others.append(one)
            if not one.startswith("-") and others == [one] and one not in HOST_COMMANDS:
                end = left.index("--") if "--" in left else len(left)
                return [*ours, one, *left[:end], *asks, *left[end:]]
    return [*ours, *others, *asks, *left]
