"""Let a driver read the stream of a case, and let a task act upon it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from agenthost import PromptTask, Run
from agenthost_sdk import BaseTool, Message, activity
from agenthost_sdk.actions import ToolSpec
from agenthost_sdk.drivers import BasePromptDriver
from agenthost_sdk.errors import DriverError
from agenthost_sdk.messages import ActionCallMessageContent, PromptStack, StreamedReply
from cases.case_file import Expected
from support.provider_server import ProviderServer

Json = dict[str, Any]
MakeDriver = Callable[[ProviderServer], BasePromptDriver]

#: The cases' words for the end of a turn, by the sdk's.
TURNS = {
    "stop": "text",
    "actions": "tool_calls",
    "length": "truncated",
    "refusal": "refusal",
    "incomplete": "incomplete",
    "pause": "pause",
}

#: Bytes that a stream is cut into; 0 leaves it whole.
_PIECES = (0, 1, 7)


@dataclass(frozen=True)
class Streamed:
    """A stream as it is sent: its text, and whether the connection drops where that ends."""

    sse: str
    is_dropped: bool = False

    def reply(self, piece: int = 0) -> Json:
        """Return the stream as a reply of the provider."""
        if not self.is_dropped:
            return {"sse": self.sse, "piece": piece}
        return {"sse": f"{self.sse}: never sent\n\n", "cut_after": len(self.sse.encode())}


@dataclass(frozen=True)
class Turn:
    """What a driver made of a stream: the reply as far as it came, and the error at its end."""

    message: Message
    error: DriverError | None = None

    @property
    def kind(self) -> str:
        """The cases' word for the end."""
        return "error" if self.error is not None else TURNS[self.message.finish]


def readings(make: MakeDriver, streamed: Streamed) -> Iterator[Turn]:
    """Yield what the driver makes of the stream, blocking and not, in pieces of every size."""
    for piece in _PIECES if not streamed.is_dropped else (0,):
        with ProviderServer([streamed.reply(piece)] * 2) as server:
            driver, stack = make(server), PromptStack.from_artifact("?")
            yield _read(driver, stack)
            yield asyncio.run(_aread(driver, stack))


def _read(driver: BasePromptDriver, stack: PromptStack) -> Turn:
    reply = StreamedReply()
    try:
        for delta in driver.try_stream(stack):
            reply.add(delta)
    except DriverError as error:
        return Turn(reply.message(), error)
    return Turn(reply.message())


async def _aread(driver: BasePromptDriver, stack: PromptStack) -> Turn:
    reply = StreamedReply()
    pieces: AsyncIterator[Any] = driver.atry_stream(stack)
    try:
        async for delta in pieces:
            reply.add(delta)
    except DriverError as error:
        return Turn(reply.message(), error)
    return Turn(reply.message())


@dataclass(frozen=True)
class Acted:
    """What a task did upon a stream: the calls that its tools got, and what it asked then."""

    run: Run
    ran: list[tuple[str, Any]]
    requests: list[Json]


@contextmanager
def acting(make: MakeDriver, streamed: Streamed, names: Sequence[str]) -> Iterator[Acted]:
    """Give the stream to a task with tools of these names; after it the model says "Done."."""
    ran: list[tuple[str, Any]] = []
    replies = [streamed.reply(), *[{"text": "Done."}] * 4]
    with ProviderServer(replies) as server:
        tools = [_tool(name, ran) for name in dict.fromkeys(names)]
        run = PromptTask("?", tools=tools, prompt_driver=make(server)).run()
        yield Acted(run, ran, server.requests)


def assert_acted(acted: Acted, turn: str, calls: list[tuple[str, Any]]) -> None:
    """Assert that just the calls ran that are right, and that no turn was taken for another."""
    right = sorted(calls if turn == "tool_calls" else [], key=repr)
    ran = sorted(acted.ran, key=repr)  # they run side by side
    assert ran == right, f"{ran} ran, and not {right}"
    if turn in ("text", "refusal"):
        assert len(acted.requests) == 1, "more was asked, though the turn was the last"
    if turn == "tool_calls":
        assert len(acted.requests) == 2, "more or less was asked than with the results"
        assert acted.run.value == "Done.", f"the answer is {acted.run.value!r}"


def call_of(block: ActionCallMessageContent, expected: Mapping[str, Any], key: str) -> Json:
    """Return a call as the cases write it, `key` being their name for the input.

    An input that cannot be read, or of which nobody knows whether it is whole, is null there, and
    its text stands under `raw`. Where the case leaves the id open, that of the case is returned.
    """
    found: Json = {"id": block.id, "name": block.native}
    if expected.get("id") == "*":
        found["id"] = "*"
    if expected.get(key, 0) is None:
        return {**found, key: None, "raw": block.arguments}
    return {**found, key: json.loads(block.arguments or "{}")}


def matched(
    blocks: Sequence[ActionCallMessageContent], expected: Sequence[Expected], key: str
) -> list[Json]:
    """Return the calls as the cases write them, each beside the one that is expected."""
    beside = [*expected, *[{}] * len(blocks)]
    return [call_of(block, one, key) for block, one in zip(blocks, beside, strict=False)]


def known_as(native: str) -> str:
    """Return the name under which a tool's call goes back to the provider."""
    return native if "_" in native else f"{native}_run"


class _Noting(BaseTool):
    """Note each call."""

    native: str

    def specs(self, origin: str = "") -> list[ToolSpec]:
        """Offer the activity by the very name that is in the stream."""
        return [replace(spec, native=self.native) for spec in super().specs(origin)]


def _tool(native: str, ran: list[tuple[str, Any]]) -> BaseTool:
    def call(self: Any, /, **given: Any) -> str:
        """Note it."""
        ran.append((native, given))
        return "noted"

    name, _, path = known_as(native).partition("_")
    does = activity(name=path, schema={"type": "object"}, read_only=True)(call)
    made: type[BaseTool] = type(name, (_Noting,), {"call": does})
    return made(name=name, native=native)
