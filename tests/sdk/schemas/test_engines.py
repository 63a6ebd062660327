"""Both validators against the test suite of JSON Schema, and against each other."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from agenthost_sdk.errors import SchemaError
from agenthost_sdk.schemas import Check, Problem, check
from agenthost_sdk.schemas.python_engine import PythonEngine
from agenthost_sdk.schemas.rust_engine import RustEngine
from agenthost_sdk.schemas.words import worded
from support.data_files import SCHEMA_SUITE, needs

DRAFTS = {
    "draft7": "http://json-schema.org/draft-07/schema#",
    "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
}

#: How many tests the suites have.
TESTS = {"draft7": 1_696, "draft2020-12": 2_193}

#: Groups that refer to a document which the suite would serve on localhost; nothing is fetched,
#: so these schemas are refused. How many tests each has.
REMOTE = {
    "strict-tree schema, guards against misspelled properties": 2,
    "tests for implementation dynamic anchor and reference link": 3,
    "$ref and $dynamicAnchor are independent of order - $defs first": 3,
    "$ref and $dynamicAnchor are independent of order - $ref first": 3,
    "$ref to $dynamicRef finds detached $dynamicAnchor": 2,
}

#: The test whose metaschema would have to be fetched to know that it leaves a vocabulary out.
REMOTE_METASCHEMA = "no validation: invalid number, but it still validates"

#: Where 2020-12 has formats as mere annotations; `check` asserts them unless told otherwise.
ANNOTATED = "format.json"

#: Groups whose `$schema` is a metaschema of its own, which jsonschema cannot do without.
OWN_METASCHEMAS = ("vocabulary.json", "format-assertion.json")

needs_suite = needs(SCHEMA_SUITE)


@dataclass(frozen=True)
class Group:
    """Tests of one schema; the schema names its draft."""

    draft: str
    file: str
    description: str
    schema: Any
    tests: list[dict[str, Any]]

    def problems(self, value: Any) -> list[Problem]:
        """Return what `check` finds; where the suite has formats as annotations, without them."""
        if self.draft == "draft2020-12" and self.file == ANNOTATED:
            return Check(self.schema, formats=False)(value)
        return check(self.schema, value)


def _groups(draft: str) -> Iterator[Group]:
    files = json.loads((SCHEMA_SUITE / f"{draft}.json").read_text("utf-8"))
    for file, groups in files.items():
        for group in groups:
            schema = group["schema"]
            if isinstance(schema, dict):
                schema = {"$schema": DRAFTS[draft], **schema}
            yield Group(draft, file, group["description"], schema, group["tests"])


@needs_suite
@pytest.mark.parametrize("draft", DRAFTS)
def test_the_suite_of_json_schema_is_answered_right(draft: str) -> None:
    tried, wrong, refused = 0, [], {}
    for group in _groups(draft):
        for test in group.tests:
            tried += 1
            try:
                is_valid = group.problems(test["data"]) == []
            except SchemaError:
                refused[group.description] = len(group.tests)
                continue
            if is_valid is not test["valid"]:
                wrong.append(test["description"])

    is_newest = draft == "draft2020-12"
    assert wrong == ([REMOTE_METASCHEMA] if is_newest else [])
    assert refused == (REMOTE if is_newest else {})
    assert tried == TESTS[draft]


@needs_suite
@pytest.mark.parametrize("draft", DRAFTS)
def test_jsonschema_agrees_where_it_knows_the_formats_and_patterns(draft: str) -> None:
    for group in _groups(draft):
        if group.file.startswith("optional/") or group.file.endswith(OWN_METASCHEMAS):
            continue
        try:
            engines = [engine(group.schema, False, {}) for engine in (RustEngine, PythonEngine)]
        except SchemaError:
            continue  # remote, or a pattern that Python cannot compile
        for test in group.tests:
            first, second = (engine.accepts(test["data"]) for engine in engines)
            assert first is second, test["description"]


@needs_suite
@pytest.mark.parametrize("engine", [RustEngine, PythonEngine])
def test_every_refusal_of_the_suite_has_words(engine: Any) -> None:
    for draft in DRAFTS:
        for group in _groups(draft):
            try:
                compiled = engine(group.schema, True, {})
            except SchemaError:
                continue
            for test in group.tests:
                findings = list(compiled.findings(test["data"]))
                assert bool(findings) is not compiled.accepts(test["data"])
                assert all(worded(found).endswith(".") for found in findings)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "object", "required": ["a"], "additionalProperties": False}, {"b": 1}),
        ({"properties": {"a": {"enum": ["x"]}}}, {"a": "y"}),
        ({"multipleOf": 0.01}, 19.995),
        ({"pattern": r"^\d+$"}, "12\n"),
        ({"items": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}, [1, "a"]),
        ({"oneOf": [{"type": "integer"}, {"minimum": 2}]}, 3),
        ({"prefixItems": [{}], "items": False}, [1, 2]),
        ({"propertyNames": {"maxLength": 1}}, {"ab": 1}),
        ({"dependentRequired": {"a": ["b"]}}, {"a": 1}),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"type": "string"}}}, 1),
        ({"additionalProperties": False}, {"a": 1}),
        ({"format": "date"}, "yesterday"),
        (False, 1),
    ],
)
def test_both_validators_find_the_same_in_the_same_words(schema: Any, value: Any) -> None:
    found = [
        [(one.path, one.keyword, worded(one)) for one in engine(schema, True, {}).findings(value)]
        for engine in (RustEngine, PythonEngine)
    ]

    assert found[0]
    assert found[0] == found[1]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "dict"},
        {"properties": {"a": {"minimum": "1"}}},
        {"$ref": "#/$defs/nowhere"},
        {"$ref": "https://example.org/elsewhere"},
    ],
)
def test_both_validators_refuse_a_schema_in_the_same_words(schema: Any) -> None:
    words = []
    for engine in (RustEngine, PythonEngine):
        with pytest.raises(SchemaError) as raised:
            engine(schema, True, {})
        words.append(str(raised.value))

    assert words[0] == words[1]


def test_jsonschema_serves_where_the_faster_validator_is_missing() -> None:
    code = (
        "import sys; sys.modules['jsonschema_rs'] = None\n"
        "from agenthost_sdk.schemas import Check\n"
        "print(*Check({'properties': {'a': {'multipleOf': 0.01}}})({'a': 1.005}))"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "/a: 1.005 is no multiple of 0.01."


def test_only_the_faster_validator_is_imported_where_it_is_there() -> None:
    code = (
        "import sys\n"
        "from agenthost_sdk.schemas import Check\n"
        "Check({'type': 'object'})([])\n"
        "print({'jsonschema', 'pydantic', 'schema', 'docstring_parser'} & set(sys.modules))"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "set()"
