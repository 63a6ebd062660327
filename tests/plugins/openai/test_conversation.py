"""What the messages of a stack become on their way to chat completions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agenthost_plugin_openai import conversation
from agenthost_plugin_openai.profiles import PROFILES, UNKNOWN
from agenthost_sdk.artifacts import (
    ErrorArtifact,
    TextArtifact,
)
from agenthost_sdk.messages import (
    Message,
    PromptStack,
)
from support.said import asked, assistant, came, rules, sent_as, text, user


def test_text_travels_as_text_under_its_role() -> None:
    stack = PromptStack()
    stack.add_system_message("Be brief.")
    stack.add_user_message("Hello?")
    stack.add_assistant_message("Hello.")

    assert sent_as(stack.messages) == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Hello?"},
        {"role": "assistant", "content": "Hello."},
    ]


def test_each_call_is_answered_right_after_it_before_any_other_word() -> None:
    sent = sent_as(
        [
            assistant(text("Looking."), asked("a", '{"sku": "x"}'), asked("b")),
            user(text("Hurry!"), came("b", ErrorArtifact("No such item.")), came("a")),
        ]
    )

    assert sent[0]["content"] == "Looking."
    assert [call["id"] for call in sent[0]["tool_calls"]] == ["a", "b"]
    assert sent[1:] == [
        {"role": "tool", "tool_call_id": "a", "content": "4"},
        {"role": "tool", "tool_call_id": "b", "content": "No such item."},
        {"role": "user", "content": "Hurry!"},
    ]


def test_the_content_of_a_message_with_calls_alone_is_null() -> None:
    sent = sent_as([assistant(asked("a")), user(came("a"))])

    assert sent[0]["content"] is None


def test_a_result_in_a_later_message_of_the_user_is_found() -> None:
    sent = sent_as([assistant(asked("a"), asked("b")), user(came("b")), user(came("a"))])

    assert [message.get("tool_call_id") for message in sent] == [None, "a", "b"]


def test_a_call_without_a_result_gets_one_that_says_so() -> None:
    sent = sent_as([assistant(asked("a"), asked("b")), user(came("a"), text("Next?"))])

    assert sent[2] == {"role": "tool", "tool_call_id": "b", "content": conversation.NO_RESULT}
    assert sent[3] == {"role": "user", "content": "Next?"}


def test_a_result_without_a_call_is_left_out() -> None:
    assert sent_as([user(came("a"), text("And now?"))]) == [
        {"role": "user", "content": "And now?"}
    ]


def test_a_result_in_the_models_own_message_is_that_of_its_call() -> None:
    blocks = (text("Looking."), asked("a"), came("a"), text("It is 4."), asked("b"), came("b"))

    sent = sent_as([assistant(*blocks), user(text("And now?"))])

    said = [(message["role"], message["content"]) for message in sent]
    assert said == [
        ("assistant", "Looking."),
        ("tool", "4"),
        ("assistant", "It is 4."),
        ("tool", "4"),
        ("user", "And now?"),
    ]
    assert [message.get("tool_call_id") for message in sent] == [None, "a", None, "b", None]


def test_a_result_in_the_models_next_message_is_that_of_its_call() -> None:
    sent = sent_as([assistant(asked("a")), assistant(came("a"), text("It is 4."))])

    assert sent[1:] == [
        {"role": "tool", "tool_call_id": "a", "content": "4"},
        {"role": "assistant", "content": "It is 4."},
    ]


def test_words_behind_a_result_do_not_cut_off_one_that_comes_later() -> None:
    blocks = (asked("a"), asked("b"), came("a"), text("Wait."))

    sent = sent_as([assistant(*blocks), user(came("b", TextArtifact("5")))])

    assert sent[0]["content"] == "Wait."
    assert sent[1:] == [
        {"role": "tool", "tool_call_id": "a", "content": "4"},
        {"role": "tool", "tool_call_id": "b", "content": "5"},
    ]


@pytest.mark.parametrize("id", ["a", "", "x" * 41])
def test_ids_that_cannot_be_sent_are_replaced_for_call_and_result_alike(id: str) -> None:
    sent = sent_as(
        [
            assistant(asked(id), asked(id)),
            user(came(id, TextArtifact("one")), came(id, TextArtifact("two"))),
            assistant(asked(id)),
            user(came(id, TextArtifact("three"))),
        ]
    )

    called = [call["id"] for message in sent for call in message.get("tool_calls", [])]
    answers = {m["tool_call_id"]: m["content"] for m in sent if m["role"] == "tool"}
    assert len(set(called)) == 3
    assert [answers[id] for id in called] == ["one", "two", "three"]


@pytest.mark.parametrize("arguments", ['{"path": "a', "", "null", "[1]", '"x"'])
def test_arguments_that_cannot_be_read_are_replayed_as_an_empty_object(arguments: str) -> None:
    sent = sent_as([assistant(asked("a", arguments)), user(came("a"))])

    assert sent[0]["tool_calls"][0]["function"]["arguments"] == "{}"


def test_a_name_that_the_model_made_up_is_replayed_in_a_legal_form() -> None:
    sent = sent_as([assistant(asked("a", native="shop.count now")), user(came("a"))])

    name = sent[0]["tool_calls"][0]["function"]["name"]
    assert name.startswith("shop_count_now_")


def test_empty_messages_are_not_sent() -> None:
    empty = (Message("system", (text(""),)), user(), assistant(text("")), user(text("Hello?")))

    assert sent_as(empty) == [{"role": "user", "content": "Hello?"}]


@pytest.mark.parametrize("said_before", [(), (user(text("")),), (assistant(),)])
def test_a_conversation_without_words_is_an_opening(said_before: tuple[Message, ...]) -> None:
    assert sent_as(said_before) == [{"role": "user", "content": conversation.OPENING}]


def test_rules_that_come_while_results_are_awaited_are_said_behind_them() -> None:
    sent = sent_as([assistant(asked("a")), rules("Be brief."), user(came("a")), rules("Please.")])

    assert [message["role"] for message in sent] == ["assistant", "tool", "system", "system"]


def test_rules_have_the_role_that_the_profile_says() -> None:
    profile = replace(UNKNOWN, system_role="developer")

    assert sent_as([rules("Be brief.")], profile)[0]["role"] == "developer"


def test_mistral_gets_short_ids_and_a_word_of_the_model_before_the_users() -> None:
    calls = [asked("call_abc"), asked("abcdefghi"), asked("call_abc")]

    sent = sent_as(
        [assistant(*calls), user(came("call_abc"), came("abcdefghi"), text("And?"))],
        PROFILES["mistral"],
    )

    ids = [call["id"] for call in sent[0]["tool_calls"]]
    assert ids[1] == "abcdefghi"
    assert all(len(id) == 9 and id.isalnum() for id in ids)
    assert len(set(ids)) == 3
    assert [message.get("tool_call_id") for message in sent[1:4]] == ids
    assert [message["role"] for message in sent[4:]] == ["assistant", "user"]


def test_an_id_that_comes_in_every_round_is_another_one_each_time() -> None:
    rounds = [message for _ in range(50) for message in (assistant(asked("a")), user(came("a")))]

    sent = sent_as(rounds)

    ids = [call["id"] for message in sent for call in message.get("tool_calls", ())]
    assert ids[:3] == ["a", "a_2", "a_3"]
    assert len(set(ids)) == 50
    assert [message["tool_call_id"] for message in sent if message["role"] == "tool"] == ids
