"""Each exit code comes from a real command, and stands in the README, the help and the table."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from agenthost.cli.failures import (
    DEFECT,
    DENIED,
    FAILURE,
    INTERRUPTED,
    INVALID,
    LIMIT,
    NOT_FOUND,
    OK,
    USAGE,
)
from support.sites import CommandLine

ROOT = Path(__file__).parents[3]

TRIALS = """
import time
from agenthost_sdk import BaseTool, ErrorArtifact, ToolError, activity, hookimpl
from agenthost_sdk.testing import ScriptedDriver

class Trial(BaseTool):
    '''Come to each end.'''

    @activity(read_only=True)
    def work(self, times: int = 1) -> str:
        '''Work.

        Args:
            times: How often.
        '''
        return "done"

    @activity(read_only=True)
    def fail(self) -> str:
        '''Fail.'''
        raise ToolError("That cannot be done.")

    @activity(read_only=True)
    def breaks(self) -> str:
        '''Have a bug.'''
        return {}["nothing"]

    @activity(read_only=True)
    def lacks(self) -> ErrorArtifact:
        '''Say in words of its own what went wrong.'''
        return ErrorArtifact("There is none in stock.", code="out-of-stock")

    @activity(read_only=True, timeout=0.2)
    def dawdle(self) -> str:
        '''Take too long.'''
        time.sleep(5)

    @activity(read_only=True)
    def wait(self, mark: str) -> None:
        '''Wait for an interrupt.

        Args:
            mark: A file that is made when it has begun.
        '''
        open(mark, "w").close()
        time.sleep(60)

class Talker(ScriptedDriver):
    '''Answer in words.'''

    def __init__(self, **options):
        super().__init__(["Three."] * 9, **options)

@hookimpl
def agenthost_tools():
    return [Trial]

@hookimpl
def agenthost_prompt_drivers():
    return {"talker": Talker}
"""

NUMBER = '{"type": "integer"}'

#: Commands that end with each code.
ENDS = [
    (0, ("tools", "call", "Trial_work")),
    (0, ("run", "-m", "talker", "?")),
    (1, ("tools", "call", "Trial_fail")),
    (1, ("tools", "call", "Trial_breaks")),
    (1, ("tools", "call", "Trial_lacks")),
    (2, ("tools", "call")),
    (2, ("run", "-m", "talker", "--no-such-option", "?")),
    (2, ("config", "set", "modle", "x")),
    (2, ("toools", "list")),
    (3, ("tools", "show", "broken")),
    (3, ("doctor",)),
    (4, ("tools", "call", "Trial_wrk")),
    (4, ("run", "-m", "nobody", "?")),
    (4, ("plugins", "show", "nothing")),
    (5, ("tools", "call", "Trial_work", '{"times": "often"}')),
    (5, ("run", "-m", "talker", "--schema", NUMBER, "?")),
    (7, ("tools", "call", "Trial_dawdle")),
]

CODES = {OK, FAILURE, USAGE, DEFECT, NOT_FOUND, INVALID, DENIED, LIMIT, INTERRUPTED}


@pytest.fixture(scope="module")
def line(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    """Return a command line with a plugin that comes to each end, and one that is defective."""
    plugins = {"trials": TRIALS, "broken": "import nothing_of_that_name"}
    line = CommandLine.with_plugins(tmp_path_factory.mktemp("trials"), plugins)
    line.environment["AGENTHOST_PLUGINS"] = "trials,broken"
    line("tools", "list")
    return line


@pytest.mark.parametrize(("code", "command"), ENDS, ids=lambda value: str(value)[:60])
def test_a_command_ends_with_the_code_of_what_happened(
    line: CommandLine, code: int, command: tuple[str, ...]
) -> None:
    ended = line(*command)

    assert ended.code == code, ended.err
    assert "Traceback" not in ended.err


#: Those that say in an error what happened; the others print data all the same.
ERRORS = [
    (code, command) for code, command in ENDS if code and command[0] not in ("run", "doctor")
]


@pytest.mark.parametrize(("code", "command"), ERRORS, ids=lambda value: str(value)[:60])
def test_a_program_is_told_in_a_word_of_the_table(
    line: CommandLine, code: int, command: tuple[str, ...]
) -> None:
    error = line(*command, "--json").json["error"]

    assert error["exit"] == code
    assert error["code"] in table()[code]


REASONS = {
    "fail": ("tool", "tool-error"),
    "breaks": ("tool", "exception"),
    "lacks": ("tool", "out-of-stock"),
    "dawdle": ("limit", "timeout"),
}


@pytest.mark.parametrize("activity", REASONS)
def test_what_failed_in_an_activity_has_its_own_word_besides(
    line: CommandLine, activity: str
) -> None:
    error = line("tools", "call", f"Trial_{activity}", "--json").json["error"]

    assert (error["code"], error["reason"]) == REASONS[activity]


def test_what_the_rules_deny_ends_with_6(line: CommandLine) -> None:
    denied = line("tools", "call", "Trial_work", "--json", AGENTHOST_DENY="Trial_*")

    assert denied.code == 6
    assert denied.json["error"]["code"] in table()[6]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
def test_an_interrupt_ends_with_130(line: CommandLine, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    called = ["tools", "call", "Trial_wait", json.dumps({"mark": str(mark)})]
    process = subprocess.Popen(
        [sys.executable, "-m", "agenthost", *called],
        env=line.variables(),
        stdin=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    while not mark.exists():
        time.sleep(0.02)

    os.kill(process.pid, signal.SIGINT)

    assert process.wait(timeout=60) == 130


def test_the_table_of_the_readme_has_each_code_that_there_is() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    table = readme.partition("| exit code | meaning |")[2].partition("\n\n")[0]

    rows = dict(re.findall(r"^\| (\d+) \| (.+) \|$", table, re.M))

    assert {int(code) for code in rows} == CODES == {*range(8), 130}


def table() -> dict[int, list[str]]:
    """Return the words that the documented table has for each exit code."""
    page = (ROOT / "docs" / "reference" / "exit-codes.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \| [^|]+ \| ([^|]*) \|", page, re.M)
    return {int(code): re.findall(r"`([a-z-]+)`", words) for code, words in rows}


def test_the_table_for_programs_has_each_code_and_each_word_once() -> None:
    words = [word for of_one in table().values() for word in of_one]

    assert set(table()) == CODES
    assert len(words) == len(set(words))


def test_the_help_names_each_code_that_there_is(line: CommandLine) -> None:
    told = " ".join(line("--help").out.split()).partition("Exit codes:")[2]

    assert {int(code) for code in re.findall(r"\b(\d+) [a-z]", told)} == CODES


def test_each_code_has_a_command_here() -> None:
    assert {code for code, _ in ENDS} | {DENIED, INTERRUPTED} == CODES
