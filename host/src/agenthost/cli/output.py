"""Print data: tables for people, one JSON envelope for programs."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from typing import Any, TextIO

import click

#: The version of the envelope; it grows when a field changes its meaning or goes.
SCHEMA = 1

#: `--json` on a command that prints data.
json_option: Callable[[Any], Any] = click.option(
    "--json", "as_json", is_flag=True, help="Print JSON for programs."
)


def print_data(kind: str, data: Any) -> None:
    """Print data in the envelope."""
    print_json({"schema": SCHEMA, "kind": kind, "data": data})


def print_error(error: dict[str, Any]) -> None:
    """Print an error in the envelope, on the standard output as all JSON is."""
    print_json({"schema": SCHEMA, "error": error})


def print_json(value: Any) -> None:
    """Print a value as JSON, without the envelope."""
    import json  # neither the help nor a table needs it

    unicode = (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")
    click.echo(json.dumps(value, ensure_ascii=not unicode, indent=2, default=str))


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
    lines = [list(row) for row in rows]
    if not lines:
        click.echo(empty)
        return
    widths = [max(len(row[column]) for row in lines) for column in range(len(lines[0]))]
    for row in lines:
        first, *others = (text.ljust(width) for text, width in zip(row, widths, strict=True))
        click.echo("  ".join((click.style(first, bold=True), *others)).rstrip())
