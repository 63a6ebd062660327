"""Replies as no dialect would have them: what models write when they go astray."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from agenthost_sdk.actions import NativeNames
from agenthost_sdk.artifacts import ImageArtifact
from agenthost_sdk.messages import (
    ActionCallMessageContent,
    Finish,
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
    *("<think>", "<think>Answer: 3", "</think>", "<think>\nActions: []\n</think>\nThought: so"),
    *("**Action**\n", "### Action Input\n{", "Action: a Action Input: b", "1. Thought 1："),
    *("Action: Finish[", "Action: f[a]]", "Action: f(", "Action 7: [[]]", "Final Answer：", "Obs"),
    *("```", "```\n```", "~~~\nAction: a", "```\nThought: a\nAction: b\n```", "`" * 1000, "<|"),
    *("{'answer': None}", '{"action": {}}', '{"actions": {"name": []}}', '{"tool": {"tool": {}}}'),
    *("<tool_call>", "<tool_call>[]</tool_call>", "[TOOL_CALLS] {", "Actions = {", "Answer"),
    "Action: a\n" * 5_000,
    "Actions: [" + "{}," * 5_000 + "{}]",
    "Thought: a\r\nAction: b\r\nAction Input: \ufeff{}\u200b\r\n",
)

_FINISHES: tuple[Finish, ...] = ("stop", "length", "incomplete", "refusal", "actions")

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
    for text, finish in product(_TEXTS, _FINISHES):
        yield Message("assistant", (TextMessageContent(text),), finish=finish)
    for arguments in _ARGUMENTS:
        yield _calls((known, arguments))
    for native in ("", " ", "no_such", "x" * 1000, "\n", "functions."):
        yield _calls((native, "{}"))
    yield _calls((known, "{}"), ("no_such", "{"), (known, "{}"), ids=("", "", ""))
    yield _calls((known, "{}"), (known, "{}"), ids=("same", "same"))


def _calls(*asked: tuple[str, str], ids: tuple[str, ...] = ("call",)) -> Message:
    content = (ActionCallMessageContent(id, *call) for id, call in zip(ids, asked, strict=True))
    return Message("assistant", tuple(content), finish="actions")
