"""Replies are read into the SDK's types, to what the SDK itself would read."""

from __future__ import annotations

from typing import Any

import pytest
from openai import BaseModel
from openai.types.chat import ChatCompletion, ChatCompletionChunk

from agenthost_plugin_openai.reading import Chunk, Completion
from support.chat_protocol import answer, chunk

Json = dict[str, Any]

CALL = {"id": "c1", "name": "count", "input": {"sku": "AB"}}

WHOLE: dict[str, Json] = {
    "words": answer({"text": "Hello."}, {}),
    "a call": answer({"tool_calls": [CALL]}, {}),
    "a field that the SDK does not know": answer({"text": "a", "thinking": "b"}, {}),
    "a number for a word": answer({"text": 5}, {}),
    "another word for the end": answer({"text": "a", "finish": "eos"}, {}),
    "no choices": {"error": {"message": "no"}},
}

PIECES: dict[str, Json] = {
    "words": chunk({"content": "Hel"}),
    "a call": chunk({"tool_calls": [{"index": 0, "id": "c1", "function": {"name": "count"}}]}),
    "a field that the SDK does not know": chunk({"reasoning": "b"}),
    "a list for a word": chunk({"content": [{"type": "text", "text": "a"}]}),
    "no index": chunk({"tool_calls": [{"id": "c1", "function": {"arguments": "{}"}}]}),
    "another word for the end": chunk({}, "eos"),
}


def told(read: BaseModel) -> Json:
    """Return all that was read, fields that nobody sent left out."""
    return read.to_dict(mode="python", exclude_unset=True, warnings=False)


@pytest.mark.parametrize("sent", WHOLE.values(), ids=WHOLE)
def test_a_reply_is_read_as_the_sdk_reads_it(sent: Json) -> None:
    read = Completion.build(response=None, data=sent)

    assert isinstance(read, ChatCompletion)
    assert told(read) == told(ChatCompletion.construct(**sent))
    assert told(read) == sent


@pytest.mark.parametrize("sent", PIECES.values(), ids=PIECES)
def test_a_chunk_is_read_as_the_sdk_reads_it(sent: Json) -> None:
    read = Chunk.build(response=None, data=sent)

    assert isinstance(read, ChatCompletionChunk)
    assert told(read) == told(ChatCompletionChunk.construct(**sent))
    assert told(read) == sent


@pytest.mark.parametrize("sent", ["a text", [1], 7], ids=str)
def test_what_is_no_object_is_left_as_it_is(sent: Any) -> None:
    assert Completion.build(response=None, data=sent) == sent
