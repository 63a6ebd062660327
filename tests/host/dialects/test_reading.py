"""Reading an action's input from JSON text: whole, or not at all."""

from __future__ import annotations

from typing import Any

import pytest

from agenthost.dialects.reading import read_input, unread
from agenthost_sdk.actions import ToolAction

ACTION = ToolAction("1", "Stock", "count")


def said(action: ToolAction) -> str:
    return str(action.output)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"sku": "AB"}', {"sku": "AB"}),
        ("", {}),
        ("  \n", {}),
        ("null", {}),
        ('"null"', {}),
        ("{}", {}),
        ('{"text": "two\nlines\tand a tab"}', {"text": "two\nlines\tand a tab"}),
        ('{"a": {"b": [1, 2.5, true, null]}}', {"a": {"b": [1, 2.5, True, None]}}),
    ],
)
def test_an_object_is_read_and_nothing_counts_as_an_empty_one(text: str, expected: Any) -> None:
    action = read_input(ACTION, text)

    assert action.input == expected
    assert action.output is None
    assert action.repairs == ()


def test_an_object_that_was_encoded_twice_is_decoded_and_that_is_recorded() -> None:
    action = read_input(ACTION, '"{\\"sku\\": \\"AB\\"}"')

    assert action.input == {"sku": "AB"}
    assert action.repairs == ("input was encoded twice",)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"sku": "AB"', "it is not valid JSON"),
        ('{"sku": "AB"} and more', "Extra data at line 1, column 15"),
        ("{'sku': 'AB'}", "line 1, column 2"),
        ("[1]", "it is an array"),
        ('"AB"', "it is a string"),
        ('"5"', "it is a number"),
        ("5", "it is a number"),
        ("5.5", "it is a number"),
        ("true", "it is a boolean"),
        ('{"x": NaN}', "NaN is no JSON value"),
        ('{"x": -Infinity}', "-Infinity is no JSON value"),
        ("[" * 100_000, "it is nested too deeply"),
    ],
    ids=lambda value: value[:20],
)
def test_what_is_no_object_is_not_run_and_the_words_say_why(text: str, words: str) -> None:
    action = read_input(ACTION, text)

    assert action.failed
    assert "Stock_count was not run" in said(action)
    assert words in said(action)


def test_an_unread_input_is_shown_again_but_not_all_of_a_long_one() -> None:
    text = '{"text": "' + "x" * 10_000

    action = read_input(ACTION, text)

    assert '{"text": "xxx' in said(action)
    assert len(said(action)) < 500


def test_earlier_repairs_are_kept() -> None:
    action = read_input(ToolAction("1", "Stock", "count", repairs=("before",)), '"{}"')

    assert action.repairs == ("before", "input was encoded twice")


def test_an_action_that_broke_off_is_answered_for_that() -> None:
    action = unread(ACTION, '{"sku"')

    assert action.failed
    assert "broke off" in said(action)
