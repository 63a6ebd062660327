"""Find out in what kind of environment this is, and what installs into it."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from agenthost.installing.asked import PREFIX
from agenthost.installing.installers import Installer, Pip, Uv, shown
from agenthost.installing.keepers import Keeper, Pipx, UvTool


class Interpreter(NamedTuple):
    """What decides how distributions come and go for a Python."""

    executable: str
    #: Where its packages are, and where those of the Python are that it was made of.
    prefix: Path
    base_prefix: Path
    #: The standard library's folder, where the system leaves its mark.
    stdlib: Path
    has_pip: bool
    #: The programs that are on the path; "" for one that is not.
    uv: str
    pipx: str


class Environment(NamedTuple):
    """An environment, and how plugins come and go in it."""

    #: What it is, in a few words.
    kind: str
    python: str
    #: What installs here; None where agenthost must leave that to the person.
    installer: Installer | None
    #: What writes down what was installed; None where nobody else keeps a list.
    keeper: Keeper | None = None
    #: Why nothing is installed here, and what a person does in place of it.
    advice: str = ""
    #: What a person should know of what is installed here.
    caution: str = ""

    def installation(self, name: str) -> str:
        """Return the command by which a person installs a distribution here; "" for none."""
        if self.keeper is not None:
            return self.keeper.addition(name)
        return self.installer.typed("install", name) if self.installer else ""

    def host_upgrade(self, host: str) -> str:
        """Return the command by which a person brings the host itself up to date."""
        if self.kind in ("uv tool", "pipx"):
            return f"{self.kind} upgrade {host}"
        return (self.installer or Pip(self.python)).typed("install", "--upgrade", host)

    def removal(self, name: str) -> str:
        """Return the command by which a person removes a distribution here."""
        if self.keeper is not None:
            return self.keeper.removal(name)
        return (self.installer or Pip(self.python)).typed("uninstall", name)


def this_environment() -> Environment:
    """Return the environment that this Python runs in."""
    return environment_of(this_interpreter())


def this_interpreter() -> Interpreter:
    """Return what is known of the running Python."""
    return Interpreter(
        executable=sys.executable,
        prefix=Path(sys.prefix),
        base_prefix=Path(sys.base_prefix),
        stdlib=Path(sysconfig.get_path("stdlib")),
        has_pip=find_spec("pip") is not None,
        uv=_program("uv"),
        pipx=_program("pipx"),
    )


def environment_of(python: Interpreter) -> Environment:
    """Return the environment of a Python.

    Who made it decides: uv and pipx keep a list of what belongs into it, and drop all else when
    they make it anew; what a system manages is not touched.
    """
    if (python.prefix / "uv-receipt.toml").is_file():
        return _of_uv_tool(python)
    if (python.prefix / "pipx_metadata.json").is_file():
        return _of_pipx(python)
    if (python.prefix / "conda-meta").is_dir():
        return Environment("conda", python.executable, None, advice=_conda_advice(python))
    is_venv = python.prefix != python.base_prefix
    if not is_venv and (python.stdlib / "EXTERNALLY-MANAGED").is_file():
        return Environment("externally managed", python.executable, None, advice=_OWN_PLACE)
    return _of_venv(python, "virtual environment" if is_venv else "the system's Python")


_OWN_PLACE = (
    "The system manages the packages of this Python, and nothing may be installed into it. Have"
    " agenthost in an environment of its own, with `uv tool install agenthost`, with `pipx install"
    " agenthost`, or in a virtual environment (`python -m venv FOLDER`), and ask there again."
)


def _of_uv_tool(python: Interpreter) -> Environment:
    if not python.uv:
        advice = _missing("uv", f"uv tool install agenthost --with {PREFIX}NAME")
        return Environment("uv tool", python.executable, None, advice=advice)
    keeper = UvTool(python.uv, python.prefix, str(python.base_prefix))
    return Environment("uv tool", python.executable, Uv(python.uv, python.executable), keeper)


def _of_pipx(python: Interpreter) -> Environment:
    installer = _installer(python)
    if not python.pipx or installer is None:
        missing = "uv" if python.pipx else "pipx"
        advice = _missing(missing, f"pipx inject {python.prefix.name} {PREFIX}NAME")
        return Environment("pipx", python.executable, None, advice=advice)
    keeper = Pipx(python.pipx, python.prefix, installer)
    return Environment("pipx", python.executable, installer, keeper)


def _of_venv(python: Interpreter, kind: str) -> Environment:
    installer = _installer(python)
    if not python.has_pip:
        kind = f"{kind}, without pip"
    advice = "" if installer else _no_installer(python)
    return Environment(kind, python.executable, installer, advice=advice, caution=_caution(python))


def _caution(python: Interpreter) -> str:
    """Return what happens to plugins in the environment that uv keeps for a project."""
    project = python.prefix.parent
    if not (project / "uv.lock").is_file():
        return ""
    return (
        f"This is the environment of the project in {project}: `uv sync` removes what the project"
        " does not name, and `agenthost plugins sync` installs it again."
    )


def _installer(python: Interpreter) -> Installer | None:
    if python.has_pip:
        return Pip(python.executable)
    return Uv(python.uv, python.executable) if python.uv else None


def _no_installer(python: Interpreter) -> str:
    pip = shown([python.executable, "-m", "ensurepip"])
    return (
        "This environment has no pip, and uv is not on the path. Put uv on the path, or give the"
        f" environment a pip (`{pip}`), and ask again."
    )


def _missing(program: str, command: str) -> str:
    return (
        f"This environment is made by a program that is not to be found: {program} is not on the"
        f" path. Put it there and ask again, or, where you have it: `{command}`."
    )


def _conda_advice(python: Interpreter) -> str:
    command = Pip(python.executable).typed("install", f"{PREFIX}NAME")
    return (
        "This is an environment of conda, which knows nothing of what others install into it. If"
        f" conda has the plugin, take it from there; otherwise: `{command}`, and look at"
        " `agenthost doctor` afterwards."
    )


def _program(name: str) -> str:
    """Return a program that is on the path, was named by uv itself, or lies beside this Python."""
    named = os.environ.get(name.upper(), "")
    if named and os.path.isfile(named):  # noqa: PTH113 - a text comes in and goes out
        return named
    beside = str(Path(sys.executable).parent)
    return shutil.which(name) or shutil.which(name, path=beside) or ""
