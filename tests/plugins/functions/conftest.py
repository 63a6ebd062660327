"""Files of functions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from agenthost_plugin_functions.tool import Functions


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Return what writes a file of functions."""

    def write(code: str, name: str = "mine.py") -> Path:
        path = tmp_path / name
        path.write_text(dedent(code), encoding="utf-8")
        return path

    return write


@pytest.fixture
def functions(write: Callable[..., Path]) -> Callable[[str], Functions]:
    """Return what makes the tool of some code."""
    return lambda code: Functions(files=str(write(code)))
