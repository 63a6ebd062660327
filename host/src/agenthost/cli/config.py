"""`agenthost config`: show and change settings, and say where they are kept."""

from __future__ import annotations

import os
from typing import Any

import click

from agenthost.cli.doubts import doubts
from agenthost.cli.masking import masked
from agenthost.cli.names import setting_keys, setting_values
from agenthost.cli.output import json_option, print_data, print_table
from agenthost.cli.session import Session, pass_session, warn
from agenthost.folders import find_folders
from agenthost.settings import SETTINGS, Setting, Settings, parse_value, write_setting
from agenthost.settings.keys import check_key
from agenthost.tasks.limits import Limits
from agenthost_sdk.errors import NotFoundError


@click.group()
def config() -> None:
    """Show and change settings.

    \b
    agenthost config show
    agenthost config set model openai:gpt-6-luna
    """


@config.command("show")
@json_option
@pass_session
def show(session: Session, as_json: bool) -> None:
    """Show every setting: its value, where that comes from, and which variable goes before it.

    \b
    agenthost config show
    agenthost config show --json
    """
    settings = session.settings
    rows = _rows(settings)
    options = _tables(settings)
    if as_json:
        file = settings.folders.settings_file
        print_data("settings", {"file": file, "settings": rows, **options})
        return
    file = settings.folders.settings_file
    click.echo(f"file: {file}" if os.path.exists(file) else f"file: {file} (not there yet)")
    for row in rows:
        row["source"] = "file" if row["source"] == file else row["source"]
    columns = ("key", "value", "source", "variable", "meaning")
    print_table(([_shown(row[column]) for column in columns] for row in rows), empty="")
    for table, named in options.items():
        for name, given in named.items():
            for option, value in given.items():
                click.echo(f"{table}.{name}.{option}  {_shown(value)}")


@config.command("get")
@click.argument("key", shell_complete=setting_keys)
@json_option
@pass_session
def get(session: Session, key: str, as_json: bool) -> None:
    """Print the value of one setting: what is set, or its default; nothing where it has none.

    \b
    agenthost config get model
    agenthost config get tools.Inventory.warehouse
    """
    row = _row_of(session.settings, key)
    if as_json:
        print_data("setting", row)
    else:
        click.echo("" if row["value"] is None else _shown(row["value"]))


@config.command("set")
@click.argument("key", shell_complete=setting_keys)
@click.argument("value", required=False, shell_complete=setting_values)
@click.option("--unset", is_flag=True, help="Take the key out, so that its default holds.")
@json_option
@pass_session
def set_value(session: Session, key: str, value: str | None, unset: bool, as_json: bool) -> None:
    """Set KEY to VALUE in the settings file; what else is in it stays as it is.

    \b
    agenthost config set model openai:gpt-6-luna
    agenthost config set permissions.allow "Files_read*, Web_*"
    agenthost config set tools.Inventory.warehouse north
    agenthost config set tools.Inventory.shelves '["A1", "B7"]'
    """
    if (value is None) != unset:
        raise click.UsageError("Give a VALUE, or --unset.")
    path = find_folders().settings_file
    write_setting(path, key, None if value is None else parse_value(key, value))
    if as_json:
        print_data("changed-setting", {"file": path, "key": key, "set": not unset})
    else:
        click.echo(f"{path}: {key} is {'unset' if unset else 'set'}.")
    if not unset:
        for line in doubts(session, key):
            warn(line)


@config.command("path")
@json_option
def path(as_json: bool) -> None:
    """Say where the settings file is; with --json, the folders too.

    \b
    agenthost config path
    agenthost config path --json
    """
    folders = find_folders()
    if as_json:
        print_data("paths", {"file": folders.settings_file, **folders._asdict()})
    else:
        click.echo(folders.settings_file)


def _rows(settings: Settings) -> list[dict[str, Any]]:
    return [
        {
            "key": setting.key,
            "value": _value(settings, setting),
            "source": settings.sources.get(setting.key, "default"),
            "variable": setting.variable,
            "meaning": setting.meaning,
        }
        for setting in SETTINGS
    ]


def _row_of(settings: Settings, key: str) -> dict[str, Any]:
    """Return the row of one setting.

    Raises:
        SettingsError: There is no such setting.
        NotFoundError: It is an option of a tool or a driver that is not set.
    """
    check_key(key)
    for row in _rows(settings):
        if row["key"] == key:
            return row
    table, name, option = key.split(".")
    given = _tables(settings)[table].get(name, {})
    if option not in given:
        known = {f"{table}.{name}.{one}" for one in given}
        raise NotFoundError("option that is set", key, known)
    return {
        "key": key,
        "value": given[option],
        "source": settings.folders.settings_file,
        "variable": None,
        "meaning": f"an option of {name}",
    }


def _value(settings: Settings, setting: Setting) -> Any:
    value = settings.value(setting)
    if value is None and setting.attribute == "limits":
        return getattr(Limits(), setting.key.partition(".")[2])
    return value


def _tables(settings: Settings) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the tables that take any name, without the secrets in them."""
    names = {"choose": dict(settings.tool_choices), "alias": dict(settings.tool_aliases)}
    return {
        "tools": {
            **_options(settings.tool_options),
            **{name: given for name, given in names.items() if given},
        },
        "drivers": _options(settings.driver_options),
    }


def _options(tables: Any) -> dict[str, dict[str, Any]]:
    return {
        name: {option: masked(option, value) for option, value in given.items()}
        for name, given in tables.items()
    }


def _shown(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return str(value)
