"""Tell what came of the tests of a plugin: a list for people, a row for programs."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping
from itertools import groupby
from typing import Any

import click

from agenthost.cli.output import without_keys
from agenthost_sdk.errors import shortened
from agenthost_sdk.testing.checks import CheckResult, PluginCheck
from agenthost_sdk.testing.plugins.found import FoundPlugin

#: A mark and its colour for each state; the second mark is for outputs that know no other.
_MARKS = {
    "passed": ("✓", "ok", "green"),
    "failed": ("✗", "FAILED", "red"),
    "left out": ("-", "-", None),
}

#: Imports of more seconds than that are said to take long; every run that uses the plugin waits.
_SLOW = 0.3


def check_row(plugin: FoundPlugin, done: PluginCheck) -> dict[str, Any]:
    """Return what a program learns of the tests of a plugin."""
    return {
        "name": plugin.name,
        "distribution": plugin.distribution,
        "version": plugin.version,
        "entry_point": plugin.value,
        "passed": done.is_passed,
        "import": dict(done.imported),
        "checks": [result._asdict() for result in done.results],
    }


def print_check(plugin: FoundPlugin, done: PluginCheck) -> None:
    """Print a line for each test, with what to do about those that failed; then the sum."""
    named = f"{plugin.name} ({plugin.distribution} {plugin.version})"
    click.echo(f"{click.style(named, bold=True)}: {plugin.value}")
    if done.imported:
        click.echo(f"  {_plain(_import_words(done.imported))}")
    ordered = sorted(done.results, key=_order(done))
    for subject, results in groupby(ordered, key=lambda result: result.subject):
        click.echo(f"\n{click.style(_plain(subject), bold=True)}")
        for result in results:
            _print_result(result)
    click.echo(f"\n{_sum(done)}")


def _import_words(imported: Mapping[str, Any]) -> str:
    count, packages = imported["modules"], imported["packages"]
    modules = "1 module" if count == 1 else f"{count} modules"
    words = f"imported in {imported['seconds'] * 1000:.0f} ms, with {modules}"
    others = shortened([f"{name} ({count})" for name, count in packages.items()], most=8)
    words = f"{words}; of other packages: {others}" if others else words
    is_slow = imported["seconds"] > _SLOW
    return f"{words}. That is long: import what takes long where it is used." if is_slow else words


def _order(done: PluginCheck) -> Any:
    """Return what sorts the results by their subject, in the order in which these come first."""
    places = {
        subject: place for place, subject in enumerate(r.subject for r in done.results[::-1])
    }
    return lambda result: -places[result.subject]


def _print_result(result: CheckResult) -> None:
    mark, plain, colour = _MARKS[result.state]
    shown = click.style(mark if _knows(mark) else plain, fg=colour)
    click.echo(f"  {shown} {_plain(result.check)}")
    lines = result.message.splitlines() if result.state != "passed" else []
    for line in (*lines, result.advice, *(f"note: {note}" for note in result.notes)):
        if line:
            click.echo(f"      {_plain(line)}")


def _sum(done: PluginCheck) -> str:
    states = Counter(result.state for result in done.results)
    notes = sum(len(result.notes) for result in done.results)
    parts = [f"{states['passed']} passed"]
    parts += [f"{states[state]} {state}" for state in ("failed", "left out") if states[state]]
    parts += [f"{notes} noted"] if notes else []
    return click.style(f"{', '.join(parts)}.", fg="green" if done.is_passed else "red")


def _knows(mark: str) -> bool:
    """Return whether the standard output can write a mark."""
    try:
        mark.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _plain(text: str) -> str:
    """Return what a plugin said without its keys, and without what would steer a terminal."""
    kept = "".join(
        letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text
    )
    encoding = sys.stdout.encoding or "ascii"
    return without_keys(kept).encode(encoding, "backslashreplace").decode(encoding)
