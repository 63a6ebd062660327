"""Where settings, data, caches and state live."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import platformdirs
import pytest

from agenthost.folders import find_folders, write_whole


def test_one_variable_names_the_folder_of_everything(tmp_path: Path) -> None:
    folders = find_folders({"AGENTHOST_HOME": str(tmp_path)})

    assert folders.settings_file == str(tmp_path / "agenthost.toml")
    assert {Path(one).parent for one in folders[1:]} == {tmp_path}


def test_without_that_variable_the_folders_are_those_of_the_platform() -> None:
    environ = {name: value for name, value in os.environ.items() if name != "AGENTHOST_HOME"}

    folders = find_folders(environ)

    assert folders.config == platformdirs.user_config_dir("agenthost", appauthor=False)
    assert folders.data == platformdirs.user_data_dir("agenthost", appauthor=False)
    assert folders.cache == platformdirs.user_cache_dir("agenthost", appauthor=False)
    assert folders.state == platformdirs.user_state_dir("agenthost", appauthor=False)


@pytest.mark.skipif(sys.platform in ("darwin", "win32"), reason="XDG is for the others")
def test_the_xdg_variables_are_heeded_where_they_are_absolute() -> None:
    folders = find_folders({"XDG_CACHE_HOME": "/elsewhere", "XDG_DATA_HOME": "relative"})

    assert folders.cache == "/elsewhere/agenthost"
    assert folders.data.endswith("/.local/share/agenthost")
    assert folders.state.endswith("/.local/state/agenthost")


def test_a_file_is_replaced_as_a_whole_and_its_link_stays(tmp_path: Path) -> None:
    real = tmp_path / "dotfiles" / "agenthost.toml"
    real.parent.mkdir()
    real.write_text("old")
    link = tmp_path / "agenthost.toml"
    link.symlink_to(real)

    write_whole(str(link), "new")

    assert link.is_symlink()
    assert real.read_text() == "new"
    assert [path.name for path in real.parent.iterdir()] == ["agenthost.toml"]
