"""`agenthost dialects`: the reply formats, those of the host and those of plugins."""

from __future__ import annotations

import click

from agenthost.cli.lazy import ListingGroup
from agenthost.cli.output import json_option, print_data, print_table
from agenthost.cli.session import Session, pass_session


@click.group(cls=ListingGroup)
def dialects() -> None:
    """List the reply formats.

    \b
    agenthost dialects list
    """


@dialects.command("list")
@json_option
@pass_session
def list_dialects(session: Session, as_json: bool) -> None:
    """List the dialects that `run --dialect` takes.

    \b
    agenthost dialects list
    agenthost run --dialect actions_json "What is 23 * 19?"
    """
    rows = [
        {**row._asdict(), "plugin": plugin.name, "distribution": plugin.distribution}
        for row, plugin in session.catalog.dialects.values()
    ]
    if as_json:
        print_data("dialects", rows)
        return
    print_table(
        ((row["name"], row["distribution"], row["description"]) for row in rows),
        empty="There is no dialect.",
    )
