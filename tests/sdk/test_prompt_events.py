"""One prompt is told as a start, its pieces, each further attempt, and one finish."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from agenthost_sdk.drivers import BasePromptDriver
from agenthost_sdk.errors import DriverError
from agenthost_sdk.events import (
    ActionChunkEvent,
    AudioChunkEvent,
    BaseChunkEvent,
    BaseEvent,
    FinishPromptEvent,
    RestartPromptEvent,
    StartPromptEvent,
    TextChunkEvent,
)
from agenthost_sdk.messages import (
    ActionCallDeltaMessageContent,
    AudioDeltaMessageContent,
    DeltaMessage,
    Message,
    PromptStack,
    TextDeltaMessageContent,
)
from agenthost_sdk.prompt_events import PromptEvents
from agenthost_sdk.testing import ScriptedDriver


@dataclass(kw_only=True, eq=False)
class PiecesDriver(BasePromptDriver):
    """Yield pieces, and raise what stands among them."""

    provider = "pieces"
    model: str = "pieces-1"
    stream: bool = True
    max_attempts: int = 1
    pieces: list[Any] = field(default_factory=list)
    #: How often a stream was closed.
    closed: int = 0

    def try_run(self, stack: PromptStack) -> Message:
        return Message.from_deltas(self.try_stream(stack))

    def try_stream(self, stack: PromptStack) -> Iterator[DeltaMessage]:
        try:
            for piece in self.pieces:
                if isinstance(piece, BaseException):
                    raise piece
                yield DeltaMessage(piece)
        finally:
            self.closed += 1

    async def atry_stream(self, stack: PromptStack) -> AsyncIterator[DeltaMessage]:
        for delta in self.try_stream(stack):
            await asyncio.sleep(0)
            yield delta


Ask = Callable[..., Message]


def ask(driver: BasePromptDriver, emit: Any) -> Message:
    return driver.run("q", emit)


def aask(driver: BasePromptDriver, emit: Any) -> Message:
    return asyncio.run(driver.arun("q", emit))


@pytest.fixture(params=[ask, aask], ids=["sync", "async"])
def asks(request: pytest.FixtureRequest) -> Ask:
    asking: Ask = request.param
    return asking


TEXT = TextDeltaMessageContent("Hello")


def test_all_events_of_a_prompt_share_its_id(asks: Ask) -> None:
    events: list[Any] = []

    asks(PiecesDriver(pieces=[TEXT, TEXT]), events.append)

    assert [event.type for event in events] == [
        "StartPromptEvent",
        "TextChunkEvent",
        "TextChunkEvent",
        "FinishPromptEvent",
    ]
    assert len({event.id for event in events}) == 1
    assert events[0].id
    assert events[-1].seconds >= 0
    assert events[-1].error is None


def test_two_prompts_have_two_ids(asks: Ask) -> None:
    events: list[Any] = []
    driver = PiecesDriver(pieces=[TEXT])

    asks(driver, events.append)
    asks(driver, events.append)

    assert len({event.id for event in events}) == 2


def test_text_calls_and_sound_are_told_as_chunks_of_their_kind(asks: Ask) -> None:
    pieces = [
        TEXT,
        ActionCallDeltaMessageContent(None, "c1", "A_a", "{"),
        ActionCallDeltaMessageContent(None, arguments="}"),
        AudioDeltaMessageContent(b"ab", 2, "mp3"),
    ]
    events: list[BaseEvent] = []

    asks(PiecesDriver(pieces=pieces), events.append)

    text, first, second, sound = (one for one in events if isinstance(one, BaseChunkEvent))
    assert isinstance(text, TextChunkEvent)
    assert text.token == "Hello"
    assert isinstance(first, ActionChunkEvent)
    assert (first.tag, first.native, first.partial_input) == ("c1", "A_a", "{")
    assert isinstance(second, ActionChunkEvent)
    assert second.index == first.index
    assert isinstance(sound, AudioChunkEvent)
    assert (sound.data, sound.format, sound.index) == (b"ab", "mp3", 2)


@pytest.mark.parametrize(
    "error",
    [
        DriverError("lost"),
        ValueError("odd"),
        KeyboardInterrupt(),
        SystemExit(3),
        asyncio.CancelledError(),
    ],
    ids=repr,
)
def test_whatever_is_raised_one_finish_says_so_and_the_stream_is_closed(
    error: BaseException,
) -> None:
    events: list[BaseEvent] = []
    driver = PiecesDriver(pieces=[TEXT, error])

    with pytest.raises(type(error)):
        driver.run("q", events.append)

    [finish] = [event for event in events if isinstance(event, FinishPromptEvent)]
    assert finish.message is None
    assert type(error).__name__ in (finish.error or "")
    assert driver.closed == 1


@pytest.mark.parametrize("stop", [StartPromptEvent, TextChunkEvent])
def test_a_listener_that_interrupts_leads_to_a_finish_too(
    stop: type[BaseEvent], asks: Ask
) -> None:
    events: list[BaseEvent] = []
    driver = PiecesDriver(pieces=[TEXT, TEXT])

    def interrupting(event: BaseEvent) -> None:
        events.append(event)
        if isinstance(event, stop):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        asks(driver, interrupting)

    assert isinstance(events[-1], FinishPromptEvent)
    assert isinstance(events[-2], stop)
    assert events[-1].error == "KeyboardInterrupt"


def test_a_coroutine_that_is_dropped_half_way_leads_to_a_finish_and_closes_the_stream() -> None:
    events: list[BaseEvent] = []
    driver = PiecesDriver(pieces=[TEXT] * 3)

    async def leave() -> None:
        task = asyncio.create_task(driver.arun("q", events.append))
        while not any(isinstance(event, TextChunkEvent) for event in events):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(leave())

    assert isinstance(events[-1], FinishPromptEvent)
    assert events[-1].error == "CancelledError"
    assert driver.closed == 1


def test_a_second_attempt_is_told_as_a_restart_with_the_error_of_the_first(asks: Ask) -> None:
    events: list[Any] = []
    broken = PiecesDriver(pieces=[TEXT, DriverError("lost")])
    other = ScriptedDriver(["Hello there"], stream=True)

    with PromptEvents(events.append, run_id="r", step="plan") as telling:
        with pytest.raises(DriverError):
            asks(broken, telling)
        message = asks(other, telling)

    kinds = [event.type for event in events]
    assert message.to_text() == "Hello there"
    assert kinds[:3] == ["StartPromptEvent", "TextChunkEvent", "RestartPromptEvent"]
    assert kinds.count("StartPromptEvent") == kinds.count("FinishPromptEvent") == 1
    restart, finish = events[2], events[-1]
    assert isinstance(restart, RestartPromptEvent)
    assert (restart.attempt, restart.provider, restart.model) == (2, "scripted", "scripted-1")
    assert "lost" in restart.error
    assert {event.attempt for event in events if isinstance(event, TextChunkEvent)} == {1, 2}
    assert (finish.provider, finish.step, finish.attempt) == ("scripted", "plan", 2)
    assert finish.message == message
    assert {event.run_id for event in events} == {"r"}


def test_where_every_attempt_fails_the_finish_has_the_last_error(asks: Ask) -> None:
    events: list[BaseEvent] = []

    def tried() -> None:
        with PromptEvents(events.append) as telling:
            for words in ("first", "second"):
                try:
                    asks(PiecesDriver(pieces=[DriverError(words)]), telling)
                except DriverError as error:
                    last = error
            raise last

    with pytest.raises(DriverError, match="second"):
        tried()

    [finish] = [event for event in events if isinstance(event, FinishPromptEvent)]
    assert "second" in (finish.error or "")


@pytest.mark.parametrize("stream", [True, False])
def test_who_asks_may_choose_whether_the_reply_comes_in_pieces(stream: bool, asks: Ask) -> None:
    events: list[BaseEvent] = []
    driver = ScriptedDriver(["Hello there"], stream=not stream)

    with PromptEvents(events.append, stream=stream) as telling:
        asks(driver, telling)

    assert any(isinstance(event, TextChunkEvent) for event in events) is stream


def test_a_driver_that_nobody_waits_for_is_told_so_at_its_next_piece() -> None:
    events: list[BaseEvent] = []
    with PromptEvents(events.append) as telling:
        telling.begin("late", "late-1", PromptStack())

    with pytest.raises(DriverError, match="Nobody waits"):
        telling.piece(DeltaMessage(TEXT))

    assert [event.type for event in events] == ["StartPromptEvent", "FinishPromptEvent"]


def test_nothing_is_told_of_a_prompt_that_never_began() -> None:
    events: list[BaseEvent] = []

    with PromptEvents(events.append):
        pass

    assert events == []


def test_an_event_of_the_drivers_own_is_handed_on() -> None:
    events: list[BaseEvent] = []
    own = TextChunkEvent(token="x")

    with PromptEvents(events.append) as telling:
        telling(own)

    assert events == [own]
