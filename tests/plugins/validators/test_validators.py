"""The output validators: what each accepts, replaces and refuses, and how each is made."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any, ClassVar, Literal

import pytest
from pydantic import BaseModel, field_validator
from schema import Schema

from agenthost_plugin_validators import (
    JsonSchema,
    Length,
    OneOf,
    Regex,
    agenthost_output_validators,
)
from agenthost_sdk.artifacts import (
    BaseArtifact,
    BooleanArtifact,
    ErrorArtifact,
    ImageArtifact,
    JsonArtifact,
    ListArtifact,
    ModelArtifact,
    TextArtifact,
    to_artifact,
)
from agenthost_sdk.errors import DefinitionError
from agenthost_sdk.testing import OutputValidatorConformance
from agenthost_sdk.validators import BaseOutputValidator, Verdict

UNITS = {
    "type": "object",
    "properties": {"units": {"type": "integer"}, "sku": {"type": "string"}},
    "required": ["units"],
}


class TestRegex(OutputValidatorConformance):
    accepted: ClassVar = ("Abc", JsonArtifact("Abc"))
    refused: ClassVar = ("abc", "", ImageArtifact(b"A"), ErrorArtifact("Abc"))

    def make_validator(self) -> BaseOutputValidator:
        return Regex("^[A-Z]")


class TestLength(OutputValidatorConformance):
    accepted: ClassVar = ("three", "  four  ")
    refused: ClassVar = ("a", "much too long")

    def make_validator(self) -> BaseOutputValidator:
        return Length(least=3, most=6)


class TestOneOf(OutputValidatorConformance):
    accepted: ClassVar = ("yes", "No.", BooleanArtifact(True))
    refused: ClassVar = ("perhaps", "", "yes and no", ListArtifact([]))

    def make_validator(self) -> BaseOutputValidator:
        return OneOf(["yes", "no", "true"])


class TestJsonSchema(OutputValidatorConformance):
    accepted: ClassVar = ('{"units": 3}', '```json\n{"units": 3}\n```', JsonArtifact({"units": 3}))
    refused: ClassVar = ("3 units", "[]", '{"units": "3"}', JsonArtifact({}))

    def make_validator(self) -> BaseOutputValidator:
        return JsonSchema(UNITS)


def verdict(validator: BaseOutputValidator, output: Any) -> Verdict:
    return validator.validate(to_artifact(output))


def test_each_stands_under_its_own_name() -> None:
    named = agenthost_output_validators()

    assert list(named) == ["json-schema", "regex", "length", "one-of"]


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        ("[0-9]+", "It is 42.", True),
        ("^[0-9]+$", "It is 42.", False),
        ("^42$", "It is:\n42", False),
        ("(?m)^42$", "It is:\n42", True),
        ("(?i)^it", "IT is", True),
        (r"^\p{Lu}", "Übung", True),
        ("a.b", "a\nb", False),
        ("a:b", "a:b", True),
        ("[[a]", "a", True),
    ],
)
def test_a_pattern_is_searched_for_as_it_is_written(pattern: str, text: str, found: bool) -> None:
    judged = verdict(Regex(pattern), text)

    assert judged.accepted is found
    assert found or pattern in judged.reason


def test_a_pattern_that_would_take_for_ever_is_given_up() -> None:
    judged = verdict(Regex(r"(?:a|a)*b|(.*)\1\1\1c"), "a" * 40_000)

    assert not judged.accepted
    assert "could not be told within 2 seconds" in judged.reason


@pytest.mark.parametrize(
    ("parameters", "text", "accepted"),
    [
        ("2-3", "ab", True),
        ("2-3", "abcd", False),
        ("3", "abc", True),
        ("3", "abcd", False),
        ("-3", "", True),
        ("2-", "a", False),
        ("2-", "a" * 10_000, True),
        ("2-3 words", "one two", True),
        ("2 - 3words", "one", False),
        ("1 word", "don't", True),
        ("1- words", "- …", False),
        ("3 characters", "日本語", True),
    ],
)
def test_a_length_is_told_in_parameters(parameters: str, text: str, accepted: bool) -> None:
    assert verdict(Length(parameters), text).accepted is accepted


def test_a_wrong_length_is_refused_with_what_was_counted_and_what_is_allowed() -> None:
    short = verdict(Length(least=2, most=5, unit="words"), "one")
    long = verdict(Length(most=2), "abc")

    assert short.reason == (
        "The answer has a length of 1 words; at least 2 and at most 5 are allowed. Lengthen it."
    )
    assert "length of 3 characters; at most 2 is allowed. Shorten it." in long.reason


@pytest.mark.parametrize(
    ("choices", "text", "meant"),
    [
        ("yes|no", "YES", "yes"),
        ("yes|no", "  no.\n", "no"),
        ("yes|no", "**Yes**", "yes"),
        ("yes|no", "'no'", "no"),
        ("New York | Rome", "new york", "New York"),
        ("a|A", " A.", "A"),
        ("straße|weg", "STRASSE", "straße"),
        ("...|?", "...\n", "..."),
    ],
)
def test_a_text_that_differs_little_from_a_choice_is_replaced_by_it(
    choices: str, text: str, meant: str
) -> None:
    assert verdict(OneOf(choices), text) == Verdict.replace(TextArtifact(meant))


@pytest.mark.parametrize(
    ("choices", "text"),
    [("yes|no", "yes, no"), ("yes|no", "not"), ("ab|aB", "AB"), ("...|?", "")],
)
def test_a_text_that_may_mean_no_choice_or_two_is_refused_with_all_of_them(
    choices: str, text: str
) -> None:
    judged = verdict(OneOf(choices), text)

    assert not judged.accepted
    assert all(repr(choice) in judged.reason for choice in choices.split("|"))


@pytest.mark.parametrize(
    "text",
    [
        '{"units": 3}',
        '```json\n{"units": 3}\n```',
        'Here it is:\n```\n{"units": 3}\n```\nAnything else?',
        '{"units": 3,}',
    ],
)
def test_a_text_that_holds_json_is_replaced_by_its_value(text: str) -> None:
    assert verdict(JsonSchema(UNITS), text) == Verdict.replace(JsonArtifact({"units": 3}))


def test_json_that_does_not_fit_is_refused_with_the_place_of_each_problem() -> None:
    judged = verdict(JsonSchema(UNITS), '{"units": "3", "sku": null}')

    assert "/units: " in judged.reason
    assert "/sku: " in judged.reason
    assert "integer" in judged.reason


def test_prose_is_refused_with_the_schema_that_json_must_fit() -> None:
    judged = verdict(JsonSchema(UNITS), "There are three.")

    assert judged.reason.startswith("The answer must be JSON.")
    assert json.dumps(UNITS) in judged.reason


@dataclasses.dataclass
class Pair:
    left: int
    right: int


class Stock(BaseModel):
    units: int

    @field_validator("units")
    @classmethod
    def _even(cls, units: int) -> int:
        if units % 2:
            raise ValueError("units come in pairs")
        return units


@pytest.mark.parametrize(
    ("spec", "right", "wrong"),
    [
        (UNITS, {"units": 1}, {"units": True}),
        (json.dumps(UNITS), {"units": 1}, {}),
        ({"type": "array", "items": {"type": "integer"}}, [1], [""]),
        ({"enum": ["a", 1, None]}, None, "b"),
        (Stock, {"units": 2}, {"units": 3}),
        (Pair, {"left": 1, "right": 2}, {"left": 1}),
        (Schema({"units": int}), {"units": 1}, {"units": ""}),
        (Literal["yes", "no"], "yes", "maybe"),
    ],
    ids=str,
)
def test_a_schema_is_given_in_any_form(spec: Any, right: Any, wrong: Any) -> None:
    validator = JsonSchema(spec)

    assert verdict(validator, json.dumps(right)) == Verdict.replace(JsonArtifact(right))
    assert verdict(validator, JsonArtifact(right)) == Verdict.accept()
    assert not verdict(validator, json.dumps(wrong)).accepted
    assert verdict(validator, JsonArtifact(wrong)).reason


@pytest.mark.parametrize(
    "output", [Stock(units=2), Pair(1, 2), ModelArtifact(Pair(1, 2))], ids=lambda one: str(one)
)
def test_an_answer_that_is_a_model_already_passes_as_it_is(output: Any) -> None:
    fits = Stock if isinstance(output, Stock) else Pair

    assert verdict(JsonSchema(fits), output) == Verdict.accept()


def test_a_schema_is_read_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "answer.schema.json"
    file.write_text(json.dumps(UNITS), encoding="utf-8-sig")

    validator = JsonSchema(str(file))

    assert validator.schema == UNITS


@pytest.mark.parametrize(
    "make",
    [
        lambda: Regex(""),
        lambda: Regex("("),
        lambda: Regex("(" * 100_000),
        lambda: Regex(r"a{99999999999999999999}"),
        lambda: Length(),
        lambda: Length(""),
        lambda: Length("-"),
        lambda: Length("5-3"),
        lambda: Length("0"),
        lambda: Length("ten"),
        lambda: Length("3 lines"),
        lambda: Length("1-2-3"),
        lambda: Length(least=-1, most=3),
        lambda: Length(most=3, unit="lines"),  # type: ignore[arg-type]
        lambda: OneOf([]),
        lambda: OneOf(""),
        lambda: OneOf("yes||no"),
        lambda: OneOf("yes|yes"),
        lambda: OneOf([1, 2]),  # type: ignore[list-item]
        lambda: JsonSchema("nowhere.json"),
        lambda: JsonSchema('{"type": "objekt"}'),
    ],
)
def test_what_no_validator_can_be_made_of_is_refused_with_words(make: Any) -> None:
    with pytest.raises(DefinitionError, match=r"\w+ .+"):
        make()


def test_a_list_is_judged_by_the_texts_in_it() -> None:
    answer: BaseArtifact = ListArtifact([ImageArtifact(b""), TextArtifact("yes")])

    assert verdict(OneOf("yes|no"), answer).accepted
    assert verdict(Length("3"), answer).accepted
