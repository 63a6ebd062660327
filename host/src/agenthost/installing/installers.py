"""What installs distributions: pip, or uv; each as the list of a command's arguments."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from agenthost.installing.asked import Asked


class Choices(NamedTuple):
    """How to install, as the person chose."""

    upgrade: bool = False
    #: Whether versions before a release will do.
    pre: bool = False
    #: The index that is asked in place of the usual one; "" for that.
    index_url: str = ""
    #: Further arguments for the installer, as they stand.
    further: tuple[str, ...] = ()


class Installer(Protocol):
    """Makes the commands that change an environment."""

    def install(
        self, asked: Sequence[Asked], choices: Choices, constraints: Path | str
    ) -> list[str]:
        """Return the command that installs, with nothing in conflict with the constraints."""

    def put_back(self, texts: Iterable[str]) -> list[str]:
        """Return the command that installs exactly these again, and nothing that they require."""

    def uninstall(self, names: Iterable[str]) -> list[str]:
        """Return the command that uninstalls, and asks nothing."""

    def typed(self, command: str, *arguments: str) -> str:
        """Return "install" or "uninstall" as a person types it."""


class Pip(NamedTuple):
    """The pip of an environment."""

    python: str

    def install(
        self, asked: Sequence[Asked], choices: Choices, constraints: Path | str
    ) -> list[str]:
        """Return the command that installs; what is there already stays, if it does."""
        return [
            *self._pip("install"),
            *(["--constraint", str(constraints)] if constraints else []),
            *(["--upgrade"] if choices.upgrade else []),
            *(["--pre"] if choices.pre else []),
            *(["--index-url", choices.index_url] if choices.index_url else []),
            *choices.further,
            *(argument for one in asked for argument in one.arguments),
        ]

    def put_back(self, texts: Iterable[str]) -> list[str]:
        """Return the command that installs exactly these again."""
        return [*self._pip("install"), "--no-deps", "--force-reinstall", *texts]

    def uninstall(self, names: Iterable[str]) -> list[str]:
        """Return the command that uninstalls."""
        return [*self._pip("uninstall"), "--yes", *names]

    def typed(self, command: str, *arguments: str) -> str:
        """Return "install" or "uninstall" as a person types it."""
        return shown([self.python, "-m", "pip", command, *arguments])

    def _pip(self, command: str) -> list[str]:
        # Without -P a module beside which a person happens to stand could take pip's place.
        return [self.python, "-P", "-m", "pip", command, "--no-input", *_QUIET_OF_ITSELF]


_QUIET_OF_ITSELF = ("--disable-pip-version-check",)


class Uv(NamedTuple):
    """uv, for an environment that may have no pip."""

    uv: str
    python: str

    def install(
        self, asked: Sequence[Asked], choices: Choices, constraints: Path | str
    ) -> list[str]:
        """Return the command that installs; of an upgrade, only what was asked for is renewed."""
        return [
            *self._pip("install"),
            *(["--constraint", str(constraints)] if constraints else []),
            *(_renewed(asked) if choices.upgrade else []),
            *(["--prerelease", "allow"] if choices.pre else []),
            *(["--default-index", choices.index_url] if choices.index_url else []),
            *choices.further,
            *(argument for one in asked for argument in one.arguments),
        ]

    def put_back(self, texts: Iterable[str]) -> list[str]:
        """Return the command that installs exactly these again."""
        return [*self._pip("install"), "--no-deps", "--reinstall", *texts]

    def uninstall(self, names: Iterable[str]) -> list[str]:
        """Return the command that uninstalls."""
        return [*self._pip("uninstall"), *names]

    def typed(self, command: str, *arguments: str) -> str:
        """Return "install" or "uninstall" as a person types it."""
        return shown([*self._pip(command), *arguments])

    def _pip(self, command: str) -> list[str]:
        return [self.uv, "pip", command, "--python", self.python]


def _renewed(asked: Iterable[Asked]) -> list[str]:
    arguments: list[str] = []
    for one in asked:
        if one.name:
            option = "--reinstall-package" if one.path else "--upgrade-package"
            arguments += [option, one.name]
    return arguments


def shown(command: Sequence[str]) -> str:
    """Return a command as a person types it, without credentials."""
    from agenthost_sdk.redaction import without_secrets  # only those who show one need it

    line = subprocess.list2cmdline(command) if sys.platform == "win32" else shlex.join(command)
    return without_secrets(line)
