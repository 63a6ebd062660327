"""Whatever a model writes, every dialect makes something of it, and soon."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agenthost.dialects import BUILT_IN
from agenthost_sdk.actions import NativeNames, ToolSpec
from agenthost_sdk.artifacts import TextArtifact
from agenthost_sdk.messages import Finish, Message, TextMessageContent

every_dialect = pytest.mark.parametrize("dialect", sorted(BUILT_IN))

#: Time that grows with the square of the length takes seconds. What a reply may take by right,
#: a third of this, the fuzzer measures where nothing else runs.
SECONDS = 0.15

LONG = {
    "brackets": "Actions: " + "[" * 65_527,
    "braces": "Action: x\nAction Input: " + "{" * 65_512,
    "quotes": 'Actions: ["' + '\\"' * 32_700,
    "labels": "Action: a\n" * 6_553,
    "inputs": "Action: a\n" + "Input: b\n" * 7_000,
    "thoughts": "Thought: a. " * 5_461,
    "arrays": "Actions: [{]\n" * 5_041,
    "answers": "Answer" + " " * 65_530,
    "spaces": "Action" + " " * 65_000 + "x",
    "lines": "a\n" * 32_768,
    "fences": "```a\n" * 13_107,
    "tildes": "~" * 65_536,
    "backticks": "Action Input: " + "`" * 65_522,
    "reasoning": "<think>\n</think>\n" * 3_855,
    "tags": "<tool_call>{" * 5_461,
    "items": "Actions: [" + "{}," * 21_840 + "{}]",
    "values": 'Actions: {"a": 1}' + ' {"a": 1}' * 7_000,
    "parts": '{"thought": "' * 5_000,
    "name": "Action: " + "x" * 65_528,
    "stars": "*" * 65_536,
    "bullets": "- " * 32_768,
    "blanks": "Actions: " + " \n" * 32_760,
    "blank input": "Action: Clock_now\nAction Input: " + " \n" * 32_750,
    "marks": "\ufeff " * 32_768,
    "functions": "<function=Clock_now>" * 3_276,
    "mentions": 'Use <function=Clock_now>{"a": …} ' * 1_985,
    "quoted tags": "`<tool_call>" * 5_461,
    "fenced tags": "```\n<tool_call>\n" * 4_095,
    "open parts": "<tool_call>Clock_now" + "<arg_key>a</arg_key><arg_value>" * 2_113,
    "blank part": "<tool_call>Clock_now<arg_key>" + " " * 65_500,
    "channels": "<|channel|>analysis<|message|>" * 2_184,
    "cut stops": "Action: a\nAction Input: b" + "\nObs \n" * 9_300,
    "stop texts": 'Actions: ["<|Response|>' * 2_730,
    "objects": "Action: Stock_count\nAction Input: so " + '{"sku": ' * 8_180,
}


@every_dialect
@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_a_long_reply_is_read_in_little_time(dialect: str, text: str, table: NativeNames) -> None:
    spoken, message = BUILT_IN[dialect](), Message("assistant", (TextMessageContent(text),))

    seconds = min(seconds_for(lambda: spoken.read(message, table)) for _ in range(5))

    assert len(text) <= 65_536
    assert seconds < SECONDS


@every_dialect
@pytest.mark.parametrize("text", ["Actions: " + "[" * 5_000_000, "Thought: no. " * 400_000])
def test_five_megabytes_neither_crash_nor_hang_it(
    dialect: str, text: str, table: NativeNames
) -> None:
    reply = BUILT_IN[dialect]().read(Message("assistant", (TextMessageContent(text),)), table)

    assert reply.is_answer or reply.problem or reply.actions


def seconds_for(act: Any) -> float:
    since = time.thread_time()
    act()
    return time.thread_time() - since


def texts() -> st.SearchStrategy[str]:
    """Return texts that mix labels, fences, tags, JSON and damage."""
    values = st.recursive(
        st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys(), inner, max_size=4),
        max_leaves=8,
    )
    pieces = st.one_of(
        st.sampled_from(
            [
                *("Thought: ", "\nThought 1: ", "\nActions: ", "\nAction: ", "\nAction Input: "),
                *("\nObservation: ", "\nAnswer: ", "\nFinal Answer: ", "**Action:** ", "Input："),
                *("```", "\n```json\n", "\n```\n", "<think>", "</think>", "<|Response|>", "Obs"),
                *("<tool_call>", "</tool_call>", "\nResults:\n", "### Action\n", "Finish[", "]"),
                *("Stock_count", "stock.count", "functions.Clock_now", "None", "{", "}", '"'),
            ]
        ),
        values.map(json.dumps),
        values.map(repr),
        st.text(max_size=10),
    )
    return st.lists(pieces, max_size=12).map("".join)


def keys() -> st.SearchStrategy[str]:
    return st.sampled_from(
        [
            *("tag", "name", "path", "input", "thought", "actions", "action", "answer", "tool"),
            *("arguments", "action_input", "function", "id", "$schema", "final", "x"),
        ]
    )


def offered() -> Iterator[NativeNames]:
    """Yield tables of different sizes."""
    text = {"type": "object", "properties": {"sku": {"type": "string"}}, "required": ["sku"]}
    count = ToolSpec("Stock_count", "Stock", "count", "", text)
    clock = ToolSpec("Clock_now", "Clock", "now", "", {"type": "object"})
    yield NativeNames([count, clock])
    yield NativeNames([count, clock, ToolSpec("Finish", "Finish", None, "", {})])
    yield NativeNames()


@every_dialect
@settings(max_examples=300, deadline=None)
@given(
    text=texts(),
    finish=st.sampled_from(["stop", "length", "incomplete", "refusal"]),
    table=st.sampled_from([*offered()]),
)
def test_every_text_is_actions_or_an_answer_or_a_problem(
    dialect: str, text: str, finish: Finish, table: NativeNames
) -> None:
    spoken = BUILT_IN[dialect]()

    reply = spoken.read(Message("assistant", (TextMessageContent(text),), finish=finish), table)

    assert [bool(reply.actions), reply.is_answer, bool(reply.problem)].count(True) == 1
    assert len({action.tag for action in reply.actions}) == len(reply.actions)
    for action in reply.actions:
        assert action.failed or action.native in table.specs
        assert isinstance(action.input, dict)
    done = [action.with_output(action.output or TextArtifact("7")) for action in reply.actions]
    assert not done or len(spoken.answer(reply, done)) == 2
