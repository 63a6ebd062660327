"""Replies as no dialect would have them: what models write when they go astray."""

from __future__ import annotations

from collections.abc import Iterator

from agenthost_sdk.actions import NativeNames
from agenthost_sdk.artifacts import ImageArtifact
from agenthost_sdk.messages import (
    ActionCallMessageContent,
    GenericMessageContent,
    ImageMessageContent,
    Message,
    TextMessageContent,
)

_TEXTS = (
    *("", " ", "\n\n", "Hello.", "\ud800", "\x00\u202e", "{{ 7 * 7 }}", "null", "0", "-"),
    *("[", "]", "[]", "{}", '""', "[1, 2", '{"a": ', "```json\n[]\n```", "[" * 100_000),
    *("Thought:", "Action:", "Actions:", "Answer:", "Observation:", "Final Answer:"),
    *("Actions: []", "Actions: [{,{]", "Actions: [1, null]", "Actions: {}", "Action Input: {"),
    'Actions: [{"tag": {}, "name": [], "path": 3, "input": "x"}]',
    'Actions: [{"name": null}, {"tag": "t"}, {"tag": "t", "name": "no", "path": "such"}]',
    "Thought: a\nThought: b\nActions: [\nAnswer: c\nActions: []\nAnswer: [1]",
    "Action: none\nAction Input: none\nObservation: made up\nFinal Answer: 3",
    '<tool_call>{"name": 1}</tool_call>',
    '{"actions": [{"name": true}], "answer": 3}',
    '{"thought": 1, "answer": NaN}',
    "Answer:\nActions: " + "x" * 10_000,
)

_ARGUMENTS = (
    *("", " ", "null", "[1]", '"text"', "3", "{", '{"a": NaN}', '{"a": 1e999}', '{"a": "\ud800"}'),
    *('{"a": 1} {"b": 2}', '{"a": 1, "a": 2}', "[" * 100_000, '{"a":' * 50_000),
)


def odd_replies(table: NativeNames) -> Iterator[Message]:
    """Yield messages of a model that a dialect must read without raising."""
    known = next(iter(table.specs), "no_such")
    yield Message("assistant", ())
    yield Message("assistant", (ImageMessageContent(ImageArtifact(b"x")),))
    yield Message("assistant", (GenericMessageContent({"type": "thinking"}, "other"),))
    for text in _TEXTS:
        yield Message("assistant", (TextMessageContent(text),), finish="length")
    for arguments in _ARGUMENTS:
        yield _calls((known, arguments))
    for native in ("", " ", "no_such", "x" * 1000, "\n", "functions."):
        yield _calls((native, "{}"))
    yield _calls((known, "{}"), ("no_such", "{"), (known, "{}"), ids=("", "", ""))
    yield _calls((known, "{}"), (known, "{}"), ids=("same", "same"))


def _calls(*asked: tuple[str, str], ids: tuple[str, ...] = ("call",)) -> Message:
    content = (ActionCallMessageContent(id, *call) for id, call in zip(ids, asked, strict=True))
    return Message("assistant", tuple(content), finish="actions")
