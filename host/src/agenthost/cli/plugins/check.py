"""`agenthost plugins check`: hold a plugin against what the host expects, before others use it."""

from __future__ import annotations

import click

from agenthost.cli.failures import DEFECT, OK
from agenthost.cli.names import plugin_names
from agenthost.cli.output import json_option, print_data
from agenthost.cli.session import Session, pass_session


@click.command()
@click.argument("what", metavar="[PATH|NAME]", default=".", shell_complete=plugin_names)
@click.option(
    "-o",
    "--option",
    "options",
    multiple=True,
    metavar="TOOL.OPTION=VALUE",
    help="What a tool is made with, beside the settings; several times.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=300.0,
    show_default=True,
    metavar="SECONDS",
    help="How long the tests of a plugin may take.",
)
@json_option
@pass_session
def check(
    session: Session, what: str, options: tuple[str, ...], timeout: float, as_json: bool
) -> int:
    """Run the tests that every plugin should pass, and say what to do about those that fail.

    PATH is the folder of a project; it need not be installed, but what it depends on must be. NAME
    is an installed plugin or its distribution. Without either it is the folder one is in.

    \b
    agenthost plugins check
    agenthost plugins check ./agenthost-plugin-weather
    agenthost plugins check weather --json -o Weather.unit=kelvin

    The plugin runs in processes of its own: its activities that only read, with the inputs of
    their examples, too. Exits with 3 if a test failed. The same tests run under pytest:
    `agenthost_sdk.testing.conformance_of`.
    """
    from agenthost.cli.plugins.check_report import check_row, print_check  # the help needs neither
    from agenthost.cli.plugins.checking import checked_plugins, with_options

    settings = with_options(session.settings, options)
    checked = checked_plugins(settings, what, timeout)
    if as_json:
        rows = [check_row(plugin, done) for plugin, done in checked]
        print_data("plugin-checks", rows, is_foreign=True)
    else:
        for plugin, done in checked:
            print_check(plugin, done)
    is_passed = all(done.is_passed for _, done in checked)
    return OK if is_passed else DEFECT
