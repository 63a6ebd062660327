"""The command line for the validators' tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.in_process import InProcess


@pytest.fixture
def command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> InProcess:
    """Return the command line, in a home of its own."""
    return InProcess(tmp_path, capsys, monkeypatch)
