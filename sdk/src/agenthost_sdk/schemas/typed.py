"""Take JSON Schema from Python types by pydantic, and turn JSON values into their instances."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping, Sequence
from enum import Enum, Flag
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode
from pydantic_core import PydanticSerializationError, core_schema, to_json

from agenthost_sdk.errors import InvalidInput, SchemaError
from agenthost_sdk.schemas.author_patterns import published_pattern
from agenthost_sdk.schemas.docstrings import unwrapped
from agenthost_sdk.schemas.findings import JsonSchema
from agenthost_sdk.schemas.json_values import foreign
from agenthost_sdk.schemas.problems import Path, Problem, in_order, problem_at
from agenthost_sdk.schemas.references import subschemas, with_plain_root


class Typed:
    """A Python type with its JSON Schema.

    Raises:
        SchemaError: Pydantic cannot make a JSON Schema of the type.
    """

    def __init__(self, kind: Any) -> None:
        try:
            self._adapter: TypeAdapter[Any] = TypeAdapter(kind)
            schema = self._adapter.json_schema(schema_generator=_Generator)
        except SchemaError as error:
            raise SchemaError(f"{_named(kind)} has no JSON Schema: {error}") from error
        except Exception as error:  # pydantic runs code of the type's author
            raise SchemaError(f"{_named(kind)} has no JSON Schema: {_first(error)}") from error
        self.schema: JsonSchema = with_plain_root(schema)

    def parse(self, value: Any) -> Any:
        """Return an instance of the type for a JSON value.

        The value is read as JSON, not as Python objects, so that a text becomes a date where the
        type says so, and a list a set.

        Raises:
            InvalidInput: The type refuses the value.
        """
        try:
            return self._adapter.validator.validate_json(to_json(value))
        except ValidationError as error:
            raise InvalidInput(in_order(_problems(error, value))) from error


class _Generator(GenerateJsonSchema):
    """Pydantic's generator, without the titles that it makes up, and with JSON throughout."""

    ignored_warning_kinds = {"skipped-choice", "non-serializable-default"}  # noqa: RUF012 - its type

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._enums: dict[str, type[Enum]] = {}

    def generate(self, schema: Any, mode: JsonSchemaMode = "validation") -> JsonSchema:
        generated = super().generate(schema, mode)
        for _, part in subschemas(generated):
            kind = self._enums.get(part.get("title", ""))
            if kind is not None and ("enum" in part or issubclass(kind, Flag)):
                _tell_enum(part, kind)
        return generated

    def sort(self, value: Any, parent_key: str | None = None) -> Any:  # noqa: ARG002 - likewise
        return value  # the order in which the author wrote the fields

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002 - its signature
        return False

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchema:
        return _told(super().model_schema(schema), schema["cls"])

    def dataclass_schema(self, schema: core_schema.DataclassSchema) -> JsonSchema:
        return _closed(_told(super().dataclass_schema(schema), schema["cls"]))

    def typed_dict_schema(self, schema: core_schema.TypedDictSchema) -> JsonSchema:
        return _closed(_told(super().typed_dict_schema(schema), schema.get("cls")))

    def enum_schema(self, schema: core_schema.EnumSchema) -> JsonSchema:
        kind = schema["cls"]
        self._enums[kind.__name__] = kind
        _check_members(schema["members"])
        if issubclass(kind, Flag):  # members are added up, so their values alone are too few
            return {"type": "integer", "minimum": 0, "maximum": sum(one.value for one in kind)}
        emitted = super().enum_schema(schema)
        if "enum" in emitted:
            emitted["enum"] = list(dict.fromkeys(emitted["enum"]))  # two names of one value
        return emitted

    def literal_schema(self, schema: core_schema.LiteralSchema) -> JsonSchema:
        members = [one for one in schema["expected"] if isinstance(one, Enum)]
        _check_members(members)
        for member in members:
            if not isinstance(member, str | int):
                raise SchemaError(
                    f"Literal[{member}] is never met by what comes from JSON. Write"
                    f" Literal[{member.value!r}], or make {type(member).__name__} a StrEnum or"
                    " an IntEnum."
                )
        return super().literal_schema(schema)

    def tagged_union_schema(self, schema: core_schema.TaggedUnionSchema) -> JsonSchema:
        union = super().tagged_union_schema(schema)
        union.pop("discriminator", None)  # OpenAPI's, not JSON Schema's
        return union

    def str_schema(self, schema: core_schema.StringSchema) -> JsonSchema:
        emitted = super().str_schema(schema)
        if "pattern" in emitted:
            pattern = published_pattern(
                emitted.pop("pattern"), getattr(schema.get("pattern"), "flags", 0)
            )
            emitted |= {"pattern": pattern} if pattern is not None else {}
        return emitted

    def get_decimal_pattern(self, schema: core_schema.DecimalSchema) -> str | None:
        return self.build_decimal_pattern(schema)

    def encode_default(self, dft: Any) -> Any:
        encoded = super().encode_default(dft)
        if foreign(encoded):
            raise PydanticSerializationError("not JSON")
        return encoded


def _told(schema: JsonSchema, kind: type | None) -> JsonSchema:
    """Take away a title that is only the class's name, and the line breaks of its docstring."""
    config: Mapping[str, Any] = getattr(kind, "model_config", {})
    if schema.get("description") == inspect.cleandoc(getattr(kind, "__doc__", None) or ""):
        schema["description"] = unwrapped(schema["description"])
    if "title" not in config and schema.get("title") == getattr(kind, "__name__", None):
        schema.pop("title", None)
    return schema


def _check_members(members: Sequence[Enum]) -> None:
    for member in members:
        if not isinstance(member.value, str | int | float | None):
            raise SchemaError(
                f"{member} is {member.value!r}, which JSON cannot bring. Give the members of"
                f" {type(member).__name__} texts or numbers as values."
            )


def _tell_enum(schema: JsonSchema, kind: type[Enum]) -> None:
    """Take away the title that is only the class's name, and say what an enum's values cannot."""
    del schema["title"]
    told = [unwrapped(schema["description"])] if "description" in schema else []
    if issubclass(kind, Flag):
        named = ", ".join(f"{one.value} {name}" for name, one in kind.__members__.items())
        told.append(f"The sum of what applies: {named}.")
    schema |= {"description": " ".join(told)} if told else {}


def _closed(schema: JsonSchema) -> JsonSchema:
    """Allow no further keys where nothing speaks of them: pydantic would drop them in silence."""
    schema.setdefault("additionalProperties", False)
    return schema


def _problems(error: ValidationError, value: Any) -> list[Problem]:
    faults = error.errors(include_url=False, include_context=False, include_input=False)
    return [problem_at(_path(f["loc"], value), "parse", _sentence(f["msg"])) for f in faults]


def _path(location: tuple[str | int, ...], value: Any) -> Path:
    """Return the steps that lead into the value; pydantic also names alternatives by steps."""
    path: list[str | int] = []
    for step in location:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            continue
        path.append(step)
    return tuple(path)


def _sentence(message: str) -> str:
    words = re.sub(r"^(Value|Assertion) (error|failed),? ?", "", message).strip()
    words = words or "The value is refused, without a reason"  # its author gave none
    return words if words.endswith((".", "!", "?")) else f"{words}."


def _first(error: BaseException) -> str:
    return re.split(r"\n|\. ", str(error))[0].rstrip(".") + "."


def _named(kind: Any) -> str:
    return getattr(kind, "__name__", None) or str(kind)
