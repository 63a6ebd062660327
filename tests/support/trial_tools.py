"""Tools for the tests of what becomes of an action: one takes inputs, one takes time."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Sequence
from enum import Enum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from agenthost.actions.toolbox import Toolbox
from agenthost.actions.validation import Ready, prepare
from agenthost_sdk import BaseTool, ToolError, activity
from agenthost_sdk.actions import ToolAction

#: What the caller of a tool has set.
CALLER = contextvars.ContextVar("CALLER", default="nobody")


class Colour(Enum):
    """A colour."""

    RED = "red"
    BLUE = "blue"


class Place(BaseModel):
    """Where something is."""

    shelf: int
    row: float = 1.0


class Store(BaseTool):
    """Take inputs of many kinds."""

    @activity(read_only=True)
    def put(
        self,
        colour: Colour = Colour.RED,
        size: Literal["s", "l"] = "s",
        count: int = 1,
        weight: float = 1.0,
        name: str = "thing",
        is_new: bool = False,
        units: Annotated[int, Field(ge=5, le=9)] = 5,
        numbers: Sequence[int] = (),
        grid: Sequence[list[list[int]]] = (),
        either: int | list[int] = 1,
        maybe: int | None = None,
    ) -> dict[str, Any]:
        """Take it, and return what arrived."""
        return {name: value for name, value in locals().items() if name != "self"}

    @activity(read_only=True)
    def place(self, where: Place) -> str:
        """Take a place that must be given.

        Args:
            where: The place.
        """
        return f"{type(where).__name__} {where.shelf}"


class Clock(BaseTool):
    """Take time, or fail."""

    def __post_init__(self) -> None:
        self.gate = threading.Event()

    @activity
    def echo(self, word: str) -> str:
        """Say a word.

        Args:
            word: The word.
        """
        return word

    @activity
    async def aecho(self, word: str) -> str:
        """Say a word, asynchronously.

        Args:
            word: The word.
        """
        return word

    @activity(timeout=0.05)
    def wait(self) -> str:
        """Wait until the gate opens."""
        self.gate.wait(30)
        return "late"

    @activity
    def stay(self) -> str:
        """Wait until the gate opens, without a limit."""
        self.gate.wait(30)
        return "gone"

    @activity(timeout=0.05)
    async def await_(self) -> str:
        """Wait for ever."""
        await asyncio.Event().wait()
        return "late"

    @activity
    def caller(self) -> str:
        """Tell who called."""
        return CALLER.get()

    @activity
    async def acaller(self) -> str:
        """Tell who called, asynchronously."""
        return CALLER.get()

    @activity
    def refuse(self) -> str:
        """Raise what is meant for the model."""
        raise ToolError("Not today.")

    @activity
    def exit(self) -> str:
        """Try to end the process."""
        raise SystemExit(3)


def ready(toolbox: Toolbox, *asked: tuple[str, str, dict[str, Any]]) -> list[Ready]:
    """Return actions that can run."""
    prepared = [prepare(ToolAction(str(place), *one), toolbox) for place, one in enumerate(asked)]
    assert all(isinstance(one, Ready) for one in prepared)
    return [one for one in prepared if isinstance(one, Ready)]
