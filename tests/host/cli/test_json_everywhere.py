"""Every command takes `--json`, and answers a program in one envelope whatever happens."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import click
import pytest

from agenthost.cli.failures import guarded
from agenthost.cli.output import json_option
from agenthost.cli.root import in_front
from support.all_commands import CALLS, FAILING, NO_DATA, PATHS
from support.in_process import InProcess
from support.sites import CommandLine, Result


@pytest.fixture
def command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> InProcess:
    return InProcess(tmp_path, capsys, monkeypatch)


def envelope(result: Result) -> dict[str, Any]:
    """Return the one envelope that a command printed."""
    printed: dict[str, Any] = result.json
    assert printed["schema"] == 1
    assert set(printed) in ({"schema", "kind", "data"}, {"schema", "error"})
    return printed


def test_every_command_is_called_here() -> None:
    assert set(PATHS) == set(CALLS) | set(NO_DATA)


@pytest.mark.parametrize("path", sorted(CALLS))
def test_a_command_with_json_prints_one_envelope(line: CommandLine, path: str) -> None:
    called = line(*path.split(), *CALLS[path], "--json", input="the-key-of-the-clerk")

    printed = envelope(called)
    assert ("error" in printed) is (path in FAILING)
    if "error" in printed:
        assert printed["error"]["exit"] == called.code != 0
    assert "Traceback" not in called.err


@pytest.mark.parametrize("path", PATHS)
def test_a_wrong_command_line_is_an_envelope_too(command: InProcess, path: str) -> None:
    refused = command(*path.split(), "--json", "--no-such-option")

    error = envelope(refused)["error"]
    assert (refused.code, error["exit"], error["code"]) == (2, 2, "usage")
    assert refused.err == ""


@pytest.mark.parametrize("path", sorted(NO_DATA))
def test_what_prints_no_data_says_so_in_the_envelope(command: InProcess, path: str) -> None:
    refused = command(*path.split(), *NO_DATA[path], "--json")

    assert (refused.code, envelope(refused)["error"]["code"]) == (2, "usage")


@pytest.mark.parametrize(
    ("arguments", "near"),
    [
        (("tool", "list"), "Did you mean 'tools'?"),
        (("tools", "lst"), "Did you mean 'list'?"),
        (("plugins", "instal"), "Did you mean"),
        (("tools", "list", "--debugg"), "No such option"),
    ],
    ids=["command", "of a group", "of a lazy group", "option"],
)
def test_what_does_not_exist_is_answered_with_what_is_near(
    command: InProcess, arguments: tuple[str, ...], near: str
) -> None:
    error = envelope(command(*arguments, "--json"))["error"]

    assert near in error["message"]


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        (["--json", "tools", "list"], ["tools", "list", "--json"]),
        (["--debug", "--json", "run", "--", "-1?"], ["--debug", "run", "--json", "--", "-1?"]),
        (["tools", "list", "--json"], ["tools", "list", "--json"]),
        (["drivers", "--json"], ["drivers", "--json"]),
    ],
)
def test_json_may_stand_in_front_of_the_command(given: list[str], taken: list[str]) -> None:
    assert in_front(given) == taken


def test_settings_that_cannot_be_read_are_an_error_in_the_envelope(line: CommandLine) -> None:
    (line.home / "agenthost.toml").write_text("modle = 3")

    failed = line("--json", "tools", "list")

    error = envelope(failed)["error"]
    assert (failed.code, error["code"]) == (2, "settings")
    assert "Did you mean 'model'?" in error["message"]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
def test_an_interrupt_is_an_error_in_the_envelope(line: CommandLine, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    asked = ["tools", "call", "Clerk_wait", json.dumps({"mark": str(mark)}), "--json"]
    process = subprocess.Popen(
        [sys.executable, "-m", "agenthost", *asked],
        env=line.variables(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not mark.exists():
        time.sleep(0.02)

    os.kill(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)

    error = envelope(Result(process.returncode, out, err))["error"]
    assert (process.returncode, error["code"], error["exit"]) == (130, "interrupted", 130)


@click.command()
@json_option
def buggy(as_json: bool) -> None:
    """Have a bug."""
    raise KeyError("a bug")


def test_a_bug_is_an_error_in_the_envelope_and_a_traceback_beside_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code = guarded(buggy, ["--json"])

    written = capsys.readouterr()
    error = envelope(Result(code, written.out, written.err))["error"]
    assert (code, error["code"], error["message"]) == (1, "bug", "KeyError: 'a bug'")
    assert "Traceback" in written.err
