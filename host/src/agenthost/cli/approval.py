"""Ask the person at the terminal whether an action may run."""

from __future__ import annotations

import json

import click

from agenthost.actions.permission import Decision
from agenthost_sdk.actions import ToolAction, ToolSpec


def ask_on_terminal(action: ToolAction, spec: ToolSpec) -> Decision:
    """Show an action, and return what the person decides of it; no is the default."""
    given = json.dumps(dict(action.input), ensure_ascii=False)
    warning = " It cannot be undone." if spec.annotations.destructive else ""
    click.echo(f"{click.style(spec.native, bold=True)}({given})", err=True)
    if click.confirm(f"Run it?{warning}", default=False, err=True):
        return Decision(True)
    return Decision(False, f"{spec.native} was not run: the person said no.")
