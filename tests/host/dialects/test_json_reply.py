"""The dialect `json`: one JSON object with a thought, actions and an answer."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from agenthost.dialects import JsonReply
from agenthost.dialects.json_reply import STOP
from agenthost_sdk.actions import NativeNames, ToolAction
from agenthost_sdk.artifacts import ErrorArtifact, TextArtifact
from agenthost_sdk.dialects import Reply
from agenthost_sdk.messages import Finish, Message, TextMessageContent

COUNT = {"tag": "a", "name": "Stock", "path": "count", "input": {"sku": "AB"}}


def read(text: str, table: NativeNames, finish: Finish = "stop") -> Reply:
    message = Message("assistant", (TextMessageContent(text),), finish=finish)
    return JsonReply().read(message, table)


@pytest.mark.parametrize(
    "text",
    [
        '{"thought": "I look.", "actions": [{}]}',
        '{"thought": "I look.", "actions": [{}], "answer": null}',
        '{"thought": "I look.", "actions": {}}',
        '{"thought": "I look.", "action": {}}',
        '```json\n{"thought": "I look.", "actions": [{}]}\n```',
        'So:\n{"thought": "I look.", "actions": [{}]}\nThat is all.',
        '{"thought": "I look.", "actions": [{}],}',
        '{"thought": "I look.", "actions": [{}]}\nResults:\na: 7\n{"answer": "7"}',
        '{"thought": "I look.", "actions": [{}]}\n{"answer": "7"}',
        '<think>{"answer": "7"}</think>{"thought": "I look.", "actions": [{}]}',
        "Thought: I look.\nActions: [{}]",
        "{'thought': 'I look.', 'actions': [{}]}",
    ],
    ids=lambda text: text[:50].replace("\n", " "),
)
def test_an_action_is_found_in_what_models_put_round_it(table: NativeNames, text: str) -> None:
    reply = read(text.replace("{}", json.dumps(COUNT)), table)

    assert reply.thought == "I look."
    assert reply.answer is None
    assert [(action.native, action.input) for action in reply.actions] == [
        ("Stock_count", {"sku": "AB"})
    ]


@pytest.mark.parametrize(
    "written",
    [
        {"actions": [{"tool": "Stock_count", "params": {"sku": "AB"}, "thought": "I look."}]},
        {"thought": "I look.", "action": "Stock_count", "action_input": {"sku": "AB"}},
        {"thought": "I look.", "action": "Stock_count", "action_input": "AB"},
        {"thought": "I look.", "tool": "Stock", "path": "count", "input": {"sku": "AB"}},
        {"thought": "I look.", "name": "Stock_count", "arguments": {"sku": "AB"}},
        {"Thought": "I look.", "Action": "Stock_count", "Action Input": {"sku": "AB"}},
        {
            "thought": "I look.",
            "tool_calls": [{"function": {"name": "Stock_count", "arguments": '{"sku": "AB"}'}}],
        },
    ],
    ids=lambda written: json.dumps(written)[:60],
)
def test_an_action_under_other_keys_is_understood(
    table: NativeNames, written: dict[str, Any]
) -> None:
    reply = read(json.dumps(written), table)

    assert reply.thought == "I look."
    assert [(action.native, action.input) for action in reply.actions] == [
        ("Stock_count", {"sku": "AB"})
    ]
    assert all(action.repairs for action in reply.actions)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ('{"thought": "I know.", "answer": "7"}', "7"),
        ('{"thought": "I know.", "actions": [], "answer": "7"}', "7"),
        ('{"thought": "I know.", "actions": null, "final": "7"}', "7"),
        ('{"thought": "I know.", "final_answer": 7}', "7"),
        ('{"thought": "I know.", "answer": {"units": 7}}', '{"units": 7}'),
        ('{"thought": "I know.", "action": "Final Answer", "action_input": "7"}', "7"),
        ('{"thought": "I know.", "action": "none", "answer": "7"}', "7"),
        ('It is so: {"thought": "I know.", "answer": "7"}', "7"),
        ("Thought: I know.\nAnswer: 7", "7"),
    ],
    ids=lambda text: text[:50].replace("\n", " "),
)
def test_an_answer_is_found(table: NativeNames, text: str, answer: str) -> None:
    reply = read(text, table)

    assert reply.answer == TextArtifact(answer)
    assert reply.thought == "I know."


@pytest.mark.parametrize(
    "text",
    [
        "It is 7.",
        '{"units": 7}',
        '{"result": {"answer": 7}}',
        '{"name": "Bob", "age": 5}',
        '{"reasoning": "Counted.", "units": 7}',
        "Use {x} and [y].",
        "[1, 2]",
    ],
    ids=repr,
)
def test_a_reply_that_is_no_such_object_is_the_answer_as_it_stands(
    table: NativeNames, text: str
) -> None:
    assert read(text, table).answer == TextArtifact(text)


@pytest.mark.parametrize(
    ("text", "words", "left"),
    [
        ('{"thought": "hm."}', "neither actions nor an answer", "hm."),
        ('{"thought": "hm.", "actions": []}', "neither actions nor an answer", "hm."),
        ('{"thought": "hm.", "answer": ""}', "neither actions nor an answer", "hm."),
        ('{"thought": "hm.", "answer": "un', "no valid JSON object", ""),
    ],
    ids=repr,
)
def test_a_reply_that_says_neither_is_handed_back(
    table: NativeNames, text: str, words: str, left: str
) -> None:
    reply = read(text, table)

    assert reply.problem is not None
    assert words in reply.problem
    assert '"actions": […]' in reply.problem
    assert reply.text == left


def test_what_stands_whole_before_a_damaged_action_runs(table: NativeNames) -> None:
    text = json.dumps({"thought": "I look.", "actions": [COUNT, COUNT]})

    good, bad = read(text[:-20], table, "length").actions

    assert good.input == COUNT["input"]
    assert isinstance(bad.output, ErrorArtifact)


def test_the_offer_is_text_whose_schema_the_example_meets(table: NativeNames) -> None:
    offer = JsonReply().offer(table)
    schema = json.loads(offer.system.split('of "actions":\n')[1].split("\n")[0])
    example = offer.system.split("Your first reply:\n\n")[1].split("\n")[0]

    jsonschema.validate(json.loads(example)["actions"], schema)
    assert offer.stop == (STOP,)
    assert offer.tools == ()


def test_a_round_that_was_replayed_reads_as_it_was(table: NativeNames) -> None:
    action = ToolAction("a", "Stock", "count", {"sku": "Ü\n"}, TextArtifact("7"))
    dialect = JsonReply()
    said, told = dialect.answer(Reply("I count."), [action])

    reply = dialect.read(said, table)

    assert reply.thought == "I count."
    assert reply.actions == (ToolAction("a", "Stock", "count", {"sku": "Ü\n"}),)
    assert told.to_text() == "Results:\na: 7"
