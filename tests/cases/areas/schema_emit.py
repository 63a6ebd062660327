"""Schemas that authors write as a `schema.Schema` or a pydantic model, and what they accept."""

from __future__ import annotations

from typing import Any

from agenthost_sdk.errors import InvalidInput
from agenthost_sdk.schemas import Check, output_schema, to_strict
from cases.case_file import Case, written
from cases.facts import Described, assert_facts, is_refused


def run(case: Case) -> None:
    """Hold the instances of a case against the schema that is made of its Python."""
    spec = output_schema(written(case)["SCHEMA"])
    schema = spec.schema
    if case.input["library"].endswith("-strict"):
        strict = to_strict(schema)
        assert strict is not None, "the schema has a strict form"
        schema = strict
    check = Check(schema)

    def take(value: Any) -> Any:
        if problems := check(value):
            raise InvalidInput(problems)
        return spec.parse(value)

    for value in case.expected["accepts"]:
        take(value)
    for value in case.expected["rejects"]:
        assert check(value), f"the schema refuses {value}"
    for disagreement in case.expected.get("library_disagrees", ()):
        _assert_right(disagreement, take)
    accepted = tuple(case.expected["accepts"])
    assert_facts(case.expected.get("facts", ()), Described(schema, take, accepted=accepted))


def _assert_right(disagreement: dict[str, Any], take: Any) -> None:
    right = disagreement.get("right", "")
    if right.startswith("accept"):
        take(disagreement["instance"])
    if right.startswith("reject"):
        assert is_refused(take, disagreement["instance"]), f"{disagreement['instance']} is refused"
