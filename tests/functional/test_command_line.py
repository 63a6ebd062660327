"""The command line as people and programs meet it: codes, streams, pipes, interrupts, folders."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path
from typing import IO

import pytest

from agenthost import __version__
from support.installed import InstalledHost

CALCULATE = ("tools", "call", "Calculator_evaluate")
SUM = '{"expression": "23 * 19"}'

#: A command for each exit code but 130 and 6, and what it says for it.
ENDINGS = {
    "done": (0, [*CALCULATE, SUM], "437"),
    "an activity failed": (1, ["tools", "call", "Nest_fall"], "The nest is too high up."),
    "a driver failed": (1, ["run", "-m", "parrot:hoarse", "Hello"], "the parrot has no voice"),
    "an unknown option": (2, ["tools", "list", "--jsno"], "--json"),
    "an unknown command": (2, ["tolls"], "tools"),
    "an argument too few": (2, ["tools", "call"], "NAME"),
    "an empty question": (2, ["run", " "], "question is empty"),
    "a setting that is none": (2, ["config", "set", "modle", "x"], "Did you mean 'model'?"),
    "an unknown activity": (4, ["tools", "call", "Calculator_evalute"], "Calculator_evaluate"),
    "an unknown tool": (4, ["run", "-m", "parrot:x", "-t", "Calculater", "?"], "Calculator"),
    "an unknown driver": (4, ["run", "-m", "parot:x", "?"], "Did you mean 'parrot'?"),
    "an unknown validator": (4, ["run", "-m", "parrot:x", "--validator", "no", "?"], "'no'"),
    "an unknown dialect": (4, ["run", "-m", "parrot:x", "--dialect", "nativ", "?"], "'native'"),
    "an unknown plugin": (4, ["plugins", "disable", "calculater"], "calculator"),
    "a wrong input": (5, [*CALCULATE, '{"expression": 3}'], "/expression"),
    "an input that is no JSON": (5, [*CALCULATE, "{expression"], "line 1, column 2"),
    "an input that is no object": (5, [*CALCULATE, "[]"], "object"),
    "a limit": (
        7,
        ["run", "-m", "parrot:endless", "--max-subtasks", "2", f"Calculator_evaluate {SUM}"],
        "max_subtasks",
    ),
    "the time ran out": (7, ["tools", "call", "Nest_brood"], "0.1 seconds"),
}

#: Every command that prints data, and the kind that stands in its envelope.
DATA = {
    "tools list": "tools",
    "tools show Calculator": "tools",
    'tools call Nest_build {"twigs":1}': "artifact",
    "plugins list": "plugins",
    "drivers list": "drivers",
    "validators list": "validators",
    "dialects list": "dialects",
    "config show": "settings",
    "config path": "paths",
    "doctor": "doctor",
    "run -m parrot:x Hello": "run",
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_command_ends_with_the_code_of_what_happened(
    furnished: InstalledHost, ending: str
) -> None:
    code, command, words = ENDINGS[ending]

    result = furnished(*command)

    assert result.code == code
    assert words in (result.err if code else result.out)
    assert "Traceback" not in result.err
    assert code == 0 or result.out == ""


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGINT for one process there")
@pytest.mark.parametrize(
    ("model", "question"),
    [("parrot:asleep", "Wake up!"), ("parrot:x", "Nest_sleep {}")],
    ids=["while the model is asked", "while an activity runs"],
)
def test_an_interrupted_run_ends_with_130_and_no_traceback(
    furnished: InstalledHost, model: str, question: str
) -> None:
    process = furnished.start("run", "-m", model, question)
    with process:
        said = _read_until(process.stderr, "zzz")

        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)

    assert process.returncode == 130
    assert said
    assert out == ""
    assert "Interrupted" in err
    assert "Traceback" not in err


@pytest.mark.parametrize("words", DATA)
def test_json_is_one_envelope_and_nothing_beside_it(furnished: InstalledHost, words: str) -> None:
    result = furnished(*words.split(), "--json")

    assert result.code == 0
    assert result.json["schema"] == 1
    assert result.json["kind"] == DATA[words]
    assert set(result.json) == {"schema", "kind", "data"}


@pytest.mark.parametrize(
    "ending", ["an unknown activity", "a wrong input", "an unknown option", "an activity failed"]
)
def test_an_error_is_json_too_where_json_is_asked_for(
    furnished: InstalledHost, ending: str
) -> None:
    code, command, _ = ENDINGS[ending]

    result = furnished(*command, "--json")

    assert result.code == code
    assert result.json["error"]["exit"] == code
    assert result.json["error"]["message"]


def test_version_says_the_version_only(furnished: InstalledHost) -> None:
    result = furnished("--version")

    assert (result.code, result.out) == (0, f"agenthost {__version__}\n")


def test_the_module_is_the_same_command(furnished: InstalledHost) -> None:
    python = furnished.environment.python

    result = furnished.run([python, "-m", "agenthost", *CALCULATE, SUM])

    assert (result.code, result.out) == (0, "437\n")


def test_the_module_tells_its_exit_code_to_the_shell(furnished: InstalledHost) -> None:
    result = furnished.run([furnished.environment.python, "-m", "agenthost", *CALCULATE, "{}"])

    assert result.code == 5


def test_everything_is_kept_in_the_folder_that_is_named(alone: InstalledHost) -> None:
    alone("config", "set", "model", "parrot:x")
    alone("tools", "list")

    result = alone("run", "Hello")

    assert result.out == "Hello\n"
    assert [*alone.home.iterdir()] == []
    assert {path.name for path in alone.folder.iterdir()} == {"agenthost.toml", "cache"}


def test_the_version_and_the_help_of_a_command_write_nothing_at_all(alone: InstalledHost) -> None:
    alone("--version")
    alone("run", "--help")

    assert [*alone.home.iterdir()] == []
    assert not alone.folder.exists()


def test_the_help_writes_only_what_it_learns_of_the_plugins(alone: InstalledHost) -> None:
    alone("--help")

    assert [*alone.home.iterdir()] == []
    assert [path.name for path in alone.folder.iterdir()] == ["cache"]


@pytest.mark.parametrize(
    "command", [["tools", "list"], [*CALCULATE, SUM], ["run", "-m", "parrot:x", "?"]]
)
def test_a_standard_input_that_stays_open_is_not_waited_for(
    furnished: InstalledHost, command: list[str]
) -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as open_for_ever, os.fdopen(writing, "wb"):
        result = furnished(*command, stdin=open_for_ever)

    assert result.code == 0


@pytest.mark.skipif(os.name == "nt", reason="a shell is needed to close it")
def test_a_closed_standard_input_is_one_without_a_person(furnished: InstalledHost) -> None:
    command = f"'{furnished.program}' run -m parrot:x 'Nest_build {{\"twigs\": 1}}' <&-"

    result = furnished.run(["sh", "-c", command])

    assert result.code == 6
    assert "--yes" in result.out
    assert "Traceback" not in result.err


@pytest.mark.skipif(os.name == "nt", reason="a shell is needed to close it")
@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("tools list --json >&-", 0),
        ("tools call Calculator_evaluate - <&-", 5),
        ("tools lst 2>&-", 2),
    ],
    ids=["output", "input", "errors"],
)
def test_a_stream_that_is_closed_is_no_reason_to_fail(
    furnished: InstalledHost, command: str, code: int
) -> None:
    result = furnished.run(["sh", "-c", f"'{furnished.program}' {command}"])

    assert result.code == code
    assert "Traceback" not in result.err


def test_a_dash_reads_the_question_from_standard_input(furnished: InstalledHost) -> None:
    result = furnished("run", "-m", "parrot:x", "-", input="Olá\nmundo")

    assert result.out == "Olá\nmundo\n"


def test_a_dash_reads_an_activitys_input_from_standard_input(furnished: InstalledHost) -> None:
    result = furnished(*CALCULATE, "-", input=SUM)

    assert result.out == "437\n"


@pytest.mark.parametrize(
    ("variables", "flags", "coloured"),
    [
        ({}, [], False),
        ({"NO_COLOR": "1"}, [], False),
        ({"FORCE_COLOR": "1"}, [], True),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, [], False),
        ({}, ["--color", "always"], True),
        ({"FORCE_COLOR": "1"}, ["--color", "never"], False),
    ],
    ids=["a pipe", "NO_COLOR", "FORCE_COLOR", "both", "--color always", "--color never"],
)
def test_a_pipe_gets_colour_only_where_it_is_asked_for(
    furnished: InstalledHost, variables: dict[str, str], flags: list[str], coloured: bool
) -> None:
    result = furnished(*flags, "tools", "list", variables=variables)

    assert ("\x1b[" in result.out) is coloured


@pytest.mark.skipif(os.name == "nt", reason="pseudo-terminals are of Unix")
@pytest.mark.parametrize("variables", [{}, {"NO_COLOR": "1"}], ids=["plain", "NO_COLOR"])
def test_a_terminal_gets_colour_unless_no_color_is_set(
    furnished: InstalledHost, variables: dict[str, str]
) -> None:
    shown = _on_a_terminal(furnished, ["tools", "list"], variables)

    assert "Calculator" in shown
    assert ("\x1b[" in shown) is not bool(variables)


def test_a_reader_that_has_enough_is_no_reason_to_complain(furnished: InstalledHost) -> None:
    process = furnished.start("tools", "list", "--json")
    with process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        said = process.stderr.read()

    assert said == ""


def test_without_a_model_run_says_what_to_install(plain: InstalledHost) -> None:
    result = plain("run", "What is 23 * 19?")

    assert (result.code, result.out) == (4, "")
    assert "agenthost plugins install local" in result.err
    assert "OPENAI_API_KEY" in result.err


def test_without_a_model_all_else_works(plain: InstalledHost) -> None:
    result = plain(*CALCULATE, SUM)

    assert (result.code, result.out, result.err) == (0, "437\n", "")


def test_a_driver_without_a_key_is_used_where_none_is_named(furnished: InstalledHost) -> None:
    result = furnished("run", "Hello")

    assert (result.code, result.out) == (0, "Hello\n")
    assert "parrot:wise" in result.err


def test_only_the_tools_that_are_named_are_on_offer(furnished: InstalledHost) -> None:
    result = furnished("run", "-m", "parrot:x", "-t", "Nest", f"Calculator_evaluate {SUM}")

    assert "No tool named 'Calculator_evaluate'" in result.out


def _read_until(stream: IO[str] | None, word: str) -> bool:
    """Read lines until one holds the word; the stream's end comes first where nobody says it."""
    assert stream is not None
    return any(word in line for line in stream)


def _on_a_terminal(host: InstalledHost, arguments: list[str], variables: dict[str, str]) -> str:
    """Return what a command shows on a terminal of its own."""
    import pty  # there is none on Windows

    ours, theirs = pty.openpty()
    with os.fdopen(ours, "rb", buffering=0) as terminal:
        command: list[str | Path] = [host.program, *arguments]
        environ = host.environ({"TERM": "xterm", **variables})
        with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environ):
            os.close(theirs)
            return _all_of(terminal).decode()


def _all_of(terminal: IO[bytes]) -> bytes:
    read = b""
    while True:
        try:
            piece = terminal.read(1 << 16)
        except OSError:  # how Linux says that the other end is closed
            return read
        if not piece:
            return read
        read += piece
