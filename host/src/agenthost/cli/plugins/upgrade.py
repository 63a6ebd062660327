"""`agenthost plugins upgrade`: bring plugins up to date, and back where that breaks something."""

from __future__ import annotations

import click

from agenthost.cli.failures import OK, exit_code
from agenthost.cli.names import plugins_of_others
from agenthost.cli.output import json_option, print_data
from agenthost.cli.plugins.changing import (
    WithFurther,
    distributions_named,
    further_arguments,
    workshop,
)
from agenthost.cli.plugins.reports import done_row, plan_row, print_arrival, print_plan
from agenthost.cli.session import Session, pass_session, warn
from agenthost.installing.distributions import constraints_of
from agenthost.installing.installers import Choices
from agenthost.registry.discovery import find_plugins
from agenthost.registry.entries import HOST


@click.command(cls=WithFurther)
@click.argument("names", nargs=-1, metavar="[NAME]...", shell_complete=plugins_of_others)
@click.option("--all", "everything", is_flag=True, help="Bring all plugins up to date.")
@click.option("--pre", is_flag=True, help="Let versions before a release do.")
@click.option("--index-url", default="", metavar="URL", help="Ask this index, not the usual one.")
@click.option("--dry-run", is_flag=True, help="Show the commands, and change nothing.")
@json_option
@pass_session
def upgrade(
    session: Session,
    names: tuple[str, ...],
    everything: bool,
    pre: bool,
    index_url: str,
    dry_run: bool,
    as_json: bool,
) -> int:
    """Bring plugins up to date, each by its name or that of its distribution.

    The newest version is taken that what was asked for once, and what the host needs, allow. One
    that does not work is replaced by the version before. What stands behind -- is for the
    installer.

    \b
    agenthost plugins upgrade weather
    agenthost plugins upgrade --all
    """
    if bool(names) == everything:
        raise click.UsageError("Name the plugins to bring up to date, or write --all.")
    shop = workshop(session.settings, as_json=as_json)
    by_hand = shop.environment.host_upgrade(HOST)  # which brings its parts along
    found = _all_plugins() if everything else distributions_named(names, (), lambda _: by_hand)
    asked, in_place = shop.renewable(found)
    for name in in_place:
        warn(f"{name} is installed in place (editable), and is always as its folder has it.")
    choices = Choices(True, pre, index_url, further_arguments())
    if dry_run:
        commands = shop.planned(asked, choices) if asked else []
        held = constraints_of(HOST) if asked else []
        if as_json:
            print_data("plan", plan_row(commands, held))
        else:
            print_plan(commands, held)
        return OK
    done = shop.upgrade(asked, choices)
    if as_json:
        print_data("upgraded", done_row(session, done))
    else:
        print_arrival(session, done, unchanged="is up to date")
    return max(map(exit_code, done.failures), default=OK)


def _all_plugins() -> list[str]:
    return sorted({plugin.distribution for plugin in find_plugins()} - {HOST})
