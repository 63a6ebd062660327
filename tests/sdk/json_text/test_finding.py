"""The one value of a reply is found, past reasoning, fences and prose."""

from __future__ import annotations

from typing import Any

import pytest

from agenthost_sdk.json_text import UnreadableJson, Want, read_json, read_json_at

FENCE = "read out of a code fence"
AROUND = "text around the JSON left out"
REASONING = "reasoning cut off"


@pytest.mark.parametrize(
    ("text", "repairs"),
    [
        ('```json\n{"a": 1}\n```', [FENCE]),
        ('```\n{"a": 1}\n```', [AROUND]),
        ('```JSON {"a": 1}', [FENCE]),
        ('~~~json\n{"a": 1}\n~~~', [FENCE]),
        ("```python\n{'a': 1}\n```", [FENCE, "single quotes read as double ones"]),
        ('Plan:\n```python\nx = {"no": 1}\n```\n```json\n{"a": 1}\n```', [FENCE]),
        ('Not {"b": 2}:\n```json\n{"a": 1}\n```\nnor {"c": 3}', [FENCE]),
        ('json\n{"a": 1}', [AROUND]),
        ('Use {name} and [x] like so: {"a": 1} (see [1]).', [AROUND]),
        ('`{"a": 1}`', [AROUND]),
        ('<answer>{"a": 1}</answer>', [AROUND]),
        ('{"a": 1}""', [AROUND]),
        ('{{"a": 1}}', [AROUND]),
        ('{"a": 1}\n{"a": 1}', [AROUND]),
        ('<think>{"b": 1} [2]</think>{"a": 1}', [REASONING]),
        ('<thinking>b</thinking> <Reasoning>{"b": 2}</Reasoning> {"a": 1}', [REASONING]),
        ('{"b": 2}\n</think>\n{"a": 1}', [REASONING]),
        ('perhaps {"b" or "c"} </think> ```json\n{"a": 1}```', [REASONING, FENCE]),
        ('<think>b</think>\n{"a": 1} is it', [REASONING, AROUND]),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else None,
)
def test_the_object_is_found_past_what_stands_around_it(text: str, repairs: list[str]) -> None:
    read = read_json(text, "object")

    assert read.value == {"a": 1}
    assert list(read.repairs) == repairs


def test_an_object_in_reasoning_behind_the_other_is_a_second_one() -> None:
    with pytest.raises(UnreadableJson, match="Two different"):
        read_json('{"a": 1}<think>{"b": 2}</think>', "object")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('```json\n{"md": "```js\nx\n```", "n": 1}\n```', {"md": "```js\nx\n```", "n": 1}),
        ('{"html": "<think>x</think>",}', {"html": "<think>x</think>"}),
        ('So: {"html": "x</think>"}', {"html": "x</think>"}),
        ("So: {'html': '<think>',}", {"html": "<think>"}),
        ('So: {"a": "b } {", "c": "[",}', {"a": "b } {", "c": "["}),
    ],
    ids=["fence", "reasoning", "closing tag", "opening tag", "brackets"],
)
def test_what_stands_in_a_string_is_no_structure(text: str, expected: Any) -> None:
    assert read_json(text, "object").value == expected


@pytest.mark.parametrize(
    ("text", "want", "expected"),
    [
        ('"{\\"a\\": 1}"', "object", {"a": 1}),
        ('"[1, 2]"', "array", [1, 2]),
        ('"\\"{\\\\\\"a\\\\\\": 1}\\""', "object", {"a": 1}),
        ("'{\"a\": 1}'", "object", {"a": 1}),
        ('```json\n"{\\"a\\": 1}"\n```', "object", {"a": 1}),
        ("\"{'a': 1,}\"", "object", {"a": 1}),
    ],
    ids=["object", "array", "thrice", "single quotes", "fence", "damaged"],
)
def test_what_was_encoded_twice_is_decoded_twice(text: str, want: Want, expected: Any) -> None:
    read = read_json(text, want)

    assert read.value == expected
    assert "decoded twice" in read.repairs


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"{\\"a\\": 1}"', '{"a": 1}'),
        ("```json\n42\n```", 42),
        ("```\nTrue\n```", True),
        ("'a'", "a"),
        ("None", None),
        ("“a b”", "a b"),
    ],
    ids=["string", "number", "literal", "quotes", "none", "typographic"],
)
def test_where_anything_is_wanted_a_text_or_number_stays_one(text: str, expected: Any) -> None:
    assert read_json(text).value == expected


def test_a_value_is_read_at_its_place_damaged_or_not() -> None:
    text = "Actions: [{'a': 1,}] and {\"b\": 2"

    read, end = read_json_at(text, 9, "array")

    assert read.value == [{"a": 1}]
    assert text[end:] == ' and {"b": 2'


def test_misplaced_quotes_are_put_right_before_other_text() -> None:
    text = 'Actions: [{"a": "the "blue" boat"}]\nObservation: "x"'

    read, end = read_json_at(text, 9, "array")

    assert read.value == [{"a": 'the "blue" boat'}]
    assert text[end:].startswith("\nObs")


def test_an_encoded_object_at_its_place_is_decoded() -> None:
    read, end = read_json_at('Input: "{\\"a\\": 1}" so', 7, "object")

    assert read.value == {"a": 1}
    assert end == 19
