"""Inputs that are given in place of a signature, and how functions get them."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict, Field
from schema import Literal, Optional, Schema, Use
from typing_extensions import TypedDict

from agenthost_sdk.errors import SchemaError
from agenthost_sdk.schemas import Arguments, Input, input_of


class Order(BaseModel):
    """An order of one article."""

    sku: str
    units: int = 1
    note: str | None = Field(None, alias="remark")


@dataclasses.dataclass
class Place:
    city: str
    zone: str = "UTC"


class Query(TypedDict):
    words: str


PLAIN = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
    "required": ["city"],
    "additionalProperties": False,
}


def arguments(spec: Any, function: Any, value: dict[str, Any]) -> Arguments:
    """Return the arguments for a value that the schema accepts."""
    made = input_of(spec, function)
    assert made.check(value) == []
    return made.parse(value)


def test_a_plain_json_schema_stays_as_it_is() -> None:
    assert input_of(PLAIN).schema is PLAIN


def test_without_a_function_every_key_is_handed_on_by_name() -> None:
    assert input_of(PLAIN).parse({"city": "Oslo"}) == Arguments((), {"city": "Oslo"})


def test_an_input_is_taken_as_it_is() -> None:
    made = input_of(PLAIN)

    assert input_of(made) is made


@pytest.mark.parametrize(
    ("schema", "found"),
    [
        ({"type": "string"}, "`type` is 'string'"),
        ({"properties": {}}, "it has no `type`"),
        (Schema([str]), "`type` is 'array'"),
    ],
)
def test_an_input_has_to_be_an_object(schema: Any, found: str) -> None:
    with pytest.raises(SchemaError, match="needs `type: object` at its root") as raised:
        input_of(schema)

    assert found in str(raised.value)


def test_parameters_get_the_keys_of_their_names() -> None:
    def weather(city: str, days: int = 3) -> None: ...

    assert arguments(PLAIN, weather, {"city": "Oslo"}) == Arguments((), {"city": "Oslo"})
    assert arguments(PLAIN, weather, {"city": "Oslo", "days": 2}).kwargs["days"] == 2


def test_an_optional_key_that_is_missing_leaves_a_parameter_without_default_none() -> None:
    def weather(city: str, days: int) -> None: ...

    assert arguments(PLAIN, weather, {"city": "Oslo"}).kwargs == {"city": "Oslo", "days": None}


def test_keys_that_no_parameter_takes_are_left_out() -> None:
    def weather(city: str) -> None: ...

    assert arguments(PLAIN, weather, {"city": "Oslo", "days": 2}).kwargs == {"city": "Oslo"}


def test_a_keyword_parameter_takes_what_is_left() -> None:
    def weather(city: str, **more: Any) -> None: ...

    assert arguments(PLAIN, weather, {"city": "a", "days": 2}).kwargs == {"city": "a", "days": 2}


def test_positional_parameters_are_given_by_position() -> None:
    def weather(city: str, /) -> None: ...

    assert arguments(PLAIN, weather, {"city": "Oslo"}) == Arguments(("Oslo",), {})


def test_a_parameter_that_no_key_fills_is_told_with_the_nearest_key() -> None:
    def weather(citty: str) -> None: ...

    with pytest.raises(SchemaError, match=r"Parameter 'citty' .* Did you mean 'city'\?"):
        input_of(PLAIN, weather)


def test_an_open_schema_may_fill_any_parameter() -> None:
    def weather(city: str) -> None: ...

    assert arguments({"type": "object"}, weather, {"city": "Oslo"}).kwargs == {"city": "Oslo"}
    assert arguments({"type": "object"}, weather, {}).kwargs == {"city": None}


def test_params_and_values_get_the_whole_as_older_hosts_hand_it_over() -> None:
    def params_only(params: dict[str, Any]) -> None: ...
    def both(values: Any, city: str, params: Any = None) -> None: ...

    value = {"city": "Oslo"}

    assert arguments(PLAIN, params_only, value).kwargs == {"params": {"values": value}}
    assert arguments(PLAIN, both, value).kwargs == {
        "values": value,
        "city": "Oslo",
        "params": {"values": value},
    }


def test_a_parameter_annotated_as_a_dict_gets_the_whole() -> None:
    def weather(asked: dict[str, Any]) -> None: ...

    assert arguments(PLAIN, weather, {"city": "Oslo"}).kwargs == {"asked": {"city": "Oslo"}}


def test_annotations_need_not_be_known_where_a_schema_is_given() -> None:
    def weather(city: Nowhere) -> None: ...  # type: ignore[name-defined]  # noqa: F821

    assert arguments(PLAIN, weather, {"city": "Oslo"}).kwargs == {"city": "Oslo"}


def test_a_method_is_read_without_its_first_parameter() -> None:
    class Tool:
        def weather(self, city: str) -> None:
            """Tell the weather.

            Args:
                city: Where.
            """

    made = input_of(PLAIN, Tool.weather, owner=Tool, skip_first=True)

    assert made.parse({"city": "Oslo"}) == Arguments((), {"city": "Oslo"})
    assert made.description == "Tell the weather."


def test_a_models_fields_arrive_with_their_defaults() -> None:
    def reserve(sku: str, units: int, note: str) -> None: ...

    made = input_of(Order, reserve)

    assert list(made.schema["properties"]) == ["sku", "units", "remark"]
    assert made.parse({"sku": "A"}).kwargs == {"sku": "A", "units": 1, "note": None}
    assert made.parse({"sku": "A", "remark": "x"}).kwargs["note"] == "x"
    assert made.description == "An order of one article."


def test_a_parameter_may_take_a_field_by_its_alias() -> None:
    def reserve(sku: str, remark: str) -> None: ...

    assert arguments(Order, reserve, {"sku": "A", "remark": "x"}).kwargs["remark"] == "x"


def test_a_parameter_annotated_with_the_model_gets_the_instance() -> None:
    def reserve(order: Order) -> None: ...

    assert arguments(Order, reserve, {"sku": "A"}).kwargs == {
        "order": Order.model_validate({"sku": "A"})
    }


def test_a_model_that_allows_more_hands_it_on() -> None:
    class Open(BaseModel):
        model_config = ConfigDict(extra="allow")
        a: int

    def take(a: int, **more: Any) -> None: ...

    assert arguments(Open, take, {"a": 1, "b": 2}).kwargs == {"a": 1, "b": 2}


def test_dataclasses_and_typed_dicts_serve_as_specs() -> None:
    def place(city: str, zone: str) -> None: ...
    def whole(place: Place) -> None: ...
    def query(words: str) -> None: ...

    assert arguments(Place, place, {"city": "Oslo"}).kwargs == {"city": "Oslo", "zone": "UTC"}
    assert arguments(Place, whole, {"city": "Oslo"}).kwargs == {"place": Place("Oslo")}
    assert arguments(Query, query, {"words": "a"}).kwargs == {"words": "a"}
    assert input_of(Place).check({"city": "Oslo", "zon": "x"})


def test_a_schema_of_the_library_converts_and_gives_defaults() -> None:
    def sell(sku: str, units: int, price: float) -> None: ...

    spec = Schema(
        {
            Literal("sku", description="Stock keeping unit"): str,
            Optional("units", default=1): int,
            "price": Use(float),
        },
        description="Sell it.",
    )
    made: Input = input_of(spec, sell)

    assert made.parse({"sku": "A", "price": "3"}).kwargs == {"sku": "A", "units": 1, "price": 3.0}
    assert made.description == "Sell it."
