"""Fixtures that tests of several folders share."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.sites import CommandLine, Site


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """Return an empty folder to install plugins in."""
    return Site(tmp_path / "site")


@pytest.fixture
def agenthost(tmp_path: Path, site: Site) -> CommandLine:
    """Return the command line, in a home of its own."""
    home = tmp_path / "home"
    home.mkdir()
    return CommandLine(home, site)
