"""Strict JSON passes as it stands."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenthost_sdk.json_text import UnreadableJson, read_json, read_json_at

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
OBJECTS = st.dictionaries(st.text(), VALUES, min_size=1, max_size=4)


@given(VALUES, st.sampled_from([None, 2]), st.booleans())
def test_any_value_reads_back_equal_and_unrepaired(
    value: Any, indent: int | None, ensure_ascii: bool
) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ensure_ascii)

    read = read_json(text)

    assert json.dumps(read.value) == json.dumps(value)
    assert read.repairs == ()


@given(OBJECTS, st.data())
def test_an_object_that_is_cut_off_anywhere_is_never_a_value(value: Any, data: Any) -> None:
    text = json.dumps(value, ensure_ascii=False)
    cut = text[: data.draw(st.integers(0, len(text) - 1))]

    with pytest.raises(UnreadableJson) as raised:
        read_json(cut, "object")

    assert raised.value.reason in ("truncated", "empty")


@given(VALUES, st.text())
def test_a_value_at_its_place_is_read_and_what_follows_is_left(value: Any, rest: str) -> None:
    text = json.dumps([value])

    read, end = read_json_at(f"x {text}{rest}", 2, "array")

    assert json.dumps(read.value) == text
    assert end == 2 + len(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"id": 12345678901234567890}', {"id": 12345678901234567890}),
        ('{"code": "call `print` twice"}', {"code": "call `print` twice"}),
        ('{"md": "```json\\n{}\\n```"}', {"md": "```json\n{}\n```"}),
        ('{"a": "<think>x</think>", "b": "“c”"}', {"a": "<think>x</think>", "b": "“c”"}),
        ('{"a": "\\ud83d\\ude00 \\\\ud83d"}', {"a": "😀 \\ud83d"}),
        ('{"a": "{\\"b\\": 1}"}', {"a": '{"b": 1}'}),
        ('  \n{"a": 1}\t', {"a": 1}),
        ("-0.5e-3", -0.0005),
        ('"{}"', "{}"),
        ("null", None),
    ],
    ids=lambda value: value[:25] if isinstance(value, str) else None,
)
def test_strict_json_is_not_touched(text: str, expected: Any) -> None:
    read = read_json(text)

    assert read.value == expected
    assert read.repairs == ()


def test_sound_json_loads_no_repairing_module() -> None:
    code = (
        "import sys; from agenthost_sdk.json_text import read_json, read_json_at;"
        "read_json('{\"a\": [1]}'); read_json_at('x [1]', 2);"
        "print('json_repair' in sys.modules, 'agenthost_sdk.json_text.loose' in sys.modules)"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.split() == ["False", "False"]
