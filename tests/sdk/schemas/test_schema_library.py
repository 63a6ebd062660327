"""What becomes of a `schema.Schema`: the JSON Schema, and the values it makes."""

from __future__ import annotations

import datetime as dt
import enum
import re
from typing import Any

import pytest
import schema as library
from schema import Forbidden, Hook, Literal, Optional, Regex, Schema, Use

from agenthost_sdk.errors import InvalidInput, SchemaError
from agenthost_sdk.schemas import check, output_schema

# The library's types know no rule but a function in these.
And: Any = library.And
Or: Any = library.Or


def property_of(rule: Any) -> Any:
    """Return the JSON Schema of one rule."""
    return output_schema(Schema({"it": rule})).schema["properties"]["it"]


class Colour(enum.Enum):
    RED = "red"


@pytest.mark.parametrize(
    ("rule", "schema"),
    [
        (str, {"type": "string"}),
        (int, {"type": "integer"}),
        (float, {"type": "number"}),
        (bool, {"type": "boolean"}),
        (list, {"type": "array"}),
        (dict, {"type": "object"}),
        (object, {}),
        (None, {"type": "null"}),
        ("a", {"const": "a"}),
        (Or(str, None), {"anyOf": [{"type": "string"}, {"type": "null"}]}),
        (Or("C", "F"), {"type": "string", "enum": ["C", "F"]}),
        (Or("C", 1, None), {"enum": ["C", 1, None]}),
        (Or(True, 1), {"enum": [True, 1]}),
        (Or("a"), {"const": "a"}),
        (Or(str, lambda it: it), {}),
        (Or(int, dt.date), {"type": "integer"}),
        (And(str, len), {"type": "string"}),
        (And(str, Regex("^a")), {"type": "string", "pattern": "^a"}),
        (And(str, Use(int), lambda it: it > 0), {"type": "string"}),
        (And(Use(int), Or(1, 2)), {}),
        (Use(int), {}),
        (len, {}),
        (Regex(r"\A[a-z]+\Z"), {"type": "string", "pattern": "^[a-z]+$"}),
        (Regex("(?P<a>x)y"), {"type": "string", "pattern": "(x)y"}),
        (Regex("(?P<a>x)(?P=a)"), {"type": "string"}),
        (Regex("[^]a]"), {"type": "string", "pattern": r"[^\]a]"}),
        (Regex(r"^[a-c]x\d.", flags=re.I), {"type": "string", "pattern": r"^[a-cA-C][xX]\d."}),
        (Regex("a.b", flags=re.S), {"type": "string", "pattern": r"a[\s\S]b"}),
        (Regex("^a", flags=re.M), {"type": "string"}),
        ([], {"type": "array", "maxItems": 0}),
        ([int], {"type": "array", "items": {"type": "integer"}}),
        (
            [str, int],
            {"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "integer"}]}},
        ),
        ([[int]], {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}}),
        (Schema(int, description="how many"), {"type": "integer", "description": "how many"}),
        (Literal("a", description="the a"), {"const": "a", "description": "the a"}),
    ],
)
def test_a_rule_becomes_what_its_validation_takes(rule: Any, schema: Any) -> None:
    assert property_of(rule) == schema


def test_keys_tell_whether_they_must_be_there_and_what_they_mean() -> None:
    made = output_schema(
        Schema(
            {
                Literal("city", description="City name", title="City"): str,
                Optional(Literal("unit", description="Unit of the result")): str,
                Optional("limit", default=10, description="How many"): int,
                Optional("tags", default=list): [str],
                Optional("at", default=dt.datetime.now): object,
            }
        )
    )

    assert made.schema == {
        "type": "object",
        "properties": {
            "city": {"type": "string", "title": "City", "description": "City name"},
            "unit": {"type": "string", "description": "Unit of the result"},
            "limit": {"type": "integer", "default": 10, "description": "How many"},
            "tags": {"type": "array", "items": {"type": "string"}, "default": []},
            "at": {},
        },
        "required": ["city"],
        "additionalProperties": False,
    }
    assert made.parse({"city": "Oslo"})["limit"] == 10


@pytest.mark.parametrize(
    ("rule", "accepted", "refused"),
    [
        ({str: int}, [{"a": 1}], [{}, {"a": "x"}]),
        ({Optional(str): int}, [{}, {"a": 1}], [{"a": "x"}]),
        ({Optional(object): object, "k": str}, [{"k": "x", "a": None}], [{"a": 1}]),
        ({Regex("^x"): int}, [{"xa": 1}], [{"a": 1}, {"xa": "y"}]),
        ({Optional(And(str, len)): int}, [{"a": 1}], [{"a": "x"}]),
        ({Or("a", "b"): int}, [{"a": 1}, {"a": 1, "b": 2}], [{}, {"a": "x"}]),
        ({Or("a", "b", only_one=True): int}, [{"a": 1}, {"b": 1}], [{}, {"a": 1, "b": 2}]),
        ({Optional(Or("a", "b", only_one=True)): int}, [{}, {"b": 1}], [{"a": 1, "b": 2}]),
        ({Forbidden("x"): object, str: int}, [{"a": 1}], [{"x": 1, "a": 1}]),
        ({Forbidden("x"): object, "a": int}, [{"a": 1}], [{"x": 1, "a": 1}]),
        ({Forbidden("x"): str, Optional("x"): object}, [{"x": 1}], [{"x": "a"}]),
        ({Hook("x"): object, "a": int}, [{"a": 1}], [{"x": 1, "a": 1}]),
        ({"a": Or({"b": int}, [int])}, [{"a": {"b": 1}}, {"a": [1]}], [{"a": {"c": 1}}]),
        ({"a": And(dict, {"x": int})}, [{"a": {"x": 1}}], [{"a": {"y": 1}}]),
    ],
)
def test_schema_and_library_agree_on_keys(rule: Any, accepted: Any, refused: Any) -> None:
    made = output_schema(Schema(rule))

    for value in accepted * 2:  # twice: only_one keeps count in the rule itself
        assert made.check(value) == []
        assert made.parse(value) == value
    for value in refused:
        assert made.check(value)


def test_keys_that_are_ignored_may_be_there_and_are_dropped() -> None:
    made = output_schema(Schema({"a": {"b": int}}, ignore_extra_keys=True))

    assert made.check({"a": {"b": 1, "c": 2}, "d": 3}) == []
    assert made.parse({"a": {"b": 1, "c": 2}, "d": 3}) == {"a": {"b": 1}}


def test_ignoring_keys_does_not_reach_through_an_or() -> None:
    made = output_schema(Schema({"a": Or({"b": int}, None)}, ignore_extra_keys=True))

    assert made.check({"a": {"b": 1, "c": 2}})


def test_a_schema_that_is_referred_to_becomes_a_definition() -> None:
    node = Schema({"name": str}, name="Node", as_reference=True)
    node.schema["children"] = [node]
    made = output_schema(Schema({"root": node}))

    assert made.schema["properties"]["root"] == {"$ref": "#/$defs/Node"}
    assert made.check({"root": {"name": "a", "children": [{"name": "b", "children": []}]}}) == []
    assert made.check({"root": {"name": "a", "children": [{"name": "b"}]}})


def test_a_schema_that_holds_itself_becomes_a_definition_too() -> None:
    node = Schema({"name": str})
    node.schema[Optional("next")] = node
    made = output_schema(node)

    assert made.schema["type"] == "object"
    assert made.check({"name": "a", "next": {"name": "b"}}) == []
    assert made.check({"name": "a", "next": {}})


@pytest.mark.parametrize("rule", [dt.datetime, Colour, Colour.RED, b"raw", {1: str}, Or()])
def test_a_rule_that_no_json_can_fit_is_told_to_its_author(rule: Any) -> None:
    with pytest.raises(SchemaError, match="No JSON value fits this Schema"):
        output_schema(Schema({"it": rule}))


@pytest.mark.parametrize(
    ("rule", "value", "result"),
    [
        (float, 3, 3.0),
        (int, 3.0, 3),
        ([float], [1, 2.5], [1.0, 2.5]),
        (Or(float, None), 3, 3.0),
        (Or(int, float), 3, 3),
        (Or({"x": float}, None), {"x": 3}, {"x": 3.0}),
        (And(float, lambda it: it > 0), 3, 3.0),
        ((int, str), [1, "a"], (1, "a")),
        ({int}, [1, 2], {1, 2}),
        (Use(int), "3", 3),
        (And(str, Use(dt.date.fromisoformat)), "2026-03-01", dt.date(2026, 3, 1)),
        (Use(Colour), "red", Colour.RED),
        ({Optional("x", default=1): int}, {}, {"x": 1}),
    ],
)
def test_values_arrive_as_the_rule_makes_them(rule: Any, value: Any, result: Any) -> None:
    made = output_schema(Schema({"it": rule}))

    assert made.check({"it": value}) == []
    arrived = made.parse({"it": value})["it"]
    assert (arrived, type(arrived)) == (result, type(result))


def test_what_only_the_library_refuses_is_told_with_its_place() -> None:
    made = output_schema(
        Schema({"a": {"b": And(int, lambda it: it > 0, error="must be positive")}})
    )

    assert made.check({"a": {"b": -1}}) == []
    with pytest.raises(InvalidInput) as raised:
        made.parse({"a": {"b": -1}})
    assert [str(problem) for problem in raised.value.problems] == ["/a/b: must be positive."]


def test_json_schema_wins_where_the_library_takes_more() -> None:
    schema = output_schema(Schema({"it": Or(1, "a")})).schema

    assert check(schema, {"it": True})


def test_a_bare_or_is_taken_as_a_schema() -> None:
    assert output_schema(Or(int, str)).schema == {
        "anyOf": [{"type": "integer"}, {"type": "string"}]
    }
