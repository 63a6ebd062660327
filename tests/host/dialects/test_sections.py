"""The labelled sections of a reply, and what is taken for a label."""

from __future__ import annotations

import pytest

from agenthost.dialects.reasoning import reasoned, without_reasoning
from agenthost.dialects.sections import MOST_LABELS, Labels, sections

LABELS = Labels(
    {"thought": ("thought",), "input": ("action input",), "action": ("action",), "end": ("end",)},
    last="end",
    with_json=("input",),
)


def found(
    text: str, *, is_within: bool = False, in_fences: bool = False, is_cut: bool = False
) -> list[tuple[str, str]]:
    """Return kind and text of each section but an empty first one."""
    read = sections(text, LABELS, is_within=is_within, in_fences=in_fences, is_cut=is_cut)
    pairs = [(section.kind, section.text.strip()) for section in read]
    return pairs if pairs[0][1] else pairs[1:]


def test_what_precedes_all_labels_comes_first() -> None:
    assert found("So.\nThought: a\nAction: b") == [("", "So."), ("thought", "a"), ("action", "b")]


def test_a_label_and_what_follows_it_is_a_section_over_many_lines() -> None:
    assert found("Thought: a\n\nb\nAction Input: c") == [("thought", "a\n\nb"), ("input", "c")]


def test_the_last_kind_takes_the_rest_labels_and_all() -> None:
    assert found("End: a\nAction: b") == [("end", "a\nAction: b")]


@pytest.mark.parametrize(
    "text",
    [
        "Reaction: a",
        "Action plan",
        "Action",
        "the Action: a",
        "Actions: a",
        "(Action: a",
        "action's: a",
    ],
)
def test_what_only_resembles_a_label_is_text(text: str) -> None:
    assert found(text) == [("", text)]


def test_labels_within_a_line_count_only_where_that_is_asked_for() -> None:
    text = "Thought: a. Action: b, Action Input: c"

    assert found(text) == [("thought", "a. Action: b, Action Input: c")]
    assert found(text, is_within=True) == [("thought", "a."), ("action", "b,"), ("input", "c")]


def test_labels_in_a_fence_count_only_where_that_is_asked_for() -> None:
    text = "Thought: a\n```\nAction: b\n```\nAction: c"

    assert found(text) == [("thought", "a\n```\nAction: b\n```"), ("action", "c")]
    assert found(text, in_fences=True) == [("thought", "a"), ("action", "b"), ("action", "c")]


def test_a_fence_that_is_never_closed_hides_nothing() -> None:
    assert found("Thought: a\n```\nAction: b") == [("thought", "a\n```"), ("action", "b")]


def test_a_fence_that_a_cut_reply_left_open_hides_its_labels() -> None:
    text = "Thought: a\n```\nb\n```\nThought: c\n~~~\nAction: d\nEnd: e"

    assert found(text, is_cut=True) == [
        ("thought", "a\n```\nb\n```"),
        ("thought", "c\n~~~\nAction: d\nEnd: e"),
    ]


def test_a_fence_may_begin_behind_the_label() -> None:
    text = "Action: ```\nEnd: a\n```\nEnd: b"

    assert found(text) == [("action", "```\nEnd: a\n```"), ("end", "b")]


def test_a_label_in_a_text_of_json_is_none() -> None:
    text = 'Action Input: {"a": "b\nEnd: c\n```"}\nEnd: d'

    assert found(text) == [("input", '{"a": "b\nEnd: c\n```"}'), ("end", "d")]


def test_reasoning_is_left_out_and_its_labels_with_it() -> None:
    text = "Thought: a\n<think>\nAction: b\n</think>\nc\nAction: d"

    assert found(text) == [("thought", "a\n\nc"), ("action", "d")]


def test_past_a_number_of_labels_no_more_are_looked_for() -> None:
    assert len(found("Action: a\n" * 5_000)) == MOST_LABELS + 1 - 1


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("<think>a</think>b", "b"),
        ("<think>a", ""),
        ("a</think>\nb", "\nb"),
        ("b\n<think>\na\n</think>\nc", "b\n\nc"),
        ("the <think> tag", "the <think> tag"),
        ("```\n<think>\n```", "```\n<think>\n```"),
        ("<b>bold</b>", "<b>bold</b>"),
    ],
    ids=repr,
)
def test_reasoning_is_taken_off_a_text(text: str, left: str) -> None:
    assert without_reasoning(text) == left


def test_only_reasoning_at_the_beginning_is_told_of_as_such() -> None:
    assert reasoned("<think>a</think> b") == len("<think>a</think>")
    assert reasoned("b <think>a</think>") == 0
