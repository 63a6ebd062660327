"""Damage that has one reading is repaired, and what was done is said."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenthost_sdk.json_text import read_json

LITERALS = "literals of another language read as JSON's"
NUMBERS = "numbers of another language read as JSON's"
SINGLE = "single quotes read as double ones"
TYPOGRAPHIC = "typographic quotes read as plain ones"
REQUOTED = "misplaced quotes put right"


@pytest.mark.parametrize(
    ("text", "expected", "repairs"),
    [
        ('{"a": [1, 2,],}', {"a": [1, 2]}, ["a trailing comma removed"]),
        ('{"s": "x,] y,}", "l": [1,],}', {"s": "x,] y,}", "l": [1]}, ["a trailing comma removed"]),
        ('{"a": 1,, "b": 2}', {"a": 1, "b": 2}, ["a doubled comma removed"]),
        ('{"a": 1 "b": 2}', {"a": 1, "b": 2}, ["a missing comma added"]),
        ('{"a": "x"\n"b": "y"}', {"a": "x", "b": "y"}, ["a missing comma added"]),
        ('["a" "b" {"c": 1} [2]]', ["a", "b", {"c": 1}, [2]], ["a missing comma added"]),
        ("[1 2 3]", [1, 2, 3], ["a missing comma added"]),
        ('{"a" 1}', {"a": 1}, ["a missing colon added"]),
        ('{"a": 1}}', {"a": 1}, ["a closing bracket too many removed"]),
        ("{'a': 'b', 'c': [1, 'd']}", {"a": "b", "c": [1, "d"]}, [SINGLE]),
        ("{'a': \"it's\"}", {"a": "it's"}, [SINGLE]),
        ("{'a': 'say \"x\"'}", {"a": 'say "x"'}, [SINGLE]),
        (r"{'a': 'it\'s'}", {"a": "it's"}, [SINGLE]),
        ("{“a”: “b”}", {"a": "b"}, [TYPOGRAPHIC]),
        ("{‘a’: „b“, «c»: 「d」}", {"a": "b", "c": "d"}, [TYPOGRAPHIC]),
        ('{“a”: “say "x"”}', {"a": 'say "x"'}, [TYPOGRAPHIC]),
        ('{"a"：1，"b"：2}', {"a": 1, "b": 2}, None),
        ('{"a" = 1, "b" => 2}', {"a": 1, "b": 2}, ["another sign read as a colon"]),
        ('{"a": True, "b": None, "c": FALSE}', {"a": True, "b": None, "c": False}, [LITERALS]),
        ('{"a": nil, "b": [NULL]}', {"a": None, "b": [None]}, [LITERALS]),
        ('{"a": (1, "b"), "c": (2,), "d": ()}', {"a": [1, "b"], "c": [2], "d": []}, None),
        ('{"a": (1), "b": [("c"), (2, [3])]}', {"a": 1, "b": ["c", [2, [3]]]}, None),
        ("(1, 2)", [1, 2], ["a Python tuple read as an array"]),
        ('{"a": +1, "b": .5, "c": 2., "d": 0x1F, "e": 1_000}', None, [NUMBERS]),
        ("{a: 1, b_c: [2], d-e: {f: 3}, 4: 5}", None, ["unquoted keys quoted"]),
        ('{a: 1, "b": 2, c: "d", "e": [3, {f: 4, "g": 5}]}', None, ["unquoted keys quoted"]),
        ("{city: Oslo}", {"city": "Oslo"}, None),
        ('{"day": 2026-01-31}', {"day": "2026-01-31"}, ["unquoted text read as a string"]),
        ('{"a": 1, // one\n"b": /* 2 */ 2 # two\n}', {"a": 1, "b": 2}, ["comments removed"]),
        ('{"a": "http://x/*y*/#z",}', {"a": "http://x/*y*/#z"}, ["a trailing comma removed"]),
        ("{'a': 'b\nc\td'}", {"a": "b\nc\td"}, None),
        ('{"a": """b "c"\nd"""}', {"a": 'b "c"\nd'}, None),
        ("{'a': '''b'c'''}", {"a": "b'c"}, None),
        (r'{"a": "\d+\."}', {"a": r"\d+\."}, ["backslashes that escape nothing kept as text"]),
        (r'{"a": "C:\users\x"}', {"a": r"C:\users\x"}, None),
        (r'{"a": "it\'s"}', {"a": "it's"}, ["needless escapes taken off"]),
        (r'{"user\_id": 1}', {"user_id": 1}, ["needless escapes taken off"]),
        (r'{"a": "b\_c"}', {"a": r"b\_c"}, ["backslashes that escape nothing kept as text"]),
        (r"{'a': '\xe9\U0001F600\u00e9'}", {"a": "é😀é"}, None),
        (r"{\"a\": \"b \\\"c\\\" d\"}", {"a": 'b "c" d'}, ["needless escapes taken off"]),
        (r"{\n \"a\": [1]\n}", {"a": [1]}, ["needless escapes taken off"]),
        ('{"a":\xa01}', {"a": 1}, ["unusual white space passed over"]),
        ('{"a": "the "blue" boat, then home"}', {"a": 'the "blue" boat, then home'}, [REQUOTED]),
        ('{"a": "5" tall", "n": 1.50}', {"a": '5" tall', "n": 1.5}, [REQUOTED]),
        ("{'a': 'it's fine', 'b': True}", {"a": "it's fine", "b": True}, [REQUOTED]),
        ('{"a": [{"b": "<i class="c">d</i>"}]}', {"a": [{"b": '<i class="c">d</i>'}]}, [REQUOTED]),
        ('{"a": "b"# c", "d": 1}', {"a": 'b"# c', "d": 1}, [REQUOTED]),
        ('{"a": "say "hi"\\nthen \\u00e9"}', {"a": 'say "hi"\nthen é'}, [REQUOTED]),
    ],
    ids=lambda value: value[:30] if isinstance(value, str) else None,
)
def test_damage_of_one_reading_is_repaired(
    text: str, expected: Any, repairs: list[str] | None
) -> None:
    read = read_json(text)

    if expected is not None:
        assert read.value == expected
    if repairs is not None:
        assert list(read.repairs) == repairs
    assert read.repairs


def test_numbers_of_other_languages_are_read_exactly() -> None:
    read = read_json("[+1, -.5, 2., 0x1F, -0X10, 1_000, 1e5, +1.5E-2, 12345678901234567890,]")

    assert json.dumps(read.value) == (
        "[1, -0.5, 2.0, 31, -16, 1000, 100000.0, 0.015, 12345678901234567890]"
    )


def test_unquoted_keys_of_every_shape_become_strings() -> None:
    read = read_json("{a: 1, b_c: [2], d-e: {f: 3}, 4: 5, None: 6}")

    assert read.value == {"a": 1, "b_c": [2], "d-e": {"f": 3}, "4": 5, "None": 6}


@pytest.mark.parametrize(
    ("text", "expected", "repair"),
    [
        ('{"a": 1, "a": 2}', {"a": 2}, "of a repeated key the last value taken"),
        ('{"a": "b\nc"}', {"a": "b\nc"}, "raw line breaks or tabs in a string read as they stand"),
        ('{"a": "\\ud83d"}', {"a": "\ufffd"}, "half of a character pair replaced by U+FFFD"),
        ('{"\\udc00": "\ud800x"}', {"\ufffd": "\ufffdx"}, "half of a character pair replaced"),
        ('[{"a": ["\ud83d\ude00"]}]', [{"a": ["😀"]}], "half of a character pair replaced"),
        ('\ufeff{"a": 1}', {"a": 1}, "invisible signs around the JSON removed"),
    ],
    ids=["repeated", "line break", "escaped half", "bare halves", "bare pair", "mark"],
)
def test_what_the_decoder_lets_pass_is_recorded(text: str, expected: Any, repair: str) -> None:
    read = read_json(text)

    assert read.value == expected
    assert len(read.repairs) == 1
    assert read.repairs[0].startswith(repair)


def test_several_faults_are_each_recorded_once() -> None:
    read = read_json('{\'a\': [1,], \'b\': [2,], "c": "d\ne", "c": 1,}', "object")

    assert read.value == {"a": [1], "b": [2], "c": 1}
    assert sorted(read.repairs) == [
        "a trailing comma removed",
        "of a repeated key the last value taken",
        "raw line breaks or tabs in a string read as they stand",
        "single quotes read as double ones",
    ]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.sampled_from([0.5, -2.0, 1e30]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.text(), VALUES, min_size=1))
def test_what_python_writes_of_any_object_reads_back_equal(value: Any) -> None:
    text = repr(value)

    read = read_json(text, "object")

    assert json.dumps(read.value) == json.dumps(value)


@given(st.dictionaries(st.text(), VALUES, min_size=1), st.sampled_from(["//", "#"]))
def test_commas_and_comments_at_every_line_change_no_value(value: Any, mark: str) -> None:
    lines = json.dumps(value, indent=1, ensure_ascii=False).split("\n")
    ends = [line.endswith(("]", "}", ",", "[", "{")) for line in lines[:-1]]
    text = "\n".join(
        f'{line}{"" if is_end else ","} {mark} "noted", {{too}}'
        for line, is_end in zip(lines, [*ends, True], strict=True)
    )

    read = read_json(text, "object")

    assert json.dumps(read.value) == json.dumps(value)
