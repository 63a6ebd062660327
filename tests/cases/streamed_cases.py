"""Let a driver read the stream of a case, and let a task act upon it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from agenthost import PromptTask, Run
from agenthost_sdk import BaseTool, Message, activity
from agenthost_sdk.actions import NATIVE_NAME, ToolSpec, native_name
from agenthost_sdk.artifacts import BaseArtifact, ErrorArtifact, ListArtifact, TextArtifact
from agenthost_sdk.drivers import BasePromptDriver
from agenthost_sdk.errors import DriverError
from agenthost_sdk.messages import ActionCallMessageContent, PromptStack, StreamedReply
from cases.case_file import Case, Expected
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
def acting(make: MakeDriver, streamed: Streamed, names: Iterable[str]) -> Iterator[Acted]:
    """Give the stream to a task with tools of these names; after it the model says "Done."."""
    ran: list[tuple[str, Any]] = []
    replies = [streamed.reply(), *[{"text": "Done."}] * 4]
    with ProviderServer(replies) as server:
        tools = [_tool(name, ran) for name in dict.fromkeys(names) if _may_be_offered(name)]
        run = PromptTask("?", tools=tools, prompt_driver=make(server)).run()
        yield Acted(run, ran, server.requests)


def accepted(case: Case) -> list[Expected]:
    """Return the expected result and all others that a case accepts, as far as it tells them."""
    return [case.expected, *case.expected.get("accept", ())]


def assert_acted(acted: Acted, turn: str, calls: list[tuple[str, Any]]) -> None:
    """Assert that just the calls ran that are right, and that no turn was taken for another.

    Args:
        acted: What the task did.
        turn: The cases' word for the end of the turn.
        calls: The name and the input of each call; one whose input is None is not to run, nor is
            one of a name under which no provider takes a tool.
    """
    right = [call for call in calls if call[1] is not None and _may_be_offered(call[0])]
    right = sorted(right if turn == "tool_calls" else [], key=repr)
    ran = sorted(acted.ran, key=repr)  # they run side by side
    assert ran == right, f"{ran} ran, and not {right}"
    if turn in ("text", "refusal"):
        assert len(acted.requests) == 1, "more was asked, though the turn was the last"
    if turn == "tool_calls":
        assert len(acted.requests) == 2, "more or less was asked than with the results"
        assert acted.run.value == "Done.", f"the answer is {acted.run.value!r}"
    is_error = isinstance(acted.run.output, ErrorArtifact)
    if turn == "error":
        assert is_error, f"{acted.run.output!r} is no error"
    if turn in ("incomplete", "truncated"):
        is_told = is_error or acted.run.stopped_by == "length"
        assert is_told or len(acted.requests) > 1, "a part was taken for the whole answer"


def words_of(output: BaseArtifact | None) -> str | None:
    """Return what an answer says beside its pictures and sounds; None where it is no answer."""
    if output is None or isinstance(output, ErrorArtifact):
        return None
    parts = output.value if isinstance(output, ListArtifact) else [output]
    return "".join([part.to_text() for part in parts if isinstance(part, TextArtifact)])


def call_of(block: ActionCallMessageContent, expected: Mapping[str, Any], key: str) -> Json:
    """Return a call as the cases write it, `key` being their name for the input.

    An input that cannot be read, or of which nobody knows whether it is whole, is null there, and
    its text stands under `raw`. Where the case leaves the id open, that of the case is returned.
    """
    found: Json = {"id": block.id, "name": block.native}
    if expected.get("id") == "*":  # a stream may bring none: the call gets one when it is made
        found["id"] = "*"
    is_null = expected.get(key, ...) is None
    found[key] = None if is_null else _read_input(block.arguments)
    if found[key] is None and ("raw" in expected or not is_null):
        found["raw"] = block.arguments
    return found


def matched(
    blocks: Sequence[ActionCallMessageContent], expected: Sequence[Expected], key: str
) -> list[Json]:
    """Return the calls as the cases write them, each beside the one that is expected."""
    beside = [*expected, *[{}] * len(blocks)]
    return [call_of(block, one, key) for block, one in zip(blocks, beside, strict=False)]


def known_as(native: str) -> str:
    """Return the name under which a tool's call goes back to the provider."""
    if not _may_be_offered(native):
        return native_name(native, None)
    name, _, path = native.partition("_")
    return native if path else f"{name}_run"


def _may_be_offered(native: str) -> bool:
    return NATIVE_NAME.match(native) is not None


def _read_input(text: str) -> Any:
    """Return the input of a call; None where nobody can read it.

    No text and the word null are none at all, and some write the input as text within text.
    """
    try:
        given = json.loads(text.strip() or "null", strict=False)
        given = json.loads(given, strict=False) if isinstance(given, str) else given
    except ValueError:
        return None
    return {} if given is None else given


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
