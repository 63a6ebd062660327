"""`agenthost plugins show`: all that is known of a plugin, without importing it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from agenthost.cli.driver_rows import key_words, session_rows
from agenthost.cli.names import plugin_names
from agenthost.cli.option_words import option_words
from agenthost.cli.output import json_option, print_data
from agenthost.cli.plugins.rows import coloured_state, plugin_row
from agenthost.cli.session import Session, pass_session
from agenthost.installing.asked import full_name
from agenthost.installing.distributions import facts_of, installed, requirements_of
from agenthost.installing.environments import this_environment
from agenthost.installing.record import Record
from agenthost.registry.entries import HOST, PluginRecord
from agenthost_sdk.errors import AgenthostError, NotFoundError


@click.command()
@click.argument("name", shell_complete=plugin_names)
@json_option
@pass_session
def show(session: Session, name: str, as_json: bool) -> None:
    """Show all that is known of a plugin: what is wrong, where it comes from, what it brings.

    NAME is a plugin's name, or that of a distribution. No plugin is imported that was asked
    already what it contributes.

    \b
    agenthost plugins show calculator
    """
    plugins = session.fresh_catalog.plugins
    words = {name, full_name(name), full_name(name, exact=True)}
    meant = [one for one in plugins if one.name == name or one.distribution in words]
    if not meant:
        known = {word for one in plugins for word in (one.name, one.distribution)}
        raise NotFoundError("plugin", name, known, _forgotten(session, words))
    rows = [_whole(session, plugin) for plugin in meant]
    if as_json:
        print_data("plugins", rows)
        return
    for number, (plugin, row) in enumerate(zip(meant, rows, strict=True)):
        if number:
            click.echo()
        _print(plugin, row)


def _forgotten(session: Session, words: set[str]) -> str:
    """Return what to do where a plugin was asked for once and is gone."""
    try:
        gone = words.intersection(Record(session.settings.folders).read())
    except AgenthostError:
        return ""
    return "It was asked for once: `agenthost plugins sync` installs it again." if gone else ""


def _whole(session: Session, plugin: PluginRecord) -> dict[str, Any]:
    name = plugin.distribution
    found = installed().get(name)
    return {
        **plugin_row(plugin, debug=session.debug),
        **facts_of(name),
        "source": found.url if found else "",
        "editable": bool(found and found.editable),
        "requires": requirements_of(name),
        "recorded": _recorded(session, name),
        "options": [option._asdict() for option in plugin.options],
        "contributions": _contributions(plugin),
        "keys": _keys(session, plugin),
        "mend": list(_mending(plugin)),
    }


def _recorded(session: Session, name: str) -> dict[str, Any] | None:
    """Return how it was asked for, where that was written down."""
    try:
        row = Record(session.settings.folders).read().get(name)
    except AgenthostError:
        return None  # `agenthost doctor` says so
    return row._asdict() if row else None


def _contributions(plugin: PluginRecord) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of all that a plugin contributes, by kind."""
    return {
        "tools": [tool.to_json() for tool in plugin.tools],
        "drivers": [row._asdict() for row in plugin.drivers],
        "embedding_drivers": [row._asdict() for row in plugin.embeddings],
        "drivers_configs": [row._asdict() for row in plugin.drivers_configs],
        "validators": [{**row._asdict(), "usage": row.usage} for row in plugin.validators],
        "dialects": [row._asdict() for row in plugin.dialects],
        "guards": [row._asdict() for row in plugin.guards],
        "commands": [row._asdict() for row in plugin.commands],
        "executors": [row._asdict() for row in plugin.executors],
    }


def _keys(session: Session, plugin: PluginRecord) -> list[str]:
    """Return a few words about the key of each driver of its own."""
    if not (plugin.drivers or plugin.embeddings):
        return []
    try:
        rows = session_rows(session)
    except AgenthostError:
        return []
    mine = [row for row in rows if row["distribution"] == plugin.distribution]
    return list(dict.fromkeys(key_words(row) for row in mine))


def _mending(plugin: PluginRecord) -> Iterator[str]:
    """Yield the commands that mend or remove a plugin that does not work."""
    if plugin.disabled:
        yield f"agenthost plugins enable {plugin.name}"
    if plugin.is_defect and plugin.distribution != HOST:
        yield f"agenthost plugins upgrade {plugin.name}"
        yield f"agenthost plugins disable {plugin.name}"
        yield f"agenthost plugins uninstall {plugin.name}"
        yield this_environment().removal(plugin.distribution)


def _print(plugin: PluginRecord, row: dict[str, Any]) -> None:
    title = click.style(plugin.name, bold=True)
    click.echo(f"{title}  {plugin.distribution} {plugin.version}  {coloured_state(plugin.state)}")
    if row.get("summary"):
        click.echo(row["summary"])
    for fault in plugin.faults:
        click.echo(f"{click.style(fault.kind, fg='yellow')}: {fault.text}")
    for command in row["mend"]:
        click.echo(f"  {command}")
    click.echo()
    for label, value in _facts(plugin, row):
        click.echo(f"{label.ljust(11)}  {value}")
    for option in row["options"]:
        click.echo(option_words(option))
    for kind, entries in row["contributions"].items():
        for entry in entries:
            _print_entry(kind, entry)


def _facts(plugin: PluginRecord, row: dict[str, Any]) -> Iterator[tuple[str, str]]:
    yield "location", row.get("location", "not known")
    if row["source"]:
        yield "source", f"{row['source']}{' (editable)' if row['editable'] else ''}"
    yield "entry point", f"{plugin.name} = {plugin.value}"
    if row["requires"]:
        yield "requires", ", ".join(row["requires"])
    if plugin.hooks:
        yield "hooks", ", ".join(plugin.hooks)
    if row.get("license"):
        yield "license", row["license"]
    if row["recorded"]:
        yield "asked for", row["recorded"]["requirement"]
    if not plugin.disabled:
        yield "import", f"{plugin.seconds * 1000:.0f} ms"
    for words in row["keys"]:
        yield "key", words


def _print_entry(kind: str, entry: dict[str, Any]) -> None:
    label = kind.removesuffix("s").replace("_", " ")
    name = click.style(entry.get("usage") or entry["name"], bold=True)
    click.echo(f"\n{label} {name}  {_first_line(entry['description'])}".rstrip())
    if entry.get("model"):
        click.echo(f"  model {entry['model']}")
    for activity in entry.get("activities", ()):
        marks = [mark.replace("_", "-") for mark, on in activity["annotations"].items() if on]
        marked = f"  [{', '.join(marks)}]" if marks else ""
        click.echo(f"  {activity['native']}{marked}  {_first_line(activity['description'])}")


def _first_line(text: str) -> str:
    return text.split("\n", 1)[0]
