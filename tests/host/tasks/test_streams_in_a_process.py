"""What becomes of a stream where its process is interrupted or ends."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

EXITS = """
import threading
from agenthost import PromptTask
from agenthost_sdk import BaseTool, activity
from agenthost_sdk.testing import ScriptedDriver, calls

class Hang(BaseTool):
    "Hang."

    @activity
    def hang(self) -> None:
        "Wait for ever."
        threading.Event().wait()

driver = ScriptedDriver([calls(("Hang_hang", {}))])
for event in PromptTask("?", tools=[Hang()], prompt_driver=driver).stream():
    if event.type == "StartActionEvent":
        break
print("left")
"""


INTERRUPTED = """
import os, signal, sys, threading
from agenthost import PromptTask
from agenthost_sdk import BaseTool, activity
from agenthost_sdk.testing import ScriptedDriver, calls

gate, ended, heard = threading.Event(), threading.Event(), threading.Event()

def is_waiting():
    frame = sys._current_frames()[threading.main_thread().ident]
    return frame.f_code.co_name == "next"

class Press(BaseTool):
    "Press."

    @activity
    def control_c(self) -> None:
        "Press the keys once the consumer waits for the next event, and wait."
        heard.wait(30)
        while not is_waiting():
            gate.wait(0.001)
        os.kill(os.getpid(), signal.SIGINT)
        gate.wait(30)

def listen(event):
    if event.type == "FinishTaskEvent":
        ended.set()

driver = ScriptedDriver([calls(("Press_control_c", {})), "Not asked."])
events = PromptTask("?", tools=[Press()], prompt_driver=driver, listeners=[listen]).stream()
try:
    for event in events:
        if event.type == "StartActionEvent":
            heard.set()
except KeyboardInterrupt:
    gate.set()
    ended.wait(30)
    print(events.run.stopped_by, len(driver.stacks))
"""


AWAITED = """
import asyncio, os, signal, threading
from agenthost import PromptTask
from agenthost_sdk import BaseTool, activity
from agenthost_sdk.testing import ScriptedDriver, calls

quick_is_told = threading.Event()

class Press(BaseTool):
    "Press."

    @activity
    async def quick(self) -> str:
        "Be done."
        return "done"

    @activity
    async def control_c(self) -> None:
        "Press the keys once the quick one is answered, and wait."
        await asyncio.to_thread(quick_is_told.wait, 30)
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.sleep(60)

def listen(event):
    if event.type == "FinishActionEvent":
        quick_is_told.set()

driver = ScriptedDriver([calls(("Press_quick", {}), ("Press_control_c", {})), "Not asked."])
task = PromptTask("?", tools=[Press()], prompt_driver=driver, listeners=[listen])
run = task.new_run()

async def main():
    from agenthost.tasks.perform import aperform
    await aperform(run, task.steps(run))

try:
    asyncio.run(main())
except KeyboardInterrupt:
    outputs = [action.output for action in run.subtasks[0].actions]
    print(*[getattr(one, "code", str(one)) for one in outputs], len(driver.stacks))
"""


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGINT for one process there")
def test_an_interrupt_of_an_awaited_run_keeps_what_was_done_and_answers_the_rest() -> None:
    done = subprocess.run(
        [sys.executable, "-c", AWAITED], capture_output=True, text=True, timeout=60, check=True
    )

    assert (done.stdout.strip(), done.stderr) == ("done cancelled 1", "")


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGINT for one process there")
def test_an_interrupt_of_the_consumer_ends_the_run() -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=60, check=True
    )

    assert (done.stdout.strip(), done.stderr) == ("cancelled 1", "")


def test_a_process_ends_though_a_stream_was_left_half_way() -> None:
    done = subprocess.run(
        [sys.executable, "-c", EXITS], capture_output=True, text=True, timeout=60, check=True
    )

    assert (done.stdout.strip(), done.stderr) == ("left", "")
