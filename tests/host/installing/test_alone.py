"""One process at a time changes what is installed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from agenthost.folders import Folders
from agenthost.installing.alone import Alone
from agenthost_sdk.errors import SettingsError

#: Holds the lock until its standard input ends.
HOLDS = """
import sys
from agenthost.folders import Folders
from agenthost.installing.alone import Alone

with Alone(Folders.under(sys.argv[1]), print)():
    print("held", flush=True)
    sys.stdin.read()
"""


def test_one_waits_and_says_so_until_another_has_ended(tmp_path: Path) -> None:
    said: list[str] = []
    command = [sys.executable, "-c", HOLDS, str(tmp_path)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdin
        assert other.stdout
        held = other.stdout.readline()

        def tell(line: str) -> None:
            said.append(line)
            assert other.stdin
            other.stdin.close()

        with Alone(Folders.under(str(tmp_path)), tell)():
            ended = other.wait(60)

    assert held == "held\n"
    assert said == ["Another agenthost changes what is installed; this one waits for it."]
    assert ended == 0


def test_it_may_be_entered_within_itself(tmp_path: Path) -> None:
    said: list[str] = []
    alone = Alone(Folders.under(str(tmp_path)), said.append)

    with alone(), alone():
        pass
    with Alone(Folders.under(str(tmp_path)), said.append)():
        pass

    assert said == []


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("no folder")

    with (
        pytest.raises(SettingsError, match=r"state cannot be written: .*Nothing was changed"),
        Alone(Folders.under(str(tmp_path)), print)(),
    ):
        pass
