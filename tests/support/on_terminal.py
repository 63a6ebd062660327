"""Run a command on a terminal of its own, and see what it shows there."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping

from support.installed import NONE
from support.sites import CommandLine


def on_terminal(
    line: CommandLine, *arguments: str, environment: Mapping[str, str] = NONE, code: int = 0
) -> str:
    """Return what a command shows on a terminal, once it has ended with that code."""
    ours, theirs = os.openpty()
    variables = line.variables({"TERM": "xterm", **environment})
    for name in {"NO_COLOR", "FORCE_COLOR"} - environment.keys():
        variables.pop(name, None)
    process = subprocess.Popen(
        [sys.executable, "-m", "agenthost", *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=variables,
        cwd=line.home,
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            piece = os.read(ours, 4096)
        except OSError:  # so Linux says that nobody has the terminal any more
            break
        if not piece:
            break
        shown += piece
    os.close(ours)
    assert process.wait(timeout=60) == code
    return shown.decode()
