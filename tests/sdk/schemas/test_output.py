"""What answers have to be."""

from __future__ import annotations

import dataclasses
import datetime as dt
from typing import Annotated, Any, Literal, TypedDict

import pytest
from pydantic import BaseModel, Field, field_validator
from schema import Or, Schema, Use

from agenthost_sdk.errors import InvalidInput, SchemaError
from agenthost_sdk.schemas import is_wrapped, output_schema, provider_safe


class Answer(BaseModel):
    number: int
    since: dt.date | None = None


@dataclasses.dataclass
class Pair:
    left: int
    right: int


class Row(TypedDict):
    name: str


@pytest.mark.parametrize(
    ("spec", "value", "result"),
    [
        (
            Answer,
            {"number": 1, "since": "2026-03-01"},
            Answer(number=1, since=dt.date(2026, 3, 1)),
        ),
        (Pair, {"left": 1, "right": 2}, Pair(1, 2)),
        (Row, {"name": "a"}, {"name": "a"}),
        (list[Row], [{"name": "a"}], [{"name": "a"}]),
        (int, 3, 3),
        (Literal["yes", "no"], "yes", "yes"),
        (Annotated[int, Field(ge=1)], 1, 1),
        (str | None, None, None),
        ({"type": "array", "items": {"type": "integer"}}, [1], [1]),
        (dict[str, float], {"a": 1}, {"a": 1.0}),
    ],
)
def test_an_answer_arrives_as_what_was_asked_for(spec: Any, value: Any, result: Any) -> None:
    made = output_schema(spec)

    assert made.check(value) == []
    assert made.parse(value) == result


def test_an_answer_that_does_not_fit_is_told_with_its_place() -> None:
    assert [str(problem) for problem in output_schema(Answer).check({"number": "1"})] == [
        '/number: "1" is a string; an integer is needed.'
    ]


def test_an_answer_that_only_the_type_refuses_raises() -> None:
    with pytest.raises(InvalidInput, match="/a"):
        output_schema(dict[int, str]).parse({"a": "x"})


def test_a_recursive_model_is_an_object_at_the_root() -> None:
    class Tree(BaseModel):
        children: list[Tree] = []

    schema = output_schema(Tree).schema

    assert schema["type"] == "object"
    assert schema["properties"]["children"]["items"] == {"$ref": "#/$defs/Tree"}


def test_a_type_without_json_schema_is_refused() -> None:
    with pytest.raises(SchemaError, match="has no JSON Schema"):
        output_schema(threading_lock())


def threading_lock() -> Any:
    """Return a type that no JSON becomes."""
    import threading

    return type(threading.Lock())


def test_patterns_of_python_are_written_as_json_schema_has_them() -> None:
    schema = output_schema(Annotated[str, Field(pattern=r"\A[a-z]+\z")]).schema

    assert schema == {"type": "string", "pattern": "^[a-z]+$"}


@pytest.mark.parametrize(
    ("spec", "right", "parsed", "wrong"),
    [
        (Schema({"units": int}), {"units": 1}, {"units": 1}, {"units": "1"}),
        (Schema({"units": Use(int)}), {"units": "1"}, {"units": 1}, {}),
        (Schema([int]), [1, 2], [1, 2], ["1"]),
        (Schema(Or("yes", "no")), "yes", "yes", "maybe"),
        ({"type": "string", "pattern": "^[A-Z]"}, "Abc", "Abc", "abc"),
        ({"enum": ["a", 1, None]}, None, None, 2),
        ({"type": "integer"}, 10**30, 10**30, True),
        ({}, [None], [None], float("nan")),
        (list[Answer], [{"number": 1}], [Answer(number=1)], [{"number": True}]),
        (list[Pair], [{"left": 1, "right": 2}], [Pair(1, 2)], [{"left": 1}]),
        (bool, False, False, 0),
        (float, 1, 1.0, "1"),
        (None, None, None, 0),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_an_answer_may_be_of_any_kind(spec: Any, right: Any, parsed: Any, wrong: Any) -> None:
    made = output_schema(spec)

    assert made.check(right) == []
    assert made.parse(right) == parsed
    assert made.check(wrong)


def test_what_only_the_authors_own_check_refuses_is_told_with_its_place() -> None:
    class Stock(BaseModel):
        units: int

        @field_validator("units")
        @classmethod
        def _even(cls, units: int) -> int:
            if units % 2:
                raise ValueError("units come in pairs")
            return units

    with pytest.raises(InvalidInput, match=r"/units: .*units come in pairs"):
        output_schema(Stock).parse({"units": 3})


def test_a_value_is_no_description_of_an_answer() -> None:
    for spec in ("a text", 3, Pair(1, 2), ["a list"]):
        with pytest.raises(SchemaError):
            output_schema(spec)


@pytest.mark.parametrize(
    "spec",
    [{"type": "array", "items": {"type": "integer"}}, {"type": "integer"}, list[int], int | None],
    ids=str,
)
def test_an_answer_that_is_no_object_travels_in_one(spec: Any) -> None:
    made = output_schema(spec)
    offered = provider_safe(made.schema)

    assert offered["type"] == "object"
    assert is_wrapped(made.schema)
