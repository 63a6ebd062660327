"""What is read out of replies, also of servers that only nearly speak the protocol."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openai.types.chat import ChatCompletion

from agenthost_plugin_openai import decode
from agenthost_sdk.messages import (
    ActionCallMessageContent,
    Message,
    Usage,
)
from support.provider_server import chunk
from support.read_replies import Json, function, in_pieces, streamed, whole


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
        ("tool_calls", "stop"),
        ("length", "length"),
        ("content_filter", "refusal"),
        ("error", "incomplete"),
        ("insufficient_system_resource", "incomplete"),
        ("a word nobody knows", "stop"),
        ("", "stop"),
        (None, "stop"),
    ],
)
def test_the_reason_of_the_end_is_put_in_our_words(reason: str | None, finish: str) -> None:
    message = whole({"content": "Hello."}, reason)

    assert (message.finish, message.finish_reason) == (finish, reason or "")
    assert streamed(chunk({"content": "Hello."}, reason)) == message


@pytest.mark.parametrize("reason", ["tool_calls", "function_call", "stop", "a word nobody knows"])
def test_a_reply_with_calls_ends_in_actions_whatever_its_word(reason: str) -> None:
    calls = {"tool_calls": [function("F", "{}", id="a")]}

    assert whole(calls, reason).finish == "actions"
    assert streamed(chunk(calls), chunk({}, reason)).finish == "actions"


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


def test_a_stream_without_reason_and_mark_of_its_end_is_incomplete() -> None:
    begun = [chunk({"content": "Hel"})]
    called = [chunk({"tool_calls": [function("F", "{}", index=0, id="a")]})]

    assert streamed(*begun, is_done=False).finish == "incomplete"
    assert streamed(*called, is_done=False).finish == "incomplete"
    assert (streamed(*begun).finish, streamed(*called).finish) == ("stop", "actions")
    assert streamed(*begun, chunk({}, "stop"), is_done=False).finish == "stop"


def test_of_several_choices_the_first_is_read() -> None:
    second = {"index": 1, "delta": {"content": "other"}, "finish_reason": "length"}

    message = streamed(
        chunk({"content": "one"}), {"choices": [second]}, chunk({"content": " two"}, "stop")
    )

    assert (message.to_text(), message.finish) == ("one two", "stop")


def test_tokens_are_found_where_servers_put_them() -> None:
    counted = {"prompt_tokens": 9, "completion_tokens": 2, "prompt_cache_hit_tokens": 5}
    beside = {"usage": {"prompt_tokens": 9, "completion_tokens": 2}}

    written = {"prompt_tokens_details": {"cached_tokens": 1, "cache_write_tokens": 4}}

    assert whole({"content": "a"}, usage=counted).usage == Usage(9, 2, 5)
    assert whole({"content": "a"}, usage=written).usage == Usage(
        cached_tokens=1, cache_written_tokens=4
    )
    assert streamed(chunk({"content": "a"}, "stop", x_groq=beside)).usage == Usage(9, 2)


@settings(deadline=None, max_examples=200)
@given(
    st.dictionaries(
        st.sampled_from(
            ["content", "refusal", "tool_calls", "function_call", "audio", "images", "role",
             "reasoning", "reasoning_details", "reasoning_content", "annotations", "extra_content"]
        ),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.text(max_size=3),
            lambda inner: st.lists(inner, max_size=2)
            | st.dictionaries(
                st.sampled_from(
                    ["type", "text", "function", "name", "arguments", "id", "index", "data",
                     "thinking", "image_url", "url", "custom", "input", "extra_content"]
                ),
                inner,
                max_size=3,
            ),
            max_leaves=6,
        ),
    )
)  # fmt: skip
def test_nothing_that_a_server_may_send_breaks_the_reading(said: Json) -> None:
    assert isinstance(whole(said), Message)
    assert isinstance(in_pieces(said), Message)


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


@pytest.mark.parametrize("odd", [None, 5, "text", [], [1], {}, {"content": 5}], ids=repr)
@pytest.mark.parametrize("place", ["choices", "choice", "delta"])
def test_what_is_no_chunk_adds_nothing(odd: Any, place: str) -> None:
    choice = {"choice": odd, "delta": {"index": 0, "delta": odd, "finish_reason": None}}
    sent = {"choices": odd if place == "choices" else [choice[place]]}

    assert streamed(sent, chunk({"content": "Yes."}, "stop")).to_text() == "Yes."


@pytest.mark.parametrize("choices", [None, 5, "text", [], [1], [[]], [{}], {}], ids=repr)
def test_what_holds_no_message_is_told(choices: Any) -> None:
    with pytest.raises(decode.UnreadableReply):
        decode.message(ChatCompletion.construct(choices=choices))
