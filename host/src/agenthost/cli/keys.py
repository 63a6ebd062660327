"""`agenthost keys`: keep the keys of providers, and never show one."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from typing import Any

import click

from agenthost.cli.driver_rows import key_source, session_rows, where_words
from agenthost.cli.failures import FAILURE, NOT_FOUND, OK, CommandFailure
from agenthost.cli.lazy import ListingGroup
from agenthost.cli.names import kept_keys, key_names
from agenthost.cli.output import json_option, print_data, print_table
from agenthost.cli.session import Session, pass_session, warn
from agenthost.folders import find_folders
from agenthost.keys import KeyStore
from agenthost_sdk.errors import AgenthostError, NotFoundError, SettingsError, nearest

#: No key is nearly as long; so much is read of the standard input.
MOST_BYTES = 64 * 1024

# What a variable is called; a name that may as well be a key is not among them.
_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]*")


@click.group(cls=ListingGroup)
def keys() -> None:
    """Keep the keys of providers: set, list and remove them.

    \b
    agenthost keys set openai
    agenthost keys list
    """


class _KeylessCommand(click.Command):
    """A command that takes a name and never a key, and repeats nothing that may be one.

    The word `-` is the option that asks for the standard input.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuse all but one name, and options that are known as they stand."""
        args = ["--stdin" if one == "-" else one for one in args]
        options = {"--keyring", "--stdin", "--json", *ctx.help_option_names}
        words = [one for one in args if one not in options]
        if len(words) > 1 or any("=" in one or one.startswith("-") for one in words):
            raise click.UsageError(
                "The key is not given as an argument, where the shell's history keeps it and"
                " every process can read it. Nothing was set; if you typed the key, take it out"
                " of the history. `agenthost keys set NAME` asks for the key, and with `-` behind"
                " NAME it is read from the standard input; beside them there are --keyring and"
                " --json.",
                ctx,
            )
        return super().parse_args(ctx, args)


@keys.command("set", cls=_KeylessCommand)
@click.argument("name", metavar="NAME [-]", shell_complete=key_names)
@click.option("--stdin", is_flag=True, help="Read the key from the standard input; so does `-`.")
@click.option("--keyring", is_flag=True, help="Keep it in the system keyring, not in a file.")
@json_option
@pass_session
def set_key(session: Session, name: str, stdin: bool, keyring: bool, as_json: bool) -> None:
    """Keep a key, which is asked for on a terminal; with `-` it is read from the standard input.

    \b
    agenthost keys set openai
    pass show openai | agenthost keys set OPENAI_API_KEY -

    NAME is a driver's, or the variable under which the key is looked up. The key is kept in a
    file that only you can read, or with --keyring in the system keyring. A variable that is set
    goes before it. The key itself is never an argument.
    """
    variable = _variable(session, name)
    store = KeyStore(find_folders())
    left = store.set(variable, _read_key(variable, stdin=stdin), keyring=keyring)
    where = "the system keyring" if keyring else store.path
    if as_json:
        kept = "keyring" if keyring else "file"
        print_data("changed-key", {"name": variable, "set": True, "kept": kept})
    else:
        click.echo(f"{variable} is set, in {where}.")
    for line in (left, *_doubts(session, variable)):
        if line:
            warn(line)


@keys.command("list")
@json_option
@pass_session
def list_keys(session: Session, as_json: bool) -> None:
    """List the keys that are set: where each comes from, and whose it is. No key is shown.

    \b
    agenthost keys list
    """
    store = KeyStore(find_folders())
    rows = _rows(session, store)  # where the file cannot be read, that is the error
    for line in store.problems():
        warn(line)
    if as_json:
        print_data("keys", rows)
        return
    print_table(
        ((row["name"], _where(row), _whose(row)) for row in rows),
        empty="No key is set. Set one: `agenthost keys set NAME`. `agenthost drivers` has names.",
    )


@keys.command("remove")
@click.argument("name", shell_complete=kept_keys)
@json_option
@pass_session
def remove_key(session: Session, name: str, as_json: bool) -> int:
    """Forget a key that agenthost keeps. NAME is a driver's, or the variable's.

    \b
    agenthost keys remove openai
    agenthost keys remove OPENAI_API_KEY
    """
    store = KeyStore(find_folders())
    variable = name if name in store.places() else _variable(session, name)
    left = store.remove(variable)
    if as_json:
        print_data("changed-key", {"name": variable, "set": False, "kept": None})
    else:
        click.echo(f"{variable} is removed.")
    if left:
        warn(left)
    if _in_environment(variable):
        warn(f"The variable {variable} is set, and is used as before.")
    return FAILURE if left else OK


def _variable(session: Session, name: str) -> str:
    """Return the variable under which a key is looked up.

    Raises:
        NotFoundError: No driver has such a name.
        CommandFailure: It is no name; it may be a key, and is not in the message.
    """
    if _VARIABLE.fullmatch(name):
        return name
    known = _variables(session)
    if name in known.values():
        return name
    if name not in known:
        if nearest(name, known):
            raise NotFoundError("driver", name, known)
        raise CommandFailure(
            "That is neither a driver's name nor that of a variable, which is in capital letters."
            " It is not repeated here, since it may be a key; a key is given on the standard"
            f" input. Drivers: {', '.join(sorted(known)) or 'none'}.",
            NOT_FOUND,
            "not-found",
        )
    if not known[name]:
        raise SettingsError(f"The driver {name!r} needs no key.")
    return known[name]


def _variables(session: Session) -> dict[str, str]:
    """Return the variable of each driver's key by the driver's name; "" where it needs none."""
    return {row["name"]: row["key_env"] or "" for row in reversed(session_rows(session))}


def _read_key(variable: str, *, stdin: bool) -> str:
    if sys.stdin.isatty():
        from getpass import getpass  # only a person at a terminal needs it

        return getpass(f"{variable}: ", stream=sys.stderr)
    if not stdin:  # a program may have left a pipe open that never ends
        raise click.UsageError(
            "There is no terminal to ask for the key on. The standard input is read where `-`"
            f" says so: `… | agenthost keys set {variable} -`. Nothing was set."
        )
    given = sys.stdin.buffer.read(MOST_BYTES + 1)
    if len(given) > MOST_BYTES:
        raise SettingsError("A key is one line; what was given is far longer. Nothing was set.")
    try:
        return given.decode("utf-8-sig")  # some shells begin what they pipe with a mark
    except UnicodeDecodeError:
        problem = "The key holds characters that are no text in UTF-8. Copy it anew."
        raise SettingsError(f"{problem} Nothing was set.") from None


def _doubts(session: Session, variable: str) -> Iterator[str]:
    """Yield a line for each reason why the key may not be used."""
    if _in_environment(variable):
        yield f"The variable {variable} is set too, and goes before it."
    try:
        known = set(_variables(session).values())
    except AgenthostError:  # what is wrong there is told by every other command
        return
    near = nearest(variable, known)
    if variable not in known and near:
        yield f"No driver here looks for {variable}. Did you mean {' or '.join(near)}?"


def _rows(session: Session, store: KeyStore) -> list[dict[str, Any]]:
    kept = store.places()
    used: dict[str, list[str]] = {}
    for row in session_rows(session):
        users = used.setdefault(row["key_env"] or "", [])
        if row["name"] not in users:
            users.append(row["name"])
    return [
        {
            "name": name,
            "source": key_source(name, kept),
            "kept": kept.get(name),
            "drivers": used.get(name, []),
        }
        for name in sorted({*kept, *filter(_in_environment, used)})
    ]


def _where(row: dict[str, Any]) -> str:
    words = where_words(row["source"])
    hidden = row["kept"] if row["source"] == "environment" else None
    return f"{words}, before the one {where_words(hidden)}" if hidden else words


def _whose(row: dict[str, Any]) -> str:
    return f"for {', '.join(row['drivers'])}" if row["drivers"] else "for no driver here"


def _in_environment(variable: str) -> bool:
    return bool(os.environ.get(variable, "").strip())
