"""What is made of Python types beyond what pydantic says of them."""

from __future__ import annotations

import dataclasses
import enum
from datetime import date
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from agenthost_sdk.errors import SchemaError
from agenthost_sdk.schemas import output_schema


class Access(enum.Flag):
    """What someone
    may do.
    """

    READ = 1
    WRITE = 2


class Level(enum.Enum):
    LOW = 1
    SMALL = 1  # noqa: PIE796 - the point
    HIGH = 2


class Planet(enum.Enum):
    EARTH = (5.97, 6.37)


class Feast(enum.Enum):
    YEAR = date(2026, 1, 1)


class Text(enum.StrEnum):
    A = "a"


class Shelf(BaseModel):
    """Where something
    stands.
    """

    row: int


@dataclasses.dataclass
class Box:
    """What something
    is in.
    """

    size: int


@pytest.mark.parametrize("kind", [Shelf, Box])
def test_the_docstring_of_a_type_is_told_without_its_line_breaks(kind: Any) -> None:
    told = output_schema(kind).schema["description"]

    assert told in ("Where something stands.", "What something is in.")


def test_flags_can_be_added_up() -> None:
    access = output_schema(Access)

    assert access.schema == {
        "type": "integer",
        "minimum": 0,
        "maximum": 3,
        "description": "What someone may do. The sum of what applies: 1 READ, 2 WRITE.",
    }
    assert access.check(4)
    assert not access.check(3)
    assert access.parse(3) == Access.READ | Access.WRITE


def test_two_names_of_one_value_are_told_once() -> None:
    assert output_schema(Level).schema["enum"] == [1, 2]


@pytest.mark.parametrize("kind", [Planet, list[Feast], Feast | None])
def test_members_that_json_cannot_bring_are_refused_with_what_to_do(kind: Any) -> None:
    with pytest.raises(SchemaError, match=r"which JSON cannot bring\. Give the members of"):
        output_schema(kind)


def test_a_literal_of_a_plain_enum_is_refused_with_what_to_do() -> None:
    with pytest.raises(SchemaError, match=r"Write Literal\[1\], or make Level a StrEnum"):
        output_schema(Literal[Level.LOW])


def test_a_literal_of_a_text_enum_arrives_as_its_member() -> None:
    assert output_schema(Literal[Text.A]).parse("a") is Text.A
