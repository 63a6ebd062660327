"""`agenthost plugins uninstall`: remove a plugin, and import none for it."""

from __future__ import annotations

import click

from agenthost.cli.names import plugin_names
from agenthost.cli.output import json_option, print_data
from agenthost.cli.plugins.changing import distributions_named, workshop
from agenthost.cli.plugins.reports import done_row, plan_row, print_departure, print_plan
from agenthost.cli.session import Session, pass_session
from agenthost.registry.entries import HOST


@click.command()
@click.argument("names", nargs=-1, required=True, metavar="NAME...", shell_complete=plugin_names)
@click.option("--dry-run", is_flag=True, help="Show the commands, and change nothing.")
@json_option
@pass_session
def uninstall(session: Session, names: tuple[str, ...], dry_run: bool, as_json: bool) -> None:
    """Remove plugins, each by its name or that of its distribution.

    What they needed stays, since others may need it too. No plugin is imported for it, so one
    that breaks when it is imported can be removed as well.

    \b
    agenthost plugins uninstall weather
    """
    shop = workshop(session, as_json=as_json)
    found = distributions_named(names, shop.record.read(), shop.environment.removal(HOST))
    if dry_run:
        commands = shop.planned_removal(found)
        if as_json:
            print_data("plan", plan_row(commands, []))
        else:
            print_plan(commands, [])
        return
    done = shop.uninstall(found)
    if as_json:
        print_data("uninstalled", done_row(session, done))
    else:
        print_departure(done, found)
