"""Scenes of names, ids and whole replies that are odd, of providers that fail, and of loops."""

from __future__ import annotations

from dataclasses import replace

from agenthost_sdk.errors import DriverError
from agenthost_sdk.messages import Message, TextMessageContent, Usage
from agenthost_sdk.testing.scenes.scene import USAGE, Part, Scene, said
from agenthost_sdk.testing.scenes.writing import TEXT_FORMS

_NATIVE = ("native",)


def _misspelt(part: Part) -> str:
    """Return the name with its last two different letters changed about."""
    name = part.native
    for place in range(len(name) - 1, 0, -1):
        if name[place] != name[place - 1]:
            return f"{name[: place - 1]}{name[place]}{name[place - 1]}{name[place + 1 :]}"
    return f"{name}x"


def _other_case(name: str) -> str:
    return name.lower() if name.lower() != name else name.upper()


def _right_and_wrong(part: Part) -> Message:
    return part.calls((part.native, part.arguments), (part.native, '{"not_an_argument": 1}'))


def _right_and_unknown(part: Part) -> Message:
    return part.calls((part.native, part.arguments), (_misspelt(part), part.arguments))


def _both(part: Part, *ids: str) -> Message:
    return part.calls((part.native, part.arguments), part.second, ids=ids)


def _parts(part: Part) -> Message:
    """Return a reply whose text comes in several blocks."""
    if part.dialect == "native":
        message = part.calls((part.native, part.arguments), text="I shall look.")
        return replace(message, content=(TextMessageContent("First. "), *message.content))
    text = part.call().to_text()
    half = len(text) // 2
    blocks = TextMessageContent(text[:half]), TextMessageContent(text[half:])
    return Message("assistant", blocks, USAGE)


def _failure(words: str, status: int | None = None) -> DriverError:
    return DriverError(words, provider="misbehaving", model="misbehaving-1", status=status)


def _by_turns(part: Part) -> Message:
    return part.calls(part.second if part.turn % 2 else (part.native, part.arguments))


def _react(part: Part) -> Message:
    return said(TEXT_FORMS["classic"].act([(part.native, part.arguments)], {}))


SCENES = (
    Scene(
        "unknown_tool",
        "The name of the tool is misspelt.",
        "told",
        lambda part: part.call(native=_misspelt(part)),
    ),
    Scene(
        "prefixed_tool",
        "The name of the tool has `functions.` before it.",
        "runs",
        lambda part: part.call(native=f"functions.{part.native}"),
    ),
    Scene(
        "case_tool",
        "The name of the tool is in another case.",
        "runs",
        lambda part: part.call(native=_other_case(part.native)),
    ),
    Scene("empty_tool_name", "The tool has no name.", "told", lambda part: part.call(native="")),
    Scene(
        "dup_ids",
        "Two calls bear one id.",
        "runs",
        lambda part: _both(part, "call_same", "call_same"),
        dialects=_NATIVE,
    ),
    Scene(
        "empty_id",
        "Two calls bear no id.",
        "runs",
        lambda part: _both(part, "", ""),
        dialects=_NATIVE,
    ),
    Scene(
        "long_id",
        "The id of a call is hundreds of characters long.",
        "runs",
        lambda part: part.calls((part.native, part.arguments), ids=["call_" + "x" * 400]),
        dialects=_NATIVE,
    ),
    Scene("mixed_batch", "A right call beside a wrong one.", "mixed", _right_and_wrong),
    Scene(
        "mixed_unknown", "A right call beside one of an unknown tool.", "mixed", _right_and_unknown
    ),
    Scene("empty_message", "The reply is an empty text.", "told", lambda _: said("")),
    Scene(
        "null_message",
        "The reply has no content at all.",
        "told",
        lambda _: Message("assistant", (), USAGE),
    ),
    Scene(
        "finish_stop",
        "A call comes with the end of an answer.",
        "runs",
        lambda part: replace(part.call(), finish="stop"),
        dialects=_NATIVE,
    ),
    Scene(
        "text_and_call",
        "Words stand before a call.",
        "runs",
        lambda part: part.calls((part.native, part.arguments), text="I shall look."),
        dialects=_NATIVE,
    ),
    Scene(
        "no_usage",
        "No tokens are reported.",
        "runs",
        lambda part: replace(part.call(), usage=Usage()),
    ),
    Scene("content_list", "The text comes in several blocks.", "runs", _parts),
    Scene(
        "refusal",
        "The model will not.",
        "answers",
        lambda _: said("I cannot do that.", "refusal"),
    ),
    Scene(
        "react_text",
        "The call is written as text, though tools are offered natively.",
        "answers",
        _react,
        dialects=_NATIVE,
    ),
    Scene(
        "http_400",
        "The provider refuses the request.",
        "fails",
        lambda _: _failure("The request is malformed.", 400),
    ),
    Scene(
        "http_429",
        "The provider has too many requests.",
        "fails",
        lambda _: _failure("Too many requests.", 429),
    ),
    Scene(
        "http_500",
        "The provider fails.",
        "fails",
        lambda _: _failure("The server had an error.", 500),
    ),
    Scene(
        "not_json",
        "The provider answers with a page.",
        "fails",
        lambda _: _failure("The answer is no JSON: '<html><h1>Bad gateway</h1>'."),
    ),
    Scene(
        "loop_same",
        "The same call again and again, as long as tools are offered.",
        "stopped",
        Part.call,
        lasts="while tools are offered",
    ),
    Scene(
        "loop_cycle",
        "Two calls by turns, as long as tools are offered.",
        "stopped",
        _by_turns,
        lasts="while tools are offered",
    ),
    Scene(
        "loop_invalid",
        "The same wrong call again and again, as long as tools are offered.",
        "stopped",
        lambda part: part.call('{"not_an_argument": 1}'),
        lasts="while tools are offered",
    ),
    Scene(
        "loop_empty",
        "Empty replies, as long as tools are offered.",
        "stopped",
        lambda _: said(""),
        lasts="while tools are offered",
    ),
    Scene(
        "loop_stubborn",
        "The same call again and again, even where no tool is offered any more.",
        "stopped",
        Part.call,
        lasts="always",
    ),
)
