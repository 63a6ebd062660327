"""The tutorial does what it says: its files and commands, word for word, in a fresh venv."""

from __future__ import annotations

import os
import re
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


def test_the_first_plugin_has_some_twenty_lines() -> None:
    [module] = [one for one in blocks(TUTORIAL, "python") if "plugin-week" in one.file]

    lines = module.code.splitlines()[1:]  # the first one names the file

    assert len(lines) in range(18, 23)


def test_every_file_that_it_points_to_is_there() -> None:
    links = re.findall(r"\]\(([^)#:]+)", TUTORIAL.read_text(encoding="utf-8"))

    assert links
    assert [link for link in links if not (TUTORIAL.parent / link).exists()] == []


PAGE = """
```toml
# a/b.toml
c = 1
```

```console
$ cat a/b.toml
# a/b.toml
c = 1
$ cd a && echo \\
    two
three
$ ls
b.toml
$ false
$ printf 'Error: no\\n'; false
Error: …
$ read line || printf 'nothing\\nto\\nread\\n'
nothing
…
```
"""


def test_what_a_page_shows_wrongly_is_found_out(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE, encoding="utf-8")
    place = tmp_path / "place"
    place.mkdir()

    outcomes = follow(steps(page), place, os.environ)

    wrong = [one.step.command for one in outcomes if not one.is_as_shown]
    assert wrong == ["cd a && echo \\\n    two", "false"]
    assert len(outcomes) == 7
