"""`agenthost paths`: where the files are kept, and what changes that."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from support.sites import CommandLine


def test_one_variable_moves_all_of_them(agenthost: CommandLine) -> None:
    told = agenthost("paths", "--json").json

    home = agenthost.home
    assert told["kind"] == "paths"
    assert told["data"] == {
        "file": str(home / "agenthost.toml"),
        "config": str(home),
        "data": str(home / "data"),
        "cache": str(home / "cache"),
        "state": str(home / "state"),
    }


@pytest.mark.skipif(sys.platform in ("darwin", "win32"), reason="XDG is for the others")
def test_without_it_the_folders_of_the_platform_are_apart(
    agenthost: CommandLine, tmp_path: Path
) -> None:
    places = {name: str(tmp_path / name.lower()) for name in ("CONFIG", "DATA", "CACHE", "STATE")}
    variables = {f"XDG_{name}_HOME": place for name, place in places.items()}

    told = agenthost("paths", "--json", AGENTHOST_HOME="", **variables).json["data"]

    assert told["file"] == f"{places['CONFIG']}/agenthost/agenthost.toml"
    assert {name.upper(): told[name] for name in ("config", "data", "cache", "state")} == {
        name: f"{place}/agenthost" for name, place in places.items()
    }


def test_one_of_them_is_printed_alone(agenthost: CommandLine) -> None:
    assert agenthost("paths", "cache").out == f"{agenthost.home / 'cache'}\n"
    assert agenthost("paths", "file").out == agenthost("config", "path").out
    assert agenthost("paths", "cache", "--json").json["data"] == {
        "cache": str(agenthost.home / "cache")
    }


def test_all_of_them_are_a_table_for_people(agenthost: CommandLine) -> None:
    rows = dict(line.split(None, 1) for line in agenthost("paths").out.splitlines())

    assert list(rows) == ["file", "config", "data", "cache", "state"]
    assert rows["state"] == str(agenthost.home / "state")


def test_what_is_no_folder_is_answered_with_what_is(agenthost: CommandLine) -> None:
    refused = agenthost("paths", "logs")

    assert refused.code == 2
    assert "'file', 'config', 'data', 'cache', 'state'" in refused.err


def test_settings_that_cannot_be_read_hide_no_path(agenthost: CommandLine) -> None:
    (agenthost.home / "agenthost.toml").write_text("modle = 3")

    assert agenthost("paths", "file").code == 0


def test_nothing_is_made_where_nothing_is_written(agenthost: CommandLine, tmp_path: Path) -> None:
    home = tmp_path / "new"

    agenthost("paths", AGENTHOST_HOME=str(home))

    assert not home.exists()
