"""Print data: tables for people, one JSON envelope for programs."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from json import JSONEncoder  # as it is before any plugin is imported, which may patch it
from typing import Any, TextIO

import click

#: The version of the envelope; it grows when a field changes its meaning or goes.
SCHEMA = 1

#: `--json` on a command that prints data.
json_option: Callable[[Any], Any] = click.option(
    "--json", "as_json", is_flag=True, help="Print JSON for programs."
)


def print_data(kind: str, data: Any, *, is_foreign: bool = False) -> None:
    """Print data in the envelope.

    Args:
        kind: What they are.
        data: JSON values.
        is_foreign: Whether a model or a tool made them, which may have come across a key.
    """
    print_json({"schema": SCHEMA, "kind": kind, "data": data}, is_foreign=is_foreign)


def print_error(error: dict[str, Any]) -> None:
    """Print an error in the envelope, on the standard output as all JSON is."""
    print_json({"schema": SCHEMA, "error": error})


def print_json(value: Any, *, is_foreign: bool = False) -> None:
    """Print a value as JSON, without the envelope; of what is foreign, as in `print_data`."""
    unicode = (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")
    text = JSONEncoder(ensure_ascii=not unicode, indent=2, default=str).encode(value)
    click.echo(without_keys(text) if is_foreign else text)


def print_foreign(text: str, file: TextIO | None = None, *, nl: bool = True) -> None:
    """Print what a model or a tool said: it cannot steer a terminal, and is whole in a pipe.

    Args:
        text: What was said, without keys.
        file: Where to; the standard output where nothing is given.
        nl: Whether a line ends with it.
    """
    from agenthost.cli.visible import visible  # a listing needs it not

    is_read_here = (file or sys.stdout).isatty()
    click.echo(visible(text) if is_read_here else text, file=file, nl=nl, color=True)


def without_keys(text: str) -> str:
    """Return what a model or a tool said without the keys that were found for drivers.

    The values of other variables stay: a password may be any word.
    """
    from agenthost_sdk import redaction  # neither the help nor a listing needs it

    return redaction.without_keys(text, {})


@contextmanager
def output_kept_clean() -> Iterator[TextIO]:
    """Send what others print meanwhile to the standard error, also what their processes print.

    Yields the standard output itself, for the one who has something to say there.
    """
    sys.stdout.flush()
    encoding, errors = sys.stdout.encoding, sys.stdout.errors
    kept = os.fdopen(os.dup(1), "w", encoding=encoding, errors=errors, closefd=True)
    os.dup2(2, 1)
    try:
        with redirect_stdout(sys.stderr):
            yield kept
    finally:
        kept.flush()
        os.dup2(kept.fileno(), 1)
        kept.close()


def print_table(rows: Iterable[Sequence[str]], *, empty: str) -> None:
    """Print rows in columns, the first one bold, the last one as long as it is.

    Args:
        rows: Texts; all rows are of one length.
        empty: What is printed in place of no rows.
    """
    for line in table_lines(rows) or [empty]:
        click.echo(line)


def table_lines(rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of a table, as `print_table` prints them."""
    columns = [list(row) for row in rows]
    widths = [max(map(len, column)) for column in zip(*columns, strict=True)]
    return [_line(row, widths) for row in columns]


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = (text.ljust(width) for text, width in zip(row, widths, strict=True))
    return "  ".join((click.style(first, bold=True), *others)).rstrip()
