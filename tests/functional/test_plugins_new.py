"""A new plugin of each kind: its tests, types and style hold at once, and its README is true."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest

from support.installed import InstalledHost
from support.once import made_once
from support.readme import ROOT
from support.sites import Result
from support.transcripts import Step, follow, steps
from support.wheelhouse import VirtualEnvironment, Wheelhouse

#: What a plugin is checked with, as its group `dev` has it; pip, since a person's venv has it.
CHECKERS = ("mypy", "pip", "pytest", "ruff")

#: A plugin of each kind, and one of all, with a name as long as names may be, which pytest would
#: take for that of a test.
PLUGINS = {
    "weather": ("tool",),
    "brief": ("validator",),
    "echo": ("driver",),
    "lines": ("dialect",),
    "testsomewhatlongerthanmostare1": ("tool", "validator", "driver", "dialect"),
}

#: Our own rules hold for what we generate too, but for those on where we write what.
OURS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["ruff"]["lint"]

needs_bash = pytest.mark.skipif(os.name == "nt", reason="the commands are those of a POSIX shell")


@dataclass(frozen=True)
class Workshop:
    """An environment with the host and the checkers, in which each plugin is installed."""

    host: InstalledHost
    folder: Path

    def environ(self) -> dict[str, str]:
        """Return an environment in which the venv is active, and no index is there."""
        scripts = self.host.program.parent
        return self.host.environ(
            {
                "PATH": os.pathsep.join((str(scripts), os.environ["PATH"])),
                "MYPY_CACHE_DIR": str(self.host.place / "mypy"),  # the sdk is read once
                **self.host.environment.offline,
            }
        )

    def run(self, plugin: str, *command: str) -> Result:
        """Run a program of the environment in a plugin's folder."""
        program = self.host.environment.program(command[0])
        done = subprocess.run(
            [program, *command[1:]],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            env=self.environ(),
            cwd=self.folder / plugin,
            timeout=240,
            check=False,
        )
        return Result(done.returncode, done.stdout, done.stderr)


def begin(host: InstalledHost, folder: Path, name: str, *kinds: str) -> Result:
    chosen = [part for kind in kinds for part in ("--kind", kind)]
    return host("plugins", "new", name, "--path", str(folder), *chosen, "--json")


@pytest.fixture(scope="session")
def workshop(wheelhouse: Wheelhouse, tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    def make(place: Path) -> None:
        venv = wheelhouse.environment(place / "venv", "agenthost", also=CHECKERS)
        host = InstalledHost(venv, place / "maker")
        for name, kinds in PLUGINS.items():
            assert begin(host, place / name, name, *kinds).code == 0
        venv.install(*(part for name in PLUGINS for part in ("-e", place / name)))

    folder = made_once(tmp_path_factory, "workshop", make)
    venv = VirtualEnvironment(folder / "venv", wheelhouse.folder)
    return Workshop(InstalledHost(venv, tmp_path_factory.mktemp("workshop")), folder)


def checks(workshop: Workshop, plugin: str) -> list[str]:
    """Return the commands of a plugin's CI file, without those that install something."""
    file = workshop.folder / plugin / ".github" / "workflows" / "ci.yml"
    found = re.findall(r"^      - run: (.+)$", file.read_text(encoding="utf-8"), re.MULTILINE)
    return [line for line in found if "pip install" not in line]


@pytest.mark.parametrize("plugin", PLUGINS)
def test_every_check_of_its_ci_file_passes_at_once(workshop: Workshop, plugin: str) -> None:
    lines = checks(workshop, plugin)
    results = {line: workshop.run(plugin, *shlex.split(line)) for line in lines}

    assert list(results) == [
        "ruff check",
        "ruff format --check",
        "mypy",
        "pytest",
        "agenthost plugins check .",
    ]
    failed = {line: result for line, result in results.items() if result.code != 0}
    assert not failed, "\n".join(f"{line}\n{one.out}{one.err}" for line, one in failed.items())


def test_it_keeps_our_own_rules_too(workshop: Workshop) -> None:
    rules = ["--isolated", "--line-length=99", "--target-version=py311", "--config=src=['*/src']"]
    chosen = [f"--select={','.join(OURS['select'])}", f"--ignore={','.join(OURS['ignore'])}"]
    per_file = [
        f"--per-file-ignores=**/tests/**:{rule}" for rule in OURS["per-file-ignores"]["tests/**"]
    ]

    result = workshop.run(".", "ruff", "check", *rules, *chosen, *per_file, *PLUGINS)

    assert result.code == 0, result.out


@needs_bash
@pytest.mark.parametrize("plugin", PLUGINS)
def test_its_readme_shows_what_its_commands_print(workshop: Workshop, plugin: str) -> None:
    shown = [one for one in steps(workshop.folder / plugin / "README.md") if one.shown]

    outcomes = follow(shown, workshop.folder / plugin, workshop.environ())

    assert [one for one in outcomes if not one.is_as_shown] == []
    assert shown or PLUGINS[plugin] == ("dialect",)


@needs_bash
def test_the_commands_that_it_names_work_as_they_are_printed(
    wheelhouse: Wheelhouse, tmp_path: Path
) -> None:
    venv = wheelhouse.environment(tmp_path / "venv", "agenthost", also=CHECKERS)
    workshop = Workshop(InstalledHost(venv, tmp_path), tmp_path)
    begun = Step("agenthost plugins new my-words --kind tool --kind validator --kind driver")
    told = follow([begun], tmp_path, workshop.environ())[0].printed
    named = told.partition("Go on with:\n")[2].strip().splitlines()

    outcomes = follow([Step(line.strip()) for line in named], tmp_path, workshop.environ())

    failed = [(one.step.command, one.printed) for one in outcomes if one.code != 0]
    assert failed == []
    printed = {one.step.command: one.printed.strip() for one in outcomes}
    assert printed["""agenthost tools call MyWords_find '{"text": "ar"}'"""] == '["Earth", "Mars"]'
    assert " passed" in printed["python -m pytest"]


def test_what_is_made_is_told_to_a_program(plain: InstalledHost, tmp_path: Path) -> None:
    result = begin(plain, tmp_path / "new", "agenthost-plugin-my-words", "driver", "tool")

    data = result.json["data"]
    assert result.err == ""
    assert (data["name"], data["module"]) == ("my-words", "agenthost_plugin_my_words")
    assert data["kinds"] == ["tool", "driver"]
    assert Path(data["folder"]) == tmp_path / "new"
    assert data["files"] == sorted(
        path.relative_to(tmp_path / "new").as_posix()
        for path in (tmp_path / "new").rglob("*")
        if path.is_file()
    )


def test_what_is_given_stands_in_the_metadata(plain: InstalledHost, tmp_path: Path) -> None:
    options = ["--author", "Ada <ada@example.org>", "--license", "mit", "--description", "Words."]

    result = plain("plugins", "new", "words", "--path", str(tmp_path / "new"), *options)

    assert (result.code, result.err) == (0, "")
    text = (tmp_path / "new" / "pyproject.toml").read_text(encoding="utf-8")
    stated = tomllib.loads(text)["project"]
    assert (stated["description"], stated["license"]) == ("Words.", "MIT")
    assert stated["authors"] == [{"name": "Ada", "email": "ada@example.org"}]
    assert stated["dependencies"] == ["agenthost-sdk>=0.1,<0.2"]


def test_a_folder_that_cannot_be_made_is_a_failure(plain: InstalledHost, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")

    result = plain("plugins", "new", "words", "--path", str(tmp_path / "file" / "new"))

    assert (result.code, result.out) == (1, "")
    assert "cannot be written" in result.err
    assert "Traceback" not in result.err


@pytest.mark.parametrize(
    ("name", "options", "why"),
    [
        ("2fast", [], "'2fast' cannot be the name of a plugin: it needs a letter first"),
        ("agenthost", [], "the host's own"),
        ("weather", ["--author", "Ada <ada>"], "write a name"),
        ("weather", ["--kind", "wish"], "'wish' is not one of"),
        ("weather", ["--license", "mine"], "'mine' is not one of"),
        ("weather", ["--path", "."], "is not empty: .cache. Name a folder that is new or empty"),
    ],
)
def test_what_cannot_be_made_is_a_fault_of_the_command_line_and_leaves_nothing(
    plain: InstalledHost, tmp_path: Path, name: str, options: list[str], why: str
) -> None:
    host = InstalledHost(plain.environment, tmp_path)
    (host.home / ".cache").mkdir()

    result = host("plugins", "new", name, *options)

    assert (result.code, result.out) == (2, "")
    assert why in " ".join(result.err.split())
    assert [path.name for path in host.home.iterdir()] == [".cache"]


def test_the_name_of_an_installed_plugin_is_doubted(plain: InstalledHost, tmp_path: Path) -> None:
    result = begin(plain, tmp_path / "new", "calculator")

    assert result.code == 0
    assert "agenthost-plugin-calculator 0.1.0 is installed" in result.err
    assert (tmp_path / "new" / "pyproject.toml").exists()
