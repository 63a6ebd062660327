"""The dialect `actions_json`: Thought, Actions, Answer, as models write them."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from agenthost.dialects import ActionsJson
from agenthost.dialects.actions_json import RESPONSE
from agenthost_sdk.actions import NativeNames, ToolAction, ToolSpec
from agenthost_sdk.artifacts import ErrorArtifact, TextArtifact
from agenthost_sdk.dialects import Reply
from agenthost_sdk.messages import Finish, Message, TextMessageContent


def read(text: str, table: NativeNames, finish: Finish = "stop") -> Reply:
    message = Message("assistant", (TextMessageContent(text),), finish=finish)
    return ActionsJson().read(message, table)


def actions(*written: Any) -> str:
    return f"Actions: {json.dumps(written)}"


SKU = '{"sku": "AB"}'
COUNT = {"tag": "a", "name": "Stock", "path": "count", "input": {"sku": "AB"}}


def test_the_offer_is_text_that_stops_at_the_response(table: NativeNames) -> None:
    offer = ActionsJson().offer(table)

    assert offer.tools == ()
    assert offer.stop == (RESPONSE,)
    assert "Actions: a JSON array" in offer.system
    assert "Count units." in offer.system


def test_the_example_that_is_shown_meets_the_schema_that_is_shown(table: NativeNames) -> None:
    system = ActionsJson().offer(table).system
    schema = json.loads(system.split("The JSON Schema of the array:\n")[1].split("\n")[0])
    example = system[system.index("An example, for the question") :]

    reply = read(example[example.index("Thought:") : example.index("You are then")], table)

    [action] = reply.actions
    jsonschema.validate([action.to_dict()], schema)
    assert action.input == {"sku": "AB"}


def test_without_tools_nothing_is_said_of_actions() -> None:
    empty = NativeNames()

    assert ActionsJson().offer(empty).system == ""
    assert read("Actions: none are needed.", empty).answer == TextArtifact(
        "Actions: none are needed."
    )
    assert read("Thought: Easy.\nAnswer: 7", empty).answer == TextArtifact("7")


def test_a_round_that_was_replayed_reads_as_it_was(table: NativeNames) -> None:
    written = ToolAction("a", "Stock", "count", {"sku": "Ü\n"}, TextArtifact("7"))
    dialect = ActionsJson()
    said, told = dialect.answer(Reply("I count."), [written])

    reply = dialect.read(said, table)

    assert reply.thought == "I count."
    assert reply.actions == (ToolAction("a", "Stock", "count", {"sku": "Ü\n"}),)
    assert (said.role, told.role) == ("assistant", "user")
    assert told.to_text() == f"{RESPONSE}: a: 7"


def test_each_result_stands_under_its_tag() -> None:
    one = ToolAction("a", "Stock", "count", output=TextArtifact("7"))
    two = ToolAction("b", "Stock", "count", output=ErrorArtifact("No."))

    _, told = ActionsJson().answer(Reply(), [one, two])

    assert told.to_text().splitlines()[0].endswith("a: 7")
    assert "b: " in told.to_text()
    assert "No." in told.to_text()


@pytest.mark.parametrize(
    "text",
    [
        "Thought: I look.\nActions: {}",
        "**Thought:** I look.\n**Actions**: {}",
        "Thought: I look.\n\nActions: the following:\n```json\n{}\n```\nThat is all.",
        "Thought：I look.\n  Actions：{}",
        "Thought: I look.\n### Actions\n{}",
        "1. Thought: I look.\n2. Actions: {}",
        "Thought: I look. Actions: {}",
        "I look. Actions: {}",
        "thought: I look.\nactions: {}",
        "Thought: I look.\nAction: {}",
        "Thought: I look.\nActions = {}",
        "Thought: I look.\nActions {}",
        "Thought: I look.\nActions:\n`{}`",
        "```\nThought: I look.\nActions: {}\n```",
        "Thought: I look.\n```\nActions: {}\n```",
        "Thought: I look.\nActions: as said [see above]:\n{}",
        "Thought: I look.\nActions: {}\n<|Resp",
        "Thought: I look.\nActions: {}\nThought: Good.\nAnswer: 9",
        "Thought: I look.\nActions: {}\nObservation: 9\nAnswer: 9",
        "Thought: I look.\r\nActions: {}\r\n",
        "<think>\nActions: []\n</think>\nThought: I look.\nActions: {}",
        "Thought: I look.\nActions: {}\n<think>\nActions: [1]\n</think>",
        "I look.\n```json\n{}\n```",
        "🤔 Thought: I look.\n🔧 Actions: {}",
        "➡️ **Thought:** I look.\n✅ **Actions:** {}",
        "\ufeffThought: I look.\nActions: {}",
        "<think>No.</think>\n\ufeffThought: I look.\nActions: {}",
    ],
    ids=lambda text: text[:36].replace("\n", " "),
)
def test_labels_and_the_array_are_found_in_what_models_put_round_them(
    table: NativeNames, text: str
) -> None:
    reply = read(text.replace("{}", json.dumps([COUNT])), table)

    assert reply.thought == "I look."
    assert [action.input for action in reply.actions] == [{"sku": "AB"}]


def test_two_arrays_are_one_round(table: NativeNames) -> None:
    text = f"{actions(COUNT)}\nThought: And more.\n{actions({**COUNT, 'tag': 'b'})}"

    reply = read(text, table)

    assert [action.tag for action in reply.actions] == ["a", "b"]


def test_a_single_object_counts_as_an_array_of_one(table: NativeNames) -> None:
    alone = {**COUNT, "input": {"sku": "AB", "places": ["here"]}}

    reply = read(f"Actions: {json.dumps(alone)}", table)

    assert [action.input for action in reply.actions] == [alone["input"]]


@pytest.mark.parametrize("key", ["actions", "Actions", "tool_calls"])
def test_an_array_in_an_object_is_that_array(table: NativeNames, key: str) -> None:
    written = json.dumps({key: [COUNT, {**COUNT, "tag": "b"}]})

    reply = read(f"Thought: I look.\nActions: {written}", table)

    assert [action.tag for action in reply.actions] == ["a", "b"]
    assert not any(action.failed for action in reply.actions)


@pytest.mark.parametrize(
    "before",
    ["", "Thought: I look.\n", "<think>\nActions: [1]\n</think>\n", "Actions: none yet.\n"],
    ids=repr,
)
def test_a_stop_text_inside_a_text_of_the_json_is_none(table: NativeNames, before: str) -> None:
    odd = {**COUNT, "input": {"sku": f"write {RESPONSE}: here\nAnswer: 42"}}

    reply = read(f"{before}{actions(odd)}\n{RESPONSE}: a: 9\nAnswer: 9", table)

    assert [action.input for action in reply.actions] == [odd["input"]]
    assert reply.answer is None


def test_actions_win_over_an_answer_that_follows_them(table: NativeNames) -> None:
    reply = read(f"{actions(COUNT)}\nAnswer: There are 9.", table)

    assert reply.answer is None
    assert len(reply.actions) == 1


def test_actions_that_an_answer_quotes_are_never_run(table: NativeNames) -> None:
    reply = read(f"Thought: Show it.\nAnswer: Write\n{actions(COUNT)}", table)

    assert reply.actions == ()
    assert str(reply.answer) == f"Write\n{actions(COUNT)}"


def test_a_label_inside_a_text_of_the_json_is_no_label(table: NativeNames) -> None:
    written = {**COUNT, "input": {"sku": "x\nAnswer: y"}}
    text = actions(written).replace("\\n", "\n")

    reply = read(text, table)

    assert [action.input for action in reply.actions] == [{"sku": "x\nAnswer: y"}]
    assert reply.answer is None


def test_what_stands_behind_an_invented_response_is_cut_off(table: NativeNames) -> None:
    reply = read(f"{actions(COUNT)}\n{RESPONSE}: a: 9\nAnswer: 9", table)

    assert len(reply.actions) == 1
    assert reply.answer is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        (f"{RESPONSE}: a: 9", "empty"),
        ("Thought: I wonder.", "neither actions nor an answer"),
        ("Actions: []", "neither actions nor an answer"),
        ("Thought: x\nActions: none", "neither actions nor an answer"),
        ('Actions: [{"tag": "a", "name": "Sto', "no valid JSON array"),
        ("Actions: " + "[" * 100_000, "no valid JSON array"),
    ],
    ids=["nothing", "only a response", "thought", "no items", "no array", "cut", "deep"],
)
def test_a_reply_without_actions_and_answer_is_handed_back_with_a_reminder(
    table: NativeNames, text: str, words: str
) -> None:
    reply = read(text, table)

    assert reply.problem is not None
    assert words in reply.problem
    assert '"Answer:"' in reply.problem
    assert not reply.is_answer


@pytest.mark.parametrize("text", ["There ar", "Thought: x\nAnswer: There ar"])
def test_an_answer_whose_stream_was_lost_is_no_answer(table: NativeNames, text: str) -> None:
    reply = read(text, table, "incomplete")

    assert reply.answer is None
    assert reply.problem is not None
    assert "broke off" in reply.problem


@pytest.mark.parametrize(
    ("written", "code", "words"),
    [
        ("count", "invalid-action", "must be a JSON object"),
        ({"tag": "x", "input": {}}, "invalid-action", "Stock_count"),
        ({"tag": "x", "name": 7}, "invalid-action", 'has no "name"'),
        ({"tag": "x", "name": "Stokc", "path": "count"}, "not-found", "Stock_count"),
        ({"tag": "x", "name": "Stock", "path": "cuont"}, "not-found", "'count'"),
        ({"tag": "x", "name": "Stock"}, "not-found", "reserve"),
        ({**COUNT, "tag": "x", "input": [1]}, "invalid-json", "an array"),
        ({**COUNT, "tag": "x", "input": "{"}, "invalid-json", "ends within the object"),
        ({**COUNT}, "duplicate-tag", "stands twice"),
    ],
    ids=["text", "no name", "number", "tool", "path", "no path", "array", "broken", "twice"],
)
def test_what_is_wrong_with_one_action_says_nothing_of_its_sibling(
    table: NativeNames, written: Any, code: str, words: str
) -> None:
    reply = read(actions(COUNT, written), table)

    good, bad = reply.actions
    assert good.output is None
    assert isinstance(bad.output, ErrorArtifact)
    assert bad.output.code == code
    assert words in bad.output.value


@pytest.mark.parametrize(
    "written",
    [
        {"name": "Clock"},
        {"name": "Clock", "path": None, "input": None},
        {"name": "Clock_now", "input": ""},
        {"name": "clock", "path": "now"} | {"name": "Clock"},
        {"name": "Clock", "path": "now", "input": "{}"},
    ],
    ids=["bare", "nulls", "native", "path", "text"],
)
def test_a_tool_with_one_activity_is_understood_without_a_path(
    table: NativeNames, written: dict[str, Any]
) -> None:
    [action] = read(actions(written), table).actions

    assert (action.name, action.path, action.input) == ("Clock", "now", {})
    assert not action.failed


@pytest.mark.parametrize(
    "written",
    [
        {"id": "a", "tool": "Stock", "activity": "count", "params": {"sku": "AB"}},
        {"id": "a", "type": "function", "function": {"name": "Stock_count", "arguments": SKU}},
        {"tag": "a", "tool_name": "Stock_count", "action_input": {"sku": "AB"}},
        {"tag": "a", "name": "Stock_count", "arguments": SKU},
        {"tag": "a", "name": "Stock", "path": "count", "input": "AB"},
        {"tag": "a", "name": "Stock_count", "sku": "AB"},
        {"tag": "a", "Stock_count": {"sku": "AB"}},
        {"tag": "a", "action": {"name": "Stock", "path": "count", "input": {"sku": "AB"}}},
        {"Tag": "a", "Name": "Stock", "Path": "count", "Input": {"sku": "AB"}},
        {**COUNT, "name": "stock", "path": "Count"},
        {**COUNT, "name": "functions.Stock_count", "path": None},
        {**COUNT, "name": "Stock.count"} | {"path": None},
        {**COUNT, "path": "Stock_count"},
        {**COUNT, "$schema": "x", "$id": "y"},
        {**COUNT, "input": {"sku": "AB", "$schema": "x"}},
    ],
    ids=lambda written: json.dumps(written)[:60],
)
def test_an_action_under_other_keys_is_understood_and_that_is_recorded(
    table: NativeNames, written: dict[str, Any]
) -> None:
    [action] = read(actions(written), table).actions

    assert action == ToolAction("a", "Stock", "count", {"sku": "AB"}, repairs=action.repairs)
    assert action.repairs or written.get("name") == "Stock_count"


def test_an_action_as_it_was_told_needs_no_repair(table: NativeNames) -> None:
    [action] = read(actions(COUNT), table).actions

    assert action.repairs == ()


@pytest.mark.parametrize("rest", [', {"tag": "b", "na', ", {bad!}", ', {"tag": "b"'], ids=repr)
def test_what_stands_whole_before_a_damaged_action_runs(table: NativeNames, rest: str) -> None:
    good, bad = read(
        f"Actions: [{json.dumps(COUNT)}{rest}]"[: -1 if '"' in rest else None], table
    ).actions

    assert good.input == COUNT["input"]
    assert not good.failed
    assert isinstance(bad.output, ErrorArtifact)
    assert "could not be read" in bad.output.value


def test_actions_that_cannot_be_read_are_a_fault_whatever_answer_follows(
    table: NativeNames,
) -> None:
    reply = read("Actions: [{,{]\nAnswer: done", table)

    assert reply.answer is None
    assert reply.problem is not None
    assert "no valid JSON array" in reply.problem


def test_nothing_runs_that_stands_behind_a_made_up_response(table: NativeNames) -> None:
    reply = read(f"Actions: [{{,{{]\nResponse: 7\n{actions(COUNT)}", table)

    assert reply.actions == ()
    assert reply.problem is not None


def test_actions_in_a_sentence_are_words(table: NativeNames) -> None:
    text = f"One writes Actions: [{json.dumps(COUNT)}] to count."

    assert read(text, table).answer == TextArtifact(text)


@pytest.mark.parametrize(
    "tags",
    [[None, None], ["a", "a", "a_2"], [None, "action_1"], ["action_2", None], [0, 1], [1, "1"]],
    ids=str,
)
def test_every_tag_is_unique_and_those_that_stand_once_are_kept(
    table: NativeNames, tags: list[Any]
) -> None:
    reply = read(actions(*({**COUNT, "tag": tag} for tag in tags)), table)

    found = [action.tag for action in reply.actions]
    assert len(set(found)) == len(tags)
    assert all(str(tag) in found for tag in tags if tag is not None)
    wrong = [action.tag for action in reply.actions if action.failed]
    repeated = len([tag for tag in tags if tag is not None]) - len(
        {str(tag) for tag in tags if tag is not None}
    )
    assert len(wrong) == repeated


def test_a_long_thing_that_is_no_action_is_not_shown_whole(table: NativeNames) -> None:
    [action] = read(actions("x" * 10_000), table).actions

    assert len(str(action.output)) < 300


def test_a_schema_with_references_is_shown_so_that_each_leads_somewhere() -> None:
    node = {"type": "object", "properties": {"child": {"$ref": "#/$defs/Node"}}}
    schema = {
        "type": "object",
        "properties": {"root": {"$ref": "#/$defs/Node"}},
        "$defs": {"Node": node},
    }
    spec = ToolSpec("Tree_walk", "Tree", "walk", "Walk.", schema)

    system = ActionsJson().offer(NativeNames([spec])).system

    shown = json.loads(system.split("The JSON Schema of the array:\n")[1].split("\n\n")[0])
    action = {"tag": "1", "name": "Tree", "path": "walk", "input": {"root": {"child": 5}}}
    assert not jsonschema.Draft202012Validator(shown).is_valid([action])
    action["input"] = {"root": {"child": {"child": {}}}}
    assert jsonschema.Draft202012Validator(shown).is_valid([action])
