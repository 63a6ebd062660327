"""Streams of servers that keep to the protocol loosely, and errors in whatever form they come."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from agenthost_plugin_openai import OpenAiChatPromptDriver
from agenthost_sdk.errors import (
    DriverError,
    DriverRateLimitError,
    DriverRequestError,
    DriverServerError,
)
from agenthost_sdk.messages import (
    ActionCallMessageContent,
    Message,
    PromptStack,
    ReasoningMessageContent,
    StreamedReply,
    TextMessageContent,
    Usage,
)
from support.provider_server import ProviderServer, chunk, sse
from support.read_replies import Json, function, streamed

PARTIAL = chunk({"content": "The tide"})


@pytest.mark.parametrize(
    ("told", "kind", "words"),
    [
        ({"object": "error", "message": "Too long.", "code": 400}, DriverRequestError, "Too long"),
        ({"type": "error", "message": "Boom.", "code": "500"}, DriverServerError, "Boom"),
        ([{"error": {"code": 503, "message": "Overloaded."}}], DriverServerError, "Overloaded"),
        ([{"error": "Overloaded."}], DriverServerError, "Overloaded"),
        ({"detail": "Internal Server Error"}, DriverServerError, "Internal"),
        (
            {"base_resp": {"status_code": 1002, "status_msg": "Too fast."}, "choices": None},
            DriverServerError,
            "Too fast",
        ),
        ({"success": False, "message": "Not now."}, DriverServerError, "Not now"),
        (chunk({}, "error", choices=[]), None, ""),
    ],
    ids=["object", "type", "list", "text in a list", "detail", "state", "success", "none"],
)
def test_an_error_in_the_place_of_a_chunk_is_raised_in_any_form(
    told: Any, kind: type[DriverError] | None, words: str
) -> None:
    message, error = read([PARTIAL, told, chunk({}, "stop")])

    assert message.to_text() == "The tide"
    if kind is None:
        assert error is None
    else:
        assert isinstance(error, kind)
        assert words in str(error)


def test_an_error_within_the_choice_is_raised_by_its_code() -> None:
    told = chunk({"content": ""}, "error")
    told["choices"][0]["error"] = {"code": 429, "message": "Slow down."}

    _, error = read([PARTIAL, told])

    assert isinstance(error, DriverRateLimitError)
    assert "Slow down." in str(error)


@pytest.mark.parametrize("nothing", [None, False, "", {}])
def test_a_field_for_errors_that_holds_none_is_no_error(nothing: Any) -> None:
    message, error = read([chunk({"content": "Hi"}, error=nothing), chunk({}, "stop")])

    assert (message.to_text(), error) == ("Hi", None)


def test_a_state_of_success_is_no_error() -> None:
    state = {"status_code": 0, "status_msg": ""}

    assert read([{"base_resp": state}, chunk({"content": "Hi"}, "stop")])[1] is None


def test_a_whole_completion_in_the_place_of_chunks_is_read() -> None:
    said = {
        "content": "I look.",
        "reasoning": "Hm.",
        "tool_calls": [function("Stock_count", '{"sku": "x"}', id="a")],
    }

    message = streamed(completion(said, "tool_calls"))

    assert message.content == (
        ReasoningMessageContent("Hm.", {"reasoning": "Hm."}, "openai"),
        TextMessageContent("I look."),
        ActionCallMessageContent("a", "Stock_count", '{"sku": "x"}'),
    )
    assert message.finish == "actions"


def test_a_message_that_repeats_what_was_streamed_adds_nothing() -> None:
    whole = completion({"content": "Hello"})

    message = streamed(chunk({"content": "Hel"}), chunk({"content": "lo"}), whole)

    assert (message.to_text(), message.finish) == ("Hello", "stop")


def test_the_only_choice_is_read_whatever_its_number() -> None:
    assert streamed(numbered(1, "Hi"), numbered(1, "!")).to_text() == "Hi!"


def test_of_several_choices_the_first_is_read() -> None:
    both = numbered(1, "No")
    both["choices"] += numbered(0, "Yes")["choices"]

    assert streamed(both, numbered(1, "no"), numbered(0, "!")).to_text() == "Yes!"


def test_a_part_that_stands_in_no_list_is_read() -> None:
    message = streamed(
        chunk({"content": {"type": "text", "text": "Hel"}}),
        chunk({"content": ["l", "o"]}),
        chunk({"tool_calls": function("Stock_count", "{}", id="a")}, "stop"),
    )

    assert message.to_text() == "Hello"
    assert message.calls == [ActionCallMessageContent("a", "Stock_count", "{}")]


def test_calls_that_were_announced_and_never_came_are_none() -> None:
    message = streamed(chunk({"content": "Hi"}), chunk({}, "tool_calls"))

    assert (message.finish, message.finish_reason) == ("stop", "tool_calls")


def test_a_count_below_zero_counts_as_none() -> None:
    counted = {"prompt_tokens": 9, "completion_tokens": -1}

    assert streamed(chunk({"content": "Hi"}, "stop", usage=counted)).usage == Usage(9)


def completion(said: Json, reason: str = "stop") -> Json:
    choice = {"index": 0, "message": {"role": "assistant", **said}, "finish_reason": reason}
    return {
        "id": "1",
        "object": "chat.completion",
        "created": 0,
        "model": "m",
        "choices": [choice],
    }


def numbered(index: int, text: str) -> Json:
    made = chunk({"content": text})
    made["choices"][0]["index"] = index
    return made


def read(chunks: Iterable[Any]) -> tuple[Message, DriverError | None]:
    """Return what a driver reads of chunks from a server, and how it ended."""
    reply = StreamedReply()
    with ProviderServer([{"sse": sse(list(chunks))}]) as server:
        try:
            for delta in driven(server):
                reply.add(delta)
        except DriverError as error:
            return reply.message(), error
    return reply.message(), None


def driven(server: ProviderServer) -> Iterator[Any]:
    driver = OpenAiChatPromptDriver(model="m", base_url=server.openai_url, api_key="key")
    return driver.try_stream(PromptStack.from_artifact("?"))
