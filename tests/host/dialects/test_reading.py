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
        ("None", {}),
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
    assert action.repairs == ("decoded twice",)


@pytest.mark.parametrize(
    ("text", "expected", "repair"),
    [
        ('{"text": "two\nlines"}', {"text": "two\nlines"}, "raw line breaks or tabs"),
        ("{'sku': 'AB',}", {"sku": "AB"}, "single quotes"),
        ('```json\n{"sku": "AB"}\n```', {"sku": "AB"}, "read out of a code fence"),
        ('{"sku": "AB"}""', {"sku": "AB"}, "text around the JSON left out"),
        ('{"sku": "the "blue" one"}', {"sku": 'the "blue" one'}, "misplaced quotes"),
    ],
    ids=["line breaks", "single quotes", "fence", "quotes behind", "quotes within"],
)
def test_a_damaged_input_is_read_and_the_repair_is_recorded(
    text: str, expected: Any, repair: str
) -> None:
    action = read_input(ACTION, text)

    assert action.input == expected
    assert action.repairs[0].startswith(repair)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"sku": "AB"', "ends within the object that begins at line 1, column 1"),
        ('{"sku": "AB", "n": ', "cut off"),
        ('{"sku": "A', "ends within the string that begins at line 1, column 9"),
        ('{"sku": "AB"} {"sku": "CD"}', "Two different JSON objects"),
        ('{"sku" "AB": 1}', '":" stands at line 1, column 12'),
        ("a word or two", "No JSON was found"),
        ("[1]", "an array came"),
        ('"AB"', "a string came"),
        ('"5"', "a string came"),
        ("5", "a number came"),
        ("5.5", "a number came"),
        ("true", "a boolean came"),
        ('{"x": NaN}', "NaN is no number"),
        ('{"x": -Infinity}', "-Infinity is no number"),
        ('{"x": 1e999}', '"1e999" is out of range'),
        ("[" * 100_000, "nested too deeply"),
    ],
    ids=lambda value: value[:20],
)
def test_what_is_no_object_is_not_run_and_the_words_say_why(text: str, words: str) -> None:
    action = read_input(ACTION, text)

    assert action.failed
    assert action.input == {}
    assert "Stock_count was not run" in said(action)
    assert words in said(action)


def test_an_unread_input_is_shown_again_but_not_all_of_a_long_one() -> None:
    text = '{"text": "' + "x" * 10_000

    action = read_input(ACTION, text)

    assert '{"text": "xxx' in said(action)
    assert "10,010 characters in all" in said(action)
    assert len(said(action)) < 500


def test_earlier_repairs_are_kept() -> None:
    action = read_input(ToolAction("1", "Stock", "count", repairs=("before",)), '"{}"')

    assert action.repairs == ("before", "decoded twice")


def test_an_action_that_broke_off_is_answered_for_that() -> None:
    action = unread(ACTION, '{"sku"')

    assert action.failed
    assert "broke off" in said(action)
