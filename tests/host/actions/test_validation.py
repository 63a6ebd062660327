"""Validation: an input is accepted, set right in a few safe ways, or refused with words."""

from __future__ import annotations

from typing import Any

import pytest

from agenthost.actions.toolbox import Toolbox
from agenthost.actions.validation import Ready, conformed, prepare
from agenthost_sdk import BaseTool, activity
from agenthost_sdk.actions import ToolAction
from agenthost_sdk.artifacts import ErrorArtifact
from agenthost_sdk.errors import InvalidInput
from agenthost_sdk.schemas import Arguments, Input
from support.trial_tools import Colour, Place


def accepted(given: Any, toolbox: Toolbox) -> Ready:
    prepared = prepare(ToolAction("1", "Store", "put", given), toolbox)
    assert isinstance(prepared, Ready), str(prepared.output)
    return prepared


def refused(action: ToolAction, toolbox: Toolbox) -> ErrorArtifact:
    prepared = prepare(action, toolbox)
    assert isinstance(prepared, ToolAction)
    assert isinstance(prepared.output, ErrorArtifact)
    return prepared.output


def input_of(**properties: Any) -> Input:
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return Input(schema, "", lambda value: Arguments(kwargs=value))


@pytest.mark.parametrize(
    ("given", "arrives"),
    [
        ({"colour": "blue"}, {"colour": Colour.BLUE}),
        ({"count": 3, "weight": 2}, {"count": 3, "weight": 2}),
        ({"numbers": [1, 2]}, {"numbers": [1, 2]}),
        ({"maybe": None}, {"maybe": None}),
        ({}, {}),
        (None, {}),
    ],
    ids=["enum", "numbers", "list", "a null that is allowed", "nothing", "null"],
)
def test_a_right_input_arrives_as_the_author_has_it(
    toolbox: Toolbox, given: Any, arrives: dict[str, Any]
) -> None:
    ready = accepted(given, toolbox)

    assert ready.arguments.kwargs == arrives
    assert ready.action.repairs == ()


@pytest.mark.parametrize("key", ["colour", "size", "count", "name", "is_new", "units", "either"])
def test_a_null_for_an_optional_key_is_left_out(toolbox: Toolbox, key: str) -> None:
    ready = accepted({key: None}, toolbox)

    assert ready.action.input == {}
    assert ready.action.repairs == (f"/{key}: null left out",)


def test_several_nulls_are_left_out_at_once(toolbox: Toolbox) -> None:
    ready = accepted({"colour": None, "size": None, "count": 2}, toolbox)

    assert ready.action.input == {"count": 2}
    assert len(ready.action.repairs) == 2


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("count", "5", 5),
        ("count", " -5 ", -5),
        ("count", "5.0", 5),
        ("weight", "2.5", 2.5),
        ("weight", "2", 2),
        ("units", "7", 7),
        ("numbers", "[1, 2]", [1, 2]),
        ("either", "[1]", [1]),
        ("either", "1", 1),
        ("maybe", "4", 4),
    ],
)
def test_a_number_or_a_list_in_a_text_is_read_where_no_text_is_allowed(
    toolbox: Toolbox, key: str, text: str, value: Any
) -> None:
    ready = accepted({key: text}, toolbox)

    assert ready.action.input == {key: value}
    assert ready.action.repairs[0].startswith(f"/{key}: {text!r} read as")


def test_an_object_in_a_text_is_read(toolbox: Toolbox) -> None:
    action = ToolAction("1", "Store", "place", {"where": '{"shelf": 3}'})

    prepared = prepare(action, toolbox)

    assert isinstance(prepared, Ready)
    assert prepared.arguments.kwargs == {"where": Place(shelf=3)}


def test_texts_in_texts_are_read_to_their_end(toolbox: Toolbox) -> None:
    ready = accepted({"grid": '["[\\"[1]\\"]"]'}, toolbox)

    assert ready.action.input == {"grid": [[[1]]]}
    assert len(ready.action.repairs) == 3


def test_a_text_stays_a_text_where_texts_are_allowed(toolbox: Toolbox) -> None:
    ready = accepted({"name": "5"}, toolbox)

    assert ready.action.input == {"name": "5"}


@pytest.mark.parametrize(
    ("given", "pointer"),
    [
        ({"name": 5}, "/name"),
        ({"is_new": "true"}, "/is_new"),
        ({"count": "5.5"}, "/count"),
        ({"count": "five"}, "/count"),
        ({"count": 5.5}, "/count"),
        ({"count": True}, "/count"),
        ({"count": "9" * 5000}, "/count"),
        ({"weight": "NaN"}, "/weight"),
        ({"weight": "1e999"}, "/weight"),
        ({"weight": float("inf")}, "/weight"),
        ({"units": "70"}, "/units"),
        ({"colour": "RED"}, "/colour"),
        ({"numbers": "[1, "}, "/numbers"),
        ({"numbers": [1, "x"]}, "/numbers"),
        ({"name": "\ud83d"}, "/name"),
    ],
    ids=lambda value: str(value)[:30].encode("ascii", "replace").decode(),
)
def test_nothing_else_is_converted_and_the_words_say_where(
    toolbox: Toolbox, given: dict[str, Any], pointer: str
) -> None:
    output = refused(ToolAction("1", "Store", "put", given), toolbox)

    assert output.code == "invalid-input"
    assert pointer in output.value
    assert len(output.value) < 1000


def test_the_words_tell_of_a_text_as_it_was_given(toolbox: Toolbox) -> None:
    output = refused(ToolAction("1", "Store", "put", {"weight": "1e999"}), toolbox)

    assert '"1e999"' in output.value


@pytest.mark.parametrize(
    ("given", "arrives", "further"),
    [
        ({"_": {"count": 3}}, {"count": 3}, 0),
        ({"input": {"count": "3", "size": None}}, {"count": 3}, 2),
    ],
    ids=["right", "with more to be set right"],
)
def test_an_object_under_one_unknown_key_is_taken_for_the_input(
    toolbox: Toolbox, given: dict[str, Any], arrives: dict[str, Any], further: int
) -> None:
    ready = accepted(given, toolbox)

    (key,) = given
    assert ready.action.input == arrives
    assert ready.action.repairs[0] == f"/{key}: the object within taken as the whole input"
    assert len(ready.action.repairs) == 1 + further


@pytest.mark.parametrize(
    "given",
    [
        {"_": {}},
        {"_": {"cuont": 3}},
        {"_": {"count": "three"}},
        {"_": {"count": 3}, "size": 1},
        {"_": [{"count": 3}]},
        {"_": {"_": {"count": 3}}},
    ],
    ids=["empty", "unknown within", "wrong within", "not alone", "in an array", "twice"],
)
def test_nothing_else_is_unwrapped(toolbox: Toolbox, given: dict[str, Any]) -> None:
    output = refused(ToolAction("1", "Store", "put", given), toolbox)

    assert '"_"' in output.value or "/_" in output.value


def test_an_object_under_a_key_that_the_activity_has_is_left_there(toolbox: Toolbox) -> None:
    prepared = prepare(ToolAction("1", "Store", "place", {"where": {"where": 1}}), toolbox)

    assert isinstance(prepared, ToolAction)
    assert prepared.input == {"where": {"where": 1}}


@pytest.mark.parametrize("given", [[1], "x", 5, True], ids=str)
def test_an_input_that_is_no_object_is_refused(toolbox: Toolbox, given: Any) -> None:
    output = refused(ToolAction("1", "Store", "put", given), toolbox)

    assert "object" in output.value


def test_a_null_for_a_key_that_must_be_there_is_refused(toolbox: Toolbox) -> None:
    output = refused(ToolAction("1", "Store", "place", {"where": None}), toolbox)

    assert "/where" in output.value


def test_an_unknown_key_is_refused_with_the_near_one(toolbox: Toolbox) -> None:
    output = refused(ToolAction("1", "Store", "put", {"cuont": 1}), toolbox)

    assert '"count"' in output.value


@pytest.mark.parametrize(
    ("name", "path", "near"),
    [("Stor", "put", "Store"), ("Store", "putt", "put"), ("Store", None, "place")],
    ids=["tool", "activity", "no activity"],
)
def test_an_action_of_an_unknown_name_is_answered_with_what_there_is(
    toolbox: Toolbox, name: str, path: str | None, near: str
) -> None:
    output = refused(ToolAction("1", name, path), toolbox)

    assert output.code == "not-found"
    assert near in output.value


def test_the_models_input_is_not_changed(toolbox: Toolbox) -> None:
    given = {"numbers": ["1"], "size": None}

    ready = accepted(given, toolbox)

    assert given == {"numbers": ["1"], "size": None}
    assert ready.action.input == {"numbers": [1]}


def test_a_refused_action_keeps_its_input_for_the_replay(toolbox: Toolbox) -> None:
    prepared = prepare(ToolAction("1", "Store", "put", {"count": "x"}), toolbox)

    assert isinstance(prepared, ToolAction)
    assert prepared.input == {"count": "x"}


def test_earlier_repairs_stand_before_new_ones(toolbox: Toolbox) -> None:
    action = ToolAction("1", "Store", "put", {"size": None}, repairs=("before",))

    prepared = prepare(action, toolbox)

    assert isinstance(prepared, Ready)
    assert prepared.action.repairs == ("before", "/size: null left out")


def test_what_a_key_may_be_is_found_behind_references_and_alternatives() -> None:
    taken = Input(
        {
            "type": "object",
            "$defs": {
                "count/of": {"type": "integer"},
                "either": {"anyOf": [{"$ref": "#/$defs/count~1of"}, {"type": "array"}]},
            },
            "properties": {"one": {"$ref": "#/$defs/either"}},
            "additionalProperties": {"type": "array", "prefixItems": [{"type": "integer"}]},
        },
        "",
        lambda value: Arguments(kwargs=value),
    )

    value, repairs = conformed({"one": "1", "other": ["2", "3"]}, taken)

    assert value == {"one": 1, "other": [2, "3"]}
    assert len(repairs) == 2


@pytest.mark.parametrize(
    ("schema", "text", "value"),
    [
        ({"enum": [1, 2]}, "2", 2),
        ({"const": 3}, "3", 3),
        ({"type": ["integer", "null"]}, "4", 4),
    ],
    ids=["enum", "const", "types"],
)
def test_numbers_are_read_wherever_the_schema_wants_one(
    schema: dict[str, Any], text: str, value: int
) -> None:
    found, _ = conformed({"n": text}, input_of(n=schema))

    assert found == {"n": value}


def test_an_enum_with_a_text_that_looks_like_a_number_is_left_alone() -> None:
    with pytest.raises(InvalidInput):
        conformed({"n": "2"}, input_of(n={"enum": ["one", 2]}))


class Picky(BaseTool):
    """Refuse what its schema allows."""

    @activity(schema={"type": "object", "properties": {"n": {"type": "integer"}}})
    def take(self, n: int = 0) -> int:
        """Take a number."""
        return n


def test_a_plain_json_schema_is_held_against_the_input_too() -> None:
    toolbox = Toolbox([Picky()])

    prepared = prepare(ToolAction("1", "Picky", "take", {"n": "7"}), toolbox)
    wrong = prepare(ToolAction("1", "Picky", "take", {"n": []}), toolbox)

    assert isinstance(prepared, Ready)
    assert prepared.action.input == {"n": 7}
    assert isinstance(wrong, ToolAction)
    assert wrong.failed
