"""What a task remembers of its conversation, word for word."""

from __future__ import annotations

import threading

import pytest

from agenthost.memory.base import RememberedRun
from agenthost.memory.conversation import ConversationMemory
from agenthost.requests import Count
from agenthost_sdk import ErrorArtifact, ImageUrlArtifact, ListArtifact, Message, TextArtifact
from agenthost_sdk.errors import SettingsError
from agenthost_sdk.messages import (
    ActionCallMessageContent,
    ActionResultMessageContent,
    BaseMessageContent,
    TextMessageContent,
)
from support.answering import Answering
from support.remembered_runs import ended, failed, pairs, recalled, remember, said


def _text(role: str, text: str) -> Message:
    return Message(role, (TextMessageContent(text),))  # type: ignore[arg-type]


def test_questions_and_answers_come_back_oldest_first() -> None:
    memory = ConversationMemory()
    remember(memory, [1, 2, 3])

    assert recalled(memory) == pairs(1, 2, 3)


def test_a_memory_keeps_every_run_of_many_threads() -> None:
    memory = ConversationMemory()

    def work(number: int) -> None:
        remember(memory, [number])

    threads = [threading.Thread(target=work, args=(number,)) for number in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    texts = [message.to_text() for message in memory.messages()]
    assert len(memory) == 50
    assert all(f"a{q[1:]}" == a for q, a in zip(texts[::2], texts[1::2], strict=True))


def test_a_cleared_memory_is_empty() -> None:
    memory = ConversationMemory()
    remember(memory, [1])

    memory.clear()

    assert memory.messages() == []
    assert len(memory) == 0


def test_past_its_number_of_runs_the_oldest_are_forgotten() -> None:
    memory = ConversationMemory(max_runs=2)
    remember(memory, range(5))

    assert recalled(memory) == pairs(3, 4)


@pytest.mark.parametrize(
    ("most", "left"), [(100, (0, 1, 2)), (60, (0, 1, 2)), (59, (1, 2)), (20, (2,)), (19, ())]
)
def test_past_its_tokens_the_oldest_runs_are_forgotten_as_a_whole(
    most: int, left: tuple[int, ...]
) -> None:
    memory = ConversationMemory(max_tokens=most)
    remember(memory, range(3))

    assert recalled(memory) == pairs(*left)
    assert said(memory.messages()) == pairs(*left)


def test_the_tokens_of_each_run_are_counted_once() -> None:
    memory = ConversationMemory(max_tokens=40)
    answering = Answering()
    remember(memory, [1, 2])
    recalled(memory, answering=answering)
    remember(memory, [3])

    recalled(memory, answering=answering)

    asked = [said(request.messages) for request in answering.asked if isinstance(request, Count)]
    assert asked == [pairs(2), pairs(1), pairs(3)]


def test_a_run_that_failed_is_forgotten() -> None:
    memory = ConversationMemory()
    memory.add(failed("q", "The provider is away."))

    assert recalled(memory) == []


def test_a_run_that_failed_is_a_note_of_the_user_where_that_is_asked_for() -> None:
    memory = ConversationMemory(failures=True)
    memory.add(failed("q?", "The provider is away."))

    assert recalled(memory) == [("user", "q?(That run failed: The provider is away.)")]


def test_results_that_are_all_errors_are_a_run_that_failed() -> None:
    errors = ListArtifact([ErrorArtifact("No such file."), ListArtifact([ErrorArtifact("Gone.")])])
    run = RememberedRun(TextArtifact("q?"), errors)
    forgetting, noting = ConversationMemory(), ConversationMemory(failures=True)
    forgetting.add(run)
    noting.add(run)

    assert recalled(forgetting) == []
    assert recalled(noting) == [("user", "q?(That run failed: No such file.\n\nGone.)")]


def test_an_error_among_results_is_not_remembered_as_the_models_words() -> None:
    memory = ConversationMemory()
    results = ListArtifact([ErrorArtifact("No such file."), TextArtifact("Seven.")])
    memory.add(RememberedRun(TextArtifact("q?"), results))

    assert recalled(memory) == [("user", "q?"), ("assistant", "Seven.")]


@pytest.mark.parametrize(
    "run",
    [ended("", "a"), ended("q", " \n"), RememberedRun(TextArtifact("q"), ListArtifact([]))],
    ids=["question", "answer", "list"],
)
def test_a_run_without_words_gives_no_messages(run: RememberedRun) -> None:
    memory = ConversationMemory()
    memory.add(run)

    assert memory.messages() == []


def test_a_picture_is_remembered_as_a_picture() -> None:
    memory = ConversationMemory()
    picture = ImageUrlArtifact("https://example.com/cat.png")
    memory.add(RememberedRun(picture, TextArtifact("A cat.")))

    [asked, _] = memory.messages()

    assert [block.to_text() for block in asked.content] == [picture.to_text()]


def test_rounds_are_left_out_unless_they_are_asked_for() -> None:
    rounds = (_text("assistant", "Action: look"), _text("user", "Observation: 7"))
    run = RememberedRun(TextArtifact("q"), TextArtifact("a"), rounds)
    without, within = ConversationMemory(), ConversationMemory(tool_rounds=True)
    without.add(run)
    within.add(run)

    assert recalled(without) == [("user", "q"), ("assistant", "a")]
    assert recalled(within) == [
        ("user", "q"),
        ("assistant", "Action: look"),
        ("user", "Observation: 7"),
        ("assistant", "a"),
    ]


def test_rounds_count_towards_the_tokens() -> None:
    memory = ConversationMemory(max_tokens=50, tool_rounds=True)
    rounds = (_text("assistant", "Action: look"), _text("user", "Observation: 7"))
    for number in range(2):
        question = TextArtifact(f"q{number}")
        memory.add(RememberedRun(question, TextArtifact("a"), rounds))

    assert [text for _, text in recalled(memory)] == [
        "q1",
        "Action: look",
        "Observation: 7",
        "a",
    ]


def _round(call: str, came: str) -> tuple[Message, ...]:
    asked: tuple[BaseMessageContent, ...] = (ActionCallMessageContent(call, "Stock_count", "{}"),)
    result = ActionResultMessageContent(call, "Stock_count", TextArtifact(came))
    return Message("assistant", asked), Message("user", (result,))


def test_calls_of_different_runs_keep_ids_of_their_own_and_their_results() -> None:
    memory = ConversationMemory(tool_rounds=True)
    for number in range(3):
        rounds = _round("call_1", f"came {number}")
        memory.add(RememberedRun(TextArtifact("q"), TextArtifact("a"), rounds))

    blocks = [block for message in memory.messages() for block in message.content]
    calls = [block.id for block in blocks if isinstance(block, ActionCallMessageContent)]
    results = [block.id for block in blocks if isinstance(block, ActionResultMessageContent)]
    assert calls == results
    assert len(set(calls)) == 3


@pytest.mark.parametrize("wrong", [0, -1, True, 2.5, "3"])
@pytest.mark.parametrize("name", ["max_runs", "max_tokens"])
def test_a_limit_that_is_no_whole_number_is_refused(name: str, wrong: object) -> None:
    with pytest.raises(SettingsError, match=f"{name} is .*; it must be a whole number"):
        ConversationMemory(**{name: wrong})  # type: ignore[arg-type]
