"""`agenthost plugins`: list them with what is wrong, turn them off and on."""

from __future__ import annotations

from typing import Any

import click

from agenthost.cli.output import json_option, print_data, print_table
from agenthost.cli.session import Session, pass_session
from agenthost.registry.catalog import rebuild_catalog
from agenthost.registry.entries import PluginRecord
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
    fresh = rebuild_catalog(session.settings) if refresh else None
    catalog = session.fresh_catalog if fresh is None else session.told(fresh)
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
    disabled = list(session.settings.disabled_plugins)
    _check_known(session, name)
    if name not in disabled:
        _write(session, [*disabled, name])
    click.echo(f"{name} is off. To turn it on again: agenthost plugins enable {name}")


@plugins.command("enable")
@click.argument("name")
@pass_session
def enable(session: Session, name: str) -> None:
    """Turn a plugin on again."""
    disabled = list(session.settings.disabled_plugins)
    if name not in disabled:
        raise NotFoundError("plugin that is off", name, disabled)
    _write(session, [other for other in disabled if other != name])
    click.echo(f"{name} is on.")


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
        "validators": [validator.name for validator in plugin.validators],
        "dialects": [dialect.name for dialect in plugin.dialects],
    }


def contributions(plugin: PluginRecord) -> str:
    """Return in one line what a plugin contributes."""
    row = plugin_row(plugin)
    kinds = ("tools", "drivers", "validators", "dialects")
    return "; ".join(f"{kind}: {', '.join(row[kind])}" for kind in kinds if row[kind])


def _columns(plugin: PluginRecord, *, timing: bool) -> list[str]:
    columns = [plugin.name, plugin.state, f"{plugin.distribution} {plugin.version}"]
    if timing:
        columns.append(f"{plugin.seconds * 1000:.0f} ms")
    return [*columns, contributions(plugin)]


def _check_known(session: Session, name: str) -> None:
    known = {
        known for plugin in session.catalog.plugins for known in (plugin.name, plugin.distribution)
    }
    if name not in known:
        raise NotFoundError("plugin", name, known)


def _write(session: Session, disabled: list[str]) -> None:
    write_setting(session.settings.folders.settings_file, "plugins.disabled", disabled or None)
