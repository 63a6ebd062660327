"""The settings of tests that ask plugins what they contribute."""

from __future__ import annotations

from pathlib import Path

import pytest

from agenthost.folders import Folders
from agenthost.settings import Settings
from support.readme import ROOT


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Return settings in a home of their own, on which only the test's plugins are asked."""
    ours = tuple(sorted(folder.parent.name for folder in ROOT.glob("plugins/*/pyproject.toml")))
    return Settings(home=Folders.under(str(tmp_path / "home")), disabled_plugins=ours)
