"""The values that pass between tools, models and people."""

from __future__ import annotations

import dataclasses
import datetime as dt
import decimal
import enum
import itertools
import json
import math
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agenthost_sdk.artifacts import (
    GENERATOR_LIMIT,
    NOTHING,
    AudioArtifact,
    BaseArtifact,
    BlobArtifact,
    BooleanArtifact,
    ErrorArtifact,
    GenericArtifact,
    ImageArtifact,
    ImageUrlArtifact,
    InfoArtifact,
    JsonArtifact,
    ListArtifact,
    ModelArtifact,
    TextArtifact,
    error_text,
    to_artifact,
)


class Colour(str, enum.Enum):  # noqa: UP042 - str() of such a member is not its value
    RED = "red"


class Level(enum.IntEnum):
    LOW = 1


class Shape(enum.Enum):
    SQUARE = (1, 1)


@dataclasses.dataclass
class Point:
    x: int
    when: dt.date


class Parcel(pydantic.BaseModel):
    weight: float


class Opaque(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(arbitrary_types_allowed=True)
    inside: Any


class Mute:
    def __str__(self) -> str:
        raise LookupError("no words")


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        ("hello", TextArtifact, "hello"),
        ("", TextArtifact, ""),
        (Colour.RED, TextArtifact, "red"),
        (None, InfoArtifact, NOTHING),
        (True, BooleanArtifact, "true"),
        (False, BooleanArtifact, "false"),
        (437, JsonArtifact, "437"),
        (Level.LOW, JsonArtifact, "1"),
        (Shape.SQUARE, JsonArtifact, "[1, 1]"),
        (0.5, JsonArtifact, "0.5"),
        (math.nan, TextArtifact, "nan"),
        (-math.inf, TextArtifact, "-inf"),
        (b"caf\xc3\xa9", BlobArtifact, "café"),
        (b"\xff\xfe", BlobArtifact, "2 bytes"),
        (bytearray(b"ab"), BlobArtifact, "ab"),
        (ValueError("too wide"), ErrorArtifact, "ValueError: too wide"),
        ([], JsonArtifact, "[]"),
        ([1, "a", None], JsonArtifact, '[1, "a", null]'),
        ((1, 2), JsonArtifact, "[1, 2]"),
        ({"é": [1.5]}, JsonArtifact, '{"é": [1.5]}'),
        ({3}, JsonArtifact, "[3]"),
        ([math.inf], JsonArtifact, '["Infinity"]'),
        (deque([1]), JsonArtifact, "[1]"),
        (Point(1, dt.date(2026, 5, 1)), JsonArtifact, '{"x": 1, "when": "2026-05-01"}'),
        (dt.date(2026, 5, 1), JsonArtifact, "2026-05-01"),
        (decimal.Decimal("1.10"), JsonArtifact, "1.10"),
        (Path("a/b"), JsonArtifact, "a/b"),
        ([Parcel(weight=2)], JsonArtifact, '[{"weight": 2.0}]'),
        (Parcel(weight=2), ModelArtifact, '{"weight":2.0}'),
        (Parcel, GenericArtifact, str(Parcel)),
        (len, GenericArtifact, "<built-in function len>"),
    ],
    ids=repr,
)
def test_a_value_becomes_the_artifact_that_fits_it(
    value: Any, kind: type[BaseArtifact], text: str
) -> None:
    artifact = to_artifact(value)

    assert type(artifact) is kind
    assert artifact.to_text() == text


def test_an_artifact_passes_through_untouched() -> None:
    artifact = InfoArtifact("noted", name="n", meta={"source": "disk"})

    assert to_artifact(artifact) is artifact


def test_a_list_with_artifacts_in_it_becomes_a_list_of_artifacts() -> None:
    artifact = to_artifact(["one", ImageArtifact(b"\x89"), None])

    assert isinstance(artifact, ListArtifact)
    assert [item.type for item in artifact.value] == ["text", "image", "info"]
    assert artifact.to_text() == f"one\n\nimage, format png, 1 bytes\n\n{NOTHING}"


def test_an_endless_generator_is_drawn_up_to_the_limit_and_no_further() -> None:
    drawn: list[int] = []

    def endless() -> Iterator[int]:
        for number in itertools.count():
            drawn.append(number)
            yield number

    artifact = to_artifact(endless())

    assert artifact.to_json() == list(range(GENERATOR_LIMIT))
    assert len(drawn) == GENERATOR_LIMIT


def test_an_endless_iterator_of_another_kind_is_bounded_too() -> None:
    assert len(to_artifact(itertools.count()).to_json()) == GENERATOR_LIMIT
    assert to_artifact(map(str, [1, 2])).to_json() == ["1", "2"]


def test_an_error_in_a_generator_reaches_the_caller() -> None:
    def failing() -> Iterator[int]:
        yield 1
        raise RuntimeError("half way")

    with pytest.raises(RuntimeError, match="half way"):
        to_artifact(failing())


def nested(levels: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(levels):
        value = [value]
    return value


def ring() -> list[Any]:
    value: list[Any] = []
    value.append(value)
    return value


@pytest.mark.parametrize(
    "value",
    [
        2**20_000,
        [2**20_000],
        nested(100_000),
        ring(),
        Mute(),
        [Mute()],
        {"key": Mute()},
        [b"\xff"],
        {Mute(): 1},
        "\ud800",
        ["\ud800"],
        "a name with \udcff",
        Mute,
        complex(1, 2),
        JsonArtifact({1, 2}),
        JsonArtifact({(1, 2): 3}),
        JsonArtifact("\ud800"),
        JsonArtifact([2**20_000]),
        TextArtifact("\ud800"),
        Opaque(inside=object()),
        GenericArtifact(Mute()),
    ],
    ids=lambda value: type(value).__name__,
)
def test_an_odd_value_can_still_be_said_in_words_that_utf8_can_carry(value: Any) -> None:
    artifact = to_artifact(value)

    assert artifact.to_text().encode()


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=20,
    )
)
def test_what_json_shows_of_an_artifact_is_json(value: Any) -> None:
    artifact = to_artifact(value)

    assert json.dumps(artifact.to_json(), allow_nan=False)
    assert artifact.to_text() == str(artifact)


@given(
    st.recursive(
        st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False),
        lambda inner: st.lists(inner) | st.dictionaries(st.text("abcé"), inner),
        max_leaves=20,
    )
)
def test_a_json_value_keeps_its_value(value: Any) -> None:
    assert to_artifact(value).to_json() == value


def test_a_memoryview_and_bytes_make_the_same_blob() -> None:
    assert to_artifact(memoryview(b"ab")) == BlobArtifact(b"ab")


@pytest.mark.parametrize(
    ("artifact", "kind", "text"),
    [
        (ImageArtifact(b"123", format="jpeg"), "image", "image, format jpeg, 3 bytes"),
        (AudioArtifact(b"12"), "audio", "audio, format wav, 2 bytes"),
        (ImageUrlArtifact("https://x.test/a.png"), "imageurl", "https://x.test/a.png"),
        (ListArtifact([]), "list", ""),
        (ErrorArtifact("no such zone", code="invalid-input"), "error", "no such zone"),
    ],
    ids=lambda value: getattr(value, "type", None),
)
def test_each_kind_says_what_it_is(artifact: BaseArtifact, kind: str, text: str) -> None:
    assert artifact.type == kind
    assert artifact.to_text() == text


def test_a_model_and_a_list_keep_their_structure_as_json() -> None:
    artifact = ListArtifact([ModelArtifact(Parcel(weight=1)), BooleanArtifact(False)])

    assert artifact.to_json() == [{"weight": 1.0}, False]


def test_a_model_that_is_a_dataclass_is_told_in_json_too() -> None:
    artifact = ModelArtifact(Point(1, dt.date(2026, 3, 1)))

    assert artifact.to_text() == '{"x": 1, "when": "2026-03-01"}'
    assert artifact.to_json() == {"x": 1, "when": "2026-03-01"}


def test_an_error_artifact_keeps_its_exception_out_of_comparison_and_print() -> None:
    one, other = ErrorArtifact("x", exception=ValueError()), ErrorArtifact("x")

    assert one == other
    assert "exception" not in repr(one)


def test_an_artifact_cannot_be_changed() -> None:
    artifact = TextArtifact("a")

    with pytest.raises(dataclasses.FrozenInstanceError):
        artifact.value = "b"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ValueError("bad"), "ValueError: bad"),
        (ValueError(), "ValueError"),
        (SystemExit(2), "SystemExit: 2"),
        (
            ExceptionGroup("several", [ValueError("a"), ExceptionGroup("more", [OSError("b")])]),
            "ValueError: a; OSError: b",
        ),
    ],
    ids=repr,
)
def test_an_exception_is_told_by_its_kind_and_words(error: BaseException, text: str) -> None:
    assert error_text(error) == text


def test_an_exception_that_cannot_be_said_is_still_named() -> None:
    class MuteError(Exception):
        def __str__(self) -> str:
            raise LookupError("no words")

    assert error_text(MuteError()).startswith("MuteError: ")


class Speechless(pydantic.BaseModel):
    what: Any

    def __str__(self) -> str:
        return "speechless"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"a": 1}.keys(), '["a"]'),
        ({"a": 1}.items(), '[["a", 1]]'),
        (range(3), "[0, 1, 2]"),
        (MappingProxyType({"a": 1}), '{"a": 1}'),
        ({"a": {"b": 1}.values()}, '{"a": [1]}'),
        ({"a": TextArtifact("x"), "b": [JsonArtifact(1)]}, '{"a": "x", "b": [1]}'),
    ],
    ids=["keys", "items", "range", "read-only", "a view inside", "artifacts inside"],
)
def test_what_json_could_say_is_said_in_json(value: Any, text: str) -> None:
    assert to_artifact(value).to_text() == text


@pytest.mark.parametrize(
    ("artifact", "text"),
    [
        (ListArtifact(["a", 1]), "a\n\n1"),  # type: ignore[list-item]
        (BlobArtifact("a"), "a"),  # type: ignore[arg-type]
        (ModelArtifact(3), "3"),
        (ModelArtifact(Speechless(what=Mute())), "speechless"),
    ],
    ids=["list", "blob", "model", "model that fails"],
)
def test_an_artifact_that_was_filled_wrongly_can_still_be_said(
    artifact: BaseArtifact, text: str
) -> None:
    assert artifact.to_text() == text
    json.dumps(artifact.to_json())
