"""What a user has: wheels of the tree, environments they are installed in, and a home."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from support.installed import InstalledHost
from support.once import made_once
from support.readme import write_plugin
from support.wheelhouse import VirtualEnvironment, Wheelhouse

PARROT = Path(__file__).parents[1] / "support" / "distributions" / "parrot"

#: What both hosts consist of.
NAMES = ("agenthost", "agenthost-plugin-calculator")


@pytest.fixture(scope="session")
def wheelhouse(tmp_path_factory: pytest.TempPathFactory) -> Wheelhouse:
    """Return the wheels of the host, the sdk and the calculator."""
    return Wheelhouse(made_once(tmp_path_factory, "wheelhouse", Wheelhouse.build))


@pytest.fixture(scope="session")
def plain(wheelhouse: Wheelhouse, tmp_path_factory: pytest.TempPathFactory) -> InstalledHost:
    """Return a host with one plugin, the calculator, and no model."""

    def make(place: Path) -> None:
        wheelhouse.environment(place / "venv", *NAMES)

    made = made_once(tmp_path_factory, "plain", make)
    environment = VirtualEnvironment(made / "venv", wheelhouse.folder)
    return InstalledHost(environment, tmp_path_factory.mktemp("plain"))


@pytest.fixture(scope="session")
def furnished(wheelhouse: Wheelhouse, tmp_path_factory: pytest.TempPathFactory) -> InstalledHost:
    """Return a host with the calculator and two plugins of others: the README's, and the parrot.

    It is shared: a test that changes settings takes `alone`.
    """

    def make(place: Path) -> None:
        environment = wheelhouse.environment(place / "venv", *NAMES)
        parrot = shutil.copytree(PARROT, place / "parrot")
        environment.install(write_plugin(place), parrot)

    made = made_once(tmp_path_factory, "furnished", make)
    environment = VirtualEnvironment(made / "venv", wheelhouse.folder)
    return InstalledHost(environment, tmp_path_factory.mktemp("furnished"))


@pytest.fixture
def alone(furnished: InstalledHost, tmp_path: Path) -> InstalledHost:
    """Return the furnished host in a home of the test's own, in which nothing was ever run."""
    return InstalledHost(furnished.environment, tmp_path)
