"""A conversation that goes on is written from where it stood."""

from __future__ import annotations

import gc
import weakref
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from typing import Self

from agenthost_sdk.artifacts import TextArtifact
from agenthost_sdk.conversations import Conversations, results_apart
from agenthost_sdk.messages import (
    ActionCallMessageContent,
    ActionResultMessageContent,
    Message,
    TextMessageContent,
    text_message,
)


class Words:
    """Writes down what messages say, and counts how many were written in all."""

    written = 0

    def __init__(self, said: list[str] | None = None) -> None:
        self.said = said or []

    def take(self, message: Message) -> None:
        self.said.append(message.to_text())
        Words.written += 1

    def copy(self) -> Self:
        return type(self)(list(self.said))


def talk(length: int) -> list[Message]:
    return [text_message("user", f"message {place}") for place in range(length)]


def test_each_message_is_written_once_however_often_it_is_sent() -> None:
    kept, messages = Conversations(Words), talk(50)
    before = Words.written

    for end in range(1, 51):
        assert kept.written(messages[:end]).said == [m.to_text() for m in messages[:end]]

    assert Words.written - before == 50


def test_what_is_done_with_one_writer_does_not_show_in_the_next() -> None:
    kept, messages = Conversations(Words), talk(3)

    kept.written(messages).take(text_message("user", "a last note"))

    assert kept.written(messages).said == ["message 0", "message 1", "message 2"]


def test_equal_messages_that_are_not_the_same_are_another_conversation() -> None:
    kept = Conversations(Words)
    before = Words.written

    kept.written(talk(3))
    kept.written(talk(3))

    assert Words.written - before == 6


def test_a_conversation_whose_end_was_taken_back_is_written_anew() -> None:
    kept, messages = Conversations(Words), talk(4)
    kept.written(messages)

    other = [*messages[:3], text_message("user", "another end")]

    assert kept.written(other).said[-1] == "another end"
    assert kept.written([]).said == []


def test_only_the_last_conversations_are_kept() -> None:
    kept, talks = Conversations(Words, most=2), [talk(2) for _ in range(3)]
    for one in talks:
        kept.written(one)
    before = Words.written

    kept.written(talks[2])
    kept.written(talks[1])
    assert Words.written == before
    kept.written(talks[0])
    assert Words.written == before + 2


def test_a_hundred_conversations_that_take_turns_are_each_written_once() -> None:
    kept, talks = Conversations(Words), [talk(10) for _ in range(100)]
    before = Words.written

    for end in range(1, 11):
        for one in talks:
            kept.written(one[:end])

    assert Words.written - before == 1000


def test_a_conversation_that_nobody_holds_any_more_is_forgotten() -> None:
    def make() -> Words:
        writers.add(writer := Words())
        return writer

    writers: weakref.WeakSet[Words] = weakref.WeakSet()
    kept, messages = Conversations(make), talk(3)
    kept.written(messages)
    assert len(writers) == 1

    del messages
    gc.collect()

    assert len(writers) == 0


def test_a_copy_has_written_nothing_yet() -> None:
    kept, messages = Conversations(Words), talk(3)
    kept.written(messages)

    assert deepcopy(kept).written(messages).said == kept.written(messages).said


def test_many_threads_may_write_their_conversations_at_once() -> None:
    kept = Conversations(Words, most=4)

    def speak(number: int) -> bool:
        messages = [text_message("user", f"{number}-{place}") for place in range(30)]
        ends = range(1, 31)
        return all(
            kept.written(messages[:end]).said == [m.to_text() for m in messages[:end]]
            for end in ends
        )

    with ThreadPoolExecutor(16) as pool:
        assert all(pool.map(speak, range(64)))


def test_results_in_the_models_own_message_are_the_users() -> None:
    asked = ActionCallMessageContent("a", "Shop_count", "{}")
    came = ActionResultMessageContent("a", "Shop_count", TextArtifact("7"))
    behind = TextMessageContent("There are 7.")

    parts = list(results_apart(Message("assistant", (asked, came, behind))))

    assert [(part.role, part.content) for part in parts] == [
        ("assistant", (asked,)),
        ("user", (came,)),
        ("assistant", (behind,)),
    ]


def test_a_message_without_results_is_the_very_one() -> None:
    said = text_message("assistant", "Hello.")

    assert list(results_apart(said)) == [said]
    assert next(results_apart(said)) is said
