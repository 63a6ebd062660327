"""`agenthost plugins install`: install a plugin, see that it works, and say what it brings."""

from __future__ import annotations

from pathlib import Path

import click

from agenthost.cli.failures import DEFECT, CommandFailure
from agenthost.cli.output import json_option, print_data
from agenthost.cli.plugins.changing import WithFurther, further_arguments, usage, workshop
from agenthost.cli.plugins.reports import done_row, plan_row, print_arrival, print_plan
from agenthost.cli.session import Session, pass_session
from agenthost.installing.asked import Asked, read_asked, read_editable, read_list
from agenthost.installing.distributions import constraints_of
from agenthost.installing.installers import Choices
from agenthost.registry.entries import HOST


@click.command(cls=WithFurther)
@click.argument("what", nargs=-1)
@click.option("-e", "--editable", multiple=True, metavar="PATH", help="Install it in place.")
@click.option(
    "-r",
    "--requirement",
    multiple=True,
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Install what a file names, one a line.",
)
@click.option("--upgrade", is_flag=True, help="Take the newest version that will do.")
@click.option("--pre", is_flag=True, help="Let versions before a release do.")
@click.option("--index-url", default="", metavar="URL", help="Ask this index, not the usual one.")
@click.option("--exact", is_flag=True, help="Take names as they are: no agenthost-plugin- before.")
@click.option("--keep", is_flag=True, help="Keep it though it does not work, if the host does.")
@click.option("--dry-run", is_flag=True, help="Show the commands, and change nothing.")
@json_option
@pass_session
def install(
    session: Session,
    what: tuple[str, ...],
    editable: tuple[str, ...],
    requirement: tuple[Path, ...],
    upgrade: bool,
    pre: bool,
    index_url: str,
    exact: bool,
    keep: bool,
    dry_run: bool,
    as_json: bool,
) -> int | None:
    """Install plugins, and see that they work beside the host.

    WHAT is a short name (weather is agenthost-plugin-weather), a distribution, a path to a
    project, a wheel or an archive, or an address. What does not work is removed again, and what
    works is written down for `plugins sync`. What stands behind -- is for the installer, and is
    not written down.

    \b
    agenthost plugins install weather
    agenthost plugins install 'weather[maps]>=1,<2'
    agenthost plugins install -e ./agenthost-plugin-mine
    agenthost plugins install ./dist/agenthost_plugin_mine-0.1.0-py3-none-any.whl
    """
    asked = _asked(what, editable, requirement, exact=exact)
    choices = Choices(upgrade, pre, index_url, further_arguments())
    shop = workshop(session.settings, as_json=as_json)
    if dry_run:
        commands, held = shop.planned(asked, choices), constraints_of(HOST)
        if as_json:
            print_data("plan", plan_row(commands, held))
        else:
            print_plan(commands, held)
        return None
    done = shop.install(asked, choices, keep=keep)
    if as_json:
        print_data("installed", done_row(session, done))
        return DEFECT if done.defects else None
    print_arrival(session, done)
    if done.defects:
        names = ", ".join(one.name for one in done.distributions)
        raise CommandFailure(f"{names} does not work, and was kept, as asked.", DEFECT, "plugin")
    return None


@usage
def _asked(
    what: tuple[str, ...], editable: tuple[str, ...], files: tuple[Path, ...], *, exact: bool
) -> list[Asked]:
    texts = [*what, *(text for file in files for text in read_list(file))]
    asked = [*read_asked(texts, exact=exact), *map(read_editable, editable)]
    if not asked:
        raise click.UsageError("Say what to install: a name, a path, or an address.")
    return asked
