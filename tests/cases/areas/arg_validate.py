"""Arguments as a model writes them, held against a plain JSON Schema."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agenthost.actions.validation import conformed
from agenthost_sdk.errors import InvalidInput, SchemaError
from agenthost_sdk.schemas import Problem, input_of
from cases.case_file import Case, Expected, holds_for_one


def run(case: Case) -> None:
    """Validate the arguments of a case as the host does."""
    holds_for_one(case, lambda expected: _judge(case, expected))


def _judge(case: Case, expected: Expected) -> None:
    if next(key for key in expected if key in ("valid", "schema_error")) == "schema_error":
        with pytest.raises(SchemaError):
            input_of(case.input["schema"])
        return
    try:
        value, problems = _validated(case)
    except SchemaError as error:
        raise AssertionError(f"the schema was refused: {error}") from error
    if expected["valid"]:
        assert problems == []
        arguments = expected.get("call_args", json.loads(case.input["args_json"]))
        assert _as_text(value) == _as_text(arguments)
    else:
        path, keyword = tuple(expected["path"]), expected["keyword"]
        fitting = [found for found in problems if (found.path, found.keyword) == (path, keyword)]
        assert fitting, f"a problem of {keyword} at {path} among {problems}"
        for word in expected.get("message_has", ()):
            assert word in str(fitting[0])


def _validated(case: Case) -> tuple[Any, list[Problem]]:
    """Return the arguments that the activity would get, and what is wrong with them."""
    taken = input_of(case.input["schema"])
    try:
        value, _ = conformed(json.loads(case.input["args_json"]), taken)
    except json.JSONDecodeError as error:
        return None, [Problem("", (), "json", str(error))]
    except InvalidInput as error:
        return None, error.problems
    return value, []


def _as_text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)
