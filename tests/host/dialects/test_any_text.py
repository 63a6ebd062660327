"""Whatever a model writes, every dialect makes something of it, and soon."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agenthost.dialects import BUILT_IN
from agenthost_sdk.actions import NativeNames, ToolSpec
from agenthost_sdk.artifacts import TextArtifact
from agenthost_sdk.messages import Finish, Message, TextMessageContent

every_dialect = pytest.mark.parametrize("dialect", sorted(BUILT_IN))

#: Time that grows with the square of the length takes minutes at this one. What a reply may take
#: by right, the fuzzer measures where nothing else runs.
LENGTH = 1_000_000

#: How each long reply begins, and what it repeats from there on.
LONG = {
    "brackets": ("Actions: ", "["),
    "braces": ("Action: x\nAction Input: ", "{"),
    "quotes": ('Actions: ["', '\\"'),
    "labels": ("", "Action: a\n"),
    "inputs": ("Action: a\n", "Input: b\n"),
    "thoughts": ("", "Thought: a. "),
    "arrays": ("", "Actions: [{]\n"),
    "answers": ("Answer", " "),
    "spaces": ("Action", " ", "x"),
    "lines": ("", "a\n"),
    "fences": ("", "```a\n"),
    "tildes": ("", "~"),
    "backticks": ("Action Input: ", "`"),
    "reasoning": ("", "<think>\n</think>\n"),
    "tags": ("", "<tool_call>{"),
    "items": ("Actions: [", "{},", "{}]"),
    "values": ('Actions: {"a": 1}', ' {"a": 1}'),
    "parts": ("", '{"thought": "'),
    "name": ("Action: ", "x"),
    "stars": ("", "*"),
    "bullets": ("", "- "),
    "blanks": ("Actions: ", " \n"),
    "blank input": ("Action: Clock_now\nAction Input: ", " \n"),
    "marks": ("", "\ufeff "),
    "functions": ("", "<function=Clock_now>"),
    "mentions": ("", 'Use <function=Clock_now>{"a": …} '),
    "quoted tags": ("", "`<tool_call>"),
    "fenced tags": ("", "```\n<tool_call>\n"),
    "open parts": ("<tool_call>Clock_now", "<arg_key>a</arg_key><arg_value>"),
    "blank part": ("<tool_call>Clock_now<arg_key>", " "),
    "channels": ("", "<|channel|>analysis<|message|>"),
    "cut stops": ("Action: a\nAction Input: b", "\nObs \n"),
    "stop texts": ("", 'Actions: ["<|Response|>'),
    "objects": ("Action: Stock_count\nAction Input: so ", '{"sku": '),
}


@every_dialect
@pytest.mark.parametrize("parts", LONG.values(), ids=LONG)
@pytest.mark.timeout(60)
def test_the_time_for_a_reply_does_not_grow_with_the_square_of_its_length(
    dialect: str, parts: tuple[str, ...], table: NativeNames
) -> None:
    first, repeated, *last = parts
    text = "".join([first, repeated * (LENGTH // len(repeated)), *last])

    reply = BUILT_IN[dialect]().read(Message("assistant", (TextMessageContent(text),)), table)

    assert reply.is_answer or reply.problem or reply.actions


@every_dialect
@pytest.mark.parametrize("text", ["Actions: " + "[" * 5_000_000, "Thought: no. " * 400_000])
def test_five_megabytes_neither_crash_nor_hang_it(
    dialect: str, text: str, table: NativeNames
) -> None:
    reply = BUILT_IN[dialect]().read(Message("assistant", (TextMessageContent(text),)), table)

    assert reply.is_answer or reply.problem or reply.actions


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
