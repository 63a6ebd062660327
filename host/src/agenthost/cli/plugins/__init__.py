"""`agenthost plugins`: what is installed, and what changes that; a module for each command."""

from __future__ import annotations

import click

from agenthost.cli.lazy import LazyCommand, LazyGroup

_HERE = "agenthost.cli.plugins"

COMMANDS = {
    "See them": (
        LazyCommand(
            "list", f"{_HERE}.listing", "List them: state, version, contributions.", "list_plugins"
        ),
        LazyCommand("show", f"{_HERE}.showing", "Show all that is known of one."),
    ),
    "Change them": (
        LazyCommand("install", f"{_HERE}.install", "Install one, and see that it works."),
        LazyCommand("upgrade", f"{_HERE}.upgrade", "Bring one up to date, or all."),
        LazyCommand("uninstall", f"{_HERE}.uninstall", "Remove one."),
        LazyCommand("sync", f"{_HERE}.sync", "Install again what was asked for once."),
        LazyCommand("enable", f"{_HERE}.switching", "Turn one on again."),
        LazyCommand("disable", f"{_HERE}.switching", "Turn one off: it is never imported."),
    ),
    "Write them": (
        LazyCommand("new", f"{_HERE}.new", "Begin a plugin of your own."),
        LazyCommand("check", f"{_HERE}.check", "Hold a plugin against what the host expects."),
    ),
}


@click.group(cls=LazyGroup, sections=COMMANDS)
def plugins() -> None:
    """List plugins, install them, turn them off and on; write and check your own.

    \b
    agenthost plugins list
    agenthost plugins install weather
    """
