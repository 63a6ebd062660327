"""How a reply is read, from one piece and from the events of a stream."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from anthropic.types import Message as Answer
from anthropic.types import (
    RawContentBlockDeltaEvent,
    RawContentBlockStartEvent,
    RawContentBlockStopEvent,
    RawMessageDeltaEvent,
    RawMessageStartEvent,
)

from agenthost_plugin_anthropic import decode
from agenthost_plugin_anthropic.events import EventReader
from agenthost_sdk.messages import (
    ActionCallMessageContent,
    GenericMessageContent,
    Message,
    ReasoningMessageContent,
    TextMessageContent,
    Usage,
)

Json = dict[str, Any]

EVENTS = {
    "message_start": RawMessageStartEvent,
    "content_block_start": RawContentBlockStartEvent,
    "content_block_delta": RawContentBlockDeltaEvent,
    "content_block_stop": RawContentBlockStopEvent,
    "message_delta": RawMessageDeltaEvent,
}


def whole(*blocks: Json, **fields: Any) -> Message:
    return decode.message(answer_of(content=list(blocks), **fields))


def answer_of(**fields: Any) -> Answer:
    return Answer.construct(**fields)


def begun(index: int, **block: Any) -> Json:
    return {"type": "content_block_start", "index": index, "content_block": block}


def piece(index: int, kind: str, **delta: Any) -> Json:
    return {
        "type": "content_block_delta",
        "index": index,
        "delta": {"type": f"{kind}_delta", **delta},
    }


def stop(index: int) -> Json:
    return {"type": "content_block_stop", "index": index}


def ended(reason: str = "end_turn", **usage: int) -> Json:
    return {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": usage}


def streamed(*events: Json) -> Message:
    reader = EventReader()
    started: Json = {"type": "message_start", "message": {"usage": {"input_tokens": 3}}}
    deltas = [delta for event in (started, *events) for delta in reader.read(_typed(event))]
    return Message.from_deltas([*deltas, *reader.end()])


def _typed(event: Json) -> Any:
    kind: Any = EVENTS.get(event["type"], RawContentBlockStopEvent)
    return kind.construct(**event)


def test_texts_thoughts_and_calls_are_read_in_their_order() -> None:
    thinking = {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}
    hidden = {"type": "redacted_thinking", "data": "eNqs"}

    message = whole(
        thinking,
        hidden,
        {"type": "text", "text": "I look."},
        {"type": "tool_use", "id": "a", "name": "count", "input": {"sku": "ä", "n": 1.0}},
        stop_reason="tool_use",
    )

    assert message.content == (
        ReasoningMessageContent("Hm.", thinking, "anthropic"),
        ReasoningMessageContent("", hidden, "anthropic"),
        TextMessageContent("I look."),
        ActionCallMessageContent("a", "count", '{"sku": "ä", "n": 1.0}'),
    )


def test_what_is_cited_is_left_out() -> None:
    cited = {"type": "text", "text": "So.", "citations": [{"type": "char_location"}]}

    assert whole(cited, {"type": "text", "text": ""}).content == (TextMessageContent("So."),)


@pytest.mark.parametrize(
    ("caller", "extra"),
    [
        ({"type": "direct"}, None),
        ({"type": "code_execution_20260120", "tool_id": "srvtoolu_1"}, "caller"),
    ],
    ids=["direct", "by code"],
)
def test_who_called_is_kept_where_it_is_not_the_model_itself(
    caller: Json, extra: str | None
) -> None:
    made = {"type": "tool_use", "id": "a", "name": "count", "input": {}, "caller": caller}
    expected = None if extra is None else {extra: caller}

    [at_once] = whole(made).calls
    [in_pieces] = streamed(begun(0, **made), stop(0), ended("tool_use")).calls

    assert at_once.extra == expected
    assert in_pieces.extra == expected


@pytest.mark.parametrize(
    "block",
    [
        {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {"q": "x"}},
        {"type": "web_search_tool_result", "tool_use_id": "s", "content": [{"page_age": None}]},
        {"type": "mcp_tool_use", "id": "m", "name": "f", "server_name": "s", "input": {"a": 1.0}},
        {"type": "mcp_tool_result", "tool_use_id": "m", "is_error": False, "content": []},
        {"type": "container_upload", "file_id": "f"},
        {"type": "from the future", "held": {"deep": [None, 1, 1.0, "ä"]}},
    ],
    ids=lambda block: block["type"],
)
def test_blocks_of_the_provider_are_kept_as_they_came(block: Json) -> None:
    kept = (GenericMessageContent(block, "anthropic"),)

    assert whole(block).content == kept
    assert streamed(begun(0, **block), stop(0), ended()).content == kept


@pytest.mark.parametrize(
    ("reason", "finish"),
    [
        ("end_turn", "stop"),
        ("stop_sequence", "stop"),
        ("tool_use", "stop"),
        ("max_tokens", "length"),
        ("length", "length"),
        ("model_context_window_exceeded", "length"),
        ("refusal", "refusal"),
        ("pause_turn", "pause"),
        ("from the future", "stop"),
    ],
)
def test_the_end_is_told_in_our_word_and_in_the_apis(reason: str, finish: str) -> None:
    for message in (whole(stop_reason=reason), streamed(ended(reason))):
        assert (message.finish, message.finish_reason) == (finish, reason)


@pytest.mark.parametrize("reason", ["tool_use", "end_turn", "from the future"])
def test_a_reply_with_calls_ends_in_actions_whatever_its_word(reason: str) -> None:
    asked = {"type": "tool_use", "id": "a", "name": "F", "input": {}}

    assert whole(asked, stop_reason=reason).finish == "actions"


def test_a_call_at_a_stop_sequence_may_be_cut_and_is_none() -> None:
    asked = {"type": "tool_use", "id": "a", "name": "F", "input": {}}

    assert whole(asked, stop_reason="stop_sequence").finish == "stop"


def test_tokens_are_read_with_those_of_the_cache_and_of_thoughts() -> None:
    counted = {
        "input_tokens": 3,
        "output_tokens": 7,
        "cache_read_input_tokens": 5,
        "cache_creation_input_tokens": 2,
        "output_tokens_details": {"thinking_tokens": 4},
    }

    assert whole(usage=counted).usage == Usage(3, 7, 5, 4, 2)


def test_tokens_of_a_stream_are_the_last_that_were_told() -> None:
    message = streamed(ended(output_tokens=1), ended(output_tokens=7, cache_read_input_tokens=5))

    assert message.usage == Usage(input_tokens=3, output_tokens=7, cached_tokens=5)


def test_the_end_of_a_stream_stands_whatever_is_told_after_it() -> None:
    later = {"type": "message_delta", "delta": {"stop_reason": None}, "usage": {}}

    assert streamed(ended("max_tokens"), later).finish == "length"


def test_thoughts_of_a_stream_are_kept_whole_with_their_signature() -> None:
    message = streamed(
        begun(0, type="thinking", thinking="", signature=""),
        piece(0, "thinking", thinking="Need "),
        piece(0, "thinking", thinking="it."),
        piece(0, "signature", signature="c2ln"),
        stop(0),
        begun(1, type="thinking", thinking="", signature=""),
        piece(1, "signature", signature="aGlk"),
        stop(1),
        begun(2, type="redacted_thinking", data="eNqs"),
        stop(2),
        ended(),
    )

    shown = {"type": "thinking", "thinking": "Need it.", "signature": "c2ln"}
    unsaid = {"type": "thinking", "thinking": "", "signature": "aGlk"}
    assert message.content == (
        ReasoningMessageContent("Need it.", shown, "anthropic"),
        ReasoningMessageContent("", unsaid, "anthropic"),
        ReasoningMessageContent("", {"type": "redacted_thinking", "data": "eNqs"}, "anthropic"),
    )


def test_pieces_that_come_crosswise_go_by_their_index() -> None:
    message = streamed(
        begun(0, type="tool_use", id="a", name="quote", input={}),
        begun(1, type="tool_use", id="b", name="news", input={}),
        piece(0, "input_json", partial_json='{"sym":'),
        piece(1, "input_json", partial_json='{"q": "boats"}'),
        piece(0, "input_json", partial_json=' "AB"}'),
        stop(0),
        stop(1),
        ended("tool_use"),
    )

    assert message.calls == [
        ActionCallMessageContent("a", "quote", '{"sym": "AB"}'),
        ActionCallMessageContent("b", "news", '{"q": "boats"}'),
    ]


@pytest.mark.parametrize(
    ("given", "pieces", "arguments"),
    [({}, [""], "{}"), ({}, [], "{}"), ({"a": 1}, [], '{"a": 1}'), (None, [], "{}")],
    ids=["an empty piece", "no piece", "whole at the start", "null"],
)
def test_a_call_without_pieces_has_the_input_it_began_with(
    given: Json | None, pieces: list[str], arguments: str
) -> None:
    message = streamed(
        begun(0, type="tool_use", id="a", name="today", input=given),
        *[piece(0, "input_json", partial_json=one) for one in pieces],
        stop(0),
        ended("tool_use"),
    )

    assert message.calls == [ActionCallMessageContent("a", "today", arguments)]


def test_a_call_that_was_cut_stays_as_it_is() -> None:
    message = streamed(
        begun(0, type="tool_use", id="a", name="save", input={}),
        piece(0, "input_json", partial_json='{"name": "log'),
        ended("max_tokens"),
    )

    assert message.finish == "length"
    assert message.calls == [ActionCallMessageContent("a", "save", '{"name": "log')]


def test_a_stream_that_just_stops_is_incomplete() -> None:
    message = streamed(begun(0, type="text", text=""), piece(0, "text", text="Ahoy"))

    assert (message.to_text(), message.finish, message.finish_reason) == ("Ahoy", "incomplete", "")


def test_the_input_of_the_providers_own_call_comes_in_pieces_too() -> None:
    message = streamed(
        begun(0, type="server_tool_use", id="s", name="web_search", input={}),
        piece(0, "input_json", partial_json='{"q": '),
        piece(0, "input_json", partial_json='"tide"}'),
        stop(0),
        ended("pause_turn"),
    )

    used = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {"q": "tide"}}
    assert message.content == (GenericMessageContent(used, "anthropic"),)


@pytest.mark.parametrize("stops", [[stop(0)], []], ids=["stopped", "left open"])
def test_a_block_of_the_provider_that_was_cut_is_not_kept(stops: list[Json]) -> None:
    message = streamed(
        begun(0, type="server_tool_use", id="s", name="web_search", input={}),
        piece(0, "input_json", partial_json='{"q": "ti'),
        *stops,
        ended("max_tokens"),
    )

    assert message.content == ()


def test_what_is_not_known_of_a_stream_harms_nothing() -> None:
    message = streamed(
        begun(0, type="compaction", content=None),
        piece(0, "compaction", content="sum"),
        piece(0, "compaction", content="mary"),
        stop(0),
        {"type": "some_new_event", "x": 1},
        begun(1, type="text", text=""),
        piece(1, "text", text="Hello"),
        piece(1, "from_the_future", held=1),
        piece(7, "from_the_future", held=1),
        stop(1),
        stop(7),
        ended(),
    )

    assert message.content == (
        GenericMessageContent({"type": "compaction", "content": "summary"}, "anthropic"),
        TextMessageContent("Hello"),
    )


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (answer_of(error={"message": "No such route."}), "No such route"),
        (answer_of(hello="world"), "world.*Check that base_url"),
        ("<html>", "<html>.*Check that base_url"),
    ],
    ids=["an error", "another object", "a page"],
)
def test_an_answer_that_is_no_message_says_what_came_and_what_to_check(
    answer: Any, words: str
) -> None:
    with pytest.raises(decode.UnreadableReply, match=words):
        decode.message(answer)


def test_a_stream_without_any_event_says_what_to_check() -> None:
    with pytest.raises(decode.UnreadableReply, match="Check that base_url"):
        _exhaust(EventReader().end())


def _exhaust(deltas: Iterable[object]) -> None:
    for _ in deltas:
        pass
