"""`agenthost plugins uninstall`: remove a plugin, and import none for it."""

from __future__ import annotations

from functools import partial

import click

from agenthost.cli.names import plugins_of_others
from agenthost.cli.output import json_option, print_data
from agenthost.cli.plugins.changing import distributions_named, workshop
from agenthost.cli.plugins.reports import done_row, plan_row, print_departure, print_plan
from agenthost.cli.session import Session, pass_session, warn
from agenthost.installing.environments import Environment
from agenthost.installing.trials import NO_PLUGINS
from agenthost.registry.entries import HOST
from agenthost.settings import Settings
from agenthost_sdk.errors import SettingsError


@click.command()
@click.argument(
    "names", nargs=-1, required=True, metavar="NAME...", shell_complete=plugins_of_others
)
@click.option("--dry-run", is_flag=True, help="Show the commands, and change nothing.")
@json_option
@pass_session
def uninstall(session: Session, names: tuple[str, ...], dry_run: bool, as_json: bool) -> None:
    """Remove plugins, each by its name or that of its distribution.

    What they needed stays, since others may need it too. No plugin is imported for it, so one
    that breaks when it is imported can be removed as well, and so it can with settings that
    cannot be read.

    \b
    agenthost plugins uninstall weather --dry-run
    agenthost plugins uninstall weather
    """
    shop = workshop(_settings(session), as_json=as_json)
    by_hand = partial(_by_hand, shop.environment)
    found = distributions_named(names, shop.record.read(), by_hand)
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


def _settings(session: Session) -> Settings:
    """Return the settings; where they cannot be read, such that no plugin is asked anything."""
    try:
        return session.settings
    except SettingsError as error:
        warn(f"{error} Without the settings it is not seen whether the other plugins still work.")
        return NO_PLUGINS


def _by_hand(environment: Environment, name: str) -> str:
    """Return what removes a distribution of the host; a tool of uv or pipx goes as a whole."""
    return environment.removal(HOST if environment.keeper else name)
