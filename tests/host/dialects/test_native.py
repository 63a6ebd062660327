"""The dialect `native`: calls and results are the provider's own blocks."""

from __future__ import annotations

import json

import pytest

from agenthost.dialects import Native
from agenthost_sdk.actions import NativeNames, ToolAction
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
    ReasoningMessageContent,
    TextMessageContent,
)
from agenthost_sdk.testing import calls
from agenthost_sdk.testing.conformance.dialects import kit_table


def reply_to(*blocks: BaseMessageContent, finish: Finish = "stop") -> Message:
    return Message("assistant", blocks, finish=finish)


def call(id: str, native: str = "Stock_count", arguments: str = "{}") -> ActionCallMessageContent:
    return ActionCallMessageContent(id, native, arguments)


def test_the_specs_are_offered_as_they_are(table: NativeNames) -> None:
    offer = Native().offer(table)

    assert offer.tools == tuple(table.specs.values())
    assert (offer.system, offer.stop) == ("", ())


def test_calls_become_actions_in_the_models_order(table: NativeNames) -> None:
    message = calls(("Stock_reserve", {"sku": "A"}), ("Clock_now", {}), text=" I look. ")

    reply = Native().read(message, table)

    assert reply.thought == "I look."
    assert [(action.name, action.path) for action in reply.actions] == [
        ("Stock", "reserve"),
        ("Clock", "now"),
    ]
    assert reply.actions[0].input == {"sku": "A"}
    assert [action.tag for action in reply.actions] == [block.id for block in message.calls]
    assert not reply.is_answer


def test_text_without_calls_is_the_answer(table: NativeNames) -> None:
    reply = Native().read(reply_to(TextMessageContent("Answer: 7")), table)

    assert reply.answer == TextArtifact("Answer: 7")
    assert reply.actions == ()


def test_a_picture_alone_is_an_answer(table: NativeNames) -> None:
    picture = ImageUrlArtifact("https://example.org/a.png")

    reply = Native().read(reply_to(ImageMessageContent(picture)), table)

    assert reply.answer == picture


def test_without_tools_a_call_in_tags_is_text() -> None:
    text = '<tool_call>{"name": "No_such", "arguments": {}}</tool_call>'

    reply = Native().read(reply_to(TextMessageContent(text)), NativeNames())

    assert reply.answer == TextArtifact(text)


@pytest.mark.parametrize("blocks", [(), (TextMessageContent(" \n"),)], ids=["none", "blank"])
def test_an_empty_reply_is_a_problem(
    table: NativeNames, blocks: tuple[BaseMessageContent, ...]
) -> None:
    reply = Native().read(reply_to(*blocks), table)

    assert reply.problem is not None
    assert "empty" in reply.problem
    assert not reply.is_answer


def test_a_text_whose_stream_was_lost_is_no_answer(table: NativeNames) -> None:
    reply = Native().read(reply_to(TextMessageContent("There ar"), finish="incomplete"), table)

    assert reply.answer is None
    assert reply.problem is not None
    assert "broke off" in reply.problem


def test_an_unknown_name_is_answered_with_the_nearest(table: NativeNames) -> None:
    reply = Native().read(calls(("Stock_cuont", {}), ("Stock_count", {})), table)

    first, second = reply.actions
    assert isinstance(first.output, ErrorArtifact)
    assert first.output.code == "not-found"
    assert "Stock_count" in first.output.value
    assert second.output is None


@pytest.mark.parametrize(
    "native", [" Stock_count ", "functions.Stock_count", "stock_count", "Stock-count"]
)
def test_a_name_that_can_only_mean_one_tool_is_taken_as_meant(
    table: NativeNames, native: str
) -> None:
    reply = Native().read(calls((native, {})), table)

    assert (reply.actions[0].name, reply.actions[0].path) == ("Stock", "count")


@pytest.mark.parametrize("finish", ["length", "incomplete"])
def test_only_the_last_call_of_a_reply_that_broke_off_is_refused(
    table: NativeNames, finish: Finish
) -> None:
    reply = Native().read(reply_to(call("a"), call("b"), finish=finish), table)

    assert [action.failed for action in reply.actions] == [False, True]


@pytest.mark.parametrize(
    "ids", [["", ""], ["a", "a"], ["a", "a", "a_2"], ["", "call_1"], ["call_2", ""]]
)
def test_every_tag_is_unique_and_ids_that_stand_once_are_kept(
    table: NativeNames, ids: list[str]
) -> None:
    reply = Native().read(reply_to(*(call(id) for id in ids)), table)

    tags = [action.tag for action in reply.actions]
    assert len(set(tags)) == len(ids)
    assert all(tags)
    assert all(id in tags for id in ids if id)
    assert not any(action.failed for action in reply.actions)


def test_a_name_that_was_set_right_is_recorded(table: NativeNames) -> None:
    reply = Native().read(calls(("functions.stock-count", {}), ("Stock_count", {})), table)

    assert "'Stock_count'" in reply.actions[0].repairs[0]
    assert reply.actions[1].repairs == ()


def test_a_call_without_a_name_is_answered_and_replayed_under_a_legal_one(
    table: NativeNames,
) -> None:
    reply = Native().read(reply_to(call("a", ""), call("b", " ")), table)

    said, _ = Native().answer(reply, reply.actions)

    assert all(action.failed for action in reply.actions)
    assert "Stock_count" in str(reply.actions[0].output)
    assert [block.native for block in said.calls] == ["unknown", "unknown"]


def test_reasoning_before_a_call_is_no_part_of_the_thought(table: NativeNames) -> None:
    text = TextMessageContent("<think>\nStock_count?\n</think>\nI look.")

    assert Native().read(reply_to(text, call("a")), table).thought == "I look."


@pytest.mark.parametrize(
    "text",
    [
        "Write <tool_call> and the call.",
        'Write:\n```\n<tool_call>{"name": "Stock_count", "arguments": {}}</tool_call>\n```',
    ],
    ids=repr,
)
def test_tags_that_a_text_shows_are_text(table: NativeNames, text: str) -> None:
    assert Native().read(reply_to(TextMessageContent(text)), table).answer == TextArtifact(text)


def test_every_action_is_answered_once_under_its_tag(table: NativeNames) -> None:
    done = ToolAction("a", "Stock", "count", {"sku": "Ü"}, TextArtifact("7"))
    refused = ToolAction("b", "Nothing", output=ErrorArtifact("No tool.", code="not-found"))
    untold = ToolAction("c", "Clock", "now")

    said, results = Native().answer(Reply("I look."), [done, refused, untold])

    assert said.to_text() == "I look."
    assert [(block.id, block.native) for block in said.calls] == [
        ("a", "Stock_count"),
        ("b", "Nothing"),
        ("c", "Clock_now"),
    ]
    assert json.loads(said.calls[0].arguments) == {"sku": "Ü"}
    answered = [b for b in results.content if isinstance(b, ActionResultMessageContent)]
    assert [(block.id, block.failed) for block in answered] == [
        ("a", False),
        ("b", True),
        ("c", True),
    ]
    assert "not run" in answered[2].to_text()


def test_a_round_without_a_thought_is_replayed_without_one() -> None:
    action = ToolAction("a", "Clock", "now", output=TextArtifact("noon"))

    said, _ = Native().answer(Reply(), [action])

    assert [type(block) for block in said.content] == [ActionCallMessageContent]
    assert said.finish == "actions"


def test_what_only_the_provider_reads_is_replayed_where_it_stood(table: NativeNames) -> None:
    thoughts = ReasoningMessageContent("Hm.", {"signature": "c2ln"}, "anthropic")
    search = GenericMessageContent({"type": "server_tool_use"}, "anthropic")
    first = ActionCallMessageContent("a", "Stock_count", '{"sku":"AB"}', {"signature": "dA=="})
    read = Native().read(
        reply_to(thoughts, TextMessageContent("I look."), search, first, call("b")), table
    )
    done = [action.with_output(TextArtifact("7")) for action in read.actions]

    said, _ = Native().answer(read, done)

    before, words, beside, *asked = said.content
    assert (before, words, beside) == (thoughts, TextMessageContent("I look."), search)
    assert [one.id for one in said.calls] == ["a", "b"]
    assert said.calls[0].extra == {"signature": "dA=="}
    assert asked == said.calls


def test_thoughts_that_stood_in_the_text_are_not_replayed(table: NativeNames) -> None:
    text = TextMessageContent("<think>Which one?</think>I look.")
    read = Native().read(reply_to(text, call("a")), table)

    said, _ = Native().answer(read, [read.actions[0].with_output(TextArtifact("7"))])

    assert said.content[0] == TextMessageContent("I look.")


def test_a_call_of_an_unknown_tool_is_replayed_with_its_own_arguments(table: NativeNames) -> None:
    read = Native().read(reply_to(call("a", "Nothing_like_it", '{"x": 1}')), table)

    said, _ = Native().answer(read, read.actions)

    assert said.calls[0].arguments == '{"x": 1}'


@pytest.mark.parametrize(
    ("arguments", "is_run"),
    [("a=UTC {}", False), ("null", True), ('{}""', True), ("```json\n{}\n```", True)],
    ids=repr,
)
def test_words_beside_an_empty_object_are_no_empty_input(arguments: str, is_run: bool) -> None:
    message = Message("assistant", (ActionCallMessageContent("1", "Dice_throw", arguments),))

    (action,) = Native().read(message, kit_table()).actions

    assert action.failed is not is_run
