"""What is told of values whose alternatives hold alternatives again, and at what cost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from agenthost_sdk.schemas import Check, Problem, check
from agenthost_sdk.schemas.alternatives import meant
from agenthost_sdk.schemas.python_engine import PythonEngine
from agenthost_sdk.schemas.rust_engine import RustEngine
from agenthost_sdk.schemas.words import worded

NODE = {"$ref": "#/$defs/Node"}

#: Without a bound, what each alternative has against a value this deep takes days to write down.
DEPTH = 30


def _recursive(forms: list[Any], keyword: str = "anyOf") -> dict[str, Any]:
    node = {keyword: [*forms, {"type": "integer"}]}
    return {"$defs": {"Node": node}, "properties": {"n": NODE}}


TAGGED = _recursive(
    [
        {
            "type": "object",
            "properties": {"op": {"const": op}, "left": NODE, "right": NODE},
            "required": ["op"],
            "additionalProperties": False,
        }
        for op in ("add", "and", "div", "mul", "or", "sub")
    ]
)
KEYED = _recursive(
    [
        {
            "type": "object",
            "properties": {op: NODE},
            "required": [op],
            "additionalProperties": False,
        }
        for op in ("abs", "not", "neg")
    ],
    "oneOf",
)
ALIKE = _recursive([{"type": "object", "properties": {"left": NODE, x: {}}} for x in "abcdef"])


def _deep(level: Callable[[Any], Any], leaf: Any = "x", depth: int = DEPTH) -> dict[str, Any]:
    for _ in range(depth):
        leaf = level(leaf)
    return {"n": leaf}


def _added(left: Any) -> Any:
    return {"op": "add", "left": left, "right": 1}


def _negated(inner: Any) -> Any:
    return {"not": inner}


def _left(inner: Any) -> Any:
    return {"left": inner}


def _told(engine: Any, schema: Any, value: Any) -> list[tuple[Any, str, str]]:
    findings = engine(schema, True, {}).findings(value)
    return [(one.path, one.keyword, worded(one)) for found in findings for one in meant(found)]


@pytest.mark.parametrize(
    ("schema", "level"), [(TAGGED, _added), (KEYED, _negated), (ALIKE, _left)]
)
@pytest.mark.parametrize("engine", [RustEngine, PythonEngine])
def test_the_cost_of_a_fault_does_not_explode_with_its_depth(
    engine: Any, schema: Any, level: Any
) -> None:
    compiled, value = engine(schema, True, {}), _deep(level)

    told = [worded(one) for found in compiled.findings(value) for one in meant(found)]

    assert not compiled.accepts(value)
    assert len(told) == 1


@pytest.mark.parametrize(
    ("schema", "level", "steps"), [(TAGGED, _added, ["left"]), (KEYED, _negated, ["not"])]
)
def test_a_fault_is_told_at_its_own_place_where_each_form_is_clear(
    schema: Any, level: Any, steps: list[str]
) -> None:
    problems = check(schema, _deep(level))

    assert [(problem.path, problem.message) for problem in problems] == [
        (("n", *steps * DEPTH), '"x" is a string; an object or an integer is needed.')
    ]


def test_faults_of_several_branches_are_told_each_at_its_place() -> None:
    value = {"n": {"op": "add", "left": _added("x"), "right": {"op": "dv"}}}

    assert [str(problem) for problem in check(TAGGED, value)] == [
        '/n/left/left: "x" is a string; an object or an integer is needed.',
        '/n/right/op: "dv" is not allowed (did you mean "div"?); allowed: "add", "and", "div",'
        ' "mul", "or", "sub".',
    ]


def test_an_unclear_form_is_told_once_with_the_nearest_fault() -> None:
    assert [str(problem) for problem in check(ALIKE, _deep(_left, depth=3))] == [
        "/n: It fits none of the 7 forms that are allowed. The nearest: /left/left/left:"
        ' "x" is a string; an object or an integer is needed.'
    ]


def test_a_wrong_tag_is_a_problem_of_its_key() -> None:
    assert check(TAGGED, {"n": {"op": 7}}) == [
        Problem(
            pointer="/n/op",
            path=("n", "op"),
            keyword="enum",
            message='7 is not allowed; allowed: "add", "and", "div", "mul", "or", "sub".',
        )
    ]


def test_alternatives_that_only_hold_alternatives_are_told_as_one_list() -> None:
    schema = {"anyOf": [{"anyOf": [{"type": "integer"}, {"type": "boolean"}]}, {"type": "null"}]}

    assert [problem.message for problem in check(schema, "x")] == [
        '"x" is a string; an integer, a boolean or null is needed.'
    ]


def test_a_value_past_the_bound_is_told_in_coarse_words() -> None:
    problems = check(TAGGED, _deep(_added, depth=190))

    assert [problem.message for problem in problems] == [
        "It fits none of the forms that are allowed."
    ]
    assert problems[0].pointer.startswith("/n/left/left/left/left/left/left/left/left")


@pytest.mark.parametrize("depth", [0, 1, 5])
def test_deep_values_that_fit_are_taken(depth: int) -> None:
    assert check(TAGGED, _deep(_added, 1, depth)) == []
    assert check(KEYED, _deep(_negated, 1, depth)) == []


DRAFT_7 = "http://json-schema.org/draft-07/schema#"


@pytest.mark.parametrize(
    ("schema", "value", "path"),
    [
        pytest.param(
            {
                "$schema": DRAFT_7,
                "$ref": "#/definitions/a%20b",
                "definitions": {
                    "a b": {
                        "oneOf": [
                            {"type": "array", "items": {"$ref": "#/definitions/a%20b"}},
                            {"type": "null"},
                        ]
                    }
                },
            },
            [None, [3]],
            (1, 0),
            id="draft 7",
        ),
        pytest.param(
            {
                "components": {"T": {"anyOf": [{"items": {"$ref": "#/components/T"}}]}},
                "anyOf": [{"$ref": "#/components/T"}, False],
                "items": {"type": ["array", "null"]},
            },
            [[], 3],
            (1,),
            id="definitions at a place that no draft knows",
        ),
        pytest.param(
            {
                "$id": "tree.json",
                "$defs": {
                    "T": {
                        "$id": "node.json",
                        "anyOf": [
                            {"type": "array", "items": {"$ref": "node.json"}},
                            {"$ref": "tree.json#/$defs/leaf"},
                        ],
                    },
                    "leaf": {"type": "integer"},
                },
                "$ref": "node.json",
            },
            [1, [2, "x"]],
            (1, 1),
            id="names of its own",
        ),
        pytest.param(
            {
                "$schema": "https://example.org/own",
                "anyOf": [{"type": "array", "items": {"$ref": "#"}}, {"type": "null"}],
            },
            [None, [2]],
            (1, 0),
            id="an unknown metaschema",
        ),
        pytest.param(
            {
                "properties": {"of": {"$ref": "https://json-schema.org/draft/2020-12/schema"}},
                "anyOf": [
                    {"type": "object", "properties": {"in": {"$ref": "#"}}},
                    {"type": "integer"},
                ],
            },
            {"in": {"in": {"of": {"type": 3}}}},
            ("in", "in", "of", "type"),
            id="a reference to a metaschema",
        ),
        pytest.param(
            {
                "$dynamicAnchor": "node",
                "anyOf": [
                    {"type": "array", "items": {"$dynamicRef": "#node"}},
                    {"type": "integer"},
                ],
            },
            [1, ["x"]],
            (1, 0),
            id="a dynamic reference",
        ),
        pytest.param(
            {
                "anyOf": [
                    {"type": "object", "additionalProperties": {"$ref": "#"}},
                    {"type": "integer", "not": {"anyOf": [{"const": 2}, {"minimum": 3}]}},
                ]
            },
            {"a": {"b": 3, "c": 1}},
            ("a", "b"),
            id="alternatives within a negation",
        ),
        pytest.param(
            {
                "anyOf": [
                    {
                        "type": "object",
                        "propertyNames": {"anyOf": [{"maxLength": 1}, {"const": "ok"}]},
                        "additionalProperties": {"$ref": "#"},
                    },
                    {"type": "null"},
                ]
            },
            {"a": {"ok": None, "no": None}},
            ("a",),
            id="alternatives for keys",
        ),
    ],
)
def test_every_way_to_refer_leads_to_the_fault(schema: Any, value: Any, path: Any) -> None:
    problems = Check(schema)(value)

    assert [problem.path for problem in problems] == [path]


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (TAGGED, _deep(_added, depth=3)),
        (KEYED, _deep(_negated, depth=3)),
        (ALIKE, _deep(_left, depth=3)),
        (TAGGED, {"n": {"op": "add", "lft": 1}}),
        (TAGGED, {"n": {"left": {}}}),
        ({"oneOf": [{"oneOf": [{"type": "integer"}, {"minimum": 2}]}, {"type": "null"}]}, 3),
        ({"anyOf": [{"items": {"anyOf": [{"const": 1}, {"const": 2}]}}, False]}, [1, 3]),
        ({"oneOf": [False, False]}, 1),
    ],
)
def test_both_validators_tell_the_same_of_nested_alternatives(schema: Any, value: Any) -> None:
    told = _told(RustEngine, schema, value)

    assert told
    assert told == _told(PythonEngine, schema, value)
