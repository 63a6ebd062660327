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
import os, signal, threading
from agenthost import PromptTask
from agenthost_sdk import BaseTool, activity
from agenthost_sdk.testing import ScriptedDriver, calls

gate, ended = threading.Event(), threading.Event()

class Press(BaseTool):
    "Press."

    @activity
    def control_c(self) -> None:
        "Press the keys, and wait."
        os.kill(os.getpid(), signal.SIGINT)
        gate.wait(30)

def listen(event):
    if event.type == "FinishTaskEvent":
        ended.set()

driver = ScriptedDriver([calls(("Press_control_c", {})), "Not asked."])
events = PromptTask("?", tools=[Press()], prompt_driver=driver, listeners=[listen]).stream()
try:
    for event in events:
        pass
except KeyboardInterrupt:
    gate.set()
    ended.wait(30)
    print(events.run.stopped_by, len(driver.stacks))
"""


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
