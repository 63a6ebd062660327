"""What `Check` refuses, where it says so, and in which words."""

from __future__ import annotations

import enum
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agenthost_sdk.errors import SchemaError
from agenthost_sdk.schemas import Check, Problem, check

SEARCH: dict[str, Any] = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "minLength": 1},
        "limit": {"type": "integer", "minimum": 1},
        "order": {"enum": ["newest", "oldest"]},
        "id": {"type": "string", "format": "uuid"},
        "either": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        "filters": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"op": {"enum": ["eq", "lt"]}},
                "required": ["op"],
            },
        },
    },
    "required": ["query"],
    "additionalProperties": False,
}

SHAPES: dict[str, Any] = {
    "anyOf": [
        {
            "type": "object",
            "properties": {"kind": {"const": "circle"}, "radius": {"type": "number"}},
            "required": ["kind", "radius"],
        },
        {
            "type": "object",
            "properties": {"kind": {"const": "box"}, "width": {"type": "number"}},
            "required": ["kind", "width"],
        },
    ]
}


def test_a_valid_value_has_no_problems() -> None:
    assert Check(SEARCH)({"query": "tides", "limit": 3}) == []


def test_a_problem_says_where_what_and_why() -> None:
    problems = Check(SEARCH)({"query": "tides", "filters": [{"op": "eq"}, {"op": "gt"}]})

    assert problems == [
        Problem(
            pointer="/filters/1/op",
            path=("filters", 1, "op"),
            keyword="enum",
            message='"gt" is not allowed; allowed: "eq", "lt".',
        )
    ]
    assert str(problems[0]) == '/filters/1/op: "gt" is not allowed; allowed: "eq", "lt".'


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"query": 5}, "/query: 5 is an integer; a string is needed."),
        ({"query": None}, "/query: It is null; a string is needed."),
        ({"query": ""}, "/query: It has 0 characters; at least 1 is needed."),
        ({"query": "a", "limit": 0}, "/limit: 0 is too small; at least 1 is needed."),
        ({"query": "a", "limit": 1.5}, "/limit: 1.5 has a fraction; an integer is needed."),
        ({"query": "a", "limit": True}, "/limit: true is a boolean; an integer is needed."),
        (
            {"query": "a", "filters": '[{"op": "eq"}]'},
            r'/filters: "[{\"op\": \"eq\"}]" is a string; an array is needed, not a text that'
            " holds one.",
        ),
        (
            {"query": "a", "order": "newst"},
            '/order: "newst" is not allowed (did you mean "newest"?);'
            ' allowed: "newest", "oldest".',
        ),
        ({"query": "a", "either": "5"}, '/either: "5" is a string; an integer or null is needed.'),
        (
            {"query": "a", "id": "7"},
            '/id: "7" is no uuid; write it like "123e4567-e89b-12d3-a456-426614174000".',
        ),
        ({}, '"query" is missing.'),
        ([1], "[1] is an array; an object is needed."),
    ],
)
def test_the_words_name_what_was_found_and_what_is_allowed(value: Any, words: str) -> None:
    assert [str(problem) for problem in Check(SEARCH)(value)] == [words]


def test_a_misspelt_key_is_told_with_the_one_that_was_meant() -> None:
    problems = Check(SEARCH)({"qury": "tides"})

    assert [(problem.keyword, problem.message) for problem in problems] == [
        (
            "additionalProperties",
            '"qury" is no key here (did you mean "query"?); allowed: "query", "limit", "order",'
            ' "id", "either", "filters".',
        ),
        ("required", '"query" is missing; rename "qury" to "query".'),
    ]


def test_several_missing_keys_are_one_problem() -> None:
    problems = check({"required": ["a", "b"]}, {})

    assert [str(problem) for problem in problems] == ['"a" and "b" are missing.']


def test_a_known_tag_leaves_only_the_faults_of_its_own_form() -> None:
    assert [str(p) for p in check(SHAPES, {"kind": "box"})] == ['"width" is missing.']


def test_an_unknown_tag_is_told_with_the_tags_of_every_form() -> None:
    assert [str(p) for p in check(SHAPES, {"kind": "bux"})] == [
        '/kind: "bux" is not allowed (did you mean "box"?); allowed: "circle", "box".'
    ]


def test_a_value_of_no_form_is_told_the_nearest_one() -> None:
    assert [str(p) for p in check(SHAPES, {})] == [
        'It fits none of the 2 forms that are allowed. The nearest: "kind" and "radius" are'
        " missing."
    ]


@pytest.mark.parametrize(
    ("schema", "value", "words"),
    [
        ({"multipleOf": 5}, 7, "7 is no multiple of 5."),
        ({"exclusiveMaximum": 5}, 5, "5 is too big; less than 5 is allowed."),
        ({"uniqueItems": True}, [1, 2, 1], "1 stands there more than once; each item must differ"),
        ({"maxItems": 1}, [1, 2], "It has 2 items; at most 1 is allowed."),
        ({"const": 3}, 4, "4 is not allowed; allowed: 3."),
        ({"prefixItems": [{}], "items": False}, [1, 2], "It has 2 items; at most 1 can be there."),
        ({"properties": {"a": False}}, {"a": 1}, "/a: 1 is not allowed here."),
        ({"dependentRequired": {"a": ["b"]}}, {"a": 1}, '"a" needs "b" beside it.'),
        ({"propertyNames": {"maxLength": 2}}, {"abc": 1}, "A key is wrong: It has 3 characters"),
        ({"oneOf": [{"type": "integer"}, {"minimum": 2}]}, 3, "3 fits more than one of the forms"),
        ({"not": {"type": "string"}}, "a", '"a" is not allowed here: it fits {"type": "string"}'),
        (
            {"contains": {"const": 1}},
            [2],
            'At least 1 item must fit {"const": 1}; there are fewer',
        ),
        (
            {"patternProperties": {"^x": {}}, "additionalProperties": False},
            {"a": 1},
            '"a" is no key here; allowed: keys that match ^x.',
        ),
        (False, 1, "1 is not allowed here."),
    ],
)
def test_each_keyword_has_words_of_its_own(schema: Any, value: Any, words: str) -> None:
    assert str(check(schema, value)[0]).startswith(words)


def test_many_allowed_values_are_not_all_listed() -> None:
    message = check({"enum": list(range(50))}, 77)[0].message

    assert message.endswith("18, 19 and 30 more.")


def test_problems_are_sorted_by_place_and_bounded() -> None:
    problems = check({"items": {"type": "integer"}}, ["a"] * 500)

    assert [problem.path for problem in problems] == [(index,) for index in range(20)]


class Colour(enum.StrEnum):
    RED = "red"


def _endless() -> dict[str, Any]:
    value: dict[str, Any] = {}
    value["self"] = value
    return value


@pytest.mark.parametrize(
    ("value", "path"),
    [
        (["\ud800"], (0,)),
        ({"a": b"bytes"}, ("a",)),
        ({"a": {1: 2}}, ("a",)),
        ({"a": [float("nan")]}, ("a", 0)),
        (float("inf"), ()),
        ({"a": {1, 2}}, ("a",)),
        ({"a": (1, 2)}, ("a",)),
        (Colour.RED, ()),
        ([10**6000], (0,)),
        (_endless(), ()),
        ({"\udfff": 1}, ()),
    ],
)
def test_what_json_cannot_say_is_a_problem_and_never_raises(value: Any, path: Any) -> None:
    problems = Check({})(value)

    assert [(problem.path, problem.keyword) for problem in problems] == [(path, "json")]


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text() | st.integers(), inner),
    max_leaves=8,
)


@settings(max_examples=200, deadline=None)
@given(anything)
def test_no_value_makes_a_check_raise(value: Any) -> None:
    for problem in Check(SEARCH)(value) + Check(SHAPES)(value):
        assert problem.message.endswith(".")


def test_formats_can_be_left_unasserted() -> None:
    schema = {"format": "uuid"}

    assert Check(schema)("7")
    assert Check(schema, formats=False)("7") == []


def test_a_value_is_left_as_it_was() -> None:
    value = {"query": "a", "filters": [{"op": "gt"}]}

    Check(SEARCH)(value)

    assert value == {"query": "a", "filters": [{"op": "gt"}]}


def test_one_check_serves_many_threads() -> None:
    search = Check(SEARCH)

    with ThreadPoolExecutor(16) as pool:
        counts = list(pool.map(lambda n: len(search({"query": "a", "limit": n % 2})), range(400)))

    assert counts == [1, 0] * 200


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"type": "dict"}, '/type: "dict" is no JSON type; write "object"'),
        ({"properties": {"x": {"type": "float"}}}, '/properties/x/type: "float" is no JSON type'),
        ({"items": {"type": "any"}}, '"any" is no JSON type; leave `type` out'),
        ({"type": "Array<string>"}, 'write "array"'),
        ({"type": 3}, "3 is no type"),
        ({"required": "a"}, '/required: "a" is a string; an array is needed.'),
        ({"minimum": 5, "exclusiveMinimum": True}, "/exclusiveMinimum: true is a boolean"),
        ({"properties": {"a": {"pattern": "("}}}, '/properties/a/pattern: "(" is no regex.'),
        ({"properties": {"a": "string"}}, "/properties/a: "),
        ({"enum": {1, 2}}, "The schema is not JSON. /enum: {1, 2} is a Python set"),
        (["type"], "A JSON Schema is an object or a boolean"),
    ],
)
def test_an_invalid_schema_is_told_to_its_author(schema: Any, words: str) -> None:
    with pytest.raises(SchemaError) as raised:
        Check(schema)

    assert words in str(raised.value)


def test_a_reference_that_leads_nowhere_is_named_with_the_nearest() -> None:
    with pytest.raises(SchemaError, match=r'"#/\$defs/Adress" leads nowhere') as raised:
        Check({"$ref": "#/$defs/Adress", "$defs": {"Address": {}}})

    assert 'Did you mean "#/$defs/Address"?' in str(raised.value)


def test_a_remote_reference_is_not_fetched() -> None:
    with pytest.raises(SchemaError, match="nothing is fetched"):
        Check({"$ref": "http://127.0.0.1:9/schema.json"})


def test_an_unknown_metaschema_counts_as_the_newest_draft() -> None:
    schema = {"$schema": "https://example.org/own", "prefixItems": [{"type": "integer"}]}

    assert Check(schema)(["a"])


def test_the_draft_that_a_schema_names_is_used() -> None:
    schema = {"$schema": "http://json-schema.org/draft-07/schema#", "prefixItems": [False]}

    assert Check(schema)([1]) == []
