"""One record for each thing that can happen."""

from __future__ import annotations

import dataclasses
import inspect

import pytest

from agenthost_sdk import events
from agenthost_sdk.events import BaseEvent, TextChunkEvent, silent

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


def test_every_start_has_its_finish_and_a_finish_can_tell_of_a_failure() -> None:
    names = {kind.__name__ for kind in KINDS}
    starts = {name for name in names if name.startswith("Start")}

    assert {name.replace("Start", "Finish") for name in starts} <= names


def test_an_event_knows_its_name_and_its_time() -> None:
    first, second = TextChunkEvent(token="a"), TextChunkEvent(token="b")

    assert first.type == "TextChunkEvent"
    assert 0 < first.timestamp <= second.timestamp
    silent(first)
