"""The dialect `classic`: Thought, Action, Action Input, as models write them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agenthost.dialects import Classic
from agenthost.dialects.classic import STOP
from agenthost_sdk.actions import NativeNames, ToolAction
from agenthost_sdk.artifacts import ErrorArtifact, TextArtifact
from agenthost_sdk.dialects import Reply
from agenthost_sdk.messages import Finish, Message, TextMessageContent


def said(text: str, table: NativeNames, finish: Finish = "stop") -> Reply:
    return Classic().read(Message("assistant", (TextMessageContent(text),), finish=finish), table)


def asked(reply: Reply) -> list[tuple[str, dict[str, Any]]]:
    """Return the native names and inputs of the actions; none may have failed."""
    assert not any(action.failed for action in reply.actions), reply
    return [(action.native, dict(action.input)) for action in reply.actions]


RIVER = [("search", {"query": "river"})]


@pytest.mark.parametrize(
    "text",
    [
        'Thought: I look.\nAction: search\nAction Input: {"query": "river"}',
        'thought: I look.\naction: search\naction input: {"query": "river"}',
        "**Thought:** I look.\n**Action:** search\n**Action Input:** river",
        "**Thought**: I look.\n**Action**: `search`\n**Action Input**: `river`",
        "**Thought: I look.**\n**Action: search**\nAction Input: river",
        "### Thought\nI look.\n### Action\nsearch\n### Action Input\nriver",
        "Thought：I look.\nAction：search\nAction Input：river",
        "Thought 1: I look.\nAction 1: search\nAction Input 1: river",
        "1. Thought: I look.\n2. Action: search\n3. Action Input: river",
        "- Thought: I look.\n- Action: search\n- Action Input: river",
        "> Thought: I look.\n> Action: search\n> Action Input: river",
        "  Thought: I look.\n\tAction: search\n  Action Input: river",
        "Thought: I look.\r\nAction: search\r\nAction Input: river\r\n",
        "\ufeffThought: I look.\nAction: search\nAction Input: river",
        "<think>No.</think>\n\ufeffThought: I look.\nAction: search\nAction Input: river",
        "🤔 Thought: I look.\n🔧 Action: search\n📥 Action Input: river",
        "Thought: I look.\nAction: search\nInput: river",
        "Thought: I look.\nTool: search\nTool Input: river",
        "Thought: I look.\nAction: search\nAction_Input: river",
        "Thought: I look.\nAction Input: river\nAction: search",
        "Action: search\nThought: I look.\nAction Input: river",
        "Thought: I look. Action: search Action Input: river",
        "Thought: I look.\nAction: search Action Input: river",
        "Thought: I look.\nAction: search, Action Input: river",
        "I look. Action: search Action Input: river",
        "I look.\nAction: search\nAction Input: river",
        "```\nThought: I look.\nAction: search\nAction Input: river\n```",
        "```text\nThought: I look.\nAction: search\nAction Input: river",
        "Thought: I look.\n```\nAction: search\nAction Input: river\n```",
        "I look.\n```\nAction: search\nAction Input: river\n```",
        "Thought: I look.\nAction: search[river]",
        'Thought: I look.\nAction: search("river")',
        "Thought: I look.\nAction: search: river",
        "Thought: I look.\nAction: search\nAction Input: river\nThought: Good.\nFinal Answer: 7",
        "Thought: I look.\nAction: search\nAction Input: river<|im_end|>\n",
        "Thought: I look.\nAction: [search]\nAction Input: river",
        "Thought: I look.\nAction: search (of the web)\nAction Input: river",
        "Thought: I look.\nAction: I use the search tool.\nAction Input: river",
        'Thought: I look.\nAction: search\n{"query": "river"}',
        'Thought: I look.\nAction:\n```json\n{"action": "search", "action_input": "river"}\n```',
        'Thought: I look.\nAction: {"name": "search", "arguments": {"query": "river"}}',
        'Thought: I look.\nActions: [{"tag": "a", "name": "search", "input": {"query": "river"}}]',
        '{"thought": "I look.", "action": "search", "action_input": {"query": "river"}}',
        '```json\n{"thought": "I look.", "tool": "search", "params": {"query": "river"}}\n```',
        'I look.\n<tool_call>\n{"name": "search", "arguments": {"query": "river"}}\n</tool_call>',
        'I look.\n[TOOL_CALLS] [{"name": "search", "arguments": {"query": "river"}}]',
        "<think>Action: python\nAction Input: x</think>\nThought: I look.\nAction: search[river]",
        "hm\n</think>\nThought: I look.\nAction: search[river]",
        "Thought: I look.\n<think>\nAction: python\n</think>\nAction: search[river]",
    ],
    ids=lambda text: text[:40].replace("\n", " "),
)
def test_an_action_is_found_however_it_is_written(tools: NativeNames, text: str) -> None:
    reply = said(text, tools)

    assert asked(reply) == RIVER
    assert reply.thought in ("I look.", "" if "hought" not in text else "I look.")
    assert [action.tag for action in reply.actions] in (["1"], ["action_1"])


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("river", "river"),
        ('"river"', "river"),
        ("'river'", "river"),
        ("“river”", "river"),
        ("`river`", "river"),
        ("```\nriver\n```", "river"),
        ("```python\na = 1\n\nb = 2\n```", "a = 1\n\nb = 2"),
        ('grep -n "blue heron"', 'grep -n "blue heron"'),
        ('"a" and "b"', '"a" and "b"'),
        ("it's", "it's"),
        ("two\nlines", "two\nlines"),
        ("{ print $1 }", "{ print $1 }"),
        ("[1, 2]", "[1, 2]"),
        ("5", "5"),
        ("a\nInput: b", "a\nInput: b"),
        ("river\nObserv", "river"),
        ("river\nObserv\n\n \n", "river"),
        ("river\nObservation", "river"),
        ("river\nObservation: 7\nThought: so", "river"),
        ("```\nAction: python\nFinal Answer: x\n```", "Action: python\nFinal Answer: x"),
    ],
    ids=repr,
)
def test_a_plain_text_is_the_only_text_that_the_activity_takes(
    tools: NativeNames, written: str, text: str
) -> None:
    reply = said(f"Action: search\nAction Input: {written}", tools)

    assert asked(reply) == [("search", {"query": text})]
    assert "the text was taken as 'query'" in reply.actions[0].repairs


def test_brackets_delimit_a_text_that_is_kept_to_the_letter(tools: NativeNames) -> None:
    for text in ('"Wallace and Gromit"', "Creed (band)", "a [b] c", "two\nlines", "a, b"):
        reply = said(f"Thought 1: I look.\nAction 1: search[{text}]\nObservation 1: no", tools)

        assert asked(reply) == [("search", {"query": text})]


def test_a_text_for_an_activity_that_takes_more_stands_under_raw(tools: NativeNames) -> None:
    reply = said("Action: Stock_reserve\nAction Input: two of AB", tools)

    assert asked(reply) == [("Stock_reserve", {"raw": "two of AB"})]


@pytest.mark.parametrize(
    "written",
    [
        "{'sku': 'A', 'units': 2}",
        '{"sku": "A", "units": 2,}',
        '```json\n{"sku": "A", "units": 2}\n```',
        'json {"sku": "A", "units": 2}',
        '{"sku": "A", "units": 2}\nObserv',
        '{"sku": "A", "units": 2} That is all.',
        '"{\\"sku\\": \\"A\\", \\"units\\": 2}"',
        'This: {"sku": "A", "units": 2}',
        '{"$schema": "x", "sku": "A", "units": 2}',
    ],
    ids=repr,
)
def test_an_object_is_read_whatever_stands_round_it(tools: NativeNames, written: str) -> None:
    reply = said(f"Action: Stock_reserve\nAction Input: {written}", tools)

    assert asked(reply) == [("Stock_reserve", {"sku": "A", "units": 2})]


def test_a_label_inside_a_text_of_the_input_is_none(tools: NativeNames) -> None:
    reply = said('Action: python\nAction Input: {"code": "a\nFinal Answer: b\n```"}', tools)

    assert asked(reply) == [("python", {"code": "a\nFinal Answer: b\n```"})]


@pytest.mark.parametrize(
    "given", ["", "\nAction Input:", "\nAction Input: None", "\nAction Input: {}", "()"], ids=repr
)
def test_an_activity_that_needs_nothing_runs_without_an_input(
    tools: NativeNames, given: str
) -> None:
    assert asked(said(f"Action: Clock_now{given}", tools)) == [("Clock_now", {})]


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("Action: search", "missing-input", "Action Input is missing"),
        ("Action: search\nAction Input:", "missing-input", "needs query"),
        ("Action: serach\nAction Input: x", "not-found", "'search'"),
        ("Action: Stock_resrve\nAction Input: x", "not-found", "Stock_reserve"),
        ("Action:\nAction Input: x", "invalid-action", "names no tool"),
        ('Action: search\nAction Input: {"query": "a', "invalid-json", "search was not run"),
        ('Action: search\nAction Input: {"query": NaN}', "invalid-json", "search was not run"),
        ("Action: search[river", "invalid-json", "never closed"),
        ("Action: {{]", "invalid-json", "could not be read"),
    ],
    ids=lambda value: value[:30].replace("\n", " "),
)
def test_what_cannot_be_run_is_answered_in_its_stead(
    tools: NativeNames, text: str, code: str, words: str
) -> None:
    text = text.replace("{{]", '{"action": "search", "action_input": {"query": ]')
    first, second = said(f"{text}\nAction: Clock_now", tools).actions

    assert isinstance(first.output, ErrorArtifact)
    assert first.output.code == code
    assert words in first.output.value
    assert not second.failed


def test_several_pairs_are_actions_side_by_side(tools: NativeNames) -> None:
    text = "Action: search\nAction Input: a\nAction: Clock_now\nAction: search[b]"

    reply = said(text, tools)

    assert asked(reply) == [
        ("search", {"query": "a"}),
        ("Clock_now", {}),
        ("search", {"query": "b"}),
    ]
    assert [action.tag for action in reply.actions] == ["1", "2", "3"]


def test_what_the_model_made_up_behind_an_action_is_left_out_and_recorded(
    tools: NativeNames,
) -> None:
    text = (
        "Thought: I look.\nAction: search\nAction Input: river\nObservation: 7\n"
        "Thought: Good.\nAction: python\nAction Input: x\nObservation: 8\nFinal Answer: 8"
    )

    reply = said(text, tools)

    assert asked(reply) == RIVER
    assert reply.answer is None
    assert any("made up" in repair for repair in reply.actions[0].repairs)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Thought: I know.\nFinal Answer: 42", "42"),
        ("Thought: I know.\nAnswer: 42", "42"),
        ("Thought: I know.\n**Final Answer:** **42** units", "**42** units"),
        ("Thought: I know. Final Answer: 42", "42"),
        ("Thought: I know.\nAction: Final Answer\nAction Input: 42", "42"),
        ("Thought: I know.\nAction: Final\nAction Input: 42", "42"),
        ("Thought: I know.\nAction 2: Finish[42]\nObservation 2: Answer is CORRECT", "42"),
        ("Thought: I know.\nAction: None\nFinal Answer: 42", "42"),
        ('Thought: I know.\nAction: Finish\nAction Input: {"final_answer": "42"}', "42"),
        ('{"thought": "I know.", "action": "Final Answer", "action_input": "42"}', "42"),
        ("Thought: I know.\nFinal Answer: Write\nAction: search", "Write\nAction: search"),
        ("Thought: I know.\nFinal Answer: a\n\n```\nb\n```\nc", "a\n\n```\nb\n```\nc"),
    ],
    ids=lambda text: text[:45].replace("\n", " "),
)
def test_an_answer_is_found_however_it_is_written(
    tools: NativeNames, text: str, answer: str
) -> None:
    reply = said(text, tools)

    assert reply.answer == TextArtifact(answer)
    assert reply.thought == "I know."
    assert reply.actions == ()


@pytest.mark.parametrize(
    "text",
    [
        "There are two.",
        "To act one writes Action: search to the host.",
        "This is how:\n\nFirst look.\n```\nAction: search\nAction Input: a\n```\nThen see.",
        '{"name": "Bob", "age": 5}',
        '{"answer": 5}',
        "The final answer is 5.",
    ],
    ids=lambda text: text[:30],
)
def test_a_reply_without_a_label_is_the_answer_as_it_stands(tools: NativeNames, text: str) -> None:
    assert said(text, tools).answer == TextArtifact(text)


@pytest.mark.parametrize(
    ("text", "words", "left"),
    [
        ("Thought: hm.", "neither actions nor an answer", "hm."),
        ("Thought: hm.\nAction Input: {}", '"Action:"', "hm."),
        ("Final Answer:", "neither actions nor an answer", ""),
        ("Action: None", "neither actions nor an answer", ""),
        ("<think>Final Answer: 3", "empty", ""),
        ("Thought:", "neither actions nor an answer", ""),
    ],
    ids=lambda text: text[:30].replace("\n", " "),
)
def test_a_reply_that_says_neither_is_handed_back(
    tools: NativeNames, text: str, words: str, left: str
) -> None:
    reply = said(text, tools)

    assert reply.problem is not None
    assert words in reply.problem
    assert '"Final Answer:"' in reply.problem
    assert reply.text == left


def test_a_plan_in_the_thought_is_no_action_beside_a_real_one(tools: NativeNames) -> None:
    text = (
        "Thought: I failed.\n\nAction:\n- Call the search function.\n\nNow.\n"
        "Action: search\nParameters:\n- query: river\n\n"
        "Action: search\nAction Input: river"
    )

    assert asked(said(text, tools)) == RIVER


def test_a_name_that_is_not_on_offer_is_answered_beside_a_real_one(tools: NativeNames) -> None:
    text = "Action: serach\nAction: search\nInput: a\nAction: search\nAction Input: river"

    wrong, *right = said(text, tools).actions

    assert isinstance(wrong.output, ErrorArtifact)
    assert [action.input for action in right] == [{"query": "a"}, {"query": "river"}]


def test_a_thought_may_speak_of_labels(tools: NativeNames) -> None:
    text = "Thought: I could write Action: python here.\nAction: search\nAction Input: river"

    reply = said(text, tools)

    assert reply.thought == "I could write Action: python here."
    assert asked(reply) == RIVER


@pytest.mark.parametrize("finish", ["length", "incomplete"])
def test_words_that_broke_off_are_not_run_but_a_whole_object_is(
    tools: NativeNames, finish: Finish
) -> None:
    whole = said('Action: search\nAction Input: {"query": "river"}', tools, finish)
    [words] = said("Action: search\nAction Input: riv", tools, finish).actions
    [name] = said("Action: Clock_now", tools, finish).actions

    assert asked(whole) == RIVER
    for action in (words, name):
        assert isinstance(action.output, ErrorArtifact)
        assert "broke off" in action.output.value


def test_the_offer_names_each_tool_and_shows_whole_rounds(table: NativeNames) -> None:
    offer = Classic().offer(table)

    assert offer.stop == (STOP,)
    assert offer.tools == ()
    assert "Stock_reserve: Reserve units. Its input: {" in offer.system
    for part in ("'Any AB left?'", 'Action Input: {"sku": "AB"}', "Observation: (", "Answer: ("):
        assert part in offer.system


def test_a_round_is_said_again_as_it_was_and_observed() -> None:
    one = ToolAction("1", "Stock", "count", {"sku": "Ü"}, TextArtifact("7"))
    two = ToolAction("2", "Clock", "now", {}, ErrorArtifact("No."))
    dialect = Classic()

    words, alone = dialect.answer(Reply("I count."), [one])
    _, both = dialect.answer(Reply(), [one, two])

    assert words.to_text() == 'Thought: I count.\nAction: Stock_count\nAction Input: {"sku": "Ü"}'
    assert alone.to_text() == "Observation: 7"
    assert both.to_text().startswith("Observation 1: 7\nObservation 2: ")
    assert json.loads(words.to_text().rsplit("Input: ", 1)[1]) == {"sku": "Ü"}
