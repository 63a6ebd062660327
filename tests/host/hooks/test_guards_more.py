"""No guard can be got round, leave an action without its answer, or end the run."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from agenthost import Agent, PromptTask
from agenthost_sdk import BaseActionGuard, BaseTool, activity
from agenthost_sdk.actions import ToolAction, ToolSpec
from agenthost_sdk.artifacts import BaseArtifact
from agenthost_sdk.testing import ScriptedDriver, calls
from support.sites import CommandLine, Site, plugin_code


class Scale(BaseTool):
    """Weigh things."""

    @activity(read_only=True)
    def weigh(self, grams: int = 1) -> str:
        """Weigh."""
        return f"{grams} g"

    @activity(read_only=True)
    async def later(self) -> str:
        """Weigh, asynchronously."""
        return "later"


class Panic(BaseException):
    """What native code raises is no `Exception`."""


class Raising(BaseActionGuard):
    """Raise before or behind."""

    def __init__(self, error: BaseException, place: str) -> None:
        self._error = error
        self._place = place

    def before(self, action: ToolAction, spec: ToolSpec) -> ToolAction:
        if self._place == "before":
            raise self._error
        return action

    def after(self, action: ToolAction, output: BaseArtifact) -> BaseArtifact:
        if self._place == "after":
            raise self._error
        return output


class Writing(BaseActionGuard):
    """Change an action in some way of its own."""

    def __init__(self, change: Callable[[Any], ToolAction]) -> None:
        self._change = change

    def before(self, action: ToolAction, spec: ToolSpec) -> ToolAction:
        return self._change(action)


class Seeing(BaseActionGuard):
    """Keep the names of the actions that come by."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def before(self, action: ToolAction, spec: ToolSpec) -> ToolAction:
        self.seen.append(action.native)
        return action


def asked(*wanted: tuple[str, dict[str, Any]], guard: BaseActionGuard) -> PromptTask:
    driver = ScriptedDriver([calls(*wanted), "Done."])
    return PromptTask("?", tools=[Scale()], prompt_driver=driver, guards=[guard])


@pytest.mark.parametrize("awaited", [False, True])
@pytest.mark.parametrize(
    "error",
    [Panic("no luck"), asyncio.CancelledError(), GeneratorExit(), SystemExit(3)],
    ids=lambda error: type(error).__name__,
)
@pytest.mark.parametrize("place", ["before", "after"])
def test_whatever_a_guard_raises_is_the_answer_of_that_action(
    place: str, error: BaseException, awaited: bool
) -> None:
    task = asked(("Scale_weigh", {}), ("Scale_later", {}), guard=Raising(error, place))

    run = asyncio.run(task.arun()) if awaited else task.run()

    for action in run.subtasks[0].actions:
        assert f"the guard Raising could not look at it ({type(error).__name__}" in str(
            action.output
        )
    assert str(run.output) == "Done."


def test_an_interrupt_that_a_guard_raises_behind_an_action_is_its_own_error() -> None:
    run = asked(("Scale_weigh", {}), guard=Raising(KeyboardInterrupt(), "after")).run()

    assert "withheld, since the guard Raising" in str(run.subtasks[0].actions[0].output)


def written(action: Any) -> ToolAction:
    action.input["grams"] = 2
    same: ToolAction = action
    return same


@pytest.mark.parametrize(
    "change", [written, lambda action: replace(written(action), input=action.input)]
)
def test_what_a_guard_writes_into_an_action_is_what_runs(
    change: Callable[[Any], ToolAction],
) -> None:
    run = asked(("Scale_weigh", {"grams": 9}), guard=Writing(change)).run()

    [action] = run.subtasks[0].actions
    assert (str(action.output), dict(action.input)) == ("2 g", {"grams": 2})


def test_what_a_guard_writes_into_an_action_is_validated() -> None:
    def spoilt(action: Any) -> ToolAction:
        action.input["grams"] = "many"
        same: ToolAction = action
        return same

    run = asked(("Scale_weigh", {"grams": 9}), guard=Writing(spoilt)).run()

    assert "the guard Writing gave it an input that is refused" in str(
        run.subtasks[0].actions[0].output
    )


@pytest.mark.parametrize("awaited", [False, True])
def test_guards_stand_before_what_an_agent_does_in_an_executor(awaited: bool) -> None:
    inner = ScriptedDriver([calls(("Scale_weigh", {})), "Light."])
    helper = Agent(tools=[Scale()], prompt_driver=inner).as_tool("Helper", "Ask.")
    driver = ScriptedDriver([calls(("Helper_ask", {"question": "?"})), "Done."])
    guard = Seeing()

    with ThreadPoolExecutor(2) as executor:
        task = PromptTask(
            "?", tools=[helper], prompt_driver=driver, guards=[guard], executor=executor
        )
        run = asyncio.run(task.arun()) if awaited else task.run()

    assert str(run.output) == "Done."
    assert guard.seen == ["Helper_ask", "Scale_weigh"]


REFUSING = """
import os
from agenthost_sdk import BaseActionGuard, DeniedError, hookimpl

if "GATE" in os.environ:
    raise RuntimeError("The gate is shut.")

class Refusing(BaseActionGuard):
    '''Refuse all.'''

    def before(self, action, spec):
        raise DeniedError("Never.")

@hookimpl
def agenthost_action_guards():
    return [Refusing]
"""


def test_nothing_runs_where_a_guard_that_there_was_cannot_be_made_any_more(
    site: Site, agenthost: CommandLine
) -> None:
    site.install("greeter", plugin_code())
    site.install("gate", REFUSING)
    call = ("tools", "call", "Greeter_hello", '{"name": "hen"}')

    assert agenthost(*call).code == 6
    shut = agenthost(*call, GATE="shut")

    assert (shut.code, shut.out) == (3, "")
    assert "Plugin gate (agenthost-plugin-gate 1.0): it cannot be imported" in shut.err
