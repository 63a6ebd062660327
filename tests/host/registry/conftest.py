"""Fixtures for tests that load plugins into this process."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from agenthost.folders import Folders
from agenthost.settings import Settings
from support.sites import Site


@pytest.fixture
def installed(site: Site, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """Return a site whose plugins this process can import; they are forgotten afterwards."""
    monkeypatch.syspath_prepend(str(site.folder))
    yield site
    for name in [name for name in sys.modules if name.startswith("plugin_")]:
        del sys.modules[name]


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Return settings in a home of their own, on which only the test's plugins are asked."""
    ours = ("calculator", "datetime", "local", "openai", "text", "units", "validators")
    return Settings(home=Folders.under(str(tmp_path / "home")), disabled_plugins=ours)
