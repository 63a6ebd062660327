"""`agenthost run` as a person and a script meet it: questions asked back, denials, exit codes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import IO

import pytest

from support.sites import CommandLine

SHOP = """
from agenthost_sdk import BaseDialect, BaseTool, Offer, activity, hookimpl
from agenthost_sdk.testing import ScriptedDriver, calls

class Shop(BaseTool):
    '''Sell things.'''

    @activity(destructive=True)
    def sell(self, sku: str) -> str:
        '''Sell a thing.'''
        return "sold"

    @activity(read_only=True)
    def look(self, sku: str) -> str:
        '''Look at a thing.'''
        return "seen"

SELL = calls(("Shop_sell", {"sku": "a" * 150}))
LOOK = calls(("Shop_look", {"sku": "a"}))

@hookimpl
def agenthost_tools():
    return [Shop]

class Sells(ScriptedDriver):
    def __init__(self, **options):
        super().__init__([SELL, "That was all."], **options)

class Both(ScriptedDriver):
    def __init__(self, **options):
        super().__init__([SELL, LOOK, "That was all."], **options)

class Talks(ScriptedDriver):
    def __init__(self, **options):
        super().__init__(["That was all."], **options)

@hookimpl
def agenthost_prompt_drivers():
    return {"sells": Sells, "both": Both, "talks": Talks}

class Half(BaseDialect):
    '''Lack two methods.'''

    name = "half"

    def offer(self, table):
        return Offer()

@hookimpl
def agenthost_dialects():
    return [Half]
"""


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    return CommandLine.with_plugins(tmp_path_factory.mktemp("shop"), {"shop": SHOP})


@pytest.fixture
def shop(shared: CommandLine) -> Iterator[CommandLine]:
    with shared.lent() as line:
        yield line


@pytest.mark.parametrize(
    ("model", "flags", "code", "denied"),
    [
        ("sells", (), 6, 1),
        ("sells", ("--deny", "Shop_*"), 6, 1),
        ("sells", ("--yes",), 0, 0),
        ("both", (), 0, 1),
        ("talks", (), 0, 0),
    ],
)
def test_a_script_can_tell_whether_actions_were_denied(
    shop: CommandLine, model: str, flags: tuple[str, ...], code: int, denied: int
) -> None:
    ran = shop("run", "-m", model, *flags, "--json", "Sell it.")

    assert ran.code == code
    assert ran.json["data"]["denied"] == denied
    assert ran.json["data"]["output"] == "That was all."


def test_a_denial_is_shown_whole(shop: CommandLine) -> None:
    ran = shop("run", "-m", "sells", "Sell it.")

    assert (ran.code, ran.out) == (6, "That was all.\n")
    assert "under [permissions] in agenthost.toml." in ran.err


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_nobody_is_asked_where_no_input_is_wanted(shop: CommandLine) -> None:
    ours, theirs = os.openpty()

    done = subprocess.run(
        [sys.executable, "-m", "agenthost", "run", "-m", "sells", "--no-input", "Sell it."],
        env=shop.variables(),
        cwd=shop.home,
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=theirs,
        timeout=60,
        check=False,
    )

    told = os.read(ours, 65536).decode()
    os.close(theirs)
    os.close(ours)
    assert (done.returncode, done.stdout) == (6, b"That was all.\n")
    assert "[y/N]" not in told
    assert "--allow Shop_sell" in told


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
@pytest.mark.parametrize(
    ("answer", "code", "last"),
    [
        (lambda terminal, _: os.write(terminal, b"y\n"), 0, "That was all."),
        (lambda terminal, _: os.write(terminal, b"what\nYES\n"), 0, "That was all."),
        (lambda terminal, _: os.write(terminal, b"\n"), 6, "That was all."),
        (lambda terminal, _: os.write(terminal, b"\x04"), 6, "That was all."),
        (lambda _, process: interrupt(process), 130, "Interrupted."),
    ],
    ids=["yes", "asked again", "enter", "end of input", "interrupt"],
)
def test_the_question_whether_to_run_takes_every_answer(
    shop: CommandLine,
    answer: Callable[[int, subprocess.Popen[bytes]], None],
    code: int,
    last: str,
) -> None:
    shop("tools", "list")
    ours, theirs = os.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "agenthost", "run", "-m", "sells", "--no-stream", "Sell it."],
        env=shop.variables(),
        cwd=shop.home,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    terminal = os.fdopen(ours, "rb", buffering=0)
    seen = read_until(terminal, b"[y/N]")

    answer(ours, process)
    seen = read_until(terminal, b"")

    terminal.close()
    assert process.wait(60) == code
    assert seen.decode().split("\r\n")[-2] == last
    assert b"Error" not in seen


def interrupt(process: subprocess.Popen[bytes]) -> None:
    """Interrupt a process; one that was just about to read from its terminal misses a signal."""
    while process.poll() is None:
        process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            process.wait(5)


def read_until(terminal: IO[bytes], mark: bytes) -> bytes:
    """Return what is written up to a mark, or to the end."""
    seen = b""
    while not (mark and mark in seen):
        try:
            piece = terminal.read(1024)
        except OSError:  # the other side is closed
            break
        if not piece:
            break
        seen += piece
    return seen


@pytest.mark.parametrize("question", ["-5 + 3", "--what is that", "-t is what?"])
def test_a_question_that_begins_with_a_dash_is_told_where_to_stand(
    shop: CommandLine, question: str
) -> None:
    refused = shop("run", "-m", "talks", question)
    taken = shop("run", "-m", "talks", "--", question)

    assert refused.code == 2
    assert f"agenthost run -- '{question}'" in refused.err
    assert taken.out == "That was all.\n"


def test_a_dialect_that_cannot_be_made_is_the_fault_of_its_plugin(shared: CommandLine) -> None:
    failed = shared("run", "-m", "talks", "--dialect", "half", "Hi")

    assert (failed.code, failed.out) == (3, "")
    assert "Plugin shop" in failed.err
    assert "Half cannot be used: TypeError: it lacks answer and read" in failed.err
    assert "Traceback" not in failed.err
