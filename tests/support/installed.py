"""Call the `agenthost` of a real environment as a person or a program would."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import IO

from support.sites import Result
from support.wheelhouse import VirtualEnvironment

#: No further variables.
NONE: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class InstalledHost:
    """The `agenthost` of an environment, in a home where nothing else lies.

    Args:
        environment: Where it is installed.
        place: A folder of its own: the person's home, and `AGENTHOST_HOME`, are made below it.
    """

    environment: VirtualEnvironment
    place: Path

    def __post_init__(self) -> None:
        self.home.mkdir(parents=True, exist_ok=True)

    @property
    def home(self) -> Path:
        """The person's home, which stays empty."""
        return self.place / "home"

    @property
    def folder(self) -> Path:
        """Where settings, data and caches are kept."""
        return self.place / "agenthost"

    def __call__(
        self,
        *arguments: str,
        input: str | None = None,
        stdin: int | IO[bytes] | None = None,
        variables: Mapping[str, str] = NONE,
    ) -> Result:
        """Run a command to its end.

        Args:
            arguments: What the command is given.
            input: What stands on its standard input; nothing where it is not given.
            stdin: Takes the place of `input`.
            variables: Further variables of its environment.
        """
        return self.run([self.program, *arguments], input, stdin, variables)

    @property
    def program(self) -> Path:
        """The console script."""
        return self.environment.program("agenthost")

    def run(
        self,
        command: Sequence[str | Path],
        input: str | None = None,
        stdin: int | IO[bytes] | None = None,
        variables: Mapping[str, str] = NONE,
    ) -> Result:
        """Run any command where `agenthost` would run."""
        given = None if input is None else input.encode()
        nothing = subprocess.DEVNULL if stdin is None else stdin
        done = subprocess.run(
            command,
            input=given,
            stdin=None if given is not None else nothing,
            capture_output=True,
            env=self.environ(variables),
            cwd=self.home,
            timeout=120,
            check=False,
        )
        return Result(done.returncode, done.stdout.decode(), done.stderr.decode())

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """Start a command whose output is read while it runs."""
        return subprocess.Popen(
            [self.program, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self.environ(),
            cwd=self.home,
            text=True,
            encoding="utf-8",
        )

    def environ(self, variables: Mapping[str, str] = NONE) -> dict[str, str]:
        """Return an environment that owes nothing to that of the tests."""
        kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
        mine = {
            "HOME": str(self.home),
            "USERPROFILE": str(self.home),
            "AGENTHOST_HOME": str(self.folder),
            "PYTHONUTF8": "1",
        }
        return {**kept, **mine, **variables}
