"""Install plugins for the time of a test."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from agenthost_sdk.testing.plugins.temporary import install_plugin
from support.checked_plugins import Install


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Install plugins that are found in `sys.path`, and forget them in the end."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.setattr(sys, "path", [str(folder), *sys.path])
    before = set(sys.modules)

    def install(code: str, name: str = "odd", distribution: str = "") -> str:
        install_plugin(folder, code, name, distribution or f"agenthost-plugin-{name}", "1.0")
        importlib.invalidate_caches()
        return name

    yield install
    for module in set(sys.modules) - before:
        if str(getattr(sys.modules[module], "__file__", "")).startswith(str(folder)):
            del sys.modules[module]
