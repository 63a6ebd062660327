"""Call the command line within this process, where a process of its own would prove no more."""

from __future__ import annotations

import io
import os
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from agenthost.cli.failures import guarded
from agenthost.cli.root import cli
from support.sites import Result


@dataclass(frozen=True)
class InProcess:
    """Calls `agenthost` in a home of its own; what it writes is caught."""

    home: Path
    capsys: pytest.CaptureFixture[str]
    monkeypatch: pytest.MonkeyPatch

    def __call__(self, *arguments: str, input: str = "") -> Result:
        """Run a command to its end."""
        given = io.TextIOWrapper(io.BytesIO(input.encode()), encoding="utf-8")
        self.monkeypatch.setattr(sys, "stdin", given)
        for name in [name for name in os.environ if name.startswith("AGENTHOST_")]:
            self.monkeypatch.delenv(name)
        self.monkeypatch.setenv("AGENTHOST_HOME", str(self.home))
        self.capsys.readouterr()
        code = guarded(cli, arguments)
        written = self.capsys.readouterr()
        return Result(code, written.out, written.err)
