"""`agenthost drivers`: the models' drivers that plugins contribute, and their fields."""

from __future__ import annotations

import json
from typing import Any

import click

from agenthost.cli.driver_rows import key_words, session_rows
from agenthost.cli.lazy import ListingGroup
from agenthost.cli.names import driver_names
from agenthost.cli.output import json_option, print_data, print_table, table_lines
from agenthost.cli.session import Session, pass_session
from agenthost_sdk.errors import NotFoundError, SettingsError

#: What a kind of driver, and a group of its fields, is called before people.
_KINDS = {"prompt": "answers", "embedding": "embeds"}
_GROUPS = {"switch": "Switches", "retry": "Trying again", "field": "Fields"}


@click.group(cls=ListingGroup)
def drivers() -> None:
    """List the models' drivers, and show one.

    \b
    agenthost drivers list
    agenthost drivers show openai
    """


@drivers.command("list")
@json_option
@pass_session
def list_drivers(session: Session, as_json: bool) -> None:
    """List the drivers: name, what for, default model, plugin, and whether the key is set.

    Servers that [drivers.NAME] in the settings gives a name of their own are among them. A driver
    that "answers" is for `run -m NAME:MODEL`; one that "embeds" turns texts into vectors.

    \b
    agenthost drivers list
    """
    rows = session_rows(session)
    if as_json:
        print_data("drivers", rows)
        return
    print_table(
        map(_cells, rows),
        empty="No plugin contributes a driver. One that needs no key: agenthost-plugin-local.",
    )


@drivers.command("show")
@click.argument("name", shell_complete=driver_names)
@json_option
@pass_session
def show_driver(session: Session, name: str, as_json: bool) -> None:
    """Show a driver: its model and key, and every field: type, default, setting and meaning.

    A field is set with `agenthost config set drivers.NAME.FIELD VALUE`.

    \b
    agenthost drivers show openai
    agenthost config set drivers.openai.max_attempts 3
    """
    known = session_rows(session)
    rows = [_whole(session, row) for row in known if row["name"] == name]
    if not rows:
        names = {row["name"] for row in known}
        raise NotFoundError("driver", name, names, session.registry.off_hint(name))
    if as_json:
        print_data("drivers", rows)
        return
    for number, row in enumerate(rows):
        if number:
            click.echo()
        _print(row)


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    if row["problem"]:
        return row["name"], "", "", "", "", row["problem"]
    plugin = f"{row['distribution']} {row['version']}"
    words = f"{row['driver']}: {row['description']}" if _is_named(row) else row["description"]
    return row["name"], _KINDS[row["kind"]], row["model"], key_words(row), plugin, words


def _is_named(row: dict[str, Any]) -> bool:
    """Return whether the settings gave a server this name."""
    return bool(row["driver"] != row["name"])


def _whole(session: Session, row: dict[str, Any]) -> dict[str, Any]:
    """Return a row with the driver's fields, for which its plugin is imported."""
    from agenthost.cli.driver_fields import field_rows, profile_names  # a listing needs none

    if row["problem"]:
        raise SettingsError(row["problem"])
    is_prompt, registry = row["kind"] == "prompt", session.registry
    given = session.settings.driver_options.get(row["name"], {})
    options = {name: one for name, one in given.items() if is_prompt or name != "model"}
    find = registry.driver_class if is_prompt else registry.embedding_class
    driver = find(row["driver"])
    return {**row, "fields": field_rows(driver, options), "profiles": profile_names(driver)}


def _print(row: dict[str, Any]) -> None:
    head = (row["name"], _KINDS[row["kind"]], f"{row['distribution']} {row['version']}")
    click.echo("  ".join((click.style(head[0], bold=True), *head[1:])))
    click.echo(row["description"])
    if _is_named(row):
        click.echo(f"driver  {row['driver']}, under this name in the settings")
    click.echo(f"model   {row['model'] or 'none is the default'}")
    click.echo(f"key     {key_words(row)}")
    for group, title in _GROUPS.items():
        shown = [field for field in row["fields"] if field["group"] == group]
        if shown:
            click.echo(f"\n{title}")
            _print_fields(shown)
    if row["profiles"]:
        click.echo(f"\nProfiles of servers: {', '.join(row['profiles'])}")


def _print_fields(fields: list[dict[str, Any]]) -> None:
    lines = table_lines(map(_field_cells, fields))
    for line, field in zip(lines, fields, strict=True):
        click.echo(line)
        if field["meaning"]:
            indent = " " * 6
            words = click.wrap_text(field["meaning"], 92, indent, indent)
            click.echo(click.style(words, dim=True))


def _field_cells(field: dict[str, Any]) -> tuple[str, ...]:
    default = "must be given" if field["required"] else _json(field["default"])
    value = f"{_json(field['value'])} in the settings" if field["set"] else ""
    return f"  {field['name']}", field["type"], default, value


def _json(value: Any) -> str:
    return "not set" if value is None else json.dumps(value, ensure_ascii=False, default=str)
