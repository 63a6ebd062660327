"""What the commands do with their streams: nothing is read unasked, and no colour is piped."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.all_commands import CALLS, NO_DATA
from support.in_process import InProcess
from support.on_terminal import on_terminal
from support.sites import CommandLine, Result

#: What stands in the standard input of a command that is not to look at it.
UNREAD = b"the standard input\n"


@pytest.fixture
def command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> InProcess:
    """Return the command line within this process."""
    return InProcess(tmp_path, capsys, monkeypatch)


def with_open_pipe(line: CommandLine, *arguments: str, **environment: str) -> Result:
    """Run a command whose standard input is a pipe that never ends, and that it must not read."""
    reading, writing = os.pipe()
    os.write(writing, UNREAD)
    done = subprocess.run(
        [sys.executable, "-m", "agenthost", *arguments],
        stdin=reading,
        env=line.variables(environment),
        cwd=line.home,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    left = os.read(reading, 1024)
    os.close(reading)
    os.close(writing)
    assert left == UNREAD
    return Result(done.returncode, done.stdout, done.stderr)


#: The same calls, but that none asks for the standard input.
UNASKED = {
    path: tuple(word for word in words if word != "-")
    for path, words in {**CALLS, **NO_DATA}.items()
}


@pytest.mark.parametrize("path", sorted(UNASKED))
def test_a_pipe_is_neither_read_nor_waited_for_nor_coloured(line: CommandLine, path: str) -> None:
    ended = with_open_pipe(line, *path.split(), *UNASKED[path])

    assert "Traceback" not in ended.err
    assert "\x1b" not in ended.out + ended.err


@pytest.mark.parametrize("path", sorted(UNASKED))
def test_no_help_and_no_wrong_command_line_is_coloured_in_a_pipe(
    command: InProcess, path: str
) -> None:
    told, refused = command(*path.split(), "--help"), command(*path.split(), "--no-such-option")

    assert (told.code, refused.code) == (0, 2)
    assert "\x1b" not in told.out + told.err + refused.out + refused.err


def test_the_help_reads_nothing_either(line: CommandLine) -> None:
    assert with_open_pipe(line, "--help").code == 0
    assert with_open_pipe(line).code == 2


@pytest.mark.parametrize(
    ("arguments", "given", "printed"),
    [
        (("run", "-m", "clerk", "-"), "Hello?", "Hello.\n"),
        (("tools", "call", "Clerk_greet", "-"), '{"name": "Ada"}', "Hello Ada\n"),
        (("validators", "run", "kind", "-"), "Hello.", "accepted\n"),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else None,
)
def test_a_dash_asks_for_the_standard_input(
    line: CommandLine, arguments: tuple[str, ...], given: str, printed: str
) -> None:
    assert line(*arguments, input=given).out == printed


def test_an_empty_standard_input_is_an_empty_question(line: CommandLine) -> None:
    asked = line("run", "-m", "clerk", "-", input="")

    assert (asked.code, asked.out) == (2, "")
    assert "The question is empty." in asked.err


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
@pytest.mark.parametrize(
    ("arguments", "environment", "coloured"),
    [
        ((), {}, True),
        ((), {"NO_COLOR": "1"}, False),
        ((), {"NO_COLOR": ""}, True),
        ((), {"TERM": "dumb"}, False),
        (("--color", "never"), {}, False),
        (("--color=never",), {"FORCE_COLOR": "1"}, False),
        (("--color", "always"), {"NO_COLOR": "1"}, True),
    ],
)
def test_a_terminal_is_coloured_unless_somebody_wants_none(
    line: CommandLine, arguments: tuple[str, ...], environment: dict[str, str], coloured: bool
) -> None:
    shown = on_terminal(line, *arguments, "tools", "list", environment=environment)

    assert "Clerk_greet" in shown
    assert ("\x1b[" in shown) is coloured
