"""What is read out of replies, also of servers that only nearly speak the protocol."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openai.types.chat import ChatCompletion, ChatCompletionChunk

from agenthost_plugin_openai import decode
from agenthost_sdk.messages import ActionCallMessageContent, Message, Usage
from support.provider_server import chunk

Json = dict[str, Any]


def whole(said: Json, finish_reason: str | None = "stop", usage: Json | None = None) -> Message:
    choice = {"index": 0, "message": said, "finish_reason": finish_reason}
    return decode.message(ChatCompletion.construct(choices=[choice], usage=usage))


def streamed(*chunks: Json) -> Message:
    reader = decode.ChunkReader()
    deltas = [
        delta for sent in chunks for delta in reader.read(ChatCompletionChunk.construct(**sent))
    ]
    return Message.from_deltas([*deltas, *reader.end()])


def function(name: str | None = None, arguments: Any = None, **fields: Any) -> Json:
    return {**fields, "function": {"name": name, "arguments": arguments}}


def calls_of(*pieces: Json) -> list[tuple[str, str, str]]:
    chunks = [chunk({"tool_calls": [piece]}) for piece in pieces]
    message = streamed(*chunks, chunk({}, "tool_calls"))
    return [(call.id, call.native, call.arguments) for call in message.calls]


def test_text_and_calls_are_read_in_order() -> None:
    message = whole(
        {
            "content": "Looking.",
            "tool_calls": [function("F", '{"x": 1}', id="a"), function("G", "{}", id="b")],
        },
        "tool_calls",
    )

    assert message.to_text() == "Looking."
    assert message.calls == [
        ActionCallMessageContent("a", "F", '{"x": 1}'),
        ActionCallMessageContent("b", "G", "{}"),
    ]


def test_missing_and_equal_ids_are_left_to_the_dialect() -> None:
    message = whole({"tool_calls": [function("F"), function("F", id="a"), function("F", id="a")]})

    assert [call.id for call in message.calls] == ["", "a", "a"]


@pytest.mark.parametrize(
    ("reason", "finish"),
    [
        ("stop", "stop"),
        ("tool_calls", "actions"),
        ("function_call", "actions"),
        ("length", "length"),
        ("content_filter", "refusal"),
        ("a word nobody knows", "stop"),
        (None, "stop"),
    ],
)
def test_the_reason_of_the_end_is_put_in_our_words(reason: str | None, finish: str) -> None:
    assert whole({"content": "Hello."}, reason).finish == finish


def test_a_refusal_is_the_text_of_the_reply() -> None:
    message = whole({"content": None, "refusal": "I will not."})
    pieces = streamed(chunk({"refusal": "I will"}), chunk({"refusal": " not."}), chunk({}, "stop"))

    assert (message.to_text(), message.finish) == ("I will not.", "refusal")
    assert (pieces.to_text(), pieces.finish) == ("I will not.", "refusal")


def test_a_reply_with_calls_ends_in_actions_whatever_the_server_says() -> None:
    assert whole({"tool_calls": [function("F", "{}", id="a")]}, "stop").finish == "actions"


def test_tokens_are_counted_with_their_details() -> None:
    counted = {
        "prompt_tokens": 100,
        "completion_tokens": 20,
        "total_tokens": 120,
        "prompt_tokens_details": {"cached_tokens": 64},
        "completion_tokens_details": {"reasoning_tokens": 12},
    }

    assert whole({"content": "Hello."}, usage=counted).usage == Usage(100, 20, 64, 12)
    assert whole({"content": "Hello."}).usage == Usage()


def test_the_last_count_of_a_stream_is_its_usage() -> None:
    counts = [{"prompt_tokens": 9, "completion_tokens": n, "total_tokens": 9 + n} for n in (1, 2)]

    message = streamed(
        chunk({"content": "a"}, usage=counts[0]),
        chunk({"content": "b"}, "stop"),
        {"choices": [], "usage": counts[1]},
    )

    assert (message.to_text(), message.usage) == ("ab", Usage(9, 2))


def test_interleaved_pieces_find_their_call_by_index() -> None:
    assert calls_of(
        function("F", "", index=0, id="a"),
        function("G", "", index=1, id="b"),
        function(None, '{"x"', index=0),
        function(None, "{}", index=1),
        function(None, ": 1}", index=0),
    ) == [("a", "F", '{"x": 1}'), ("b", "G", "{}")]


def test_pieces_without_index_go_to_the_last_call_until_another_id_comes() -> None:
    assert calls_of(
        function("F", "", id="a"),
        function(None, '{"x": 1}'),
        function("G", "", id="b"),
        function(None, "{}"),
    ) == [("a", "F", '{"x": 1}'), ("b", "G", "{}")]


def test_another_id_at_the_same_index_is_another_call() -> None:
    assert calls_of(
        function("F", '{"x": 1}', index=0, id="a"), function("F", '{"x": 2}', index=0, id="b")
    ) == [("a", "F", '{"x": 1}'), ("b", "F", '{"x": 2}')]


def test_calls_at_one_index_without_ids_are_told_apart_by_complete_arguments() -> None:
    assert calls_of(function("F", '{"x": 1}', index=0), function("F", '{"x": 2}', index=0)) == [
        ("", "F", '{"x": 1}'),
        ("", "F", '{"x": 2}'),
    ]


def test_an_id_and_a_name_that_come_in_every_piece_are_those_of_one_call() -> None:
    assert calls_of(
        function("F", '{"x"', index=0, id="a"), function("F", ": 1}", index=0, id="a")
    ) == [("a", "F", '{"x": 1}')]


def test_an_id_that_comes_late_belongs_to_the_call_before_it() -> None:
    assert calls_of(function("F", "", index=0), function(None, '{"x": 1}', index=0, id="a")) == [
        ("a", "F", '{"x": 1}')
    ]


@pytest.mark.parametrize(("arguments", "read"), [({"x": 1}, '{"x": 1}'), (None, ""), ("", "")])
def test_arguments_come_as_text_as_an_object_or_not_at_all(arguments: Any, read: str) -> None:
    assert calls_of(function("F", arguments, index=0, id="a")) == [("a", "F", read)]
    assert whole({"tool_calls": [function("F", arguments, id="a")]}).calls[0].arguments == read


def test_a_call_cut_by_the_token_limit_stays_marked_as_cut() -> None:
    message = streamed(
        chunk({"tool_calls": [function("F", '{"x', index=0, id="a")]}), chunk({}, "length")
    )

    assert message.finish == "length"
    assert message.calls[0].arguments == '{"x'


@pytest.mark.parametrize("answer", ["<html>Not here</html>", ChatCompletion.construct(choices=[])])
def test_what_is_no_completion_is_shown(answer: Any) -> None:
    with pytest.raises(decode.UnreadableReply, match="not with a chat completion"):
        decode.message(answer)


def test_a_stream_that_never_said_why_it_ended_is_incomplete() -> None:
    assert streamed(chunk({"content": "Hel"})).finish == "incomplete"


@settings(deadline=None, max_examples=40)
@given(
    st.text(max_size=40),
    st.dictionaries(st.text(max_size=9), st.integers() | st.none()).map(json.dumps),
)
def test_pieces_joined_give_what_was_sent(text: str, arguments: str) -> None:
    pieces = [function("F", "", index=0, id="a")]
    pieces += [function(None, letter, index=0) for letter in arguments]

    message = streamed(
        *(chunk({"content": letter}) for letter in text),
        *(chunk({"tool_calls": [piece]}) for piece in pieces),
        chunk({}, "tool_calls"),
    )

    assert message.to_text() == text
    assert message.calls == [ActionCallMessageContent("a", "F", arguments)]
