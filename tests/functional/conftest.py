"""What a user has: wheels of the tree, environments they are installed in, and a home."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from support.installed import InstalledHost
from support.readme import write_plugin
from support.wheelhouse import Wheelhouse

PARROT = Path(__file__).parents[1] / "support" / "distributions" / "parrot"


@pytest.fixture(scope="session")
def wheelhouse(tmp_path_factory: pytest.TempPathFactory) -> Wheelhouse:
    """Return the wheels of the host, the sdk and the calculator."""
    return Wheelhouse.build(tmp_path_factory.mktemp("wheelhouse"))


@pytest.fixture(scope="session")
def plain(wheelhouse: Wheelhouse, tmp_path_factory: pytest.TempPathFactory) -> InstalledHost:
    """Return a host with one plugin, the calculator, and no model."""
    place = tmp_path_factory.mktemp("plain")
    names = ("agenthost", "agenthost-plugin-calculator")
    return InstalledHost(wheelhouse.environment(place / "venv", *names), place)


@pytest.fixture(scope="session")
def furnished(wheelhouse: Wheelhouse, tmp_path_factory: pytest.TempPathFactory) -> InstalledHost:
    """Return a host with the calculator and two plugins of others: the README's, and the parrot.

    It is shared: a test that changes settings takes `alone`.
    """
    place = tmp_path_factory.mktemp("furnished")
    names = ("agenthost", "agenthost-plugin-calculator")
    environment = wheelhouse.environment(place / "venv", *names)
    parrot = shutil.copytree(PARROT, place / "parrot")
    environment.install(write_plugin(place), parrot)
    return InstalledHost(environment, place)


@pytest.fixture
def alone(furnished: InstalledHost, tmp_path: Path) -> InstalledHost:
    """Return the furnished host in a home of the test's own, in which nothing was ever run."""
    return InstalledHost(furnished.environment, tmp_path)
