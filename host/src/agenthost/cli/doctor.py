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
from agenthost.cli.plugins.rows import coloured_state, contributions, plugin_row
from agenthost.cli.session import Session, pass_session
from agenthost.folders import Folders, find_folders
from agenthost.installing.environments import Environment, this_environment
from agenthost.installing.record import missing_from
from agenthost.keys import KeyStore
from agenthost.registry.catalog import Catalog, rebuild_catalog
from agenthost.registry.selection import unmatched_settings
from agenthost_sdk.errors import AgenthostError


@click.command()
@json_option
@pass_session
def doctor(session: Session, as_json: bool) -> int:
    """Say what is installed, what is wrong, and which command mends it.

    Every plugin is asked anew. Exits with 3 if one failed, with 2 if a setting is wrong, with 1 if
    nothing can run, or what was asked for once is not installed here.

    \b
    agenthost doctor
    agenthost doctor --json
    """
    environment = this_environment()
    folders = _folders(find_folders())
    failure = _settings_failure(session)
    if failure is not None:
        _print_failure(failure, environment, folders, as_json=as_json)
        return exit_code(failure)
    catalog = rebuild_catalog(session.settings, refresh=True)
    report = _report(session, catalog, environment, folders)
    if as_json:
        print_data("doctor", report)
    else:
        _print(catalog, report)
        session.show_tracebacks(catalog)
    return _judged(catalog, report)


def _judged(catalog: Catalog, report: dict[str, Any]) -> int:
    if any(plugin.is_defect for plugin in catalog.plugins):
        return DEFECT
    if any(plugin.state == "failed" for plugin in catalog.plugins):
        return USAGE
    if report["keys"]["broken"] or report["record"]["problem"]:
        return USAGE
    return OK if report["driver"] and not report["record"]["missing"] else FAILURE


def _settings_failure(session: Session) -> AgenthostError | None:
    try:
        session.settings  # noqa: B018 - read to see whether it can be
    except AgenthostError as error:
        return error
    return None


def _report(
    session: Session, catalog: Catalog, environment: Environment, folders: dict[str, Any]
) -> dict[str, Any]:
    plugins = [
        {
            **plugin_row(plugin, debug=session.debug),
            "uninstall": environment.removal(plugin.distribution),
        }
        for plugin in catalog.plugins
    ]
    return {
        "python": sys.version.split()[0],
        "executable": sys.executable,
        "environment": environment.kind,
        "installer": environment.installation("agenthost-plugin-NAME"),
        "advice": environment.advice,
        "folders": folders,
        "settings_file": session.settings.folders.settings_file,
        "settings_problems": list(unmatched_settings(catalog, session.settings)),
        "record": _record(session),
        "plugins": plugins,
        **_keys_and_drivers(session, catalog),
        **_driver(session),
    }


def _record(session: Session) -> dict[str, Any]:
    """Return what was asked for once and is not installed."""
    try:
        return {"missing": missing_from(session.settings.folders), "problem": ""}
    except AgenthostError as error:
        return {"missing": [], "problem": str(error)}


def _keys_and_drivers(session: Session, catalog: Catalog) -> dict[str, Any]:
    store = KeyStore(session.settings.folders)
    problems = list(store.problems())
    try:
        kept, is_broken = store.places(), False
        problems += store.keyring_problems()
    except AgenthostError:
        kept, is_broken = {}, True
    return {
        "keys": {"file": store.path, "broken": is_broken, "problems": problems},
        "drivers": driver_rows(catalog, session.settings, kept),
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


def _print(catalog: Catalog, report: dict[str, Any]) -> None:
    _print_place(report["environment"], report["folders"])
    click.echo(f"installs by  {report['installer'] or report['advice']}")
    click.echo(f"settings     {report['settings_file']}")
    for line in report["settings_problems"]:
        click.echo(f"             {line}")
    click.echo(f"runs on      {report['driver'] or 'nothing'}: {report['reason']}")
    for line in report["keys"]["problems"]:
        click.echo(f"keys         {line}")
    for row in report["drivers"]:
        title = "driver     " if row["kind"] == "prompt" else "embeddings "
        click.echo(f"{title}  {row['name']}: {row['problem'] or _key_advice(row)}")
    for plugin, row in zip(catalog.plugins, report["plugins"], strict=True):
        click.echo(
            f"plugin       {plugin.title}: {coloured_state(row['state'])}."
            f" {contributions(plugin)}".rstrip()
        )
        for fault in plugin.faults:
            click.echo(f"             {fault.text}")
        if plugin.is_defect:
            mends = f"agenthost plugins uninstall {plugin.name}, or: {row['uninstall']}"
            click.echo(f"             to remove it: {mends}")
    _print_record(report["record"])


def _key_advice(row: dict[str, Any]) -> str:
    """Return a few words about the key of a driver, with the command that sets it."""
    words = key_words(row)
    if row["key_set"] or not row["key_env"]:
        return words
    return f"{words}: agenthost keys set {row['key_env']}"


def _print_record(record: dict[str, Any]) -> None:
    if record["problem"]:
        click.echo(f"{click.style('plugins', fg='red')}      {record['problem']}")
    if record["missing"]:
        names = ", ".join(record["missing"])
        is_one = len(record["missing"]) == 1
        click.echo(
            f"plugins      {names} {'was' if is_one else 'were'} asked for once, and"
            f" {'is' if is_one else 'are'} not installed here."
        )
        click.echo("             to install what is missing: agenthost plugins sync")


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
