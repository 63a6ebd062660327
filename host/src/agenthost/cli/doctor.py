"""`agenthost doctor`: say what is there, what is wrong, and which command mends it."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from agenthost.choice import choose_driver
from agenthost.cli.driver_rows import driver_rows, key_words
from agenthost.cli.failures import DEFECT, FAILURE, OK, USAGE, exit_code
from agenthost.cli.output import json_option, print_data
from agenthost.cli.plugins import contributions, plugin_row
from agenthost.cli.session import Session, pass_session
from agenthost.folders import Folders, find_folders
from agenthost.keys import KeyStore
from agenthost.registry.catalog import Catalog
from agenthost.registry.environment import Environment, this_environment
from agenthost.registry.selection import unmatched_options
from agenthost_sdk.errors import AgenthostError


@click.command()
@json_option
@pass_session
def doctor(session: Session, as_json: bool) -> int:
    """Say what is installed, what is wrong, and which command mends it.

    Exits with 3 if a plugin failed, with 2 if a setting is wrong, with 1 if nothing can run.
    """
    environment = this_environment()
    folders = _folders(find_folders())
    failure = _settings_failure(session)
    if failure is not None:
        _print_failure(failure, environment, folders, as_json=as_json)
        return exit_code(failure)
    report = _report(session, environment, folders)
    if as_json:
        print_data("doctor", report)
    else:
        _print(session, report)
        session.show_tracebacks(session.fresh_catalog)
    return _judged(session.fresh_catalog, report)


def _judged(catalog: Catalog, report: dict[str, Any]) -> int:
    if any(plugin.is_defect for plugin in catalog.plugins):
        return DEFECT
    if any(plugin.state == "failed" for plugin in catalog.plugins):
        return USAGE
    if report["keys"]["broken"]:
        return USAGE
    return OK if report["driver"] else FAILURE


def _settings_failure(session: Session) -> AgenthostError | None:
    try:
        session.settings  # noqa: B018 - read to see whether it can be
    except AgenthostError as error:
        return error
    return None


def _report(session: Session, environment: Environment, folders: dict[str, Any]) -> dict[str, Any]:
    plugins = [
        {
            **plugin_row(plugin, debug=session.debug),
            "uninstall": environment.uninstall(plugin.distribution),
        }
        for plugin in session.fresh_catalog.plugins
    ]
    unmatched = unmatched_options(session.fresh_catalog, session.settings)
    return {
        "python": sys.version.split()[0],
        "executable": sys.executable,
        "environment": environment.kind,
        "folders": folders,
        "settings_file": session.settings.folders.settings_file,
        "settings_problems": list(unmatched),
        "plugins": plugins,
        **_keys_and_drivers(session),
        **_driver(session),
    }


def _keys_and_drivers(session: Session) -> dict[str, Any]:
    store = KeyStore(session.settings.folders)
    problems = list(store.problems())
    try:
        kept, is_broken = store.places(), False
        problems += store.keyring_problems()
    except AgenthostError:
        kept, is_broken = {}, True
    return {
        "keys": {"file": store.path, "broken": is_broken, "problems": problems},
        "drivers": driver_rows(session.fresh_catalog, session.settings, kept),
    }


def _driver(session: Session) -> dict[str, Any]:
    """Return which driver a run would use, and why."""
    try:
        choice = choose_driver(session.registry)
    except AgenthostError as error:
        model, where = session.settings.model, session.settings.sources.get("model")
        named = f"{model!r} is set as model in {where}. " if model else ""
        return {"driver": None, "reason": f"{named}{error}"}
    passed_over = f". {' '.join(choice.passed_over)}" if choice.passed_over else ""
    model = f"{choice.name}:{choice.driver.model}"
    return {"driver": model, "reason": f"{choice.reason}{passed_over}"}


def _folders(folders: Folders) -> dict[str, Any]:
    return {
        name: {"path": path, "writable": _is_writable(path)}
        for name, path in folders._asdict().items()
    }


def _is_writable(path: str) -> bool:
    """Return whether the folder can be written to, or made."""
    while not os.path.exists(path):
        parent = os.path.dirname(path)
        if parent == path:
            return False
        path = parent
    return os.path.isdir(path) and os.access(path, os.W_OK | os.X_OK)


def _print(session: Session, report: dict[str, Any]) -> None:
    _print_place(report["environment"], report["folders"])
    click.echo(f"settings     {report['settings_file']}")
    for line in report["settings_problems"]:
        click.echo(f"             {line}")
    click.echo(f"runs on      {report['driver'] or 'nothing'}: {report['reason']}")
    for line in report["keys"]["problems"]:
        click.echo(f"keys         {line}")
    for row in report["drivers"]:
        title = "driver     " if row["kind"] == "prompt" else "embeddings "
        click.echo(f"{title}  {row['name']}: {row['problem'] or key_words(row)}")
    for plugin, row in zip(session.fresh_catalog.plugins, report["plugins"], strict=True):
        state = click.style(row["state"], fg="green" if row["state"] == "ok" else "red")
        click.echo(f"plugin       {plugin.title}: {state}. {contributions(plugin)}".rstrip())
        for fault in plugin.faults:
            click.echo(f"             {fault.text}")
        if plugin.is_defect:
            click.echo(f"             to remove it: {row['uninstall']}")


def _print_place(environment: str, folders: dict[str, Any]) -> None:
    click.echo(f"python       {sys.version.split()[0]} ({sys.executable})")
    click.echo(f"environment  {environment}")
    for name, folder in folders.items():
        state = "writable" if folder["writable"] else click.style("not writable", fg="red")
        click.echo(f"{name.ljust(11)}  {folder['path']} ({state})")


def _print_failure(
    failure: AgenthostError,
    environment: Environment,
    folders: dict[str, Any],
    *,
    as_json: bool,
) -> None:
    if as_json:
        print_data("doctor", {"settings_error": str(failure), "folders": folders})
        return
    _print_place(environment.kind, folders)
    click.echo(f"{click.style('settings', fg='red')}     {failure}")
