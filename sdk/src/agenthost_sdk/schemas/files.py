"""Read a JSON Schema that a person gave: a file's name, or the schema itself as JSON text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NoReturn

from agenthost_sdk.errors import SchemaError
from agenthost_sdk.schemas.check import Check
from agenthost_sdk.schemas.findings import JsonSchema


def read_schema(given: str) -> JsonSchema:
    """Return the JSON Schema of a file, or of a text that begins with a curly bracket.

    Raises:
        SchemaError: The file cannot be read, or holds no JSON or no valid JSON Schema; the
            message is one line and names the file.
    """
    text = given.strip()
    if text.startswith("{"):
        return _checked(_parsed(text, "The schema"), "The schema")
    if not text:
        raise SchemaError("No schema was given. Give a file's name, or a schema as JSON text.")
    source = f"The file {text!r:.200}"
    return _checked(_parsed(_content(text), source), source)


def _content(name: str) -> str:
    try:
        return Path(name).expanduser().read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise SchemaError(
            f"The file {name!r:.200} is no text in UTF-8. Give a file with a JSON Schema."
        ) from error
    except (OSError, ValueError, RuntimeError) as error:
        why = str(getattr(error, "strerror", None) or error).rstrip(".")
        raise SchemaError(
            f"The schema file {name!r:.200} cannot be read: {why}."
            " Give a file's name, or a schema as JSON text that begins with '{'."
        ) from error


def _parsed(text: str, source: str) -> Any:
    try:
        return json.loads(text, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise SchemaError(f"{source} is no JSON: {error.msg} at {where}.") from error
    except (ValueError, RecursionError) as error:
        raise SchemaError(f"{source} is no JSON: {error}.") from error


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON value")


def _checked(schema: Any, source: str) -> JsonSchema:
    if not isinstance(schema, dict):
        kind = {list: "an array", str: "a string", type(None): "null"}.get(
            type(schema), "no object"
        )
        raise SchemaError(f"{source} is {kind}; a JSON Schema is an object.")
    try:
        Check(schema)
    except SchemaError as error:
        words = " ".join(str(error).split())
        raise SchemaError(f"{source}: {words}") from error
    return schema
