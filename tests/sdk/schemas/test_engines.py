"""Both validators against the test suite of JSON Schema, and against each other."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agenthost_sdk.errors import SchemaError
from agenthost_sdk.schemas import Check
from agenthost_sdk.schemas.python_engine import PythonEngine
from agenthost_sdk.schemas.rust_engine import RustEngine
from agenthost_sdk.schemas.words import worded

SUITE = Path(__file__).parents[4] / "shared" / "data" / "json-schema-test-suite"
DRAFTS = {
    "draft7": "http://json-schema.org/draft-07/schema#",
    "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
}

#: Groups whose `$schema` is a metaschema of its own, which would have to be fetched.
OWN_METASCHEMAS = ("vocabulary.json", "format-assertion.json")

needs_suite = pytest.mark.skipif(not SUITE.is_dir(), reason=f"{SUITE} is not there")


def _groups(draft: str) -> Iterator[tuple[str, dict[str, Any], list[dict[str, Any]]]]:
    """Yield file, schema and tests of each group; the draft is named where the schema does not."""
    files = json.loads((SUITE / f"{draft}.json").read_text("utf-8"))
    for file, groups in files.items():
        for group in groups:
            schema = group["schema"]
            if isinstance(schema, dict):
                schema = {"$schema": DRAFTS[draft], **schema}
            yield file, schema, group["tests"]


@needs_suite
@pytest.mark.parametrize("draft", DRAFTS)
def test_the_suite_of_json_schema_is_answered_right(draft: str) -> None:
    tried, wrong, remote = 0, [], 0
    for file, schema, tests in _groups(draft):
        asserted = draft == "draft7" or file.startswith("optional/format/")
        try:
            check = Check(schema, formats=asserted)
        except SchemaError:
            remote += len(tests)  # the suite would serve what these refer to on localhost
            continue
        for test in tests:
            tried += 1
            if (check(test["data"]) == []) is not test["valid"]:
                wrong.append(f"{file}: {test['description']}")

    assert [name for name in wrong if not name.split(":")[0].endswith(OWN_METASCHEMAS)] == []
    assert len(wrong) <= 3
    assert remote <= 13
    assert tried > 1_600


@needs_suite
@pytest.mark.parametrize("draft", DRAFTS)
def test_jsonschema_agrees_where_it_knows_the_formats_and_patterns(draft: str) -> None:
    for file, schema, tests in _groups(draft):
        if file.startswith("optional/") or file.endswith(OWN_METASCHEMAS):
            continue
        try:
            first, second = RustEngine(schema, False, {}), PythonEngine(schema, False, {})
        except SchemaError:
            continue  # remote, or a pattern that Python cannot compile
        for test in tests:
            assert first.accepts(test["data"]) is second.accepts(test["data"]), test["description"]


@needs_suite
@pytest.mark.parametrize("engine", [RustEngine, PythonEngine])
def test_every_refusal_of_the_suite_has_words(engine: Any) -> None:
    for draft in DRAFTS:
        for _, schema, tests in _groups(draft):
            try:
                compiled = engine(schema, True, {})
            except SchemaError:
                continue
            for test in tests:
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
