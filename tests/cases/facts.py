"""Assert what the cases say of a schema in words, as far as the words have a known shape."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from agenthost_sdk.errors import InvalidInput
from agenthost_sdk.schemas import provider_safe
from agenthost_sdk.schemas.findings import step_into
from agenthost_sdk.schemas.references import references, subschemas


@dataclass(frozen=True)
class Described:
    """What the facts of a case speak of."""

    schema: Mapping[str, Any]
    #: Returns what becomes of a value: checked, then as the author's types have it.
    take: Callable[[Any], Any]
    description: str = ""
    accepted: tuple[Any, ...] = ()

    @property
    def properties(self) -> Mapping[str, Any]:
        properties: Mapping[str, Any] = self.schema.get("properties", {})
        return properties

    @property
    def sent(self) -> dict[str, Any]:
        """The schema as a provider gets it."""
        return provider_safe(dict(self.schema))


def assert_facts(facts: Iterable[str], described: Described) -> None:
    """Assert each fact whose words are understood; the others are for readers."""
    for fact in facts:
        for pattern, holds in _SHAPES:
            if (found := re.search(pattern, fact, re.DOTALL)) is not None:
                assert holds(described, *found.groups()), fact


def is_refused(take: Callable[[Any], Any], value: Any) -> bool:
    """Return whether a value is refused, by the schema or by the author's types."""
    try:
        take(value)
    except InvalidInput:
        return True
    return False


def _said(described: Described, place: str, literal: str) -> bool:
    found: Any = described.schema
    for step in place.split("."):
        found = found[step]
        while isinstance(found, dict) and "$ref" in found:
            found = step_into(described.schema, found["$ref"].split("/")[1:])
    return json.dumps(found) == json.dumps(_read(literal))


def _read(literal: str) -> Any:
    """Return a value written in JSON or in Python."""
    try:
        return json.loads(literal)
    except ValueError:
        return ast.literal_eval(literal)


def _described_as(described: Described, name: str, words: str) -> bool:
    return bool(described.properties[name].get("description") == words)


def _tool_described_as(described: Described, words: str, absent: str | None) -> bool:
    return described.description == words and (not absent or absent not in described.description)


def _is_no_description(described: Described, words: str) -> bool:
    told = (part.get("description", "") for part in described.properties.values())
    return all(words not in text for text in told)


def _is_required(described: Described, name: str, negation: str | None) -> bool:
    return (name in described.schema.get("required", ())) is (negation is None)


def _is_json(described: Described) -> bool:
    return bool(json.dumps(described.schema, allow_nan=False))


def _has_no_null_default(described: Described) -> bool:
    return all(part.get("default", 0) is not None for part in _parts(described.schema))


def _has_lone_references(described: Described) -> bool:
    return all(len(part) == 1 for part in _parts(described.schema) if "$ref" in part)


def _resolves(described: Described) -> bool:
    schemas = (dict(described.schema), described.sent)
    return all(target is not None for schema in schemas for _, target in references(schema))


def _has_no_keys(described: Described, names: str) -> bool:
    unwanted = set(re.findall(r"'([^']+)'", names))
    return all(unwanted.isdisjoint(part) for part in _parts(described.sent))


def _null_arrives(described: Described, name: str) -> bool:
    inputs = [value for value in described.accepted if value.get(name, 0) is None]
    return bool(inputs) and all(described.take(value)[name] is None for value in inputs)


def _arrives(described: Described, result: str, given: str) -> bool:
    taken = described.take(ast.literal_eval(given))
    return repr(taken) == repr(ast.literal_eval(result))


def _is_refused_later(described: Described, given: str) -> bool:
    return is_refused(described.take, ast.literal_eval(given))


def _parts(schema: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    return (part for _, part in subschemas(dict(schema)))


_SHAPES: tuple[tuple[str, Callable[..., bool]], ...] = (
    (r"^((?:properties|required|type|additionalProperties)\b[\w.]*) == (.+)$", _said),
    (r"^description of '([^']+)' is '(.*)'$", _described_as),
    (r"^(?:tool )?description is '([^']*)'(?: and has no '([^']*)' in it)?$", _tool_described_as),
    (r"^'(.*)' is not a parameter description$", _is_no_description),
    (r"^'([^']+)' (?:is )?(not )?in required$", _is_required),
    (r"^'([^']+)' (?:is )?in properties$", lambda described, name: name in described.properties),
    (
        r"^'([^']+)' (?:is )?not in properties$",
        lambda described, name: name not in described.properties,
    ),
    (r"^no property '([^']+)'$", lambda described, name: name not in described.properties),
    (r"^the schema has type (\w+)$", lambda described, kind: described.schema["type"] == kind),
    (r"^json\.dumps\(schema, allow_nan=False\) works$", _is_json),
    (
        r"^no '(.*)' text in the schema$",
        lambda described, it: it not in json.dumps(described.schema),
    ),
    (r"no 'default': null left", _has_no_null_default),
    (r"no \$ref with sibling keys", _has_lone_references),
    (r"^every \$ref .*resolves", _resolves),
    (r"sent to a provider has (no '.*) key$", _has_no_keys),
    (r"^a null sent by the model for '([^']+)' must reach the tool as None", _null_arrives),
    (r"the tool gets (\{.*\}) for the input (\{.*?\})", _arrives),
    (r"(\{.*\}) passes the JSON schema but is invalid", _is_refused_later),
)
