"""What is sent back of the tools that the provider runs itself, and of calls that failed."""

from __future__ import annotations

import json
from typing import Any

from agenthost_plugin_anthropic.conversation import MessagesWriter
from agenthost_sdk.artifacts import ImageArtifact, ListArtifact, TextArtifact
from agenthost_sdk.messages import (
    ActionCallMessageContent,
    ActionResultMessageContent,
    BaseMessageContent,
    GenericMessageContent,
    Message,
    ReasoningMessageContent,
    Role,
    TextMessageContent,
)

Json = dict[str, Any]

SEARCH = {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"q": "x"}}
FOUND = {"type": "web_search_tool_result", "tool_use_id": "s1", "content": []}
THOUGHTS = {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}
HIGH = {"type": "text", "text": "High."}


def test_a_use_that_never_got_its_result_is_left_out_once_the_user_speaks() -> None:
    sent = written(said("assistant", "I search.", SEARCH), said("user", "And?"))

    assert sent[1]["content"] == [{"type": "text", "text": "I search."}]


def test_what_is_left_of_a_turn_does_not_end_in_thoughts() -> None:
    sent = written(said("assistant", "Well.", THOUGHTS, SEARCH), said("user", "And?"))

    assert sent[1]["content"] == [{"type": "text", "text": "Well."}]


def test_what_the_user_says_around_a_turn_of_which_nothing_is_left_is_one_turn() -> None:
    [sent] = written(said("assistant", SEARCH), said("user", "And?"))

    assert [block["text"] for block in sent["content"]] == ["Go", "And?"]


def test_a_use_stays_in_the_turn_that_the_model_is_to_go_on_with() -> None:
    assert written(said("assistant", SEARCH))[1]["content"] == [SEARCH]


def test_a_use_that_waits_for_our_results_stays_and_its_result_may_come_later() -> None:
    sent = written(
        said("assistant", SEARCH, ActionCallMessageContent("a", "F", "{}")),
        said("user", ActionResultMessageContent("a", "F", TextArtifact("3"))),
        said("assistant", FOUND, HIGH),
        said("user", "And?"),
    )

    assert sent[1]["content"][0] == SEARCH
    assert sent[3]["content"] == [FOUND, HIGH]


def test_a_result_whose_use_stood_elsewhere_is_sent_back() -> None:
    sent = written(said("assistant", FOUND, HIGH), said("user", "And?"))

    assert sent[1]["content"] == [FOUND, HIGH]


def test_a_copy_of_a_writer_knows_the_uses() -> None:
    writer = MessagesWriter()
    writer.take(said("user", "Go"))
    writer.take(said("assistant", SEARCH))
    copy = writer.copy()
    copy.take(said("assistant", FOUND, HIGH))
    copy.take(said("user", "And?"))

    assert json.loads(copy.finish()[1])["content"] == [SEARCH, FOUND, HIGH]
    assert json.loads(writer.finish()[1])["content"] == [SEARCH]


def test_a_picture_of_a_failed_call_is_shown_behind_the_results() -> None:
    output = ListArtifact([TextArtifact("It broke."), ImageArtifact(b"png", format="png")])

    sent = written(
        said("assistant", ActionCallMessageContent("a", "F", "{}")),
        said("user", ActionResultMessageContent("a", "F", output, failed=True)),
    )

    failed, shown = sent[2]["content"]
    assert failed["content"] == [{"type": "text", "text": "It broke."}]
    assert failed["is_error"] is True
    assert shown["type"] == "image"


def written(*messages: Message) -> list[Json]:
    writer = MessagesWriter()
    for message in [said("user", "Go"), *messages]:
        writer.take(message)
    return [json.loads(one) for one in writer.finish()]


def said(role: Role, *blocks: BaseMessageContent | Json | str) -> Message:
    return Message(role, tuple(map(_block, blocks)))


def _block(block: BaseMessageContent | Json | str) -> BaseMessageContent:
    if isinstance(block, str):
        return TextMessageContent(block)
    if isinstance(block, BaseMessageContent):
        return block
    if block["type"] == "thinking":
        return ReasoningMessageContent("", block, "anthropic")
    if block["type"] == "text":
        return TextMessageContent(block["text"])
    return GenericMessageContent(block, "anthropic")
