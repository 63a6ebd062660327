"""Which rounds of a run are folded, what the model is asked, and what stands in their place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenthost.memory.folding import (
    Folding,
    folding_stack,
    rounds_to_fold,
    standing_message,
)
from agenthost_sdk import Message, TextArtifact
from agenthost_sdk.messages import (
    ActionCallMessageContent,
    ActionResultMessageContent,
    TextMessageContent,
)

WAYS: tuple[Folding, ...] = ("summarise", "drop")


def _round(number: int) -> tuple[Message, ...]:
    call = ActionCallMessageContent(f"c{number}", "Stock_count", f'{{"sku": {number}}}')
    result = ActionResultMessageContent(f"c{number}", "Stock_count", TextArtifact(f"r{number}"))
    thought = TextMessageContent(f"t{number}")
    return Message("assistant", (thought, call)), Message("user", (result,))


@pytest.mark.parametrize(
    ("counts", "limit", "keep", "folding", "folded"),
    [
        ([10, 10, 10], 30, 1, "summarise", 0),
        ([10, 10, 10], 29, 1, "drop", 1),
        ([10, 10, 10], 15, 1, "drop", 2),
        ([10] * 10, 90, 2, "summarise", 6),
        ([10] * 10, 90, 6, "summarise", 4),
        ([10, 10, 10], 5, 1, "drop", 2),
        ([10, 10, 10], 5, 3, "drop", 0),
        ([10, 10, 10], 5, 9, "summarise", 0),
        ([90, 1, 1], 50, 1, "drop", 1),
        ([], 5, 1, "drop", 0),
    ],
)
def test_the_oldest_rounds_are_folded_and_the_last_kept(
    counts: list[int], limit: int, keep: int, folding: Folding, folded: int
) -> None:
    assert rounds_to_fold(counts, limit, keep, folding=folding) == folded


def test_what_stands_for_earlier_rounds_counts_too() -> None:
    assert rounds_to_fold([10, 10], 25, 1, folding="drop") == 0
    assert rounds_to_fold([10, 10], 25, 1, folding="drop", before=6) == 1


@given(
    st.lists(st.integers(0, 1_000), max_size=30),
    st.integers(1, 5_000),
    st.integers(0, 10),
    st.sampled_from(WAYS),
    st.integers(0, 500),
)
def test_what_is_left_fits_or_is_what_must_stay(
    counts: list[int], limit: int, keep: int, folding: Folding, before: int
) -> None:
    folded = rounds_to_fold(counts, limit, keep, folding=folding, before=before)

    left = before + sum(counts[folded:])
    assert 0 <= folded <= max(len(counts) - keep, 0)
    assert left <= limit or folded == max(len(counts) - keep, 0)
    assert folded == 0 or before + sum(counts) > limit


def test_the_model_is_given_the_question_and_the_rounds_in_words() -> None:
    stack = folding_stack(TextArtifact("How many?"), [_round(1), _round(2)], "Earlier notes.")

    [system, user] = stack.messages
    told = user.to_text()
    assert (system.role, user.role) == ("system", "user")
    assert stack.tools == ()
    assert "The notes so far:\n\nEarlier notes." in told
    assert "How many?" in told
    assert 'Assistant:\nt1\nStock_count({"sku": 1})\n\nUser:\nr1' in told
    assert told.index("r1") < told.index("r2")


def test_braces_in_a_record_stay_as_they_are() -> None:
    stack = folding_stack(TextArtifact("{{ 7 * 7 }} {tools}"), [_round(1)])

    assert "{{ 7 * 7 }} {tools}" in stack.messages[-1].to_text()


def test_a_summary_stands_in_the_place_of_the_rounds_as_a_note_of_the_hosts() -> None:
    message = standing_message(3, "Twelve are left.")

    assert (message.role, message.by_host) == ("user", True)
    assert message.to_text() == "Summary of earlier rounds: Twelve are left."
    assert not message.calls


@pytest.mark.parametrize(
    ("folded", "words"),
    [
        (1, "The earliest round was left out to save room."),
        (4, "The 4 earliest rounds were left out to save room."),
    ],
)
def test_where_rounds_were_dropped_the_model_is_told_how_many(folded: int, words: str) -> None:
    assert standing_message(folded).to_text() == words
