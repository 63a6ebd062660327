"""The page of exit codes: what each means, and the word for it in an error's JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agenthost.cli import failures
from agenthost.cli.root import cli
from generator.markdown import table

#: The words that no exception of ours stands behind.
_WORDS = {failures.USAGE: "usage", failures.INTERRUPTED: "interrupted"}


def page() -> str:
    """Return the page."""
    told = re.findall(r"(\d+) ([a-z][a-z ]*)", cli.epilog or "")
    rows = ((code, meaning, *_errors(int(code))) for code, meaning in told)
    parts = (
        "# Exit codes",
        "What else a program can rely on is told in [The command line](../command-line.md).",
        table(("code", "meaning", "`code` in the JSON", "exception in Python"), *rows),
        "A bug of agenthost's own exits with 1, has the word `bug`, and shows its traceback.",
    )
    return "\n\n".join(parts) + "\n"


def _errors(code: int) -> tuple[str, str]:
    rows = [(word, kind.__name__) for kind, number, word in failures._CODES if number == code]
    words = [_WORDS[code]] if code in _WORDS else []
    return _listed([*words, *(word for word, _ in rows)]), _listed(name for _, name in rows)


def _listed(names: Iterator[str] | list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
