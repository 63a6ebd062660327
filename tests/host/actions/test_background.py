"""The event loop in the background: one for all threads, and a new one in a fork."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading

import pytest

from agenthost.actions.background import BACKGROUND


def test_the_background_loop_is_one_for_all_threads() -> None:
    async def loop() -> int:
        return id(asyncio.get_running_loop())

    found: set[int] = set()
    threads = [
        threading.Thread(target=lambda: found.add(BACKGROUND.submit(loop()).result(30)))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)

    assert len(found) == 1


def test_what_is_given_to_the_background_loop_raises_to_whoever_waits() -> None:
    async def fail() -> None:
        raise ValueError("bad")

    with pytest.raises(ValueError, match="bad"):
        BACKGROUND.submit(fail()).result(30)


FORKS = """
import os
from agenthost.actions.background import BACKGROUND

async def word(text):
    return text

print(BACKGROUND.submit(word("parent")).result(30), flush=True)
child = os.fork() if hasattr(os, "fork") else 0
if child == 0:
    print(BACKGROUND.submit(word("child")).result(30), flush=True)
    os._exit(0)
os.waitpid(child, 0)
"""


def test_a_fork_has_a_loop_of_its_own() -> None:
    done = subprocess.run(
        [sys.executable, "-c", FORKS], capture_output=True, text=True, timeout=60, check=True
    )

    assert done.stdout.splitlines() == ["parent", "child"]
