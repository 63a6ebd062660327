"""`agenthost plugins new`: begin a plugin, from its name to tests that pass."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from agenthost.cli.failures import CommandFailure
from agenthost.cli.output import json_option, print_data
from agenthost.cli.session import warn
from agenthost.registry.discovery import find_plugins
from agenthost.scaffolding.names import PluginNames
from agenthost.scaffolding.project import KINDS, LICENSES, Project
from agenthost.scaffolding.steps import next_steps
from agenthost.scaffolding.writing import write_files


def _read_name(ctx: click.Context, param: click.Parameter, typed: str) -> PluginNames:
    try:
        return PluginNames.read(typed)
    except ValueError as error:
        raise click.BadParameter(str(error), ctx, param) from error


@click.command("new")
@click.argument("names", metavar="NAME", callback=_read_name)
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    type=click.Choice(KINDS),
    default=("tool",),
    show_default="tool",
    help="What it contributes; can be given several times.",
)
@click.option(
    "--path",
    "folder",
    type=click.Path(path_type=Path),
    help="The folder to make it in, new or empty; by default agenthost-plugin-NAME, here.",
)
@click.option("--description", default="", help="One line on what it is for.")
@click.option("--author", default="", help="'Name', or 'Name <name@example.org>'.")
@click.option(
    "--license",
    "licence",
    metavar="NAME",
    type=click.Choice(LICENSES, case_sensitive=False),
    help=f"{', '.join(LICENSES)}; by default none is stated.",
)
@json_option
def new(
    names: PluginNames,
    kinds: tuple[str, ...],
    folder: Path | None,
    description: str,
    author: str,
    licence: str | None,
    as_json: bool,
) -> None:
    """Begin the plugin NAME: a distribution with an example, its tests, a README and CI.

    \b
    agenthost plugins new weather
    agenthost plugins new my-words --kind tool --kind validator --author "Ada Lovelace"

    The distribution is called agenthost-plugin-NAME. Everything in it works as it stands; change
    the example into what your plugin is for.
    """
    folder = folder or Path(names.distribution)
    project = _project(names, kinds, description, author, licence or "")
    files = project.files()
    _write(folder, files)
    steps = next_steps(project, folder)
    _warn_of_namesakes(names)
    if as_json:
        print_data("new-plugin", _row(project, folder, files, steps))
        return
    click.echo(f"{names.distribution} is begun, in {folder}:")
    click.echo("".join(f"  {path}\n" for path in sorted(files)))
    click.echo("Go on with:")
    click.echo("\n".join(f"  {step}" for step in steps))


def _project(
    names: PluginNames, kinds: tuple[str, ...], description: str, author: str, licence: str
) -> Project:
    try:
        return Project(names, kinds, description, author, licence)
    except ValueError as error:
        raise click.UsageError(str(error)) from error


def _write(folder: Path, files: dict[str, str]) -> None:
    try:
        write_files(folder, files)
    except FileExistsError as error:
        raise click.UsageError(
            f"{error} Name a folder that is new or empty: --path FOLDER."
        ) from error
    except OSError as error:
        raise CommandFailure(f"{folder} cannot be written: {error}. Nothing was kept.") from error


def _warn_of_namesakes(names: PluginNames) -> None:
    """Tell whoever begins a plugin that another one of that name is installed."""
    for plugin in find_plugins():
        if names.short == plugin.name or names.distribution == plugin.distribution:
            warn(
                f"{plugin.distribution} {plugin.version} is installed, and has the plugin"
                f" {plugin.name}. Installed beside it, one of the two would be left out."
            )


def _row(
    project: Project, folder: Path, files: dict[str, str], steps: list[str]
) -> dict[str, Any]:
    names = project.names
    return {
        "name": names.short,
        "distribution": names.distribution,
        "module": names.module,
        "kinds": project.ordered,
        "folder": str(folder.absolute()),
        "files": sorted(files),
        "next": steps,
    }
