"""`agenthost validators`: the output validators that plugins contribute."""

from __future__ import annotations

import click

from agenthost.cli.lazy import ListingGroup
from agenthost.cli.output import json_option, print_data, print_table
from agenthost.cli.session import Session, pass_session


@click.group(cls=ListingGroup)
def validators() -> None:
    """List the output validators."""


@validators.command("list")
@json_option
@pass_session
def list_validators(session: Session, as_json: bool) -> None:
    """List the output validators that `run --validator` takes."""
    rows = [
        {**row._asdict(), "plugin": plugin.name, "distribution": plugin.distribution}
        for row, plugin in session.catalog.validators.values()
    ]
    if as_json:
        print_data("validators", rows)
        return
    print_table(
        ((row["name"], row["distribution"], row["description"]) for row in rows),
        empty="No plugin contributes an output validator.",
    )
