"""Replies are read into the SDK's types, to what the SDK itself would read."""

from __future__ import annotations

import json
from typing import Any

import pytest
from anthropic import BaseModel
from anthropic.types import Message, RawContentBlockDeltaEvent, RawContentBlockStartEvent

from agenthost_plugin_anthropic.reading import Answer, Event
from support import messages_protocol

Json = dict[str, Any]

CALL = {"id": "c1", "name": "count", "input": {"sku": "AB"}}

WHOLE: dict[str, Json] = {
    "words and a call": messages_protocol.answer({"text": "Hello.", "tool_calls": [CALL]}, {}),
    "thoughts": messages_protocol.answer({"thinking": "Well.", "text": "Hello."}, {}),
    "a block of an unknown kind": messages_protocol.answer(
        {"blocks": [{"type": "dream", "of": "sheep"}]}, {}
    ),
    "another word for the end": messages_protocol.answer({"text": "a", "finish": "tired"}, {}),
    "no content": {"type": "error", "error": {"message": "no"}},
}


def told(read: BaseModel) -> Json:
    """Return all that was read, fields that nobody sent left out."""
    return read.to_dict(mode="python", exclude_unset=True, warnings=False)


@pytest.mark.parametrize("sent", WHOLE.values(), ids=WHOLE)
def test_a_reply_is_read_as_the_sdk_reads_it(sent: Json) -> None:
    read = Answer.build(response=None, data=sent)

    assert isinstance(read, Message)
    assert told(read) == told(Message.construct(**sent))


def test_every_event_of_a_stream_is_read_whole() -> None:
    reply = {"thinking": "Well.", "text": "Hello.", "tool_calls": [CALL]}
    lines = "".join(messages_protocol.events(reply, {})).splitlines()
    sent = [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data")]

    read = [Event.build(response=None, data=one) for one in sent]

    assert [told(one) for one in read] == sent
    assert {type(one).__name__ for one in read} >= {
        "RawMessageStartEvent",
        "RawContentBlockStartEvent",
        "RawContentBlockDeltaEvent",
        "RawContentBlockStopEvent",
        "RawMessageDeltaEvent",
        "RawMessageStopEvent",
    }


def test_an_event_that_is_not_as_it_should_be_is_of_its_kind_all_the_same() -> None:
    begun = {"type": "content_block_start", "index": 0, "content_block": {"type": "dream"}}
    added = {"type": "content_block_delta", "index": "0", "delta": {"type": "text_delta"}}

    start, delta = (Event.build(response=None, data=one) for one in (begun, added))

    assert isinstance(start, RawContentBlockStartEvent)
    assert isinstance(delta, RawContentBlockDeltaEvent)
    assert (told(start), told(delta)) == (begun, added)


def test_an_event_of_an_unknown_kind_keeps_its_kind() -> None:
    read = Event.build(response=None, data={"type": "weather", "is": "fine"})

    assert (read.type, told(read)) == ("weather", {"type": "weather", "is": "fine"})


@pytest.mark.parametrize("sent", ["a text", [1], 7], ids=str)
def test_what_is_no_object_is_left_as_it_is(sent: Any) -> None:
    assert Event.build(response=None, data=sent) == sent
    assert Answer.build(response=None, data=sent) == sent
