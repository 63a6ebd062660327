"""A run whose cost is counted: rounds of actions with listeners, permissions and limits on."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, fields
from statistics import fmean
from typing import Any

from agenthost import PromptTask
from agenthost.actions.permission import Permissions
from agenthost.dialects import BUILT_IN
from agenthost.tasks.limits import Limits
from agenthost.tasks.run import Run
from agenthost_sdk import BaseTool, Message, activity
from agenthost_sdk.actions import ToolAction
from agenthost_sdk.artifacts import TextArtifact
from agenthost_sdk.dialects import Reply
from agenthost_sdk.events import ActionChunkEvent, BaseEvent, TextChunkEvent
from agenthost_sdk.messages import DeltaMessage, PromptStack
from agenthost_sdk.testing import ScriptedDriver
from agenthost_sdk.testing.drivers import ScriptedReply
from support.call_counts import CallLog, Calls, counted_calls, place

#: Where threads and event loops wait. How often they do depends on who comes first, so a few of
#: these calls come and go from round to round.
WAITING = (
    "_weakrefset.py:",
    "asyncio/",
    "concurrent/futures/",
    "queue.py:",
    "selectors.py:",
    "socket.py:",
    "threading.py:",
)

_SCHEMAS = "agenthost_sdk/schemas/"

#: What holds values against a schema that is there already; all else in its package makes schemas.
_CHECKING = tuple(
    f"{_SCHEMAS}{name}"
    for name in (
        "calls.py:",
        "check.py:Check.__call__",
        "inputs.py:",
        "json_values.py:",
        "rust_engine.py:RustEngine.accepts",
        "signature.py:signature_input.<locals>.parse",
        "typed.py:Typed.parse",
    )
)

#: Templates, and the making of schemas outside of that package.
_BUILDING = ("jinja2/", "pydantic/json_schema.py:", "pydantic/_internal/_generate_schema.py:")


class Shelf(BaseTool):
    """Count what is there."""

    @activity
    def count(self, sku: str, shelf: int, reserved: bool = False) -> int:
        """Count the units on hand.

        Args:
            sku: Stock keeping unit.
            shelf: The shelf's number.
            reserved: Count reserved units too.
        """
        return shelf

    @activity
    async def acount(self, sku: str, shelf: int, reserved: bool = False) -> int:
        """Count the units on hand, asynchronously.

        Args:
            sku: Stock keeping unit.
            shelf: The shelf's number.
            reserved: Count reserved units too.
        """
        return shelf


class AtOnce(ScriptedDriver):
    """Reply without a thread when it is awaited, as a provider's async client does."""

    async def atry_run(self, stack: PromptStack) -> Message:
        """Return the script's next reply."""
        return self.try_run(stack)

    async def atry_stream(self, stack: PromptStack) -> AsyncIterator[DeltaMessage]:
        """Yield the script's next reply in pieces."""
        for piece in self.try_stream(stack):
            yield piece


@dataclass(frozen=True)
class MeasuredLoop:
    """A loop of one kind, whose calls are counted round by round.

    Args:
        dialect: The reply format by name.
        path: The activity that is run.
        actions: How many actions stand in each reply.
        piece: How many characters come at a time, of a streamed reply; 0 does not stream it.
        is_async: Whether the run is awaited.
    """

    dialect: str
    path: str = "count"
    actions: int = 1
    piece: int = 0
    is_async: bool = False

    def rounds(self, number: int) -> list[Calls]:
        """Run so many rounds, and return what was called in each.

        A round goes from a reply of the model to its next one, the driver's part included. Left
        out is what the script does in the place of a provider, and of an awaited run what event
        loops and threads do for themselves: how often depends on who comes first.
        """
        heard: list[BaseEvent] = []
        with counted_calls() as log:
            task = self._task(number, log, heard)
            run = asyncio.run(task.arun("?")) if self.is_async else task.run("?")
        self._check(run, number, heard)
        return [self._counted(part) for part in log.parts()]

    def pieces(self) -> int:
        """Return how many pieces of content a streamed reply has."""
        streamed = self._driver([self._reply(0)]).try_stream(PromptStack([]))
        return sum(delta.content is not None for delta in streamed)

    def _counted(self, part: Calls) -> Calls:
        left_out = WAITING if self.is_async else ()
        names = {code: place(code) for code in part}
        return Counter(
            {
                code: n
                for code, n in part.items()
                if not _is_scripted(names[code]) and not names[code].startswith(left_out)
            }
        )

    def _task(self, number: int, log: CallLog, heard: list[BaseEvent]) -> PromptTask:
        replies = [_marking(log, self._reply(place)) for place in range(number)]
        forgotten: deque[BaseEvent] = deque(maxlen=0)  # what a listener does is not ours to count
        return PromptTask(
            tools=[Shelf()],
            prompt_driver=self._driver([*replies, _marking(log, "There are 7 units.")]),
            dialect=self.dialect,
            permissions=Permissions(allow=["Shelf_*"]),
            limits=limits_out_of_reach(number),
            listeners=[heard.append, forgotten.append],
        )

    def _driver(self, replies: Sequence[ScriptedReply]) -> AtOnce:
        return AtOnce(
            replies,
            use_native_tools=BUILT_IN[self.dialect].native,
            stream=self.piece > 0,
            piece=self.piece,
        )

    def _reply(self, place: int) -> Message:
        """Return the model's reply of a round, written by the dialect as it shows one."""
        actions = [self._action(f"{place}-{one}") for one in range(self.actions)]
        reply = Reply("I shall look at the next shelf.", tuple(actions))
        return BUILT_IN[self.dialect]().answer(reply, actions)[0]

    def _action(self, tag: str) -> ToolAction:
        given = {"sku": f"AB-{tag}", "shelf": 7, "reserved": True}
        return ToolAction(tag, "Shelf", self.path, given, TextArtifact(""))

    def _check(self, run: Run, rounds: int, heard: Sequence[BaseEvent]) -> None:
        """See that the loop went the way that was to be measured."""
        run.raise_for_error()
        ran = [action for subtask in run.subtasks for action in subtask.actions]
        assert (run.stopped_by, len(ran)) == ("answer", rounds * self.actions), run
        assert not any(action.failed for action in ran), ran[-1]
        in_pieces = any(isinstance(one, TextChunkEvent | ActionChunkEvent) for one in heard)
        assert in_pieces is (self.piece > 0), "it was streamed, or it was not"


def limits_out_of_reach(rounds: int) -> Limits:
    """Return limits of every kind, none of which so many rounds reach."""
    most: dict[str, Any] = {
        "max_subtasks": rounds + 2,
        "max_seconds": 3600,
        "max_tokens": 10**9,
        "max_history_tokens": 10**9,
        "max_output_chars": 10**6,
    }
    there = {field.name for field in fields(Limits)}
    return Limits(**{name: value for name, value in most.items() if name in there})


def _is_scripted(name: str) -> bool:
    return name.startswith("agenthost_sdk/testing/") or "support/measured_loop.py:" in name


def mean(rounds: list[Calls]) -> float:
    """Return how many calls a round took on average."""
    return fmean(part.total() for part in rounds)


def least(rounds: list[Calls]) -> int:
    """Return how many calls the cheapest round took."""
    return min(part.total() for part in rounds)


def steady(part: Calls) -> int:
    """Return how many calls a round took, those left out that only wait."""
    return sum(count for code, count in part.items() if not place(code).startswith(WAITING))


def built(part: Calls) -> list[str]:
    """Return what was called to make schemas or to render templates."""
    return [name for name in map(place, part) if _builds(name)]


def _builds(name: str) -> bool:
    of_schemas = name.startswith(_SCHEMAS) and not name.startswith(_CHECKING)
    return of_schemas or name.startswith(_BUILDING)


def _marking(log: CallLog, reply: str | Message) -> Callable[[PromptStack], str | Message]:
    def replied(_: PromptStack) -> str | Message:
        log.mark()
        return reply

    return replied
