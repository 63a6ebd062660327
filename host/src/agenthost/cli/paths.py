"""`agenthost paths`: in which folders agenthost keeps its files."""

from __future__ import annotations

import click

from agenthost.cli.output import json_option, print_data, print_table
from agenthost.folders import Folders, find_folders

_NAMES = ("file", *Folders._fields)


@click.command()
@click.argument("name", required=False, type=click.Choice(_NAMES))
@json_option
def paths(name: str | None, as_json: bool) -> None:
    """Say where the settings file is, and the folders of settings, data, caches and state.

    \b
    agenthost paths
    cd "$(agenthost paths config)"

    They are where the platform keeps such things; AGENTHOST_HOME names one folder for all of
    them. A folder is made when something is written there.
    """
    folders = find_folders()
    all_of_them = {"file": folders.settings_file, **folders._asdict()}
    found = {one: path for one, path in all_of_them.items() if name in (None, one)}
    if as_json:
        print_data("paths", found)
    elif name is None:
        print_table(found.items(), empty="")
    else:
        click.echo(found[name])
