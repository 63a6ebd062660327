"""The forms of a schema that providers take."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from agenthost_sdk.schemas import (
    Check,
    is_wrapped,
    output_schema,
    provider_safe,
    to_strict,
    unwrapped,
)


class Address(BaseModel):
    city: str


class Order(BaseModel):
    sku: str
    limit: int | None = None
    address: Address = Field(description="where")
    billing: Address
    mode: Literal["a", "b"] = "a"


class Tree(BaseModel):
    value: int
    left: Tree | None = Field(None, description="the left one")


def test_the_strict_form_is_closed_and_requires_every_key() -> None:
    place = {
        "type": "object",
        "properties": {"city": {"type": "string"}},
        "required": ["city"],
        "additionalProperties": False,
    }

    assert to_strict(output_schema(Order).schema) == {
        "type": "object",
        "properties": {
            "sku": {"type": "string"},
            "limit": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
            "address": {**place, "description": "where"},
            "billing": {"$ref": "#/$defs/Address"},
            "mode": {
                "anyOf": [{"type": "string", "enum": ["a", "b"]}, {"type": "null"}],
                "description": 'By default "a".',
            },
        },
        "required": ["sku", "limit", "address", "billing", "mode"],
        "additionalProperties": False,
        "$defs": {"Address": place},
    }


def test_the_strict_form_of_a_recursive_schema_ends() -> None:
    strict = to_strict(output_schema(Tree).schema)

    assert strict is not None
    assert Check(strict)({"value": 1, "left": {"value": 2, "left": None}}) == []
    assert Check(strict)({"value": 1})


@pytest.mark.parametrize(
    "part",
    [
        {},
        {"type": "object"},
        {"type": "array"},
        {"type": "object", "additionalProperties": {"type": "string"}},
        {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": True},
        {"not": {"type": "string"}},
        {"type": "string", "if": {}, "then": {}},
        {"type": "array", "prefixItems": [{"type": "string"}]},
        {"type": "object", "properties": {}, "patternProperties": {"^a": {}}},
        {"type": "object", "properties": {}, "required": ["a"]},
        {"allOf": [{"type": "string", "pattern": "a"}, {"type": "string", "pattern": "b"}]},
        True,
    ],
)
def test_what_cannot_be_guaranteed_has_no_strict_form(part: Any) -> None:
    assert to_strict({"type": "object", "properties": {"a": part}}) is None


@pytest.mark.parametrize("root", [{"type": "array"}, {}, {"type": "object", "anyOf": [{}]}])
def test_only_plain_objects_have_a_strict_form(root: Any) -> None:
    assert to_strict(root) is None


@pytest.mark.parametrize(
    ("part", "strict"),
    [
        ({"type": "string", "format": "date"}, {"type": "string", "format": "date"}),
        ({"enum": ["a", 1]}, {"type": ["string", "integer"], "enum": ["a", 1]}),
        ({"const": 1}, {"type": "integer", "const": 1}),
        (
            {"oneOf": [{"type": "string"}, {"type": "integer"}]},
            {"anyOf": [{"type": "string"}, {"type": "integer"}]},
        ),
        (
            {"allOf": [{"$ref": "#/definitions/Mode"}], "description": "how"},
            {"type": "string", "enum": ["a"], "description": "how"},
        ),
        ({"$ref": "#/definitions/Mode", "default": None}, {"$ref": "#/$defs/Mode"}),
        (
            {"$ref": "#/definitions/Mode", "default": "a"},
            {"type": "string", "enum": ["a"], "description": 'By default "a".'},
        ),
    ],
)
def test_a_required_part_keeps_what_the_strict_form_can_say(part: Any, strict: Any) -> None:
    made = to_strict(
        {
            "type": "object",
            "properties": {"a": part},
            "required": ["a"],
            "definitions": {"Mode": {"type": "string", "enum": ["a"]}},
        }
    )

    assert made is not None
    assert made["properties"]["a"] == strict


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ({"maxLength": 3, "default": "x"}, 'At most 3 characters. By default "x".'),
        ({"minLength": 1}, "At least 1 character."),
        ({"minLength": 2, "maxLength": 9}, "2 to 9 characters."),
        ({"minLength": 2, "maxLength": 2}, "2 characters."),
        ({"format": "uri"}, "Format: uri."),
        ({"contentEncoding": "base64"}, "Content: base64."),
        ({"examples": ["a", "b", "c", "d"]}, 'For example "a", "b" or "c".'),
        ({"deprecated": True}, "Deprecated."),
        ({"title": "Stock keeping unit"}, "Stock keeping unit."),
        ({"title": "SKU", "description": "The unit."}, "The unit."),
        ({"title": "A Key"}, None),
        ({"description": 'Whose? By default "x".', "default": "x"}, 'Whose? By default "x".'),
        ({"description": "Whose?", "maxLength": 3}, "Whose? At most 3 characters."),
        ({"minLength": 0, "default": None, "uniqueItems": False}, None),
    ],
)
def test_what_the_strict_form_leaves_out_is_told_once_in_the_description(
    part: Any, words: str | None
) -> None:
    made = to_strict({"type": "object", "properties": {"a_key": {"type": "string", **part}}})

    assert made is not None
    told = {} if words is None else {"description": words}
    assert made["properties"]["a_key"] == {
        "anyOf": [{"type": "string"}, {"type": "null"}],
        **told,
    }


def test_a_list_of_different_items_is_told_too() -> None:
    part = {"type": "array", "items": {"type": "string"}, "uniqueItems": True, "minItems": 1}

    made = to_strict({"type": "object", "properties": {"a": part}, "required": ["a"]})

    assert made is not None
    assert made["properties"]["a"] == {
        "description": "No item twice.",
        "minItems": 1,
        "type": "array",
        "items": {"type": "string"},
    }


def test_the_strict_form_of_a_strict_form_is_the_same() -> None:
    once = to_strict(output_schema(Order).schema)

    assert once is not None
    assert to_strict(once) == once


def nested(levels: int) -> dict[str, Any]:
    inner = nested(levels - 1) if levels > 1 else {"type": "string"}
    return {"type": "object", "properties": {"a": inner}, "additionalProperties": False}


@pytest.mark.parametrize(
    ("fits", "too_large"),
    [
        (nested(10), nested(11)),
        (
            {"properties": {f"k{n}": {"type": "string"} for n in range(5000)}},
            {"properties": {f"k{n}": {"type": "string"} for n in range(5001)}},
        ),
        (
            {"properties": {"a": {"enum": list(range(1000))}}},
            {"properties": {"a": {"enum": list(range(1001))}}},
        ),
    ],
    ids=["levels", "keys", "values"],
)
def test_what_is_larger_than_providers_take_has_no_strict_form(
    fits: dict[str, Any], too_large: dict[str, Any]
) -> None:
    assert to_strict({"type": "object", **fits}) is not None
    assert to_strict({"type": "object", **too_large}) is None


@pytest.mark.parametrize(
    "part",
    [
        {"type": ["string", "null"]},
        {"type": ["string", "null"], "enum": ["a", None]},
        {"anyOf": [{"type": "string"}, {"type": "null"}]},
    ],
)
def test_a_part_that_allows_null_already_stays(part: Any) -> None:
    made = to_strict({"type": "object", "properties": {"a": part}})

    assert made is not None
    assert made["properties"]["a"] == part


def test_the_safe_form_has_no_names_of_its_own_and_its_references_still_lead() -> None:
    schema = {
        "$id": "https://example.org/order",
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": {
            "a": {"$ref": "https://example.org/order#/definitions/A"},
            "b": {"$ref": "#short"},
            "$id": {"type": "string"},
        },
        "definitions": {"A": {"type": "string"}, "B": {"$id": "#short", "type": "integer"}},
    }

    safe = provider_safe(schema)

    assert safe == {
        "type": "object",
        "properties": {
            "a": {"$ref": "#/definitions/A"},
            "b": {"$ref": "#/definitions/B"},
            "$id": {"type": "string"},
        },
        "definitions": {"A": {"type": "string"}, "B": {"type": "integer"}},
    }
    assert "$id" in schema


def test_alternatives_at_the_root_become_one_object_and_words() -> None:
    safe = provider_safe(
        {
            "description": "Fetch something.",
            "oneOf": [
                {
                    "type": "object",
                    "properties": {"url": {"type": "string"}, "kind": {"const": "web"}},
                    "required": ["kind", "url"],
                    "additionalProperties": False,
                },
                {"$ref": "#/$defs/File"},
            ],
            "$defs": {
                "File": {
                    "type": "object",
                    "properties": {"path": {"type": "string"}, "kind": {"const": "file"}},
                    "required": ["kind", "path"],
                    "additionalProperties": False,
                }
            },
        }
    )

    assert {key: held for key, held in safe.items() if key != "$defs"} == {
        "type": "object",
        "properties": {
            "url": {"type": "string"},
            "kind": {"type": "string", "enum": ["web", "file"]},
            "path": {"type": "string"},
        },
        "required": ["kind"],
        "additionalProperties": False,
        "description": "Fetch something. Give exactly one of these groups of keys:"
        ' ("kind", "url") or ("kind", "path").',
    }


def test_what_must_fit_together_at_the_root_is_merged() -> None:
    safe = provider_safe(
        {
            "type": "object",
            "allOf": [
                {"properties": {"a": {"type": "integer"}}, "required": ["a"]},
                {"properties": {"a": {"minimum": 3}, "b": {"type": "string"}}},
            ],
            "not": {"required": ["a", "b"]},
        }
    )

    assert safe == {
        "type": "object",
        "properties": {"a": {"type": "integer", "minimum": 3}, "b": {"type": "string"}},
        "required": ["a"],
        "description": 'It must not fit {"required": ["a", "b"]}.',
    }


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "array", "items": {"$ref": "#/$defs/A"}, "$defs": {"A": {"type": "string"}}},
        {"anyOf": [{"type": "string"}, {"type": "array", "items": {"$ref": "#"}}]},
        {"enum": ["a"]},
        {"type": ["object", "null"]},
        {},
    ],
)
def test_what_is_no_object_is_put_under_a_key(schema: Any) -> None:
    safe = provider_safe(schema)

    Check(safe)
    assert (safe["type"], safe["required"]) == ("object", ["value"])
    assert is_wrapped(schema)
    assert unwrapped(schema, {"value": ["a"]}) == ["a"]


def test_the_references_of_a_wrapped_schema_still_lead() -> None:
    schema = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"$ref": "#"}}]}

    safe = Check(provider_safe(schema))

    assert safe({"value": ["a", ["b"]]}) == []
    assert safe({"value": ["a", [1]]})


def test_an_object_is_not_unwrapped() -> None:
    schema = {"type": "object", "properties": {"value": {}}}

    assert not is_wrapped(schema)
    assert unwrapped(schema, {"value": 1}) == {"value": 1}


def test_a_plain_object_is_safe_as_it_is() -> None:
    schema = output_schema(Order).schema

    assert provider_safe(schema) == schema
