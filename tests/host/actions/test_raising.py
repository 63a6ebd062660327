"""What activities raise, and who interrupts them: no action is left without an answer."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from agenthost.actions.execution import MAX_PARALLEL, run_actions
from agenthost.actions.toolbox import Toolbox
from agenthost_sdk import BaseTool, activity
from agenthost_sdk.artifacts import BaseArtifact, ErrorArtifact
from support.recorded_actions import Record, carried_out
from support.trial_tools import ready


class Odd(BaseTool):
    """Raise what no tool should."""

    def __post_init__(self) -> None:
        self.gate = threading.Event()
        self.is_in = threading.Event()
        self.is_past = threading.Event()

    @activity
    def sync(self, kind: str) -> str:
        """Raise it.

        Args:
            kind: What to raise.
        """
        raise RAISED[kind]()

    @activity
    async def async_(self, kind: str) -> str:
        """Raise it, asynchronously.

        Args:
            kind: What to raise.
        """
        raise RAISED[kind]()

    @activity(timeout=0.05)
    async def stubborn(self) -> str:
        """Do not be cancelled."""
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            await asyncio.to_thread(self.gate.wait, 60)
        self.is_past.set()
        return "late"

    @activity
    async def throw(self) -> str:
        """Leave a task behind that raises out of the loop."""
        asyncio.get_running_loop().call_soon(failing)
        return "thrown"

    @activity
    def hang(self) -> str:
        """Wait for the gate."""
        self.is_in.set()
        self.gate.wait(60)
        return "gone"

    @activity
    def open(self) -> str:
        """Open the gate."""
        self.gate.set()
        return "open"


RAISED: dict[str, type[BaseException]] = {
    "SystemExit": SystemExit,
    "GeneratorExit": GeneratorExit,
    "CancelledError": asyncio.CancelledError,
    "KeyboardInterrupt": KeyboardInterrupt,
    "StopIteration": StopIteration,
    "RecursionError": RecursionError,
}


def failing() -> None:
    raise SystemExit(3)


@pytest.fixture
def odd() -> Iterator[Odd]:
    tool = Odd()
    yield tool
    tool.gate.set()


@pytest.mark.parametrize("kind", RAISED)
def test_whatever_a_sync_activity_raises_is_its_own_error(
    odd: Odd, record: Record, is_async: bool, kind: str
) -> None:
    asked: list[Any] = [("Odd", "sync", {"kind": kind}), ("Odd", "open", {})]

    outputs = carried_out(ready(Toolbox([odd]), *asked), record, is_async)

    assert isinstance(outputs[0], ErrorArtifact)
    assert kind in outputs[0].value
    assert outputs[1].value == "open"


@pytest.mark.parametrize("kind", RAISED)
def test_whatever_an_async_activity_raises_on_the_hosts_loop_is_its_own_error(
    odd: Odd, record: Record, kind: str
) -> None:
    asked: list[Any] = [("Odd", "async_", {"kind": kind}), ("Odd", "open", {})]

    outputs = run_actions(ready(Toolbox([odd]), *asked), record.begin, record.record)

    assert isinstance(outputs[0], ErrorArtifact)
    assert kind in outputs[0].value
    assert outputs[1].value == "open"


@pytest.mark.parametrize("kind", RAISED)
def test_whatever_an_awaited_activity_raises_is_its_own_error(
    odd: Odd, record: Record, kind: str
) -> None:
    asked: list[Any] = [("Odd", "async_", {"kind": kind})]

    outputs = carried_out(ready(Toolbox([odd]), *asked), record, is_async=True)

    assert kind in outputs[0].value


def test_the_loop_of_the_host_outlives_what_a_tool_raises_out_of_it(
    odd: Odd, record: Record, caplog: pytest.LogCaptureFixture
) -> None:
    toolbox = Toolbox([odd])
    asked: list[Any] = [("Odd", "throw", {})]

    first = run_actions(ready(toolbox, *asked), record.begin, record.record)
    second = run_actions(ready(toolbox, *asked), record.begin, record.record)

    assert [first[0].value, second[0].value] == ["thrown", "thrown"]


def test_an_async_activity_that_will_not_be_cancelled_is_answered_at_once_all_the_same(
    odd: Odd, record: Record, is_async: bool
) -> None:
    [output] = carried_out(ready(Toolbox([odd]), ("Odd", "stubborn", {})), record, is_async)

    assert isinstance(output, ErrorArtifact)
    assert output.code == "timeout"
    assert not odd.is_past.is_set()


def test_one_that_hangs_holds_its_own_place_only(odd: Odd, record: Record, is_async: bool) -> None:
    asked: list[Any] = [("Odd", "hang", {}), *[("Odd", "sync", {"kind": "RecursionError"})] * 200]

    outputs = carried_out(ready(Toolbox([odd]), *asked, ("Odd", "open", {})), record, is_async)

    assert outputs[0].value == "gone"
    assert outputs[-1].value == "open"
    assert len(outputs) == 202


def test_an_interrupt_keeps_the_results_that_came_and_answers_the_rest(
    odd: Odd, record: Record
) -> None:
    def interrupting(place: int, output: BaseArtifact, seconds: float) -> None:
        record.record(place, output, seconds)
        if len(record.told) == 1:
            odd.is_in.wait(30)
            raise KeyboardInterrupt

    asked: list[Any] = [("Odd", "sync", {"kind": "StopIteration"}), ("Odd", "hang", {})]
    more: list[Any] = [("Odd", "hang", {})] * MAX_PARALLEL

    with pytest.raises(KeyboardInterrupt):
        run_actions(ready(Toolbox([odd]), *asked, *more), record.begin, interrupting)

    assert "StopIteration" in record.told[0][0].value
    codes = {one.code for [one] in record.told.values() if isinstance(one, ErrorArtifact)}
    assert codes == {"exception", "cancelled"}
    assert len(record.told) == len(record.begun) == MAX_PARALLEL + 2
    assert "did not run" in record.told[MAX_PARALLEL + 1][0].value
    assert "had begun" in record.told[1][0].value
