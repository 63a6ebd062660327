"""Fixtures that tests of several folders share, and how the tests are spread over processes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agenthost_sdk.keys import forget_secrets
from support.scheduling import Scheduling
from support.sites import CommandLine, Site

# What the tests start keeps its compiled modules, as with everybody; without them each of the
# many processes would compile all that it imports.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Run a choice of the tests in this process: starting others would take longer."""
    is_whole = [Path(named).resolve() for named in config.args] == [Path(__file__).parent]
    return None if is_whole and not config.option.keyword else 0


def pytest_configure() -> None:
    """Where processes share the machine, let no example of a property fail for its time."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        from hypothesis import settings  # takes long, and few tests need it

        settings.register_profile("untimed", settings.default, deadline=None)
        settings.load_profile("untimed")


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Scheduling | None:
    """Spread the tests in our own way, where no other was asked for."""
    return Scheduling(config, log) if config.option.dist == "load" else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse names that differ from process to process."""
    for item in items:
        if " at 0x" in item.nodeid:
            raise pytest.UsageError(f"{item.nodeid}: use ids=shown, of support.parameters.")


@pytest.fixture(autouse=True)
def _no_secrets_of_other_tests() -> Iterator[None]:
    """Let no key of one test be taken out of the texts of the next."""
    yield
    forget_secrets()


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


@pytest.fixture(params=[False, True], ids=["blocking", "async"])
def is_async(request: pytest.FixtureRequest) -> bool:
    """Run the test once in blocking code, and once on an event loop."""
    return bool(request.param)
