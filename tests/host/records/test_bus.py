"""The bus tells every listener, one event after the other."""

from __future__ import annotations

import logging
import threading

import pytest

from agenthost.records.bus import Bus
from agenthost_sdk import TextArtifact
from agenthost_sdk.events import BaseEvent, StartTaskEvent


def test_every_listener_hears_the_event_with_its_run() -> None:
    heard: list[BaseEvent] = []
    bus = Bus("r1", [heard.append, heard.append])

    bus.emit(StartTaskEvent(input=TextArtifact("?")))

    assert [event.run_id for event in heard] == ["r1", "r1"]


def test_what_a_listener_raises_is_logged_and_the_next_one_hears(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def broken(event: BaseEvent) -> None:
        raise RuntimeError("I am broken")

    heard: list[BaseEvent] = []
    with caplog.at_level(logging.ERROR, "agenthost"):
        Bus("r1", [broken, heard.append]).emit(StartTaskEvent(input=TextArtifact("?")))

    assert len(heard) == 1
    assert "I am broken" in caplog.text


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
