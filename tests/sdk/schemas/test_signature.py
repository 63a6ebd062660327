"""The input that is inferred from a function's signature and docstring."""

from __future__ import annotations

import dataclasses
import datetime as dt
import decimal
import enum
import functools
import json
import math
import pathlib
import typing
import uuid
from collections.abc import Callable
from typing import Annotated, Any, Literal

import pytest
import typing_extensions
from pydantic import BaseModel, Field, field_validator

from agenthost_sdk.errors import InvalidInput, SchemaError
from agenthost_sdk.schemas import Arguments, Input, input_of_signature


class Colour(enum.Enum):
    """How it is painted."""

    RED = "red"
    BLUE = "blue"


@dataclasses.dataclass
class Point:
    x: int
    y: float = 0


class Filter(typing.TypedDict):
    field: str
    op: typing.NotRequired[Literal["eq", "lt"]]


class Page(typing_extensions.TypedDict, total=False):
    filters: list[Filter]


class Node(BaseModel):
    value: int
    children: list[Node] = []


class Even(BaseModel):
    number: int

    @field_validator("number")
    @classmethod
    def _even(cls, number: int) -> int:
        if number % 2:
            raise ValueError("it must be even")
        return number


def taken(function: Callable[..., Any], value: dict[str, Any]) -> Arguments:
    """Return the arguments for a value that the schema accepts."""
    made = input_of_signature(function)
    assert made.check(value) == []
    return made.parse(value)


def call(function: Callable[..., Any], value: dict[str, Any]) -> Any:
    """Call a function as an action would."""
    arguments = taken(function, value)
    return function(*arguments.args, **arguments.kwargs)


def schema_of(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the schema, after making sure that it is JSON."""
    schema = input_of_signature(function).schema
    json.dumps(schema, allow_nan=False)
    return schema


def test_a_signature_becomes_a_closed_object_in_the_order_of_its_parameters() -> None:
    def search(query: str, limit: int = 5) -> None: ...

    assert list(schema_of(search).items()) == [
        ("type", "object"),
        (
            "properties",
            {"query": {"type": "string"}, "limit": {"type": "integer", "default": 5}},
        ),
        ("required", ["query"]),
        ("additionalProperties", False),
    ]


def test_values_arrive_as_the_annotations_say() -> None:
    def take(
        colour: Colour,
        point: Point,
        filter: Filter,
        page: Page,
        node: Node,
        when: dt.datetime,
        day: dt.date,
        at: dt.time,
        wait: dt.timedelta,
        key: uuid.UUID,
        price: decimal.Decimal,
        path: pathlib.Path,
        raw: bytes,
        pair: tuple[int, str],
        many: set[int],
        share: float,
    ) -> list[Any]:
        return [colour, point, page, node, when, day, at, wait, key, price, path, raw, pair, many]

    value = {
        "colour": "red",
        "point": {"x": 1},
        "filter": {"field": "a"},
        "page": {"filters": [{"field": "a", "op": "eq"}]},
        "node": {"value": 1, "children": [{"value": 2}]},
        "when": "2026-03-01T09:30:00+02:00",
        "day": "2026-03-01",
        "at": "09:30",
        "wait": "PT5M",
        "key": "123e4567-e89b-12d3-a456-426614174000",
        "price": 1.1,
        "path": "/tmp",
        "raw": "é",
        "pair": [1, "a"],
        "many": [1, 2],
        "share": 3,
    }

    kwargs = taken(take, value).kwargs

    assert kwargs == {
        "colour": Colour.RED,
        "point": Point(1, 0),
        "filter": {"field": "a"},
        "page": {"filters": [{"field": "a", "op": "eq"}]},
        "node": Node(value=1, children=[Node(value=2)]),
        "when": dt.datetime(2026, 3, 1, 9, 30, tzinfo=dt.timezone(dt.timedelta(hours=2))),
        "day": dt.date(2026, 3, 1),
        "at": dt.time(9, 30),
        "wait": dt.timedelta(minutes=5),
        "key": uuid.UUID("123e4567-e89b-12d3-a456-426614174000"),
        "price": decimal.Decimal("1.1"),
        "path": pathlib.Path("/tmp"),
        "raw": "é".encode(),
        "pair": (1, "a"),
        "many": {1, 2},
        "share": 3.0,
    }
    assert type(kwargs["share"]) is float


def test_a_local_time_is_taken_and_the_format_still_published() -> None:
    def remind(when: dt.datetime) -> dt.datetime:
        return when

    made = input_of_signature(remind)

    assert made.schema["properties"]["when"] == {"type": "string", "format": "date-time"}
    assert call(remind, {"when": "2026-03-01T09:30:00"}) == dt.datetime(2026, 3, 1, 9, 30)
    assert made.check({"when": "2026-13-01T09:30:00"})
    assert made.check({"when": "tomorrow"})


def test_nothing_is_converted_that_the_schema_refuses() -> None:
    def take(number: int, flag: bool, text: str | int, one: Literal[1]) -> None: ...

    made = input_of_signature(take)

    problems = made.check({"number": "5", "flag": 1, "text": None, "one": True})

    assert {problem.pointer for problem in problems} == {"/number", "/flag", "/text", "/one"}
    assert taken(take, {"number": 5.0, "flag": True, "text": "5", "one": 1}).kwargs == {
        "number": 5,
        "flag": True,
        "text": "5",
        "one": 1,
    }


def test_a_date_is_read_where_a_text_would_do_too() -> None:
    def take(when: dt.date | str) -> Any:
        return when

    assert call(take, {"when": "2026-03-01"}) == dt.date(2026, 3, 1)
    assert call(take, {"when": "soon"}) == "soon"


def test_what_only_the_authors_type_refuses_is_told_with_its_place() -> None:
    def take(even: list[Even]) -> None: ...

    made = input_of_signature(take)
    value = {"even": [{"number": 2}, {"number": 3}]}

    assert made.check(value) == []
    with pytest.raises(InvalidInput) as raised:
        made.parse(value)
    assert [str(problem) for problem in raised.value.problems] == [
        "/even/1/number: it must be even."
    ]


def test_descriptions_come_from_annotated_before_the_docstring() -> None:
    def take(
        a: Annotated[int, Field(description="by field")],
        b: Annotated[int, "by text"],
        c: Annotated[int, typing_extensions.Doc("by doc")],
        d: int,
        e: int = Field(3, ge=1, description="by default"),
    ) -> None:
        """Take some.

        Args:
            a: no
            b: no
            c: no
            d: By docstring.
            e: no
        """

    properties = schema_of(take)["properties"]

    assert [part["description"] for part in properties.values()] == [
        "by field",
        "by text",
        "by doc",
        "By docstring.",
        "by default",
    ]
    assert properties["e"]["default"] == 3
    assert taken(take, {"a": 1, "b": 1, "c": 1, "d": 1}).kwargs["e"] == 3


def test_names_that_pydantic_uses_itself_do_not_collide() -> None:
    def take(copy: int, json: str, model_config: bool, schema: int, _private: int) -> None: ...

    value = {"copy": 1, "json": "a", "model_config": True, "schema": 2, "_private": 3}

    assert list(schema_of(take)["properties"]) == list(value)
    assert taken(take, value).kwargs == value


def test_a_field_may_give_a_parameter_another_name() -> None:
    def take(class_: Annotated[str, Field(alias="class")] = "a") -> str:
        return class_

    assert schema_of(take)["properties"] == {"class": {"type": "string", "default": "a"}}
    assert call(take, {"class": "b"}) == "b"
    assert call(take, {}) == "a"


def test_defaults_that_json_cannot_say_or_the_schema_refuses_are_not_published() -> None:
    sentinel = object()
    texts = {"y", "x"}
    nothing: Any = None

    def take(
        a: float = math.inf, b: Any = sentinel, c: int = nothing, d: set[str] = texts
    ) -> list[Any]:
        return [a, b is sentinel, c, d]

    properties = schema_of(take)["properties"]

    assert [name for name, part in properties.items() if "default" in part] == ["d"]
    assert properties["d"]["default"] == ["x", "y"]
    assert call(take, {}) == [math.inf, True, None, texts]


def test_defaults_are_published_as_json_and_arrive_as_they_are() -> None:
    def take(colour: Colour = Colour.BLUE, at: Point = Point(1), none: int | None = None) -> Any:  # noqa: B008
        return [colour, at, none]

    properties = schema_of(take)["properties"]

    assert properties["colour"] == {"$ref": "#/$defs/Colour", "default": "blue"}
    assert properties["at"]["default"] == {"x": 1, "y": 0}
    assert properties["none"]["default"] is None
    assert call(take, {}) == [Colour.BLUE, Point(1), None]


def test_the_signatures_default_goes_before_that_of_a_field() -> None:
    def page(size: Annotated[int, Field(default=7)] = 8) -> None: ...

    taken = input_of_signature(page)

    assert taken.schema["properties"]["size"]["default"] == 8
    assert taken.parse({}).kwargs in ({}, {"size": 8})


def test_no_titles_are_made_up_and_an_authors_own_stay() -> None:
    class Own(BaseModel):
        title: str
        a: int = Field(title="The A")

    def take(own: Own, colour: Colour, point: Point, filter: Filter) -> None: ...

    definitions = input_of_signature(functools.partial(_with_types(take, own=Own))).schema["$defs"]

    assert [name for name, part in definitions.items() if "title" in part] == []
    assert definitions["Own"]["properties"]["a"]["title"] == "The A"
    assert definitions["Own"]["properties"]["title"] == {"type": "string"}


def _with_types(function: Callable[..., Any], **types: Any) -> Callable[..., Any]:
    """Give parameters annotations that texts could not name: classes local to a test."""
    function.__annotations__.update(types)
    return function


def test_a_recursive_model_keeps_its_definition() -> None:
    def take(node: Node) -> None: ...

    made = input_of_signature(take)

    assert made.schema["properties"]["node"] == {"$ref": "#/$defs/Node"}
    assert made.check({"node": {"value": 1, "children": [{"value": "x"}]}})


def test_dataclasses_and_typed_dicts_are_closed() -> None:
    def take(point: Point, filter: Filter) -> None: ...

    problems = input_of_signature(take).check(
        {"point": {"x": 1, "z": 2}, "filter": {"field": "a", "ops": "eq"}}
    )

    assert [(problem.pointer, problem.keyword) for problem in problems] == [
        ("/filter", "additionalProperties"),
        ("/point", "additionalProperties"),
    ]


def test_positional_parameters_are_given_by_position() -> None:
    def take(a: int, b: int = 2, /, c: int = 3, *rest: int, d: int = 4) -> list[Any]:
        return [a, b, c, list(rest), d]

    assert taken(take, {"a": 1}) == Arguments((1, 2), {})
    assert call(take, {"a": 1, "c": 5}) == [1, 2, 5, [], 4]
    assert call(take, {"a": 1, "rest": [7, 8], "d": 9}) == [1, 2, 3, [7, 8], 9]
    assert schema_of(take)["required"] == ["a"]


def test_further_keys_are_taken_as_the_keyword_parameter_says() -> None:
    def anything(a: int, **more: Any) -> Any:
        return more

    def numbers(a: int, **more: int) -> Any:
        return more

    def named(a: int, **more: typing.Unpack[Page]) -> Any:
        return more

    assert call(anything, {"a": 1, "b": ["x"]}) == {"b": ["x"]}
    assert call(numbers, {"a": 1, "b": 2}) == {"b": 2}
    assert input_of_signature(numbers).check({"a": 1, "b": "x"})
    assert call(named, {"a": 1, "filters": []}) == {"filters": []}
    assert input_of_signature(named).check({"a": 1, "b": 2})


class Tool:
    """A tool."""

    Level = Literal["low", "high"]

    def list(self) -> None: ...

    def act(self, level: Level, names: list[str]) -> None:  # type: ignore[valid-type]
        """Act."""

    @classmethod
    def make(cls, size: int) -> None: ...

    @staticmethod
    def plain(size: int) -> None: ...

    def __call__(self, size: int) -> None: ...


class Heir(Tool):
    Level = int  # type: ignore[assignment]

    def act(self, level: Tool.Level, names: list[str]) -> None: ...


def test_annotations_may_use_the_names_of_the_class() -> None:
    made = input_of_signature(Tool.act, owner=Tool, skip_first=True)

    assert made.schema["properties"]["level"] == {"type": "string", "enum": ["low", "high"]}
    assert made.schema["properties"]["names"] == {"type": "array", "items": {"type": "string"}}


def test_the_class_that_defines_a_method_names_its_annotations() -> None:
    made = input_of_signature(Tool.act, owner=Heir, skip_first=True)

    assert made.schema["properties"]["level"]["enum"] == ["low", "high"]


def test_an_overriding_method_inherits_the_docstring() -> None:
    assert input_of_signature(Heir.act, owner=Heir, skip_first=True).description == "Act."


@pytest.mark.parametrize(
    "function", [Tool().make, Tool.make, Tool.plain, Tool(), functools.partial(Tool.plain)]
)
def test_callables_of_every_kind_are_read(function: Callable[..., Any]) -> None:
    assert schema_of(function)["properties"] == {"size": {"type": "integer"}}


def test_decorators_are_seen_through() -> None:
    def quiet(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def inner(*args: Any, **kwargs: Any) -> Any:
            return function(*args, **kwargs)

        return inner

    @quiet
    def weather(city: str, days: int = 1) -> Any:
        """Tell the weather."""
        return [city, days]

    assert list(schema_of(weather)["properties"]) == ["city", "days"]
    assert input_of_signature(weather).description == "Tell the weather."
    assert call(weather, {"city": "Oslo"}) == ["Oslo", 1]


def test_what_a_partial_binds_by_position_is_gone_and_by_name_is_a_default() -> None:
    def weather(city: str, days: int, unit: str = "C") -> Any:
        """Tell the weather."""
        return [city, days, unit]

    bound = functools.partial(weather, "Oslo", unit="F")

    assert schema_of(bound)["properties"] == {
        "days": {"type": "integer"},
        "unit": {"type": "string", "default": "F"},
    }
    assert input_of_signature(bound).description == "Tell the weather."
    assert call(bound, {"days": 2}) == ["Oslo", 2, "F"]


def test_an_unannotated_parameter_takes_any_json() -> None:
    def take(a, b=2):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
        return [a, b]

    assert schema_of(take)["properties"] == {"a": {}, "b": {"default": 2}}
    assert call(take, {"a": None}) == [None, 2]


def test_a_name_that_is_not_known_is_told_with_function_and_parameter() -> None:
    def take(a: int, b: list[Nowhere]) -> None: ...  # type: ignore[name-defined]  # noqa: F821

    with pytest.raises(SchemaError) as raised:
        input_of_signature(take)

    for word in ("'b'", "take", "'Nowhere'"):
        assert word in str(raised.value)


def test_a_type_that_json_has_not_is_told_with_function_and_parameter() -> None:
    def take(a: int, b: Tool) -> None: ...

    with pytest.raises(SchemaError, match=r"Parameter 'b' of .*take cannot come from JSON"):
        input_of_signature(take)


def test_a_callable_without_a_signature_is_refused() -> None:
    with pytest.raises(SchemaError, match="has no signature"):
        input_of_signature(type)


def test_an_input_can_be_parsed_by_many_threads_at_once() -> None:
    from concurrent.futures import ThreadPoolExecutor

    def take(point: Point) -> Point:
        return point

    made: Input = input_of_signature(take)

    with ThreadPoolExecutor(16) as pool:
        points = list(pool.map(lambda n: made.parse({"point": {"x": n}}).kwargs, range(200)))

    assert points == [{"point": Point(n)} for n in range(200)]
