"""Functions that authors write, the schema inferred from each, and how it is called."""

from __future__ import annotations

import functools
import inspect
import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from agenthost_sdk import BaseTool, ToolAction, activity
from agenthost_sdk.artifacts import ErrorArtifact, InfoArtifact
from agenthost_sdk.errors import InvalidInput, SchemaError
from cases.case_file import Case, Expected, holds_for_one, written
from cases.facts import Described, assert_facts, is_refused


def run(case: Case) -> None:
    """Make an activity of the function of a case, and let it take inputs."""
    function = written(case)["F"]
    tool = _tool_of(function)
    if "error" in case.expected:
        _assert_refused_at_registration(tool, function, case.expected)
        return
    taken = tool.inputs["F"]

    def take(value: Any) -> Any:
        if problems := taken.check(value):
            raise InvalidInput(problems)
        return taken.parse(value)

    for value in case.expected["accepts"]:
        take(value)
    for value in case.expected["rejects"]:
        assert is_refused(take, value), f"{value} is refused"
    for disagreement in case.expected.get("library_disagrees", ()):
        refused = is_refused(take, disagreement["instance"])
        assert refused is disagreement["right"].startswith("reject")
    assert sorted(taken.schema.get("required", ())) == sorted(case.expected["required"])
    if "call" in case.expected:
        holds_for_one(case, lambda expected: _assert_result(tool, function, expected["call"]))
    _assert_must_not(case.expected.get("must_not", ""), taken.schema, function)
    facts = Described(taken.schema, take, taken.description, tuple(case.expected["accepts"]))
    assert_facts(case.expected.get("facts", ()), facts)


def _tool_of(function: Callable[..., Any]) -> BaseTool:
    """Return a tool whose one activity is the function."""
    signature = inspect.signature(function)
    first = inspect.Parameter("tool", inspect.Parameter.POSITIONAL_ONLY)

    @functools.wraps(function)
    def method(_tool: Any, /, *args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    method.__name__ = "F"
    taken: Any = method
    taken.__signature__ = signature.replace(parameters=[first, *signature.parameters.values()])
    tool: type[BaseTool] = type("Case", (BaseTool,), {"F": activity(method)})
    return tool()


def _assert_refused_at_registration(
    tool: BaseTool, function: Callable[..., Any], expected: Expected
) -> None:
    with pytest.raises(SchemaError) as raised:
        _ = tool.inputs
    named = re.findall(r"'([^']+)'", expected.get("must", ""))
    for word in (*named, function.__name__):
        assert word in str(raised.value)


def _assert_result(tool: BaseTool, function: Callable[..., Any], call: dict[str, Any]) -> None:
    output = tool.run(ToolAction("call", "Case", "F", call["args"]))
    assert not isinstance(output, ErrorArtifact), str(output)
    result = None if isinstance(output, InfoArtifact) else output.value
    assert json.dumps(result) == json.dumps(call["result"])


def _assert_must_not(words: str, schema: dict[str, Any], function: Callable[..., Any]) -> None:
    properties: dict[str, Any] = schema["properties"]
    if "publish an array schema" in words:
        assert schema["type"] == "object"
    if found := re.search(r"require '(\w+)'", words):
        assert found[1] not in schema.get("required", ())
        assert properties.get(found[1], {}).get("type") != "string"
    if "for an unannotated parameter" in words:
        for name, parameter in inspect.signature(function).parameters.items():
            assert (
                parameter.annotation is not inspect.Parameter.empty
                or "type" not in properties[name]
            )
    if "every parameter as type" in words:
        assert len({json.dumps(part.get("type")) for part in properties.values()}) > 1
