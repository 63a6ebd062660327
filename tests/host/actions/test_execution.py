"""Execution: actions run side by side, each is answered once, late ones in their stead."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from typing import Any

import pytest

from agenthost.actions.execution import MAX_PARALLEL, arun_actions, run_actions
from agenthost.actions.toolbox import Toolbox
from agenthost_sdk import BaseTool, activity
from agenthost_sdk.artifacts import BaseArtifact, ErrorArtifact, TextArtifact
from support.recorded_actions import Record, carried_out
from support.trial_tools import CALLER, ready


def test_results_come_in_the_order_of_the_actions(
    toolbox: Toolbox, record: Record, is_async: bool
) -> None:
    words = [str(number) for number in range(20)]
    paths = ["echo", "aecho"] * 10
    asked = [("Clock", path, {"word": word}) for path, word in zip(paths, words, strict=True)]

    outputs = carried_out(ready(toolbox, *asked), record, is_async)

    assert [output.value for output in outputs] == words
    assert sorted(record.begun) == [*range(20)]
    assert {place: len(told) for place, told in record.told.items()} == dict.fromkeys(range(20), 1)


def test_no_actions_are_no_work(record: Record, is_async: bool) -> None:
    assert carried_out([], record, is_async) == []


def test_what_an_activity_raises_becomes_its_answer(
    toolbox: Toolbox, record: Record, is_async: bool
) -> None:
    asked: list[Any] = [("Clock", "refuse", {}), ("Clock", "exit", {}), ("Clock", "caller", {})]

    outputs = carried_out(ready(toolbox, *asked), record, is_async)

    assert [isinstance(output, ErrorArtifact) for output in outputs] == [True, True, False]
    assert outputs[0].value == "Not today."


@pytest.mark.parametrize("path", ["wait", "await_"])
def test_an_action_over_its_time_is_answered_in_its_stead(
    toolbox: Toolbox, record: Record, is_async: bool, path: str
) -> None:
    asked: list[Any] = [("Clock", path, {}), ("Clock", "echo", {"word": "hello"})]

    outputs = carried_out(ready(toolbox, *asked), record, is_async)

    assert isinstance(outputs[0], ErrorArtifact)
    assert outputs[0].code == "timeout"
    assert f"Clock_{path} did not finish within its limit of 0.05 seconds" in outputs[0].value
    assert outputs[1].value == "hello"
    assert record.told[0] == [outputs[0]]
    assert record.seconds[0] >= 0.05


class Late(BaseTool):
    """Come too late."""

    def __post_init__(self) -> None:
        self.gate = threading.Event()
        self.is_past = threading.Event()

    @activity(timeout=0.05)
    def late(self) -> str:
        """Come once the gate opens."""
        self.gate.wait(30)
        self.is_past.set()
        return "late"

    @activity
    def after(self) -> str:
        """Come after the late one."""
        self.is_past.wait(30)
        return "after"


def test_the_late_result_of_an_abandoned_action_is_not_told(
    record: Record, is_async: bool
) -> None:
    late = Late()

    class Opening(Record):
        def record(self, place: int, output: BaseArtifact, seconds: float) -> None:
            super().record(place, output, seconds)
            late.gate.set()

    opening = Opening()
    asked: list[Any] = [("Late", "late", {}), ("Late", "after", {})]

    outputs = carried_out(ready(Toolbox([late]), *asked), opening, is_async)

    assert [getattr(output, "code", output.value) for output in outputs] == ["timeout", "after"]
    assert opening.told == {0: outputs[:1], 1: outputs[1:]}


class Clocked(Record):
    """Notes when each action was answered."""

    def __init__(self) -> None:
        super().__init__()
        self.moments: dict[int, float] = {}

    def record(self, place: int, output: BaseArtifact, seconds: float) -> None:
        self.moments[place] = time.monotonic()
        super().record(place, output, seconds)


def test_time_that_one_action_waits_for_another_is_not_added_to_its_own(toolbox: Toolbox) -> None:
    clocked, last = Clocked(), MAX_PARALLEL
    asked: list[Any] = [("Clock", "wait", {})] * (MAX_PARALLEL + 1)

    outputs = run_actions(ready(toolbox, *asked), clocked.begin, clocked.record)

    since_a_place_was_free = clocked.moments[last] - min(clocked.moments.values())
    assert clocked.seconds[last] <= since_a_place_was_free
    assert {output.value for output in outputs} == {outputs[last].value}


@pytest.mark.parametrize("path", ["caller", "acaller"])
def test_an_activity_sees_the_context_of_its_caller(
    toolbox: Toolbox, record: Record, is_async: bool, path: str
) -> None:
    token = CALLER.set("me")
    try:
        [output] = carried_out(ready(toolbox, ("Clock", path, {})), record, is_async)
    finally:
        CALLER.reset(token)

    assert output.value == "me"


class Meeting(BaseTool):
    """Meet at a barrier."""

    def __post_init__(self) -> None:
        self.barrier = threading.Barrier(MAX_PARALLEL, timeout=60)
        self.most = 0
        self._here = 0
        self._lock = threading.Lock()

    @activity
    def meet(self) -> None:
        """Wait until all are there."""
        self._count(1)
        self.barrier.wait()
        self._count(-1)

    @activity
    def drop_in(self) -> None:
        """Count who is there."""
        self._count(1)
        self._count(-1)

    def _count(self, change: int) -> None:
        with self._lock:
            self._here += change
            self.most = max(self.most, self._here)


def test_as_many_as_are_allowed_run_side_by_side(record: Record) -> None:
    toolbox = Toolbox([Meeting()])
    asked: list[Any] = [("Meeting", "meet", {})] * MAX_PARALLEL

    outputs = run_actions(ready(toolbox, *asked), record.begin, record.record)

    assert not any(isinstance(output, ErrorArtifact) for output in outputs)


def test_more_than_that_wait_for_their_turn(record: Record, is_async: bool) -> None:
    meeting = Meeting()
    asked: list[Any] = [("Meeting", "drop_in", {})] * (2 * MAX_PARALLEL + 1)

    outputs = carried_out(ready(Toolbox([meeting]), *asked), record, is_async)

    assert len(outputs) == 2 * MAX_PARALLEL + 1
    assert meeting.most <= MAX_PARALLEL
    assert len(record.told) == len(outputs)


def test_threads_of_actions_do_not_hold_the_exit(toolbox: Toolbox, record: Record) -> None:
    before = set(threading.enumerate())

    run_actions(ready(toolbox, ("Clock", "wait", {})), record.begin, record.record)

    assert all(thread.daemon for thread in set(threading.enumerate()) - before)


def test_an_async_run_that_is_cancelled_answers_what_is_left_as_cancelled(
    toolbox: Toolbox, record: Record
) -> None:
    asked: list[Any] = [("Clock", "aecho", {"word": "x"}), ("Clock", "stay", {})]

    async def cancelled() -> None:
        run = asyncio.create_task(
            arun_actions(ready(toolbox, *asked), record.begin, record.record)
        )
        while not record.told:
            await asyncio.sleep(0)
        run.cancel()
        with pytest.raises(asyncio.CancelledError):
            await run
        while len(asyncio.all_tasks()) > 1:  # what was cancelled ends soon
            await asyncio.sleep(0)

    asyncio.run(cancelled())

    assert record.told[0][0].value == "x"
    [left] = record.told[1]
    assert isinstance(left, ErrorArtifact)
    assert left.code == "cancelled"


class Free(BaseTool):
    """Return what is no artifact from `run` itself."""

    @activity
    def word(self) -> str:
        """Say a word."""
        return "word"

    def run(self, action: Any, arguments: Any = None) -> Any:
        """Return a plain text."""
        return "plain"


def test_a_tool_that_runs_its_activities_its_own_way_is_answered_for(
    record: Record, is_async: bool
) -> None:
    outputs = carried_out(ready(Toolbox([Free()]), ("Free", "word", {})), record, is_async)

    assert outputs == [TextArtifact("plain")]


EXITS = """
import threading
from agenthost.actions.execution import run_actions
from agenthost.actions.toolbox import Toolbox
from agenthost.actions.validation import prepare
from agenthost_sdk import BaseTool, activity
from agenthost_sdk.actions import ToolAction

class Hang(BaseTool):
    "Hang."

    @activity(timeout=0.05)
    def sync(self) -> None:
        "Wait for ever."
        threading.Event().wait()

    @activity(timeout=0.05)
    async def loop(self) -> None:
        "Wait for ever."
        threading.Event().wait()

toolbox = Toolbox([Hang()])
ready = [prepare(ToolAction(path, "Hang", path), toolbox) for path in ("sync", "loop")]
outputs = run_actions(ready, lambda place: None, lambda *_: None)
print([output.code for output in outputs])
"""


def test_a_process_ends_though_actions_hang() -> None:
    done = subprocess.run(
        [sys.executable, "-c", EXITS], capture_output=True, text=True, timeout=60, check=True
    )

    assert done.stdout.strip() == "['timeout', 'timeout']"
    assert done.stderr == ""
