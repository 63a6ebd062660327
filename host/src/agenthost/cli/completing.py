"""Answer a shell that completes a command line: with names alone, whatever goes wrong."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import redirect_stderr

import click

#: The variable in which a shell's script says what it wants, such as "bash_complete".
ASKED = "_AGENTHOST_COMPLETE"


def is_asked(environ: Mapping[str, str] = os.environ) -> bool:
    """Return whether a shell's script called, and no person or program."""
    return bool(environ.get(ASKED))


def answer_shell(command: click.Command) -> int:
    """Print what may stand where the person pressed the key, and return the exit code.

    A person is in the middle of a line: what is wrong with the settings, the plugins or the line
    is no matter for now, and a word of it would stand across what they type.
    """
    from click.shell_completion import shell_complete  # only here

    with open(os.devnull, "w") as nowhere, redirect_stderr(nowhere):
        try:
            return shell_complete(command, {}, "agenthost", ASKED, os.environ[ASKED])
        except Exception:  # as above
            return 1


def script_for(shell: str) -> str:
    """Return the script of a shell that click knows."""
    from click.shell_completion import get_completion_class  # as above

    from agenthost.cli.root import cli  # which knows this command

    found = get_completion_class(shell)
    if found is None:
        raise click.UsageError(f"click has no script for {shell}.")
    return found(cli, {}, "agenthost", ASKED).source()
