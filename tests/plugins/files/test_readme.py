"""The plugin's README says what is so."""

from __future__ import annotations

import json
import os
import re
import tomllib
from datetime import UTC, datetime
from pathlib import Path

from agenthost_plugin_files.limits import Limits
from agenthost_plugin_files.tool import Files
from support.readme import ROOT, blocks

README = ROOT / "plugins" / "files" / "README.md"


def test_the_table_has_every_activity_with_its_arguments(root: Path) -> None:
    told = dict(re.findall(r"^\| `Files_(\w+)\((.*)\)` \|", README.read_text("utf-8"), re.M))

    specs = Files(roots=str(root)).specs()
    assert told == {spec.path: ", ".join(spec.schema["properties"]) for spec in specs}


def test_the_bounds_told_are_those_that_hold() -> None:
    told = README.read_text("utf-8")
    bounds = Limits()

    assert f"{bounds.shown:,} characters" in told
    assert f"{bounds.listed} entries | shown of a folder, of {bounds.looked_at:,} looked" in told
    assert f"{bounds.found} lines or paths | found by one action; {bounds.line} char" in told
    assert f"{bounds.walked:,} files and folders, {bounds.depth} deep" in told
    assert f"{bounds.all_bytes // 10**6} MB, {bounds.seconds:g} seconds" in told
    assert f"{bounds.file_bytes // 10**6} MB | for a file to be searched" in told
    assert bounds.written == bounds.file_bytes


def test_the_call_shown_gives_what_is_shown(tmp_path: Path) -> None:
    [settings], [shown] = blocks(README, "toml"), blocks(README, "console")
    folders = [
        tmp_path / path[2:] for path in tomllib.loads(settings.code)["tools"]["Files"]["roots"]
    ]
    for folder in folders:
        folder.mkdir(parents=True)
    (tmp_path / "notes" / "todo.txt").write_bytes(b"buy seeds\ncall the shop\n\n")
    stamp = datetime(2025, 3, 1, 9, 30, tzinfo=UTC).timestamp()
    os.utime(tmp_path / "notes" / "todo.txt", (stamp, stamp))
    call = re.search(r"Files_list '(.*)'\n(.*)\n", shown.code)

    assert call
    given = json.loads(call[1])
    assert Files(roots=[str(one) for one in folders]).list(**given) == json.loads(call[2])
