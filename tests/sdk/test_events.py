"""One record for each thing that can happen."""

from __future__ import annotations

import dataclasses
import functools
import inspect
from typing import Any

import pytest

from agenthost_sdk import events
from agenthost_sdk.errors import DefinitionError
from agenthost_sdk.events import (
    ActionChunkEvent,
    AudioChunkEvent,
    BaseEvent,
    BaseFinishEvent,
    BaseStartEvent,
    EventListener,
    FinishTaskEvent,
    TextChunkEvent,
    check_listener,
    silent,
)

KINDS = [
    found
    for found in vars(events).values()
    if inspect.isclass(found) and issubclass(found, BaseEvent)
]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_each_event_is_a_described_record_that_cannot_change(kind: type[BaseEvent]) -> None:
    fields = {field.name for field in dataclasses.fields(kind)}

    assert fields >= {"run_id", "timestamp"}
    assert kind.__doc__
    assert kind.__dataclass_params__.frozen  # type: ignore[attr-defined]


def test_every_start_has_its_finish_with_the_same_id_time_and_error() -> None:
    starts = {kind for kind in KINDS if issubclass(kind, BaseStartEvent)} - {BaseStartEvent}
    finishes = {kind for kind in KINDS if issubclass(kind, BaseFinishEvent)} - {BaseFinishEvent}

    names = {kind.__name__.replace("Start", "Finish") for kind in starts}
    assert names == {kind.__name__ for kind in finishes}
    for kind in finishes:
        fields = {field.name for field in dataclasses.fields(kind)}
        assert fields >= {"id", "seconds", "error"}


def test_every_chunk_says_its_prompt_and_its_attempt() -> None:
    chunks = [
        TextChunkEvent(token="a"),
        ActionChunkEvent(partial_input="{"),
        AudioChunkEvent(data=b""),
    ]

    assert [(chunk.id, chunk.attempt, chunk.index) for chunk in chunks] == [("", 1, 0)] * 3


def test_an_event_knows_its_name_and_its_time() -> None:
    first, second = TextChunkEvent(token="a"), TextChunkEvent(token="b")

    assert first.type == "TextChunkEvent"
    assert 0 < first.timestamp <= second.timestamp
    silent(first)


def test_a_listener_may_hear_of_some_kinds_only() -> None:
    heard: list[BaseEvent] = []
    listener = EventListener(heard.append, event_types=[TextChunkEvent, BaseFinishEvent])
    events = [TextChunkEvent(token="a"), AudioChunkEvent(data=b""), FinishTaskEvent()]

    for event in events:
        listener(event)

    assert heard == [events[0], events[2]]


def test_a_listener_without_kinds_hears_all() -> None:
    heard: list[BaseEvent] = []

    EventListener(heard.append)(AudioChunkEvent(data=b""))

    assert len(heard) == 1


async def slow(event: BaseEvent) -> None:
    """Be a listener that would have to be awaited."""


class Slow:
    async def __call__(self, event: BaseEvent) -> None:
        """Be one as an object."""

    async def hear(self, event: BaseEvent) -> None:
        """Be one as a method."""


@pytest.mark.parametrize(
    "listener",
    [slow, Slow(), Slow().hear, functools.partial(slow)],
    ids=["function", "object", "method", "partial"],
)
def test_an_asynchronous_listener_is_refused_in_clear_words(listener: Any) -> None:
    with pytest.raises(DefinitionError, match="asynchronous"):
        check_listener(listener)
    with pytest.raises(DefinitionError, match="astream"):
        EventListener(listener)


@pytest.mark.parametrize("listener", [None, "print", 3])
def test_what_cannot_be_called_is_no_listener(listener: Any) -> None:
    with pytest.raises(DefinitionError, match="no function"):
        check_listener(listener)


@pytest.mark.parametrize("kind", [str, "TextChunkEvent", None])
def test_a_kind_that_is_none_is_refused(kind: Any) -> None:
    with pytest.raises(DefinitionError, match="no kind of event"):
        EventListener(print, event_types=[kind])
