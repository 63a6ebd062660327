"""Each page on a kind of plugin is so: its plugin, its tests and its commands, as they stand."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from agenthost_sdk import hookspecs
from agenthost_sdk.testing.plugins.found import FoundPlugin
from agenthost_sdk.testing.plugins.projects import write_metadata
from support.once import made_once
from support.readme import ROOT, blocks
from support.transcripts import follow, steps

PAGES = sorted((ROOT / "docs" / "kinds").glob("*.md"))


class Project(NamedTuple):
    """What a reader of a page has: a folder with the files that it shows, installed."""

    page: Path
    folder: Path

    @property
    def module(self) -> str:
        """The module that the entry point names."""
        [code] = (one.file for one in blocks(self.page) if one.file.startswith("src/"))
        return Path(code).parent.name

    @property
    def plugin(self) -> str:
        """The name of the entry point."""
        return self.module.removeprefix("agenthost_plugin_")

    def write(self) -> None:
        """Write the page's files, and the metadata that an installer would leave."""
        for block in blocks(self.page):
            if block.file:
                path = self.folder / block.file
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(block.code, encoding="utf-8")
        distribution = f"agenthost-plugin-{self.plugin}"
        found = FoundPlugin(
            self.plugin, self.module, distribution, "0.1.0", ("agenthost-sdk>=0.1,<0.2",)
        )
        write_metadata(self.folder / "src", (found,))


@pytest.fixture(scope="session")
def projects(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, Project]:
    """Return the project of each page, all of them installed."""

    def write(place: Path) -> None:
        for page in PAGES:
            Project(page, place / page.stem).write()

    made = made_once(tmp_path_factory, "kinds", write)
    return {page: Project(page, made / page.stem) for page in PAGES}


def environment(home: Path, *installed: Project) -> dict[str, str]:
    """Return the variables of a person who has these plugins, and uses no other."""
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("AGENTHOST_", "XDG_", "PYTEST_")) and not name.endswith("_API_KEY")
    }
    return clean | {
        "AGENTHOST_HOME": str(home),
        "AGENTHOST_PLUGINS": ",".join(one.plugin for one in installed),
        "PYTHONPATH": os.pathsep.join(str(one.folder / "src") for one in installed),
        "PYTHONIOENCODING": "utf-8",
        "PATH": os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])),
    }


def test_there_is_a_page_for_each_hook() -> None:
    hooks = [name for name in vars(hookspecs) if name.startswith("agenthost_")]

    shown = {
        page: re.findall(r"^def (agenthost_\w+)\(", page.read_text("utf-8"), re.M)
        for page in PAGES
    }

    assert {page.stem for page in PAGES} == {
        hook.removeprefix("agenthost_").replace("_", "-") for hook in hooks
    }
    assert all(f"agenthost_{page.stem.replace('-', '_')}" in shown[page] for page in PAGES)


def test_the_tests_of_all_pages_pass(projects: dict[Path, Project], tmp_path: Path) -> None:
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-W", "error"),
            *("-p", "no:cacheprovider", "-p", "no:xdist", "--rootdir", str(tmp_path)),
            *(str(one.folder / "tests") for one in projects.values()),
        ],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=environment(tmp_path, *projects.values()),
        cwd=tmp_path,
        timeout=120,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert " failed" not in done.stdout
    assert " skipped" not in done.stdout


@pytest.mark.skipif(os.name == "nt", reason="the commands are those of a POSIX shell")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_command_prints_what_its_page_shows(
    projects: dict[Path, Project], page: Path, tmp_path: Path
) -> None:
    project = projects[page]
    shown = [one for one in steps(page) if not one.command.startswith("mkdir")]

    outcomes = follow(shown, tmp_path, environment(tmp_path / "home", project))

    wrong = [one for one in outcomes if not one.is_as_shown]
    assert not wrong, "\n".join(f"$ {one.step.command}\n{one.printed}" for one in wrong)
    assert outcomes
