"""Any stack becomes a request that the API takes, and what the API reads is what was meant.

The normal form of a stack: the system's messages stand apart; user and assistant take turns; each
call is answered, in order, in the user's next turn; ids are legal and unique, names legal, inputs
objects; there are no blank texts, and no blocks of other providers.
"""

from __future__ import annotations

import json
from base64 import b64decode
from typing import Any

from anthropic.types import Message as Answer
from hypothesis import given
from hypothesis import strategies as st

from agenthost_plugin_anthropic import decode
from agenthost_plugin_anthropic.encode import RequestWriter
from agenthost_plugin_anthropic.options import Options
from agenthost_sdk.artifacts import (
    BaseArtifact,
    DocumentArtifact,
    ImageArtifact,
    ImageUrlArtifact,
    ListArtifact,
    TextArtifact,
)
from agenthost_sdk.messages import (
    ActionCallMessageContent,
    ActionResultMessageContent,
    BaseMessageContent,
    DocumentMessageContent,
    GenericMessageContent,
    ImageMessageContent,
    Message,
    PromptStack,
    ReasoningMessageContent,
    TextMessageContent,
)
from support.provider_rules import refusals
from support.stacks import (
    any_blocks,
    calls,
    foreign_blocks,
    own_blocks,
    results,
    stacks,
    text_blocks,
)

Json = dict[str, Any]

MODEL = "claude-sonnet-4-5"

own_forms = st.sampled_from(
    [
        {"type": "thinking", "thinking": "Well …", "signature": "c2ln"},
        {"type": "thinking", "thinking": "unsigned", "signature": ""},
        {"type": "redacted_thinking", "data": "eNqs"},
        {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"q": "x"}},
        {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []},
        {"type": "container_upload", "file_id": "file_1"},
        {"type": "text", "text": " "},
        {"no": "type"},
        {"type": "odd", "value": float("nan")},
    ]
)
all_blocks: st.SearchStrategy[Any] = (
    any_blocks | own_blocks("anthropic", own_forms) | own_blocks("", own_forms)
)
spoken_blocks: st.SearchStrategy[Any] = (
    text_blocks | calls | results | foreign_blocks | own_blocks("anthropic", own_forms)
)
options = st.builds(
    Options,
    st.just(MODEL),
    thinking=st.sampled_from([None, 2_000, "disabled"]),
    parallel_tool_use=st.booleans(),
    strict=st.booleans(),
    cache=st.booleans(),
)


@given(stacks(all_blocks), options, st.booleans())
def test_the_api_takes_the_request_of_any_stack(
    stack: PromptStack, asked: Options, stream: bool
) -> None:
    body = request(stack, asked, stream=stream)

    assert refusals("messages", body) == []


@given(stacks(all_blocks))
def test_what_the_api_reads_is_a_stack_with_the_same_request(stack: PromptStack) -> None:
    sent = request(stack)

    assert request(echoed(sent))["messages"] == sent["messages"]


@given(stacks(spoken_blocks))
def test_all_that_was_said_arrives_in_its_order(stack: PromptStack) -> None:
    echo = echoed(request(stack)).messages

    for role in ("user", "assistant"):
        assert said(echo, role) == said(stack.messages, role)
    assert inputs(echo) == inputs(stack.messages)


@given(st.data())
def test_a_stack_in_normal_form_comes_back_as_it_was(data: st.DataObject) -> None:
    stack = PromptStack(data.draw(sound_messages()))

    assert echoed(request(stack)).messages == stack.messages


@given(stacks(all_blocks), st.integers(0, 8))
def test_a_conversation_that_goes_on_is_written_as_one_that_is_new(
    stack: PromptStack, known: int
) -> None:
    writer = RequestWriter()
    begun = PromptStack(stack.messages[: known + 1])

    writer.request(begun, Options(MODEL), stream=False)
    writer.request(begun, Options(MODEL), stream=False)
    going_on = json.loads(writer.request(stack, Options(MODEL), stream=False))

    assert going_on == request(stack)


def request(stack: PromptStack, asked: Options | None = None, *, stream: bool = False) -> Json:
    body: Json = json.loads(RequestWriter().request(stack, asked or Options(MODEL), stream=stream))
    return body


def echoed(body: Json) -> PromptStack:
    """Return the stack that a request tells of, read without the code that wrote it."""
    return PromptStack([_message(message) for message in body["messages"]])


def _message(message: Json) -> Message:
    if message["role"] == "assistant":
        answer = Answer.construct(content=message["content"])
        return Message("assistant", decode.message(answer).content)
    return Message("user", tuple(map(_users, message["content"])))


def _users(block: Json) -> BaseMessageContent:
    if block["type"] == "tool_result":
        outputs = [_artifact(_users(one)) for one in block["content"]]
        output = outputs[0] if len(outputs) == 1 else ListArtifact(outputs)
        failed = block.get("is_error", False)
        return ActionResultMessageContent(block["tool_use_id"], "", output, failed)
    if block["type"] == "text":
        return TextMessageContent(block["text"])
    if block["type"] == "image":
        return ImageMessageContent(_picture(block["source"]))
    if block["type"] == "document":
        return DocumentMessageContent(_document(block["source"], block.get("title", "")))
    return GenericMessageContent(block, "anthropic")


def _artifact(content: BaseMessageContent) -> BaseArtifact:
    if isinstance(content, TextMessageContent):
        return TextArtifact(content.text)
    return Message("user", (content,)).to_artifact()


def _picture(source: Json) -> ImageArtifact | ImageUrlArtifact:
    if source["type"] == "url":
        return ImageUrlArtifact(source["url"])
    return ImageArtifact(b64decode(source["data"]), format=source["media_type"][6:])


def _document(source: Json, name: str) -> DocumentArtifact:
    if source["type"] == "text":
        return DocumentArtifact(source["data"].encode(), format="plain", name=name)
    return DocumentArtifact(b64decode(source["data"]), name=name)


def said(messages: list[Message], role: str) -> str:
    """Return what a role says in words, white space and what UTF-8 cannot carry left out."""
    words = [
        block.text
        for message in messages
        if message.role == role
        for block in message.content
        if isinstance(block, TextMessageContent)
    ]
    told = "".join("".join(words).split()).replace("Begin.", "")
    return told.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def inputs(messages: list[Message]) -> list[Any]:
    """Return the inputs of all calls, in order; what is no object counts as an empty one."""
    spoken = [message for message in messages if message.role == "assistant"]
    return [_input(call.arguments) for message in spoken for call in message.calls]


def _input(text: str) -> Any:
    def refuse(word: str) -> Any:
        raise ValueError(word)

    try:
        value = json.loads(text, parse_constant=refuse)
    except ValueError:
        return {}
    sound = json.dumps(value if isinstance(value, dict) else {}, ensure_ascii=False)
    return json.loads(sound.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))


words = st.text(st.characters(codec="utf-8"), min_size=1).filter(str.strip)
spoken = st.one_of(
    words.map(TextMessageContent),
    st.sampled_from(
        [
            GenericMessageContent(
                {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {}},
                "anthropic",
            ),
            ReasoningMessageContent(
                "Hm.", {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}, "anthropic"
            ),
        ]
    ),
)
given_blocks = st.one_of(
    words.map(TextMessageContent),
    st.builds(ImageMessageContent, st.builds(ImageArtifact, st.binary(min_size=1))),
    st.builds(DocumentMessageContent, st.builds(DocumentArtifact, st.binary(min_size=1))),
)


@st.composite
def sound_messages(draw: st.DrawFn) -> list[Message]:
    """Return a conversation in normal form."""
    messages = [Message("user", tuple(draw(st.lists(given_blocks, min_size=1, max_size=3))))]
    for turn in range(draw(st.integers(0, 3))):
        before = draw(st.lists(spoken, max_size=2))
        made = [
            ActionCallMessageContent(f"call_{turn}_{number}", "Stock_count", '{"sku": "x"}')
            for number in range(draw(st.integers(1, 3)))
        ]
        answers = [
            ActionResultMessageContent(call.id, "", TextArtifact(draw(words)), draw(st.booleans()))
            for call in made
        ]
        messages.append(Message("assistant", (*before, *made)))
        messages.append(Message("user", (*answers, *draw(st.lists(given_blocks, max_size=2)))))
    return messages
