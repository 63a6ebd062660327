"""What cannot be read whole is refused, with its reason and words for the model."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agenthost_sdk.json_text import UnreadableJson, Want, read_json, read_json_at


def refusal(text: str, want: Want = "object") -> UnreadableJson:
    with pytest.raises(UnreadableJson) as raised:
        read_json(text, want)
    return raised.value


@pytest.mark.parametrize(
    ("text", "reason", "words"),
    [
        ("", "empty", "Write one JSON object"),
        (" \n\ufeff", "empty", "Nothing came"),
        ("I cannot do that.", "no-json", "No JSON was found"),
        ("a: 1\nb: {c}", "no-json", "No JSON was found"),
        ('<think>{"a": 1}', "no-json", "No JSON was found"),
        (
            '```json\n{"a": "b", "c": ["d", "e',
            "truncated",
            "string that begins at line 2, column 23",
        ),
        ('{"a": {"b": 1}', "truncated", "object that begins at line 1, column 1"),
        ('{"a": [1, 2', "truncated", "array that begins at line 1, column 7"),
        ('{"a": tru', "truncated", "within a value at line 1, column 7"),
        ('{"a": 1 /* b', "truncated", "cut off"),
        ('"{\\"a\\": 1', "truncated", "line 1, column 1"),
        ('"{\\"a\\": [1, 2"', "truncated", "Within the string"),
        ('{\\"a\\": [1, 2', "truncated", "Without its escapes"),
        ('{"a": 1}\nNo: {"a": [2', "truncated", "line 2, column 11"),
        ('{"a": 1}\nNo: {"a": 2}', "ambiguous", "the second at line 2, column 5"),
        ('{"a": 1}\n{"a": true}', "ambiguous", "Two different JSON objects"),
        ('```json\n{"a": 1}\n{"b": 2}\n```', "ambiguous", "one JSON object and nothing else"),
        ("{} " * 5_000, "ambiguous", "More than 1000"),
        ('{"a": 1e400}', "out-of-range", '"1e400" is out of range'),
        ('{"a": NaN}', "out-of-range", "NaN"),
        ("{'a': -inf}", "out-of-range", "-inf"),
        ('{"a": [1, Infinity,]}', "out-of-range", "Infinity"),
        ('{"a": ' + "9" * 5_000 + "}", "out-of-range", "too many digits"),
        ("[1]", "wrong-kind", "One JSON object is wanted, but an array came"),
        ('"42"', "wrong-kind", "a string came"),
        ('"a word"', "wrong-kind", "a string came"),
        ("42", "wrong-kind", "a number came"),
        ("null", "wrong-kind", "null came"),
        ("```json\ntrue\n```", "wrong-kind", "a boolean came"),
        ('"{} and more"', "wrong-kind", "more than JSON"),
        ('[{"a": 1}, {"b": 2}]', "wrong-kind", "an array came"),
        ('{"a", "b"}', "invalid", 'A colon was expected, but "," stands at line 1, column 5'),
        ('{"a": }', "invalid", "A value was expected"),
        ('{"a": 1, {"b": 2}}', "invalid", "A key was expected"),
        ('{"a": [1, 2}', "invalid", '"}" closes what "[" opened'),
        ('{"a": ["q": 1]}', "invalid", '":" stands at line 1, column 11'),
        ('{"a": 1,\n "b" oops: 2}', "invalid", '"oops" stands at line 2, column 6'),
        ('{"a": undefined}', "invalid", '"undefined" stands'),
        ('{"a": <b>}', "invalid", "A value was expected"),
        ('{"a": [1, 2, ...]}', "invalid", '"..." stands'),
        ('{"a": 007}', "invalid", '"007" stands'),
        ('{"a": 1,000}', "invalid", "A colon was expected"),
        ('{"a": [1 000, 2 000]}', "invalid", '"000" stands'),
        ('{"a": New York}', "invalid", '"York" stands'),
        ('{"a": "b" + "c"}', "invalid", '"+" stands'),
        ('{"a": "say "" twice"}', "invalid", "A comma or a closing bracket was expected"),
        ('{"a": "f("b", c="")"}', "invalid", "strict JSON"),
        ('{"a": "b"c}', "invalid", '"c" stands'),
        ("{“a”: “say “b” c”}", "invalid", '"b" stands'),
        (r'{"a": "C:\dir\new"}', "invalid", r"must be written as \\"),
        ('{"a": "b "c" d", "a": "e "f" g"}', "invalid", '"c" stands'),
        ('{"a": b oops} {"c": 1}', "invalid", '"oops" stands'),
        ("[" * 100_000, "invalid", "nested too deeply"),
        ("[" * 100_000 + "]" * 100_000, "invalid", "nested too deeply"),
        ('{"a":' * 100_000, "invalid", "nested too deeply"),
        ("{a:" * 100_000, "invalid", "nested too deeply"),
    ],
    ids=lambda value: value[:30] if isinstance(value, str) else None,
)
def test_a_text_is_refused_for_its_reason(text: str, reason: str, words: str) -> None:
    error = refusal(text)

    assert error.reason == reason
    assert words in str(error)
    assert len(str(error)) < 400


@pytest.mark.parametrize(
    "text",
    [
        '{"a": {"b": [1, 2.5, "c, d"]}, "e": "f \\"g\\" {h}", "i": null}',
        "{'a': (1, 2), 'b': 'it\\'s {\"c\": 1}', 'd': True}",
        "{a: 1, b: {c: Oslo}}",
        '```json\n{"a": [{"b": "c"}, {"d": 1}]}',
        'So: {"a": "the "blue" boat", "b": {"c": "d"}}',
        "{“a”: [“b”, {“c”: 1}]}",
        '{"a": """b "c" {"d": 1} e""", "f": 1}',
        '{\\"a\\": {\\"b\\": \\"c\\"}}',
        '"{\\"a\\": {\\"b\\": \\"c\\"}}"',
        '[{"a": 1}, {"b": [2]}]',
        '<think>b</think>{"a": {"b": {"c": 1}}}',
    ],
)
def test_a_text_that_is_cut_off_anywhere_is_never_a_value(text: str) -> None:
    for end in range(len(text) - 1):
        refusal(text[:end])

    assert refusal(text[:-1]).reason != "no-json"


@pytest.mark.parametrize(
    "text",
    [
        '{"k": ""}", "m": 1}',
        '{"k": 1, "m": ""}"}',
        '{k": 1, "m": {}}',
        '{, "a": {"b": 1}}',
        '{...: {"b": 1}}',
        '{{"a": 1}, "b": 2}',
        '{"a": oops {"b": 1}}',
        'So: {"a" is {"b": 1}, {"b": 1}}',
        '{"a": "b", "c": "d" e {"f": 1}}',
        '{"k": "", "1", "m": {}}',
        '{"k": 1, "m": "a, "b": "c""}',
        '{"": ["e"f", "e"f"]}',
        '{"k": "say "hi"", "m": "\n"}"}',
    ],
)
def test_a_part_of_a_damaged_value_is_never_taken_for_the_whole(text: str) -> None:
    assert refusal(text).reason == "invalid"


QUOTED = st.lists(st.sampled_from(["a", "b c", '"d"', " ", 'e"f', "'g'", "\n", "."])).map("".join)


@given(st.dictionaries(QUOTED, QUOTED | st.lists(QUOTED), min_size=1), st.booleans())
def test_quotes_that_lack_their_backslash_are_put_right_or_refused(
    value: Any, is_indented: bool
) -> None:
    sound = json.dumps(value, indent=2 if is_indented else None)

    try:
        read = read_json(sound.replace('\\"', '"'), "object")
    except UnreadableJson:
        return

    assert read.value == value


@pytest.mark.parametrize(
    ("start", "reason"),
    [(0, "invalid"), (1, "truncated"), (7, "no-json"), (50, "empty"), (-1, "empty")],
)
def test_no_value_at_a_place_is_refused(start: int, reason: str) -> None:
    with pytest.raises(UnreadableJson) as raised:
        read_json_at('}{"a": word', start)

    assert raised.value.reason == reason


SIGNS = [
    *["```", "json", "<think>", "</think>", '"""', "true", "None", "NaN", "1e999", "-1.5", "0x"],
    *["a", "//", "/*", "*/", '{"a": ', "\\u12", *"{}[]()\"'`“”,:;\\/#\n \0é\ufeff\ud800"],
]
TEXTS = st.lists(st.sampled_from(SIGNS), max_size=30).map("".join) | st.text()


@given(TEXTS, st.integers(0, 40), st.sampled_from(["any", "object", "array"]))
@example("{'k': 'v'} {a`b}", 0, "object")
def test_no_text_raises_anything_else(text: str, start: int, want: Want) -> None:
    with suppress(UnreadableJson):
        read_json(text, want)
    with suppress(UnreadableJson):
        read_json_at(text, start, want)


PIECES = [
    *["[", "{", '"', "'", "\\", "`", "```", '{"', '{"a":', "[[],", "[1],", "{} ", "{a:1}", "(["],
    *["{'a':1}", "//", "/*", "# \n", "\n", "“", '\\"', "\\d", "\\ud83d", "1 ", "a:", "{a ", '["'],
    *[
        "</think>",
        "<think>",
        "{}</think>",
        "{'a':[(1),",
        "```json\n{",
        '{"k":{"a":1,}}',
        "é",
        "\0",
    ],
    *["{“a”：“b”}", '{"a":1,"a":2},', '"x "y" z",', "'a',", "'\\d',", "~~~", "[1] ", "{\\"],
]


@pytest.mark.parametrize("around", ["{}", "[{},]", '{{"a": "{}"}}', "{{'a': '{}'}}", "x{}"])
@pytest.mark.parametrize("piece", PIECES)
def test_work_is_bounded_whatever_a_text_holds(piece: str, around: str) -> None:
    text = around.format(piece * (65_536 // len(piece)))
    begun = time.thread_time()

    with suppress(UnreadableJson):
        read_json(text, "object")
    taken = time.thread_time() - begun

    # Far above what it takes, so that a slow machine passes and a quadratic trap does not.
    assert taken < 1


def test_a_reply_of_five_megabytes_is_read() -> None:
    text = "So: {'a': [" + "{'b': 'c d', \"e\": 1.5},\n" * 200_000 + "]}"

    read = read_json(text, "object")

    assert len(read.value["a"]) == 200_000
