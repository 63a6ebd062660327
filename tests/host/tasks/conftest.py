"""The fixtures of the loop's tests: one voice for the model in every dialect, and a few tools."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from agenthost.dialects import BUILT_IN
from agenthost_sdk import BaseTool, Message, activity
from agenthost_sdk.testing import ScriptedDriver, calls
from support.runs import said

#: A tool, an activity of it, and an input.
Asked = tuple[str, str, dict[str, Any]]


class Voice:
    """How the model speaks in one dialect."""

    def __init__(self, dialect: str) -> None:
        self.dialect = dialect

    def act(self, *asked: Asked, thought: str = "") -> Message:
        """Return a reply that asks for actions."""
        if self.dialect == "native":
            named = [(f"{tool}_{path}", given) for tool, path, given in asked]
            return calls(*named, text=thought)
        if self.dialect == "classic":
            return said(f"Thought: {thought}\n{_pairs(asked)}")
        actions = [
            {"tag": f"t{place}", "name": tool, "path": path, "input": given}
            for place, (tool, path, given) in enumerate(asked)
        ]
        if self.dialect == "json":
            return said(json.dumps({"thought": thought, "actions": actions}))
        return said(f"Thought: {thought}\nActions: {json.dumps(actions)}")

    def answer(self, text: str) -> Message:
        """Return a reply that is the answer."""
        return BUILT_IN[self.dialect]().conclude(text, "" if self.dialect == "native" else "Done.")

    def driver(self, *replies: Any, **options: Any) -> ScriptedDriver:
        """Return a driver that gives these replies, in whose dialect they are read."""
        native = self.dialect == "native"
        return ScriptedDriver(
            list(replies), use_native_tools=native, dialect=self.dialect, **options
        )


def _pairs(asked: Sequence[Asked]) -> str:
    return "\n".join(
        f"Action: {tool}_{path}\nAction Input: {json.dumps(given)}" for tool, path, given in asked
    )


@pytest.fixture(params=sorted(BUILT_IN))
def voice(request: pytest.FixtureRequest) -> Voice:
    """Run the test once in each dialect."""
    return Voice(request.param)


class Stock(BaseTool):
    """Look up and reserve stock."""

    @activity(read_only=True)
    def count(self, sku: str, reserved: bool = False) -> int:
        """Count the units on hand.

        Args:
            sku: Stock keeping unit.
            reserved: Count reserved units too.
        """
        return 12 if reserved else len(sku)

    @activity
    async def reserve(self, sku: str, units: int) -> str:
        """Reserve units.

        Args:
            sku: Stock keeping unit.
            units: How many.
        """
        return f"{units} of {sku} reserved"

    @activity(read_only=True)
    def fail(self, words: str) -> str:
        """Fail.

        Args:
            words: What to say.
        """
        raise ValueError(words)


class Meeting(BaseTool):
    """Meet at a barrier."""

    parties: int = 64

    def __post_init__(self) -> None:
        self.barrier = threading.Barrier(self.parties, timeout=60)

    @activity(read_only=True)
    def meet(self, number: int) -> int:
        """Wait until all are there.

        Args:
            number: Who comes.
        """
        self.barrier.wait()
        return number


@pytest.fixture
def stock() -> Stock:
    return Stock()


@pytest.fixture
def meeting() -> Iterator[Meeting]:
    tool = Meeting()
    yield tool
    tool.barrier.abort()
