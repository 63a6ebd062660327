"""The conformance class for action guards passes a good guard, and finds each fault."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from agenthost_sdk import BaseActionGuard, DeniedError
from agenthost_sdk.actions import ToolAction, ToolSpec
from agenthost_sdk.artifacts import BaseArtifact, TextArtifact
from agenthost_sdk.testing import ActionGuardConformance
from agenthost_sdk.testing.checks import run_tests


class Keeper(BaseActionGuard):
    """Let nothing be destroyed, and shorten what is long."""

    def before(self, action: ToolAction, spec: ToolSpec) -> ToolAction:
        if spec.annotations.destructive:
            raise DeniedError("It may destroy something.")
        return replace(action, input={**action.input, "seen": True})

    def after(self, action: ToolAction, output: BaseArtifact) -> BaseArtifact:
        return TextArtifact(output.to_text()[:10])


class TestKeeper(ActionGuardConformance):
    guard = Keeper


class Undescribed(Keeper):
    pass


class Raising(BaseActionGuard):
    """Look for a key that is rarely there."""

    def before(self, action: ToolAction, spec: ToolSpec) -> ToolAction:
        _ = action.input["text"]
        return action


class Silent(BaseActionGuard):
    """Refuse without a word."""

    def before(self, action: ToolAction, spec: ToolSpec) -> ToolAction:
        raise DeniedError("")

    def after(self, action: ToolAction, output: BaseArtifact) -> BaseArtifact:
        raise DeniedError(" ")


class Renaming(BaseActionGuard):
    """Make another action of it."""

    def before(self, action: ToolAction, spec: ToolSpec) -> ToolAction:
        return replace(action, name="Other")


class Meddling(BaseActionGuard):
    """Write into the input itself."""

    def before(self, action: ToolAction, spec: ToolSpec) -> ToolAction:
        for value in action.input.values():
            if isinstance(value, list):
                value.clear()
        return action


class Narrow(BaseActionGuard):
    """Believe that every output is a text of JSON."""

    def after(self, action: ToolAction, output: BaseArtifact) -> BaseArtifact:
        result: Any = output.value["answer"]
        return result if isinstance(result, BaseArtifact) else output


class Awaited(BaseActionGuard):
    """Be awaited by nobody."""

    async def before(self, action: ToolAction, spec: ToolSpec) -> ToolAction:  # type: ignore[override]
        return action


@pytest.mark.filterwarnings("ignore:coroutine .* was never awaited")
@pytest.mark.parametrize(
    ("guard", "expected"),
    [
        (Keeper, set()),
        (Undescribed, {"the guard is described"}),
        (Raising, {"before returns the action or refuses it"}),
        (
            Silent,
            {
                "before returns the action or refuses it",
                "after returns an artifact or withholds it",
            },
        ),
        (Renaming, {"before returns the action or refuses it"}),
        (Meddling, {"before leaves the actions input alone"}),
        (Narrow, {"after returns an artifact or withholds it"}),
        (
            Awaited,
            {"its methods are plain functions", "before returns the action or refuses it"},
        ),
    ],
)
def test_each_fault_of_a_guard_is_found(guard: type[BaseActionGuard], expected: set[str]) -> None:
    tests = type("TestIt", (ActionGuardConformance,), {"guard": guard})

    assert {one.check for one in run_tests(tests) if one.state == "failed"} == expected
