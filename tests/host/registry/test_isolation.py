"""Work in a process of its own, whatever it does there."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import Any

import pytest

from agenthost.registry.isolation import CAN_FORK, Outcome, Tell, in_fork, in_interpreter
from agenthost.registry.rebuild import START
from support.sites import Site, plugin_code

forks = pytest.mark.skipif(not CAN_FORK, reason="this system cannot fork")


@forks
def test_the_result_comes_back_and_prints_are_caught() -> None:
    def work(tell: Tell) -> dict[str, Any]:
        os.write(1, b"aloud\n")
        os.system("echo from a child")
        return {"pid": os.getpid()}

    outcome = in_fork(work, 20)

    assert outcome.result is not None
    assert outcome.result["pid"] != os.getpid()
    assert set(outcome.printed.splitlines()) == {"aloud", "from a child"}


@forks
def test_a_large_result_comes_back_whole() -> None:
    outcome = in_fork(lambda tell: {"text": "é" * 1_000_000}, 20)

    assert outcome.result == {"text": "é" * 1_000_000}


@forks
def test_work_that_hangs_is_ended_with_what_it_started() -> None:
    reading, writing = os.pipe()

    def work(tell: Tell) -> dict[str, Any]:
        subprocess.Popen(["sh", "-c", "sleep 60; echo alive"], stdout=writing)
        tell("sleep")
        time.sleep(60)
        return {}

    outcome = in_fork(work, 1)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read()  # ends when nobody is left who could write

    assert outcome == Outcome(None, "sleep", "did not finish within 1 s")
    assert said == b""


@forks
def test_work_that_ends_the_process_is_told_with_its_code() -> None:
    assert in_fork(lambda tell: os._exit(3), 20).ending == "ended the process with exit code 3"


@forks
def test_work_that_closes_every_file_is_told_with_its_code() -> None:
    def work(tell: Tell) -> dict[str, Any]:
        os.closerange(3, 64)
        return {}

    assert in_fork(work, 20).ending == "ended the process with exit code 1"


def ask(site: Site, name: str, value: str, seconds: float = 60) -> Outcome:
    """Ask a plugin in an interpreter of its own, as is done where nothing can fork."""
    plugin = {"name": name, "distribution": name, "version": "1", "value": value}
    request = {"path": [str(site.folder), *sys.path], "plugin": plugin}
    request |= {"options": {}, "aliases": {}, "settings_file": ""}
    command = [sys.executable, "-P", "-c", f"{START}build.answer_one(request)"]
    return in_interpreter(command, request, seconds)


def test_where_nothing_can_fork_an_interpreter_does_the_same(site: Site) -> None:
    module = site.install("loud", "print('hello')\n" + plugin_code())

    outcome = ask(site, "loud", module.stem)

    assert outcome.result is not None
    assert [tool["name"] for tool in outcome.result["tools"]] == ["Greeter"]
    assert outcome.printed == "hello"


def test_an_interpreter_that_is_ended_by_the_work_is_told_with_its_code(site: Site) -> None:
    module = site.install("hard", "import os\nos._exit(3)")

    outcome = ask(site, "hard", module.stem)

    assert outcome == Outcome(None, "import", "ended the process with exit code 3")


def test_an_interpreter_that_hangs_is_ended(site: Site) -> None:
    module = site.install("slow", "import time\ntime.sleep(60)")

    outcome = ask(site, "slow", module.stem, 3)

    assert outcome.ending == "did not finish within 3 s"
