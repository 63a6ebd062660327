"""`agenthost plugins sync`: install again what was asked for once and is gone."""

from __future__ import annotations

import click

from agenthost.cli.failures import OK, exit_code
from agenthost.cli.output import json_option, print_data
from agenthost.cli.plugins.changing import workshop
from agenthost.cli.plugins.reports import done_row, plan_row, print_arrival, print_plan
from agenthost.cli.session import Session, pass_session
from agenthost.installing.distributions import constraints_of
from agenthost.registry.entries import HOST


@click.command()
@click.option("--dry-run", is_flag=True, help="Show the commands, and change nothing.")
@json_option
@pass_session
def sync(session: Session, dry_run: bool, as_json: bool) -> int:
    """Install what was asked for once and is not installed here.

    It is wanted after an upgrade of the host that dropped its plugins, and in a new environment.
    Each plugin is tried by itself: one that does not work stops none of the others.

    \b
    agenthost plugins sync --dry-run
    agenthost plugins sync
    """
    shop = workshop(session.settings, as_json=as_json)
    missing = shop.missing()
    if dry_run:
        commands = [one for row in missing for one in shop.planned([row.asked], row.choices)]
        held = constraints_of(HOST) if missing else []
        if as_json:
            print_data("plan", plan_row(commands, held))
        else:
            print_plan(commands, held)
        return OK
    done = shop.restore()
    if as_json:
        print_data("synced", done_row(session, done))
    elif missing:
        print_arrival(session, done)
    else:
        click.echo(f"All that {shop.record.path} names is installed.")
    return max(map(exit_code, done.failures), default=OK)
