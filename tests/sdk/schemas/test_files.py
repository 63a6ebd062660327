"""Schemas that a person gives, in a file or as a text."""

from __future__ import annotations

from pathlib import Path

import pytest

from agenthost_sdk.errors import SchemaError
from agenthost_sdk.schemas import read_schema


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_a_schema_is_read_from_a_file_by_its_name(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "größe.json"
    file.write_text('{"title": "Größe", "type": "integer"}', encoding=encoding)

    assert read_schema(f" {file}\n") == {"title": "Größe", "type": "integer"}


def test_a_text_that_begins_with_a_curly_bracket_is_the_schema_itself() -> None:
    assert read_schema(' {"type": "integer"} ') == {"type": "integer"}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("", "No schema was given"),
        ("nowhere.json", "'nowhere.json' cannot be read: No such file or directory"),
        (".", "cannot be read"),
        ("a\0b", "cannot be read: embedded null"),
        ("~nobody-of-that-name/x", "cannot be read"),
        ('{"type": "array"', "The schema is no JSON: .* at line 1, column 17"),
        ('{"minimum": Infinity}', "Infinity is no JSON value"),
        ('{"a":' * 100_000, "The schema is no JSON"),
        ('{"type": "objekt"}', 'At /type: "objekt" is no JSON type'),
        ('{"$ref": "https://example.org/s.json"}', "nothing is fetched"),
    ],
    ids=lambda value: value[:30],
)
def test_what_is_no_schema_is_refused_in_one_line(given: str, words: str) -> None:
    with pytest.raises(SchemaError, match=words) as caught:
        read_schema(given)

    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500
