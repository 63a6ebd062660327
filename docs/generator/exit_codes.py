"""The page of exit codes: what each means, and the word for it in an error's JSON."""

from __future__ import annotations

import re

from agenthost.cli import failures
from agenthost.cli.root import cli
from generator.markdown import table


def page() -> str:
    """Return the page."""
    told = re.findall(r"(\d+) ([a-z][a-z ]*)", cli.epilog or "")
    rows = ((code, meaning, *_errors(int(code))) for code, meaning in told)
    parts = (
        "# Exit codes",
        "What else a program can rely on is told in [The command line](../command-line.md).",
        table(("code", "meaning", "`code` in the JSON", "exception in Python"), *rows),
        "`bug` is one of agenthost's own, and shows its traceback.",
    )
    return "\n\n".join(parts) + "\n"


def _errors(code: int) -> tuple[str, str]:
    names = [kind.__name__ for kind, number, _ in failures._CODES if number == code]
    return _listed(failures.words_of(code)), _listed(names)


def _listed(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
