"""Build wheels of the tree, and make real environments in which they are installed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from email.message import Message
from email.parser import Parser
from importlib import metadata
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).parents[2]

#: What is built, and where its sources are.
MEMBERS = {
    "agenthost": ROOT / "host",
    "agenthost-sdk": ROOT / "sdk",
    "agenthost-plugin-calculator": ROOT / "plugins" / "calculator",
}

#: What builds a plugin that is installed without build isolation, in editable form too.
BUILD_TOOLS = ("hatchling", "editables")

_SCRIPTS = "Scripts" if os.name == "nt" else "bin"


@dataclass(frozen=True)
class VirtualEnvironment:
    """A real environment; our own names come into it from the wheelhouse alone."""

    folder: Path
    wheels: Path

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.program("python")

    def program(self, name: str) -> Path:
        """Return a script that is installed in it."""
        return self.folder / _SCRIPTS / (f"{name}.exe" if os.name == "nt" else name)

    @property
    def offline(self) -> dict[str, str]:
        """Variables under which installers that others start do as `install` does."""
        return {
            "PIP_NO_INDEX": "1",
            "PIP_FIND_LINKS": str(self.wheels),
            "PIP_NO_BUILD_ISOLATION": "0",  # pip reads it the wrong way round: pypa/pip#5735
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "UV_NO_INDEX": "1",
            "UV_FIND_LINKS": str(self.wheels),
            "UV_NO_BUILD_ISOLATION": "1",
        }

    def install(self, *what: str | Path, **environ: str) -> None:
        """Install from the wheelhouse and from local paths; no index is asked."""
        offline = ("--no-index", "--find-links", self.wheels, "--no-build-isolation")
        _pip(self.python, "install", *offline, *what, environ=environ)

    def uninstall(self, name: str) -> None:
        """Take a distribution out again."""
        agreed = () if find_uv() else ("-y",)
        _pip(self.python, "uninstall", *agreed, name)


@dataclass(frozen=True)
class Wheelhouse:
    """A folder with wheels of the host, the sdk and a plugin, as a release has them."""

    folder: Path

    @classmethod
    def build(cls, folder: Path) -> Wheelhouse:
        """Build the wheels; nothing is written into the tree."""
        for name, sources in MEMBERS.items():
            uv = find_uv()
            if uv:
                _run([uv], "build", "--wheel", "--package", name, "--out-dir", folder, ROOT)
            else:
                pip = [sys.executable, "-m", "pip"]
                _run(pip, "wheel", "--no-deps", "--wheel-dir", folder, sources)
        return cls(folder)

    @property
    def wheels(self) -> list[Path]:
        """The wheels, in the order of their names."""
        return sorted(self.folder.glob("*.whl"))

    def requirements(self) -> list[str]:
        """Return what the wheels require of others."""
        stated = [one for wheel in self.wheels for one in _requirements(wheel)]
        return sorted({one for one in stated if not is_ours(one)})

    def environment(
        self, folder: Path, *names: str, also: Iterable[str] = ()
    ) -> VirtualEnvironment:
        """Make an environment with these of our distributions.

        What they require of others is installed first, in the versions that the tests run on;
        so no installer has a reason to look up a name of ours.

        Args:
            folder: Where it is made.
            names: Our distributions that are installed in it.
            also: Further distributions of others.
        """
        _run([sys.executable], "-m", "venv", "--without-pip", folder)
        made = VirtualEnvironment(folder, self.folder)
        constraints = folder.with_name("constraints.txt")
        constraints.write_text("\n".join(_installed_here()), encoding="utf-8")
        needed = (*self.requirements(), *BUILD_TOOLS, *also)
        _pip(made.python, "install", "--constraint", constraints, *needed)
        if names:
            made.install(*names)
        return made


def find_uv() -> str | None:
    """Return the uv that started the tests, lies beside their Python, or is on the path."""
    beside = shutil.which("uv", path=str(Path(sys.executable).parent))
    return os.environ.get("UV") or beside or shutil.which("uv")


def is_ours(requirement: str) -> bool:
    """Return whether a requirement names a distribution of this repository."""
    return requirement.lower().startswith("agenthost")


def read_metadata(wheel: Path) -> Message:
    """Return the metadata of a wheel."""
    with ZipFile(wheel) as archive:
        [name] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        return Parser().parsestr(archive.read(name).decode())


def _requirements(wheel: Path) -> Iterable[str]:
    stated = read_metadata(wheel).get_all("Requires-Dist") or []
    return [one for one in stated if not re.search(r";.*\bextra\b", one)]


def _installed_here() -> Iterable[str]:
    names = {found.name: found.version for found in metadata.distributions()}
    return sorted(f"{name}=={version}" for name, version in names.items() if not is_ours(name))


def _pip(
    python: Path, command: str, *arguments: str | Path, environ: Mapping[str, str] | None = None
) -> None:
    """Install or uninstall in the environment of that Python, which needs no pip of its own."""
    uv = find_uv()
    if uv:
        _run([uv, "pip", command, "--python", python], *arguments, environ=environ)
    else:
        pip = ("pip", "--python", python, command)
        _run([sys.executable, "-m", *pip], *arguments, environ=environ)


def _run(
    program: Sequence[str | Path], *arguments: str | Path, environ: Mapping[str, str] | None = None
) -> None:
    """Run a program in the workspace, whose settings pin what uv resolves; show why it failed."""
    command = [str(part) for part in (*program, *arguments)]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, **(environ or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} failed:\n{done.stdout}\n{done.stderr}")
