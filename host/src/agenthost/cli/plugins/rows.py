"""Tell of a plugin in the words of the listings: a row for programs, a line for people."""

from __future__ import annotations

import re
from typing import Any

import click

from agenthost.registry.entries import PluginRecord

#: What a plugin may contribute, by the names of the fields of a row.
KINDS = (
    "tools",
    "drivers",
    "embedding_drivers",
    "drivers_configs",
    "validators",
    "dialects",
    "guards",
    "commands",
    "executors",
)

#: How a state is coloured; the others are as they are.
_COLOURS = {"ok": "green", "failed": "red", "incompatible": "red", "conflict": "yellow"}


def plugin_row(plugin: PluginRecord, *, debug: bool = False) -> dict[str, Any]:
    """Return what a program learns of a plugin; tracebacks only for those who debug."""
    return {
        "name": plugin.name,
        "distribution": plugin.distribution,
        "version": plugin.version,
        "state": plugin.state,
        "error": plugin.error,
        "faults": [
            {"kind": fault.kind, "text": fault.text, **({"detail": fault.detail} if debug else {})}
            for fault in plugin.faults
        ],
        "seconds": plugin.seconds,
        "entry_point": plugin.value,
        "hooks": plugin.hooks,
        "tools": [tool.name for tool in plugin.tools],
        "drivers": [driver.name for driver in plugin.drivers],
        "embedding_drivers": [driver.name for driver in plugin.embeddings],
        "drivers_configs": [config.name for config in plugin.drivers_configs],
        "validators": [validator.name for validator in plugin.validators],
        "dialects": [dialect.name for dialect in plugin.dialects],
        "guards": [guard.name for guard in plugin.guards],
        "commands": [command.name for command in plugin.commands],
        "executors": [executor.name for executor in plugin.executors],
        "listens": "agenthost_event_listeners" in plugin.hooks,
    }


def contributions(plugin: PluginRecord) -> str:
    """Return in one line what a plugin contributes."""
    row = plugin_row(plugin)
    named = [f"{kind.replace('_', ' ')}: {', '.join(row[kind])}" for kind in KINDS if row[kind]]
    return "; ".join([*named, *(["listens to events"] if row["listens"] else [])])


def lacking(plugin: PluginRecord) -> str:
    """Return in a few words which options the tools of a plugin wait for."""
    named = [
        one for fault in plugin.faults if fault.kind == "unset" for one in _option(fault.text)
    ]
    return f"lacks {', '.join(dict.fromkeys(named))}" if named else ""


def _option(text: str) -> list[str]:
    return re.findall(r"`agenthost config set (\S+)", text)


def state_words(state: str) -> str:
    """Return a state as people read it."""
    return "not set up" if state == "unset" else state


def coloured_state(state: str) -> str:
    """Return a state as people read it, coloured where that says something."""
    words = state_words(state)
    return click.style(words, fg=_COLOURS[state]) if state in _COLOURS else words
