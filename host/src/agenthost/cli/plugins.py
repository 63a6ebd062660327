"""`agenthost plugins`: list them with what is wrong, turn them off and on."""

from __future__ import annotations

from typing import Any

import click

from agenthost.cli.output import json_option, print_data, print_table
from agenthost.cli.session import Session, pass_session
from agenthost.registry.catalog import rebuild_catalog
from agenthost.registry.entries import HOST, PluginRecord
from agenthost.registry.selection import off_words
from agenthost.settings import write_setting
from agenthost_sdk.errors import NotFoundError


@click.group()
def plugins() -> None:
    """List plugins, turn them off and on."""


@plugins.command("list")
@click.option("--timing", is_flag=True, help="Show how long importing each plugin takes.")
@click.option("--refresh", is_flag=True, help="Ask every plugin anew.")
@json_option
@pass_session
def list_plugins(session: Session, timing: bool, refresh: bool, as_json: bool) -> None:
    """List the installed plugins: state, version, what they contribute.

    A plugin that failed is asked again, since what it lacked may be there now.
    """
    asked = rebuild_catalog(session.settings) if refresh else session.fresh_catalog
    catalog = session.told(asked)
    if as_json:
        print_data("plugins", [plugin_row(p, debug=session.debug) for p in catalog.plugins])
        return
    print_table(
        (_columns(plugin, timing=timing) for plugin in catalog.plugins),
        empty="No plugin is installed.",
    )


@plugins.command("disable")
@click.argument("name")
@pass_session
def disable(session: Session, name: str) -> None:
    """Turn a plugin off, by name or distribution: it is never imported."""
    settings, meant = session.settings, _meant(session, name)
    if any(plugin.distribution == HOST for plugin in meant):
        raise click.UsageError(
            f"{name} cannot be turned off: it is the host's own. To take single tools out, set"
            " tools.disabled."
        )
    if not meant:
        known = {word for plugin in session.catalog.plugins for word in _words(plugin)}
        raise NotFoundError("plugin", name, known)
    if not all(plugin.disabled for plugin in meant):
        _write(session, [*settings.disabled_plugins, name])
    click.echo(f"{name} is off. To turn it on again: agenthost plugins enable {name}")


@plugins.command("enable")
@click.argument("name")
@pass_session
def enable(session: Session, name: str) -> None:
    """Turn a plugin on again, by name or distribution."""
    disabled, meant = session.settings.disabled_plugins, _meant(session, name)
    gone = {name}.union(*map(_words, meant)).intersection(disabled)
    if not gone:
        hint = next(
            (off_words(plugin, session.settings) for plugin in meant if plugin.disabled), ""
        )
        raise NotFoundError("plugin that is off", name, disabled, hint)
    others = [other for other in session.catalog.plugins if other not in meant]
    # One word may have turned several plugins off; the others stay off, each by its own.
    also_on = [_words(other) for other in others if _words(other) & gone]
    kept = [word for words in also_on for word in sorted(words - gone)[:1]]
    _write(session, [*(word for word in disabled if word not in gone), *kept])
    click.echo(f"{name} is on.")


def _meant(session: Session, name: str) -> list[PluginRecord]:
    return [plugin for plugin in session.catalog.plugins if name in _words(plugin)]


def _words(plugin: PluginRecord) -> set[str]:
    return {plugin.name, plugin.distribution}


def plugin_row(plugin: PluginRecord, *, debug: bool = False) -> dict[str, Any]:
    """Return what a program learns of a plugin; tracebacks only for those who debug."""
    return {
        "name": plugin.name,
        "distribution": plugin.distribution,
        "version": plugin.version,
        "state": plugin.state,
        "error": plugin.error,
        "faults": [
            {"kind": fault.kind, "text": fault.text, **({"detail": fault.detail} if debug else {})}
            for fault in plugin.faults
        ],
        "seconds": plugin.seconds,
        "entry_point": plugin.value,
        "hooks": plugin.hooks,
        "tools": [tool.name for tool in plugin.tools],
        "drivers": [driver.name for driver in plugin.drivers],
        "embedding_drivers": [driver.name for driver in plugin.embeddings],
        "drivers_configs": [config.name for config in plugin.drivers_configs],
        "validators": [validator.name for validator in plugin.validators],
        "dialects": [dialect.name for dialect in plugin.dialects],
        "listens": "agenthost_event_listeners" in plugin.hooks,
    }


def contributions(plugin: PluginRecord) -> str:
    """Return in one line what a plugin contributes."""
    row = plugin_row(plugin)
    kinds = (
        "tools",
        "drivers",
        "embedding_drivers",
        "drivers_configs",
        "validators",
        "dialects",
    )
    named = [f"{kind.replace('_', ' ')}: {', '.join(row[kind])}" for kind in kinds if row[kind]]
    return "; ".join([*named, *(["listens to events"] if row["listens"] else [])])


def _columns(plugin: PluginRecord, *, timing: bool) -> list[str]:
    columns = [plugin.name, plugin.state, f"{plugin.distribution} {plugin.version}"]
    if timing:
        columns.append(f"{plugin.seconds * 1000:.0f} ms")
    return [*columns, contributions(plugin)]


def _write(session: Session, disabled: list[str]) -> None:
    where = session.settings.sources.get("plugins.disabled", "")
    if where.isupper():
        raise click.UsageError(f"{where} is set, and goes before the settings file. Change that.")
    write_setting(session.settings.folders.settings_file, "plugins.disabled", disabled or None)
