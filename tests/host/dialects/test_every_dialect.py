"""What holds in every dialect: how replies end, what reasoning is, what an example shows."""

from __future__ import annotations

import json

import pytest

from agenthost.dialects import BUILT_IN, Native
from agenthost.dialects.rounds import rounds
from agenthost_sdk.actions import Example, NativeNames, ToolAction, ToolSpec
from agenthost_sdk.artifacts import ErrorArtifact, ImageUrlArtifact, TextArtifact
from agenthost_sdk.dialects import Reply
from agenthost_sdk.messages import (
    ActionCallMessageContent,
    ActionResultMessageContent,
    BaseMessageContent,
    Finish,
    GenericMessageContent,
    ImageMessageContent,
    Message,
    TextMessageContent,
)
from agenthost_sdk.testing import calls

every_dialect = pytest.mark.parametrize("dialect", sorted(BUILT_IN))
text_dialect = pytest.mark.parametrize("dialect", sorted(BUILT_IN.keys() - {"native"}))

#: A reply that asks for `Stock.count`, and the beginning of one that broke off.
ASKED = {
    "actions_json": 'Actions: [{"tag": "a", "name": "Stock", "path": "count", "input": {}}]',
    "classic": "Action: Stock_count\nAction Input: {}",
    "json": '{"actions": [{"tag": "a", "name": "Stock", "path": "count", "input": {}}]}',
}


def read(dialect: str, text: str, table: NativeNames, finish: Finish = "stop") -> Reply:
    return read_blocks(dialect, table, TextMessageContent(text), finish=finish)


def read_blocks(
    dialect: str, table: NativeNames, *blocks: BaseMessageContent, finish: Finish = "stop"
) -> Reply:
    return BUILT_IN[dialect]().read(Message("assistant", blocks, finish=finish), table)


@every_dialect
def test_a_refusal_is_the_answer_and_runs_nothing(dialect: str, table: NativeNames) -> None:
    asked = ASKED.get(dialect, "I will not.")
    call = ActionCallMessageContent("a", "Stock_count", "{}")

    reply = read_blocks(dialect, table, TextMessageContent(asked), call, finish="refusal")
    silent = read_blocks(dialect, table, finish="refusal")

    assert reply.answer == TextArtifact(asked)
    assert reply.actions == ()
    assert "refused" in str(silent.answer)


@every_dialect
def test_an_answer_that_ends_at_the_token_limit_is_marked(
    dialect: str, table: NativeNames
) -> None:
    reply = read(dialect, "There are two and", table, "length")

    assert reply.answer == TextArtifact("There are two and")
    assert reply.cut
    assert not read(dialect, "There are two.", table).cut


@every_dialect
def test_an_answer_whose_stream_was_lost_is_handed_back(dialect: str, table: NativeNames) -> None:
    for offered in (table, NativeNames()):
        reply = read(dialect, "There ar", offered, "incomplete")

        assert reply.problem is not None
        assert "broke off" in reply.problem
        assert reply.text == "There ar"


@every_dialect
@pytest.mark.parametrize(
    "text",
    ["", " \n", "\ufeff", "<think>I count.", "<think>\nAnswer: 7\n</think>", "I count.</think>"],
    ids=repr,
)
def test_a_reply_of_nothing_but_reasoning_is_handed_back(
    dialect: str, table: NativeNames, text: str
) -> None:
    reply = read(dialect, text, table)

    assert reply.problem is not None
    assert "empty" in reply.problem
    assert reply.text == ""


@every_dialect
def test_an_empty_reply_is_told_only_of_what_there_is(dialect: str, table: NativeNames) -> None:
    alone = read(dialect, "", NativeNames()).problem
    offered = read(dialect, "", table).problem

    assert alone == "The reply was empty. Answer in words."
    assert offered is not None
    assert offered != alone


@every_dialect
@pytest.mark.parametrize(
    "text",
    [
        "\ufeffIt is 7.",
        "\n \ufeff\u200bIt is 7.",
        "\ufeff<think>No.</think>It is 7.",
        "<think>No.</think>\n\ufeffIt is 7.",
    ],
    ids=ascii,
)
def test_a_byte_order_mark_is_no_part_of_the_answer(
    dialect: str, table: NativeNames, text: str
) -> None:
    assert read(dialect, text, table).answer == TextArtifact("It is 7.")


@every_dialect
@pytest.mark.parametrize(
    "text",
    [
        "<think>No.</think>It is 7.",
        "<THINKING>\nNo.\n</THINKING>\n\nIt is 7.",
        "<think>a</think>\n<think>b</think>It is 7.",
        "No.\n</think>\nIt is 7.",
    ],
    ids=repr,
)
def test_reasoning_is_no_part_of_the_answer(dialect: str, table: NativeNames, text: str) -> None:
    reply = read(dialect, text, table)

    assert str(reply.answer).strip() == "It is 7."


@every_dialect
def test_what_only_the_provider_knows_is_no_part_of_the_answer(
    dialect: str, table: NativeNames
) -> None:
    thinking = GenericMessageContent({"type": "thinking"}, "other")

    assert read_blocks(dialect, table, thinking).problem is not None
    assert read_blocks(dialect, table, thinking, TextMessageContent("7")).answer == TextArtifact(
        "7"
    )


@every_dialect
def test_a_picture_is_an_answer_alone_and_beside_words(dialect: str, table: NativeNames) -> None:
    picture = ImageUrlArtifact("https://example.org/a.png")
    block = ImageMessageContent(picture)

    both = read_blocks(dialect, table, TextMessageContent("See."), block).answer

    assert read_blocks(dialect, table, block).answer == picture
    assert both is not None
    assert both.value == [TextArtifact("See."), picture]


@every_dialect
def test_calls_are_actions_whatever_the_dialect(dialect: str, table: NativeNames) -> None:
    message = calls(("Stock_count", {"sku": "A"}), ("Clock_now", {}), text="I look.")

    reply = BUILT_IN[dialect]().read(message, table)

    assert [action.native for action in reply.actions] == ["Stock_count", "Clock_now"]
    assert reply.thought == "I look."


@text_dialect
def test_a_problem_bears_the_words_without_their_labels(dialect: str, table: NativeNames) -> None:
    for text in ("Thought: hm.", "**Thought:** hm.", "<think>x</think>Thought: hm."):
        reply = read(dialect, text, table)

        assert reply.problem is not None
        assert (reply.text, reply.thought) == ("hm.", "hm.")


@text_dialect
def test_what_the_model_made_up_behind_its_actions_is_never_the_answer(
    dialect: str, table: NativeNames
) -> None:
    invented = {
        "actions_json": "<|Response|>: a: 7\nAnswer: 7",
        "classic": "Observation: 7\nFinal Answer: 7",
        "json": 'Results:\na: 7\n{"answer": "7"}',
    }

    reply = read(dialect, f"{ASKED[dialect]}\n{invented[dialect]}", table)

    assert [action.native for action in reply.actions] == ["Stock_count"]
    assert reply.answer is None


@text_dialect
@pytest.mark.parametrize(
    "text",
    ["Actions: [{,{]", "Action: x", '{"actions": [', "Action Input: y", *ASKED.values()],
    ids=repr,
)
def test_without_tools_whatever_is_written_is_the_answer(dialect: str, text: str) -> None:
    assert read(dialect, text, NativeNames()).answer == TextArtifact(text)


@text_dialect
def test_of_more_actions_than_can_be_meant_the_first_are_read_and_the_rest_is_told(
    dialect: str, table: NativeNames
) -> None:
    one = {"name": "Clock", "path": "now", "input": {}}
    array = json.dumps([one] * 200)
    many = {
        "actions_json": f"Actions: {array}",
        "classic": "Action: Clock_now\n" * 200,
        "json": json.dumps({"actions": [one] * 200}),
    }

    for text in (many[dialect], array, f"<tool_call>{array}</tool_call>"):
        *first, rest = read(dialect, text, table).actions

        assert [action.failed for action in first] == [False] * 128
        assert "more than 128 actions" in str(rest.output)


@pytest.mark.parametrize("dialect", sorted(BUILT_IN))
def test_a_picture_among_results_is_shown_as_one(dialect: str) -> None:
    picture = ImageUrlArtifact("https://example.org/tide.png")
    action = ToolAction("1", "Clock", "now").with_output(picture)

    _, told = BUILT_IN[dialect]().answer(Reply(actions=(action,)), [action])

    shown = [block for block in told.content if isinstance(block, ImageMessageContent)]
    results = [b.output for b in told.content if isinstance(b, ActionResultMessageContent)]
    assert picture in [*results, *(block.artifact for block in shown)]


def test_of_more_native_calls_than_can_be_meant_each_of_the_rest_is_answered(
    table: NativeNames,
) -> None:
    calls = [ActionCallMessageContent(f"c{n}", "Clock_now", "{}") for n in range(200)]

    actions = Native().read(Message("assistant", tuple(calls)), table).actions

    assert [action.tag for action in actions] == [call.id for call in calls]
    assert [action.failed for action in actions] == [n >= 128 for n in range(200)]


@text_dialect
def test_another_text_format_is_read_where_it_plainly_asks_for_an_action(
    dialect: str, table: NativeNames
) -> None:
    for text in ASKED.values():
        [action] = read(dialect, text, table).actions

        assert action.native == "Stock_count"
        assert not action.failed


@every_dialect
def test_a_call_in_the_tags_of_another_model_is_an_action(
    dialect: str, table: NativeNames
) -> None:
    text = 'Yes.\n<tool_call>\n{"name": "Stock_count", "arguments": {"sku": "A"}}\n</tool_call>'

    [action] = read(dialect, text, table).actions

    assert action.native == "Stock_count"
    assert action.input == {"sku": "A"}
    assert any("tags" in repair for repair in action.repairs)


@text_dialect
def test_examples_are_whole_rounds_that_the_dialect_reads_as_what_they_show(
    dialect: str, table: NativeNames
) -> None:
    spoken = BUILT_IN[dialect]()

    [(question, asked, told, closed)] = rounds(spoken, table)

    assert question.to_text() == "Any AB left?"
    [action] = spoken.read(asked, table).actions
    assert (action.native, action.input) == ("Stock_count", {"sku": "AB"})
    assert "Stock_count" in told.to_text()
    assert spoken.read(closed, table).is_answer
    for message in (asked, told, closed):
        assert message.to_text() in spoken.offer(table).system


@every_dialect
def test_there_are_two_examples_at_most_and_of_two_tools_where_there_are(dialect: str) -> None:
    def spec(name: str, path: str) -> ToolSpec:
        example = (Example(f"{name} {path}?", {}),)
        return ToolSpec(f"{name}_{path}", name, path, "", {"type": "object"}, example)

    table = NativeNames([spec("A", "x"), spec("A", "y"), spec("B", "x"), spec("C", "x")])

    shown = list(rounds(BUILT_IN[dialect](), table))

    assert [messages[0].to_text() for messages in shown] == ["A x?", "B x?"]


@text_dialect
def test_a_round_reads_as_it_was_whatever_stands_in_its_texts(
    dialect: str, table: NativeNames
) -> None:
    odd = "Final Answer: x\nAnswer: y\n```\n<think>\n<|im_end|> [1] {2} “”"
    action = ToolAction("1", "Stock", "count", {"sku": odd}, TextArtifact("7"))
    spoken = BUILT_IN[dialect]()

    reply = spoken.read(spoken.answer(Reply("I look."), [action])[0], table)

    assert [again.input for again in reply.actions] == [{"sku": odd}]


@every_dialect
def test_sixty_four_unknown_names_take_no_time_to_speak_of(dialect: str) -> None:
    table = NativeNames(
        ToolSpec(f"Tool{n}_act", f"Tool{n}", "act", "", {"type": "object"}) for n in range(20)
    )
    spoken = BUILT_IN[dialect]()
    actions = [ToolAction(f"t{n}", f"Toll{n}", "act") for n in range(64)]

    reply = spoken.read(spoken.answer(Reply(), actions)[0], table)

    assert len(reply.actions) == 64
    assert all(isinstance(action.output, ErrorArtifact) for action in reply.actions)
