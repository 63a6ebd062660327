"""The command line on which a test calls every command; a module may have a `line` of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.all_commands import CLERK
from support.sites import CommandLine


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    """Return a command line whose plugin was asked already what it contributes."""
    line = CommandLine.with_plugins(tmp_path_factory.mktemp("clerk"), {"clerk": CLERK})
    line.environment["AGENTHOST_PLUGINS"] = "clerk"
    line("tools", "list")
    return line


@pytest.fixture
def line(place: CommandLine) -> Iterator[CommandLine]:
    """Lend that to a test, and take away what the test has set."""
    (place.home / "answer.txt").write_text("Hello.")
    yield place
    for name in ("agenthost.toml", "keys.json"):
        (place.home / name).unlink(missing_ok=True)
