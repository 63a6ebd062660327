"""Ask the person at the terminal whether an action may run."""

from __future__ import annotations

import json
import sys

import click

from agenthost.actions.permission import Decision
from agenthost.cli.visible import visible
from agenthost_sdk.actions import ToolAction, ToolSpec


def ask_on_terminal(action: ToolAction, spec: ToolSpec) -> Decision:
    """Show an action, and return what the person decides of it; no is the default."""
    given = json.dumps(dict(action.input), ensure_ascii=False)
    warning = " It cannot be undone." if spec.annotations.destructive else ""
    click.echo(f"{click.style(spec.native, bold=True)}({visible(given)})", err=True)
    if _agrees(f"Run it?{warning} [y/N]: "):
        return Decision(True)
    return Decision(False, f"{spec.native} was not run: the person said no.")


def _agrees(question: str) -> bool:
    # click's own question takes an interrupt and the end of the input for the same.
    while True:
        click.echo(question, nl=False, err=True)
        line = sys.stdin.readline()
        if not line:
            click.echo(err=True)
        answer = line.strip().lower()
        if answer in ("", "n", "no"):
            return False
        if answer in ("y", "yes"):
            return True
        click.echo("Answer y or n.", err=True)
