"""Fields are filled from the question in the manner of the examples."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agenthost_plugin_local.copying import fill
from agenthost_plugin_local.slots import slots
from agenthost_plugin_local.wording import Wording
from agenthost_sdk.actions import Example, ToolSpec


def test_the_kind_of_a_slot_is_read_off_the_examples(lengths: ToolSpec) -> None:
    kinds = {slot.name: slot.kind for slot in slots(lengths)}

    assert kinds == {"value": "number", "from_unit": "run", "to_unit": "run"}


@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("Convert 26 miles to km", (26, "miles", "km")),
        ("How many inches are in 2 yards?", (2, "yards", "inches")),
        ("What is 1.5 feet in metres", (1.5, "feet", "metres")),
        ("7 km in yards", (7, "km", "yards")),
    ],
)
def test_values_go_to_the_fields_whose_examples_stand_alike(
    lengths: ToolSpec, question: str, given: tuple[float, str, str]
) -> None:
    likeness = Wording.of(example.question for example in lengths.examples)

    found = fill(lengths, question, likeness)

    assert found == dict(zip(("value", "from_unit", "to_unit"), given, strict=True))


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Write 'hello there' in upper case", "hello there"),
        ("put hello world in capitals", "hello world"),
        ("make THIS IS LOUD lower case", "THIS IS LOUD"),
        ("upper case for the phrase live and let live", "live and let live"),
        ("lowercase this: STOP, please", "STOP, please"),
        ("I typed HELLO EVERYBODY by mistake, make it lower case", "HELLO EVERYBODY"),
        ("put a-b,c.d in capitals", "a-b,c.d"),
    ],
)
def test_a_text_is_what_is_quoted_or_else_no_instruction(
    letters: ToolSpec, question: str, text: str
) -> None:
    likeness = Wording.of(example.question for example in letters.examples)

    assert fill(letters, question, likeness) == {"text": text}


def test_a_number_has_the_sign_of_the_nearest_examples(lengths: ToolSpec) -> None:
    schema = {"type": "object", "properties": {"days": {"type": "integer"}}}
    examples = (
        Example("Go back 20 days", {"days": -20}),
        Example("Go forward 6 days", {"days": 6}),
    )
    spec = replace(lengths, schema=schema, examples=examples)
    likeness = Wording.of(example.question for example in examples)

    assert fill(spec, "Please go back 3 days", likeness) == {"days": -3}
    assert fill(spec, "Please go forward 3 days", likeness) == {"days": 3}


def test_an_amount_goes_to_the_field_that_it_names(lengths: ToolSpec) -> None:
    fields = {name: {"type": "integer"} for name in ("days", "weeks", "months")}
    examples = (Example("In 4 days", {"days": 4}), Example("In 5 weeks", {"weeks": 5}))
    spec = replace(lengths, schema={"type": "object", "properties": fields}, examples=examples)
    likeness = Wording.of(example.question for example in examples)

    assert fill(spec, "When is it 9 months from here?", likeness) == {"months": 9}


def test_nothing_is_filled_where_the_question_has_nothing(lengths: ToolSpec) -> None:
    likeness = Wording.of(example.question for example in lengths.examples)

    assert "value" not in fill(lengths, "How far is it?", likeness)


def test_a_single_thing_is_the_number_one(lengths: ToolSpec) -> None:
    likeness = Wording.of(example.question for example in lengths.examples)

    found = fill(lengths, "How many yards are in one mile?", likeness)

    assert found == {"value": 1, "from_unit": "mile", "to_unit": "yards"}
