"""The tutorial does what it says: its files and commands, word for word, in a fresh venv."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from support.installed import InstalledHost
from support.readme import ROOT, blocks
from support.transcripts import follow, steps
from support.wheelhouse import Wheelhouse

TUTORIAL = ROOT / "docs" / "tutorial.md"

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the commands are those of a POSIX shell")


def begun(wheelhouse: Wheelhouse, folder: Path) -> dict[str, str]:
    """Prepare the folder that the reader begins in, and return the reader's environment.

    The index is replaced: what it would give lies in the environment already, before the reader
    makes that, and what is built is built with it. Our own distributions are not in it.
    """
    made = wheelhouse.environment(folder / ".venv", also=("mypy", "pytest", "ruff"))
    for member in ("sdk", "host"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / member, folder / "agenthost" / member, ignore=ignored)
    python = Path(sys.base_prefix) / "bin"
    host = InstalledHost(made, folder / "reader")
    path = os.pathsep.join((str(python), os.environ["PATH"]))
    return host.environ({**made.offline, "PATH": path})


def test_every_step_prints_what_the_tutorial_shows(wheelhouse: Wheelhouse, tmp_path: Path) -> None:
    environ = begun(wheelhouse, tmp_path)

    outcomes = follow(steps(TUTORIAL), tmp_path, environ)

    wrong = [one for one in outcomes if not one.is_as_shown]
    assert not wrong, "\n".join(f"$ {one.step.command}\n{one.printed}" for one in wrong)
    assert len(outcomes) > 25


def test_the_first_plugin_has_twenty_lines() -> None:
    [module] = [one for one in blocks(TUTORIAL, "python") if "plugin-week" in one.file]

    lines = module.code.splitlines()[1:]  # the first one names the file

    assert len(lines) <= 21
