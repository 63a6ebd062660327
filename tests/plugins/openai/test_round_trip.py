"""Any stack becomes a request that the provider takes, and its echo gives the stack back.

What comes back is the normal form of the stack, since the protocol cannot hold all of it:

* Half a character becomes U+FFFD. Blocks and messages in which nothing is said vanish.
* A message of the system is one text: the words of its blocks, a blank line between them.
* A message of the model is its texts as one, then its calls. Where it has no text, it is what its
  other blocks are in words. Its pictures follow as the user's; its thoughts, and the blocks of
  another provider, vanish.
* A call has a legal name, and an input that is a JSON object. Which calls have one id is told by
  their order, since no id may stand twice.
* A result in a message of the model's is the user's: the message ends before it, and what stands
  behind it is another one. Where a call in it has no result there, the results stand last.
* Right behind the model's message stands one result for each of its calls, in their order: the
  first one that bears the call's id in what follows up to the model's next message. A result is
  words; what it shows beside them follows as the user's. One that is missing says so; one that
  answers no call vanishes, and so does whether it failed.
* Up to the message that brings the last result, the rules come next, then all that the user says,
  as one message. What comes later stands by itself.
* What the user says in a form that the provider does not take is said in words.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, TypeGuard

from hypothesis import given, settings
from openai.types.chat import ChatCompletion, ChatCompletionChunk

from agenthost_plugin_openai import decode
from agenthost_plugin_openai.chunks import ChunkReader
from agenthost_plugin_openai.conversation import BELOW, NO_RESULT
from agenthost_plugin_openai.encode import Encoder
from agenthost_plugin_openai.profiles import PROFILES, UNKNOWN
from agenthost_sdk.actions import native_name
from agenthost_sdk.artifacts import (
    NOTHING,
    AudioArtifact,
    DocumentArtifact,
    ImageArtifact,
    ImageUrlArtifact,
    TextArtifact,
)
from agenthost_sdk.messages import (
    ActionCallMessageContent,
    ActionResultMessageContent,
    AudioMessageContent,
    BaseMessageContent,
    DocumentMessageContent,
    GenericMessageContent,
    ImageMessageContent,
    Message,
    PromptStack,
    ReasoningMessageContent,
    TextMessageContent,
    contents,
)
from support.provider_rules import refusals
from support.stacks import stacks

Json = dict[str, Any]
Blocks = list[BaseMessageContent]


@settings(deadline=None, max_examples=300)
@given(stacks())
def test_the_echo_of_any_stack_is_its_normal_form(stack: PromptStack) -> None:
    body = json.loads(Encoder(UNKNOWN, "gpt-4.1-mini", strict=True).request(stack, stream=False))

    assert refusals("chat", body) == []
    assert list(read_back(body["messages"])) == list(normal_form(stack.messages))
    assert [one["function"]["name"] for one in body.get("tools", ())] == [
        spec.native for spec in stack.tools
    ]


@settings(deadline=None, max_examples=100)
@given(stacks())
def test_a_normal_form_comes_back_as_it_is(stack: PromptStack) -> None:
    normal = list(normal_form(stack.messages))

    body = json.loads(
        Encoder(UNKNOWN, "m", strict=False).request(PromptStack(normal), stream=True)
    )

    assert list(read_back(body["messages"])) == normal


@settings(deadline=None, max_examples=30)
@given(stacks())
def test_every_known_server_is_sent_what_the_provider_takes(stack: PromptStack) -> None:
    for profile in PROFILES.values():
        encoder = Encoder(profile, "some-model", profile.strict)

        body = json.loads(encoder.request(stack, stream=True))

        if profile.documents != "document_url":  # which OpenAI does not know
            assert refusals("chat", body) == [], profile.name


def read_back(sent: Sequence[Json]) -> Iterator[Message]:
    """Yield what the messages of a request say; the model's are read as a reply is."""
    numbers: dict[str, tuple[str, str]] = {}
    results: Blocks = []
    for said in sent:
        if said["role"] == "tool":
            number, native = numbers[said["tool_call_id"]]
            output = TextArtifact(said["content"])
            results.append(ActionResultMessageContent(number, native, output))
            continue
        if results:
            yield Message("user", tuple(results))
            results = []
        if said["role"] == "assistant":
            yield _numbered(_reply(said), numbers)
        else:
            yield Message(said["role"], tuple(_shown(said["content"])))
    if results:
        yield Message("user", tuple(results))


def _reply(said: Json) -> Message:
    choice = {"index": 0, "message": said, "finish_reason": "stop"}
    whole = decode.message(ChatCompletion.construct(choices=[choice]))
    reader, piece = ChunkReader(), {"index": 0, "delta": said, "finish_reason": "stop"}
    deltas = list(reader.read(ChatCompletionChunk.construct(choices=[piece])))
    assert Message.from_deltas([*deltas, *reader.end(is_done=True)]) == whole
    return whole


def _numbered(reply: Message, numbers: dict[str, tuple[str, str]]) -> Message:
    for call in reply.calls:
        assert call.id not in numbers
        numbers[call.id] = (f"call {len(numbers)}", call.native)
    blocks = [
        ActionCallMessageContent(*numbers[block.id], block.arguments)
        if isinstance(block, ActionCallMessageContent)
        else block
        for block in reply.content
    ]
    return Message("assistant", tuple(blocks))


def _shown(content: Any) -> Iterator[BaseMessageContent]:
    parts = content if isinstance(content, list) else [{"type": "text", "text": content}]
    for part in parts:
        held: Any = part.get(part["type"])
        if part["type"] == "text":
            yield TextMessageContent(held)
        elif part["type"] == "image_url":
            yield ImageMessageContent(_picture(held["url"]))
        elif part["type"] == "input_audio":
            data = base64.b64decode(held["data"])
            yield AudioMessageContent(AudioArtifact(data, format=held["format"]))
        else:
            data = base64.b64decode(held["file_data"].partition(",")[2])
            yield DocumentMessageContent(DocumentArtifact(data, name=held["filename"]))


def _picture(url: str) -> ImageArtifact | ImageUrlArtifact:
    if not url.startswith("data:"):
        return ImageUrlArtifact(url)
    kind, _, data = url.partition(",")
    return ImageArtifact(base64.b64decode(data), format=kind[len("data:image/") : -len(";base64")])


def normal_form(messages: Sequence[Message]) -> Iterator[Message]:
    """Yield the messages that are left of a stack's, as the head of this file says."""
    count = 0
    apart = [part for message in messages for part in _apart(message)]
    for said, heard in _turns(apart):
        numbers = [f"call {count + place}" for place in range(len(said.calls))]
        count += len(numbers)
        yield from _said_something(_turn(said, heard, numbers))


def _apart(message: Message) -> Iterator[Message]:
    """Yield a message; the results in one of the model's are messages of the user's."""
    results = [block for block in message.content if _is_result(block)]
    if message.role != "assistant" or not results:
        yield message
        return
    blocks = message.content
    if not all(_is_answered(blocks[place:]) for place in range(len(blocks))):
        others = [block for block in blocks if not _is_result(block)]
        ids = [call.id for call in message.calls]
        own = [block for block in results if block.id in ids]
        blocks = (*(block for block in results if block.id not in ids), *others, *own)
    for is_result, part in groupby(blocks, _is_result):
        yield Message("user" if is_result else "assistant", tuple(part))


def _is_answered(blocks: Sequence[BaseMessageContent]) -> bool:
    """Return whether the first of the blocks is no call, or has its result behind it."""
    call, *others = blocks
    if not isinstance(call, ActionCallMessageContent):
        return True
    return any(_is_result(other) and other.id == call.id for other in others)


def _turns(messages: Sequence[Message]) -> Iterator[tuple[Message, list[Message]]]:
    """Yield each message of the model with what follows it; the first one may be empty."""
    said, heard = Message("assistant", ()), list[Message]()
    for message in messages:
        if message.role == "assistant":
            yield said, heard
            said, heard = message, []
        else:
            heard.append(message)
    yield said, heard


def _said_something(messages: Iterator[Message]) -> Iterator[Message]:
    return (message for message in messages if message.content)


def _turn(said: Message, heard: list[Message], numbers: list[str]) -> Iterator[Message]:
    calls = [
        ActionCallMessageContent(number, _name(call.native), _input(call.arguments))
        for number, call in zip(numbers, said.calls, strict=True)
    ]
    results, end = _answers(said.calls, heard)
    yield Message("assistant", (*_words(said), *calls))
    yield Message(
        "user",
        tuple(
            ActionResultMessageContent(call.id, call.native, TextArtifact(_result(results[place])))
            for place, call in enumerate(calls)
        ),
    )
    pictures = [block for block in said.content if isinstance(block, ImageMessageContent)]
    rest: Blocks = [TextMessageContent("From the reply above:"), *pictures] if pictures else []
    yield from (_rules(message) for message in heard[:end] if message.role == "system")
    for block in _of_the_user(heard[:end]):
        if not isinstance(block, ActionResultMessageContent):
            rest.append(block)
        elif any(block is result for result in results):
            rest += _shown_beside(block)
    if calls:
        yield _users(rest)
        rest = []
    for message in heard[end:]:
        if message.role == "system":
            yield _rules(message)
        else:
            yield _users(rest + [one for one in message.content if not _is_result(one)])
            rest = []
    yield _users(rest)


def _of_the_user(messages: Sequence[Message]) -> Iterator[BaseMessageContent]:
    return (block for message in messages if message.role == "user" for block in message.content)


def _answers(
    calls: Sequence[ActionCallMessageContent], heard: Sequence[Message]
) -> tuple[list[ActionResultMessageContent | None], int]:
    """Return the result of each call, and how many messages it takes to have them all."""
    results: list[ActionResultMessageContent | None] = [None] * len(calls)
    for end, message in enumerate(heard):
        if None not in results:
            return results, end
        for block in _of_the_user([message]):
            if isinstance(block, ActionResultMessageContent):
                open_ones = (place for place, found in enumerate(results) if found is None)
                place = next((one for one in open_ones if calls[one].id == block.id), None)
                if place is not None:
                    results[place] = block
    return results, len(heard) if calls else 0


def _words(said: Message) -> Blocks:
    media = [block for block in said.content if isinstance(block, _MEDIA)]
    words = said.to_text() or "\n\n".join(text for one in media if (text := one.to_text()))
    return [TextMessageContent(_sendable(words))] if words else []


_MEDIA = (ImageMessageContent, AudioMessageContent, DocumentMessageContent)


def _rules(message: Message) -> Message:
    words = "\n\n".join(text for block in message.content if (text := block.to_text()))
    return Message("system", (TextMessageContent(_sendable(words)),) if words else ())


def _users(blocks: Blocks) -> Message:
    return Message("user", tuple(one for block in blocks for one in _sent(block)))


def _sent(block: BaseMessageContent) -> Blocks:
    if isinstance(block, ReasoningMessageContent | GenericMessageContent):
        return []
    if isinstance(block, DocumentMessageContent) and block.artifact.format == "pdf":
        name = block.artifact.name or "document.pdf"
        return [DocumentMessageContent(DocumentArtifact(block.artifact.value, name=name))]
    if isinstance(block, ImageMessageContent | AudioMessageContent):
        return [block]
    words = _sendable(block.to_text())
    return [TextMessageContent(words)] if words else []


def _result(result: ActionResultMessageContent | None) -> str:
    if result is None:
        return NO_RESULT
    said = [one.to_text() for one in contents(result.output) if not _is_beside(one)]
    words = "\n\n".join(filter(None, said))
    return _sendable(words) or (BELOW if _shown_beside(result) else NOTHING)


def _shown_beside(result: ActionResultMessageContent) -> Blocks:
    media = [one for one in contents(result.output) if _is_beside(one)]
    return [TextMessageContent(f"From the result of {result.native}:"), *media] if media else []


def _is_beside(block: BaseMessageContent) -> bool:
    if isinstance(block, DocumentMessageContent):
        return block.artifact.format == "pdf"
    return isinstance(block, ImageMessageContent)


def _is_result(block: BaseMessageContent) -> TypeGuard[ActionResultMessageContent]:
    return isinstance(block, ActionResultMessageContent)


def _name(native: str) -> str:
    return native_name(native, None)


def _input(arguments: str) -> str:
    def refuse(word: str) -> None:
        raise ValueError(word)

    try:
        is_object = isinstance(json.loads(arguments, parse_constant=refuse), dict)
    except ValueError:
        is_object = False
    return _sendable(arguments) if is_object else "{}"


def _sendable(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
