"""An input is written by analogy, by copying and by vote; the model gets only what is left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from agenthost_plugin_local.analogy import formula, is_formula
from agenthost_plugin_local.copying import weigh
from agenthost_plugin_local.inputs import write_input
from agenthost_plugin_local.narrowing import narrow
from agenthost_plugin_local.wording import Wording
from agenthost_sdk.actions import Example, ToolSpec
from agenthost_sdk.messages import Usage


def refuse(prompt: str, schema: Mapping[str, Any], tokens: int) -> tuple[str, Usage]:
    raise AssertionError(f"the model was asked: {prompt}")


@pytest.mark.parametrize(
    ("question", "written"),
    [
        ("How much is 23 times 19?", "23 * 19"),
        ("What is 9 plus 4?", "9 + 4"),
        ("What is half of 954?", "954 / 2"),
        ("What is the largest of 4, 9, 2 and 7?", "max(4, 9, 2, 7)"),
        ("Add up 1, 2, 3 and 4", "1 + 2 + 3 + 4"),
        ("Work out (12 + 8) * 5 - 30", "(12 + 8) * 5 - 30"),
        ("0,75 * 48 = ?", "0.75 * 48"),
    ],
)
def test_a_formula_is_written_as_the_nearest_example_is(
    sums: ToolSpec, question: str, written: str
) -> None:
    weights = weigh(sums, question, Wording.of(e.question for e in sums.examples))

    assert is_formula(sums, "expression")
    assert formula(sums, "expression", question, weights) == written


def test_per_cents_take_the_place_of_per_cents(sums: ToolSpec) -> None:
    examples = (
        Example("How much is 20% of 45?", {"expression": "20% * 45"}),
        Example("What is 80 minus 25%?", {"expression": "80 - 25% * 80"}),
    )
    spec = replace(sums, examples=examples)
    weights = weigh(spec, "How much of 64 is 30%?", Wording.of(e.question for e in examples))

    assert formula(spec, "expression", "How much of 64 is 30%?", weights) == "30% * 64"


def test_a_number_that_an_example_has_twice_is_two_numbers(sums: ToolSpec) -> None:
    examples = (Example("The mean of 2, 1 and 2", {"expression": "(2 + 1 + 2) / 3"}),)
    spec = replace(sums, examples=examples)

    written = formula(spec, "expression", "The mean of 7, 8 and 9", {examples[0].question: 1.0})

    assert written == "(7 + 8 + 9) / 3"


def test_a_text_field_without_numbers_is_no_formula(lengths: ToolSpec) -> None:
    assert not is_formula(lengths, "from_unit")


def test_what_the_examples_show_is_written_without_the_model(letters: ToolSpec) -> None:
    likeness = Wording.of(example.question for example in letters.examples)

    written = write_input(letters, "Write 'so long' in upper case", likeness, refuse)

    assert written.value == {"text": "so long", "case": "upper"}


def test_the_model_is_asked_under_the_schema_for_what_is_left(lengths: ToolSpec) -> None:
    asked: list[Mapping[str, Any]] = []

    def write(prompt: str, schema: Mapping[str, Any], tokens: int) -> tuple[str, Usage]:
        asked.append(schema)
        return '{"value": 3, "from_unit": "miles", "to_unit": "km"}', Usage(50, 20)

    bare = replace(lengths, examples=())
    likeness = Wording.of([lengths.description])

    written = write_input(bare, "Three miles in km", likeness, write)

    assert written.value == {"value": 3, "from_unit": "miles", "to_unit": "km"}
    assert written.usage == Usage(50, 20)
    assert asked[0]["required"] == ["value", "from_unit", "to_unit"]


def test_words_that_are_no_json_leave_the_field_out(lengths: ToolSpec) -> None:
    bare = replace(lengths, examples=())
    likeness = Wording.of([lengths.description])

    written = write_input(bare, "Hm", likeness, lambda *_: ("no idea", Usage()))

    assert written.value == {}


def test_a_narrowed_schema_fixes_what_is_filled_and_offers_the_words_for_the_rest(
    lengths: ToolSpec,
) -> None:
    schema = narrow(lengths, "Convert 3 miles to km", {"value": 3})

    assert schema["properties"]["value"] == {"const": 3}
    assert "miles" in schema["properties"]["from_unit"]["enum"]
    assert schema["additionalProperties"] is False
