"""`agenthost tools`: list them, show one, define them for models, call one without any."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Iterator
from typing import Any

import click

from agenthost.cli.definitions import FORMS, definitions
from agenthost.cli.names import activity_names, tool_names
from agenthost.cli.option_words import option_words
from agenthost.cli.output import json_option, print_data, print_json
from agenthost.cli.session import Session, pass_session
from agenthost.registry.catalog import OwnedTool
from agenthost.registry.selection import Wanted, enabled_tools, select

#: How many examples of an activity are shown unasked.
_EXAMPLES = 3


#: What is said of a tool that cannot be used.
_STATES = {"unset": "not set up", "setting": "fails"}


@click.group()
def tools() -> None:
    """List, show, define and call tools.

    \b
    agenthost tools list
    agenthost tools show Calculator
    """


@tools.command("list")
@json_option
@pass_session
def list_tools(session: Session, as_json: bool) -> None:
    """List the tools and their activities, by native name.

    \b
    agenthost tools list
    agenthost tools list --json
    """
    offered = _offered(session)
    rows = [_row(owned, offered) for owned in session.catalog.tools]
    if as_json:
        print_data("tools", rows)
        return
    if rows:  # in one piece: with hundreds of tools each write would be felt
        click.echo("\n".join(line for row in rows for line in _short(row)))
    for plugin in session.catalog.plugins:
        for fault in plugin.faults:
            if fault.tool:
                name = click.style(fault.tool, bold=True)
                state = f"{_STATES[fault.kind]}: {fault.text}"
                click.echo(f"{name}  {plugin.distribution} {plugin.version}  {state}")
    if not rows:
        first = "agenthost plugins install calculator"
        click.echo(f"No plugin contributes a tool. One to begin with: `{first}`.")


@tools.command("show")
@click.argument("name", shell_complete=tool_names)
@click.option("--examples", is_flag=True, help="Show all examples, not only the first ones.")
@json_option
@pass_session
def show_tool(session: Session, name: str, examples: bool, as_json: bool) -> None:
    """Show a tool or an activity: what it takes, in full.

    \b
    agenthost tools show Calculator
    agenthost tools show Calculator_evaluate --examples

    NAME is a tool, a native name, or a plugin.
    """
    wanted = select(session.catalog, session.settings, [name])
    rows = [_row(one.owned, _paths(wanted), only=True) for one in wanted]
    if as_json:
        print_data("tools", rows)
        return
    for row in rows:
        _print_long(row, most=None if examples else _EXAMPLES)


@tools.command("schema")
@click.argument("names", nargs=-1, metavar="[NAME]...", shell_complete=tool_names)
@click.option(
    "--for",
    "form",
    type=click.Choice(FORMS),
    default=FORMS[0],
    help="Whose form: our own, a provider's, or the Model Context Protocol's.",
)
@click.option("--strict", is_flag=True, help="With --for openai: have it guarantee the schemas.")
@json_option
@pass_session
def define_tools(
    session: Session, names: tuple[str, ...], form: str, strict: bool, as_json: bool
) -> None:
    """Print tools as definitions that a model is given: all that are on, or those that are named.

    \b
    agenthost tools schema Calculator --for openai

    NAME is a tool, a native name, or a plugin. Printed is a JSON list of one definition for each
    activity; with --json it stands in the envelope of all commands. No plugin is imported. Where
    a provider takes a schema in another form only, it stands in that form; what a model answers
    is to be held against the true one, as `tools call` does.
    """
    if strict and form != "openai":
        raise click.UsageError("--strict is a matter of OpenAI's: give --for openai with it.")
    wanted = select(session.catalog, session.settings, names or None)
    rows = definitions(wanted, form, strict=strict)
    if as_json:
        print_data("tool-definitions", {"for": form, "tools": rows})
    else:
        print_json(rows)


@tools.command("call")
@click.argument("name", shell_complete=activity_names)
@click.argument("input_text", metavar="[INPUT]", default="{}")
@json_option
@pass_session
def call_tool(session: Session, name: str, input_text: str, as_json: bool) -> int:
    """Run one activity on a JSON object, without any model.

    \b
    agenthost tools call Calculator_evaluate '{"expression": "23 * 19"}'
    echo '{"expression": "23 * 19"}' | agenthost tools call Calculator_evaluate -

    NAME is a native name, or TOOL.ACTIVITY. INPUT is a JSON object, {} where it is left out; with
    `-` it is read from the standard input.

    What you call yourself is not asked about, whatever it changes; only the rules under
    permissions.deny in the settings hold.
    """
    from agenthost.cli.call import call  # a listing needs none of it

    return call(session, name, input_text, as_json=as_json)


def _offered(session: Session) -> set[tuple[str, str]]:
    return _paths(enabled_tools(session.catalog, session.settings))


def _paths(wanted: Iterable[Wanted]) -> set[tuple[str, str]]:
    return {(owned.tool.name, path) for owned, paths in wanted for path in paths}


def _row(owned: OwnedTool, offered: set[tuple[str, str]], *, only: bool = False) -> dict[str, Any]:
    tool, plugin = owned
    activities = [
        {**activity._asdict(), "enabled": (tool.name, activity.path) in offered}
        for activity in tool.activities
    ]
    return {
        "name": tool.name,
        "description": tool.description,
        "plugin": plugin.name,
        "distribution": plugin.distribution,
        "version": plugin.version,
        "options": [row._asdict() for row in plugin.options if row.tool == tool.key],
        "enabled": any(activity["enabled"] for activity in activities),
        "activities": [one for one in activities if one["enabled"] or not only],
    }


def _short(row: dict[str, Any]) -> Iterator[str]:
    yield _head(row)
    for activity in row["activities"]:
        mark = "" if activity["enabled"] else " (off)"
        yield f"  {click.style(activity['native'], bold=True)}{mark}{_marks(activity)}"
        yield f"    {_first_line(activity['description'])}"


def _print_long(row: dict[str, Any], *, most: int | None) -> None:
    click.echo(_head(row))
    for option in row["options"]:
        click.echo(f"  {option_words(option)}")
    for activity in row["activities"]:
        click.echo()
        click.echo(f"{click.style(activity['native'], bold=True)}{_marks(activity)}")
        click.echo(activity["description"])
        click.echo(json.dumps(activity["schema"], indent=2, ensure_ascii=False))
        _print_examples(activity, most)


def _print_examples(activity: dict[str, Any], most: int | None) -> None:
    for example in activity["examples"][:most]:
        click.echo(f"Example: {example['question']}")
        given = json.dumps(example["input"], ensure_ascii=False)
        click.echo(f"  agenthost tools call {activity['native']} {shlex.quote(given)}")
    rest = len(activity["examples"][most:]) if most is not None else 0
    if rest:
        click.echo(f"… and {rest} more; --examples shows all.")


def _head(row: dict[str, Any]) -> str:
    origin = f"{row['distribution']} {row['version']}"
    return f"{click.style(row['name'], bold=True)}  {origin}  {row['description']}".rstrip()


def _marks(activity: dict[str, Any]) -> str:
    stated = [name.replace("_", "-") for name, value in activity["annotations"].items() if value]
    return f"  [{', '.join(stated)}]" if stated else ""


def _first_line(text: str) -> str:
    return text.split("\n", 1)[0]
