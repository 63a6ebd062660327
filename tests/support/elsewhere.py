"""Tools whose activities run in an executor; another process can import this module."""

from __future__ import annotations

import os
import threading

from agenthost import Agent
from agenthost_sdk import BaseTool, activity
from agenthost_sdk.testing import ScriptedDriver, calls

HELD = threading.Event()
BEGUN = threading.Event()


class TwoWords(Exception):
    """Cannot be made again of what it says, as `pickle` would."""

    def __init__(self, one: str, other: str) -> None:
        super().__init__(f"{one} {other}")


class Bench(BaseTool):
    """Work at a bench."""

    @activity(read_only=True)
    def fail(self) -> str:
        """Fail."""
        raise TwoWords("no", "luck")

    @activity(read_only=True)
    def saw(self) -> str:
        """Saw."""
        return "sawn"

    @activity(read_only=True)
    def hold(self) -> str:
        """Hold until told otherwise."""
        BEGUN.set()
        HELD.wait(20)
        return "held"

    @activity(read_only=True)
    def delegate(self) -> str:
        """Have an agent saw."""
        driver = ScriptedDriver([calls(("Bench_saw", {})), "Done."])
        run = Agent(tools=[Bench()], prompt_driver=driver).run("?")
        return str(run.subtasks[0].actions[0].output)


class Where(BaseTool):
    """Tell where an activity runs."""

    prefix: str = "at"

    @activity(read_only=True)
    def process(self, add: int = 0) -> str:
        """Tell the process."""
        return f"{self.prefix} {os.getpid() + add}"

    @activity(read_only=True)
    async def awaited(self) -> str:
        """Tell the process, asynchronously."""
        return f"{self.prefix} {os.getpid()}"

    @activity(read_only=True)
    def thread(self) -> str:
        """Tell the thread."""
        return threading.current_thread().name

    @activity(read_only=True)
    def fail(self) -> str:
        """Fail."""
        raise ValueError("no luck")

    @activity(read_only=True, timeout=0.2)
    def wait(self) -> str:
        """Wait for ever."""
        threading.Event().wait(20)
        return ""
