"""The bus tells every listener, one event after the other."""

from __future__ import annotations

import asyncio
import logging
import threading

import pytest

from agenthost.records.bus import Bus, RunCancelled
from agenthost_sdk import TextArtifact
from agenthost_sdk.events import (
    BaseEvent,
    FinishPromptEvent,
    StartPromptEvent,
    StartTaskEvent,
    TextChunkEvent,
)
from agenthost_sdk.testing import ScriptedDriver


def test_every_listener_hears_the_event_with_its_run() -> None:
    heard: list[BaseEvent] = []
    bus = Bus("r1", [heard.append, heard.append])

    bus.emit(StartTaskEvent(input=TextArtifact("?")))

    assert [event.run_id for event in heard] == ["r1", "r1"]


@pytest.mark.parametrize(
    "raised",
    [RuntimeError("I am broken"), SystemExit(3), GeneratorExit(), asyncio.CancelledError()],
    ids=repr,
)
def test_what_a_listener_raises_is_logged_and_the_next_one_hears(
    raised: BaseException, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(event: BaseEvent) -> None:
        raise raised

    heard: list[BaseEvent] = []
    with caplog.at_level(logging.ERROR, "agenthost"):
        Bus("r1", [broken, heard.append]).emit(StartTaskEvent(input=TextArtifact("?")))

    assert len(heard) == 1
    assert type(raised).__name__ in caplog.text


@pytest.mark.parametrize("raised", [KeyboardInterrupt(), RunCancelled()], ids=repr)
def test_an_interrupt_and_a_cancellation_pass(raised: BaseException) -> None:
    def ending(event: BaseEvent) -> None:
        raise raised

    with pytest.raises(type(raised)):
        Bus("r1", [ending]).emit(StartTaskEvent(input=TextArtifact("?")))


def test_a_coroutine_that_a_listener_hides_is_closed_and_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def slow(event: BaseEvent) -> None:
        """Never be awaited."""

    with caplog.at_level(logging.ERROR, "agenthost"):
        Bus("r1", [lambda event: slow(event)]).emit(StartTaskEvent(input=TextArtifact("?")))

    assert "not awaited" in caplog.text


def test_a_prompt_of_the_run_is_told_with_its_run_and_its_step() -> None:
    heard: list[BaseEvent] = []

    with Bus("r1", [heard.append]).prompt("plan") as events:
        ScriptedDriver(["A plan."]).run("?", events)

    start, finish = heard
    assert isinstance(start, StartPromptEvent)
    assert isinstance(finish, FinishPromptEvent)
    assert (start.run_id, finish.run_id) == ("r1", "r1")
    assert (start.step, finish.step) == ("plan", "plan")


def test_a_bus_may_ask_for_replies_in_pieces() -> None:
    heard: list[BaseEvent] = []

    with Bus("r1", [heard.append], stream=True).prompt() as events:
        ScriptedDriver(["A plan."]).run("?", events)

    assert any(isinstance(event, TextChunkEvent) for event in heard)


def test_a_listener_is_never_called_by_two_threads_at_once() -> None:
    inside = threading.Lock()
    overlaps: list[bool] = []

    def listener(event: BaseEvent) -> None:
        free = inside.acquire(blocking=False)
        overlaps.append(not free)
        if free:
            inside.release()

    bus = Bus("r1", [listener])
    event = StartTaskEvent(input=TextArtifact("?"))
    threads = [threading.Thread(target=bus.emit, args=(event,)) for _ in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert overlaps == [False] * 50
