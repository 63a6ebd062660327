"""`agenthost validators`: list the output validators, and let one judge a text."""

from __future__ import annotations

from typing import BinaryIO

import click

from agenthost.cli.lazy import ListingGroup
from agenthost.cli.names import validator_names
from agenthost.cli.output import json_option, print_data, print_table
from agenthost.cli.session import Session, pass_session


@click.group(cls=ListingGroup)
def validators() -> None:
    """List and try the output validators.

    \b
    agenthost validators list
    agenthost validators run 'regex:^[A-Z]' answer.txt
    """


@validators.command("list")
@json_option
@pass_session
def list_validators(session: Session, as_json: bool) -> None:
    """List the output validators that `run --validator` takes, with their parameters.

    \b
    agenthost validators list
    agenthost run --validator 'one-of:yes|no' "Is 23 a prime?"
    """
    found = session.catalog.validators.values()
    if as_json:
        rows = [
            {**row._asdict(), "plugin": plugin.name, "distribution": plugin.distribution}
            for row, plugin in found
        ]
        print_data("validators", rows)
        return
    print_table(
        ((row.usage, plugin.distribution, row.description) for row, plugin in found),
        empty="No plugin contributes an output validator.",
    )


@validators.command("run")
@click.argument("named", metavar="NAME[:PARAMETERS]", shell_complete=validator_names)
@click.argument("file", type=click.File("rb"))
@json_option
@pass_session
def run_validator(session: Session, named: str, file: BinaryIO, as_json: bool) -> int:
    """Let an output validator judge an answer, without any model.

    \b
    agenthost validators run 'regex:^[A-Z]' answer.txt
    echo Yes. | agenthost validators run 'one-of:yes|no' -

    FILE holds the answer; with `-` it is read from the standard input. A line break at its end is
    no part of it. Printed is `accepted`, the answer that takes its place, or the reason why it is
    refused; then the exit code is 5.
    """
    from agenthost.cli.judge import judge  # a listing needs none of it

    return judge(session, named, file.read(), as_json=as_json)
