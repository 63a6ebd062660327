"""`agenthost drivers`: the prompt drivers that plugins contribute."""

from __future__ import annotations

import os
from typing import Any

import click

from agenthost.cli.lazy import ListingGroup
from agenthost.cli.output import json_option, print_data, print_table
from agenthost.cli.session import Session, pass_session
from agenthost.registry.catalog import Catalog


@click.group(cls=ListingGroup)
def drivers() -> None:
    """List the models' drivers."""


@drivers.command("list")
@json_option
@pass_session
def list_drivers(session: Session, as_json: bool) -> None:
    """List the prompt drivers: name, default model, and whether the key is set."""
    rows = driver_rows(session.catalog)
    if as_json:
        print_data("drivers", rows)
        return
    print_table(
        ((row["name"], row["model"], key_words(row), row["description"]) for row in rows),
        empty="No plugin contributes a driver. One that needs no key: agenthost-plugin-local.",
    )


def driver_rows(catalog: Catalog) -> list[dict[str, Any]]:
    """Return what is known of each driver; whether its key is set is looked up now."""
    return [
        {
            **row._asdict(),
            "key_set": bool(row.key_env and os.environ.get(row.key_env)),
            "plugin": plugin.name,
            "distribution": plugin.distribution,
        }
        for row, plugin in catalog.drivers.values()
    ]


def key_words(row: dict[str, Any]) -> str:
    """Return a few words about the key of a driver."""
    if not row["key_env"]:
        return "no key needed"
    return f"{row['key_env']} is {'set' if row['key_set'] else 'not set'}"
