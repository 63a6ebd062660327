"""Tell what a change of the installed plugins came to: to people in lines, to programs in JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import click

from agenthost.cli.driver_rows import key_source
from agenthost.cli.plugins.rows import contributions, plugin_row
from agenthost.cli.session import Session, warn
from agenthost.installing.changes import Done
from agenthost.installing.distributions import Installed
from agenthost.installing.installers import shown
from agenthost.keys import KeyStore
from agenthost.registry.entries import PluginRecord
from agenthost_sdk.errors import AgenthostError


def done_row(session: Session, done: Done) -> dict[str, Any]:
    """Return what a program learns of a change."""
    return {
        "distributions": [one._asdict() for one in done.distributions],
        "changed": [
            {
                "name": one.name,
                "before": one.before.version if one.before else None,
                "after": one.after.version if one.after else None,
            }
            for one in done.changed
        ],
        "plugins": [plugin_row(plugin, debug=session.debug) for plugin in done.plugins],
        "notes": list(done.notes),
        "defects": list(done.defects),
        "failures": [str(error) for error in done.failures],
    }


def print_arrival(
    session: Session, done: Done, *, unchanged: str = "is installed already"
) -> None:
    """Say what was installed or brought up to date, what it contributes, and how to go on.

    Args:
        session: Whether a key is set is seen from its settings.
        done: What came of it.
        unchanged: What is said of what is as it was.
    """
    changed = {one.name: one for one in done.changed}
    for one in done.distributions:
        before = changed[one.name].before if one.name in changed else one
        words = unchanged if before is one else _arrived(one, before)
        click.echo(f"{click.style(one.name, bold=True)} {one.version} {words}.")
        for plugin in done.plugins:
            if plugin.distribution == one.name:
                _print_plugin(session, plugin)
    for line in (*dict.fromkeys(done.notes), *map(str, done.failures)):
        warn(line)
    step = next(_next_steps(done.plugins), "")
    if step and not done.defects:
        click.echo(f"Next: {step}")


def print_departure(done: Done, names: Iterable[str]) -> None:
    """Say what was removed, and what went with it."""
    there = {one.name: one for one in done.distributions}
    for name in names:
        if name in there:
            click.echo(f"{click.style(name, bold=True)} {there[name].version} is removed.")
        else:
            click.echo(f"{name} was not installed, and is forgotten.")
    for plugin in done.plugins:
        gone = contributions(plugin)
        if gone:
            click.echo(f"  gone with it: {gone}")
    for line in done.notes:
        warn(line)


def plan_row(commands: list[list[str]], constraints: list[str]) -> dict[str, Any]:
    """Return what a program learns of a change that was only to be shown."""
    return {"commands": [shown(command) for command in commands], "constraints": constraints}


def print_plan(commands: list[list[str]], constraints: list[str]) -> None:
    """Show the commands of a change that is not made."""
    for command in commands:
        click.echo(shown(command))
    if constraints:
        click.echo(f"constraints.txt would hold: {', '.join(constraints)}")


def _arrived(one: Installed, before: Installed | None) -> str:
    if before is None:
        return "is installed"
    if before.version != one.version:
        return f"is installed, in place of {before.version}"
    return "is installed anew"


def _print_plugin(session: Session, plugin: PluginRecord) -> None:
    if plugin.disabled:
        click.echo(
            f"  {plugin.name} is turned off, and was not tried. To turn it on:"
            f" agenthost plugins enable {plugin.name}"
        )
        return
    for part in contributions(plugin).split("; "):
        if part:
            click.echo(f"  {part}")
    for fault in plugin.faults:
        click.echo(f"  {click.style(fault.kind, fg='yellow')}: {fault.text}")
    for line in _missing_keys(session, plugin):
        click.echo(f"  {line}")


def _missing_keys(session: Session, plugin: PluginRecord) -> Iterator[str]:
    try:
        kept = KeyStore(session.settings.folders).places()
    except AgenthostError:
        return  # `agenthost doctor` says so
    wanted = {
        *(row.key_env for row in plugin.drivers),
        *(row.key_env for row in plugin.embeddings),
    }
    for name in sorted(filter(None, wanted)):
        if not key_source(name, kept):
            yield f"it needs a key: agenthost keys set {name}"


def _next_steps(plugins: Iterable[PluginRecord]) -> Iterator[str]:
    for plugin in plugins:
        if plugin.tools:
            yield f"agenthost tools show {plugin.tools[0].name}"
        if plugin.drivers:
            yield f'agenthost run -m {plugin.drivers[0].name} "…"'
        if not plugin.disabled:
            yield f"agenthost plugins show {plugin.name}"
