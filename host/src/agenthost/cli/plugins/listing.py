"""`agenthost plugins list`: the installed plugins, with what is wrong."""

from __future__ import annotations

import click

from agenthost.cli.output import json_option, print_data, print_table
from agenthost.cli.plugins.rows import contributions, lacking, plugin_row, state_words
from agenthost.cli.session import Session, pass_session
from agenthost.registry.catalog import rebuild_catalog
from agenthost.registry.entries import PluginRecord


@click.command("list")
@click.option("--timing", is_flag=True, help="Show how long importing each takes, slowest first.")
@click.option("--refresh", is_flag=True, help="Ask every plugin anew.")
@json_option
@pass_session
def list_plugins(session: Session, timing: bool, refresh: bool, as_json: bool) -> None:
    """List the installed plugins: state, version, what they contribute.

    A plugin that failed is asked again, since what it lacked may be there now.

    \b
    agenthost plugins list
    agenthost plugins list --timing
    """
    asked = rebuild_catalog(session.settings, refresh=True) if refresh else session.fresh_catalog
    catalog = session.told(asked)
    plugins = list(catalog.plugins)
    if timing:
        plugins.sort(key=lambda plugin: -plugin.seconds)
    if as_json:
        print_data("plugins", [plugin_row(p, debug=session.debug) for p in plugins])
        return
    print_table(
        (_columns(plugin, timing=timing) for plugin in plugins),
        empty="No plugin is installed.",
    )


def _columns(plugin: PluginRecord, *, timing: bool) -> list[str]:
    columns = [plugin.name, state_words(plugin.state), f"{plugin.distribution} {plugin.version}"]
    if timing:
        columns.append(f"{plugin.seconds * 1000:.0f} ms")
    told = (contributions(plugin), lacking(plugin))
    return [*columns, "; ".join(filter(None, told))]
