"""What installs distributions: pip, or uv; each as the list of a command's arguments."""

from __future__ import annotations

import os
import re
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

    @property
    def variables(self) -> dict[str, str]:
        """The environment variables with which `install` is run."""

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

    @property
    def variables(self) -> dict[str, str]:
        """None."""
        return {}

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

    @property
    def variables(self) -> dict[str, str]:
        """What has the host stay as it is, whose packages may be a plugin's neighbours.

        A plugin in the workspace of the host would have them installed anew, in place.
        """
        ours = os.environ.get("UV_NO_SOURCES_PACKAGE", "").split()
        return {"UV_NO_SOURCES_PACKAGE": " ".join([*ours, "agenthost", "agenthost-sdk"])}

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
    line = subprocess.list2cmdline(command) if sys.platform == "win32" else shlex.join(command)
    return without_secrets(line)


def without_secrets(text: str) -> str:
    """Return what an installer is told, or says, without secrets.

    A user without a password is one too: so tokens are written into addresses.
    """
    from agenthost_sdk import redaction  # only those who show something need it

    return _LONE_USER.sub(rf"\1{redaction.REDACTED}@", redaction.without_secrets(text))


_LONE_USER = re.compile(r"(https?://)[^\s/?#:@*]{1,400}@")
