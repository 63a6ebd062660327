"""Guards look at every action before it runs and at what came of it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from agenthost import Agent, Host, Permissions, PromptTask, Workflow, WorkflowStep
from agenthost.actions.permission import Decision
from agenthost_sdk import BaseActionGuard, BaseTool, DeniedError, TextArtifact, activity
from agenthost_sdk.actions import ToolAction, ToolSpec
from agenthost_sdk.artifacts import BaseArtifact
from agenthost_sdk.errors import DefinitionError
from agenthost_sdk.events import BaseEvent, FinishActionEvent
from agenthost_sdk.testing import ScriptedDriver, calls
from support.sites import CommandLine, Site


class Shelf(BaseTool):
    """Take things off a shelf."""

    taken: list[str] = []  # noqa: RUF012 - each tool gets its own copy

    @activity
    def take(self, thing: str, count: int = 1) -> str:
        """Take a thing."""
        self.taken.append(f"{count} {thing}")
        return f"took {count} {thing}"

    @activity
    async def put(self, thing: str) -> str:
        """Put a thing back."""
        return f"put {thing}"


class Halving(BaseActionGuard):
    """Let at most two be taken, and say nothing of glass."""

    def before(self, action: ToolAction, spec: ToolSpec) -> ToolAction:
        if action.input.get("thing") == "gold":
            raise DeniedError("Gold stays on the shelf.")
        if action.input.get("count", 1) > 2:
            return replace(action, input={**action.input, "count": 2})
        return action

    def after(self, action: ToolAction, output: BaseArtifact) -> BaseArtifact:
        if "secret" in output.to_text():
            raise DeniedError("Nobody is to know.")
        return TextArtifact(output.to_text().replace("glass", "…"))


class Broken(BaseActionGuard):
    """Fail before or behind."""

    def __init__(self, before: Any = None, after: Any = None) -> None:
        self._before = before
        self._after = after

    def before(self, action: ToolAction, spec: ToolSpec) -> ToolAction:
        result: ToolAction = self._before(action) if self._before else action
        return result

    def after(self, action: ToolAction, output: BaseArtifact) -> BaseArtifact:
        result: BaseArtifact = self._after(output) if self._after else output
        return result


def outputs(
    *asked: tuple[str, dict[str, Any]], guards: Any, tool: Shelf | None = None, **options: Any
) -> list[str]:
    """Return what comes of actions under guards."""
    driver = ScriptedDriver([calls(*asked), "Done."])
    task = PromptTask("?", tools=[tool or Shelf()], prompt_driver=driver, guards=guards, **options)
    return [str(action.output) for action in task.run().subtasks[0].actions]


def test_a_guard_lets_pass_changes_and_refuses_each_action_by_itself() -> None:
    shelf = Shelf()

    told = outputs(
        ("Shelf_take", {"thing": "cup"}),
        ("Shelf_take", {"thing": "cup", "count": 9}),
        ("Shelf_take", {"thing": "gold"}),
        ("Shelf_take", {"thing": "glass"}),
        ("Shelf_put", {"thing": "glass"}),
        ("Shelf_take", {"thing": "secret"}),
        guards=[Halving()],
        tool=shelf,
    )

    assert told == [
        "took 1 cup",
        "took 2 cup",
        "Gold stays on the shelf.",
        "took 1 …",
        "put …",
        "Nobody is to know.",
    ]
    assert sorted(shelf.taken) == ["1 cup", "1 glass", "1 secret", "2 cup"]


def test_what_a_guard_hides_no_listener_sees() -> None:
    seen: list[str] = []

    def listen(event: BaseEvent) -> None:
        if isinstance(event, FinishActionEvent):
            seen.append(str(event.output))

    outputs(("Shelf_take", {"thing": "glass"}), guards=[Halving()], listeners=[listen])

    assert seen == ["took 1 …"]


def test_an_awaited_run_is_guarded_too() -> None:
    driver = ScriptedDriver(
        [calls(("Shelf_take", {"thing": "gold"}), ("Shelf_put", {"thing": "glass"})), "Done."]
    )
    task = PromptTask("?", tools=[Shelf()], prompt_driver=driver, guards=[Halving()])

    run = asyncio.run(task.arun())

    told = [str(action.output) for action in run.subtasks[0].actions]
    assert told == ["Gold stays on the shelf.", "put …"]


@pytest.mark.parametrize(
    ("guard", "words"),
    [
        (
            Broken(before=lambda action: 1 / 0),
            "did not run, since the guard Broken could not look",
        ),
        (Broken(before=lambda action: None), "it returned NoneType, and must return the action"),
        (
            Broken(before=lambda action: replace(action, path="put")),
            "it made another action of it, Shelf_put",
        ),
        (
            Broken(before=lambda action: replace(action, input={"count": "many"})),
            "the guard Broken gave it an input that is refused",
        ),
        (Broken(before=lambda action: exit(3)), "could not look at it"),
        (Broken(after=lambda output: 1 / 0), "ran, and what came of it is withheld"),
        (Broken(after=lambda output: "text"), "it returned str, and must return an artifact"),
    ],
)
def test_a_guard_that_fails_refuses_and_is_named(guard: BaseActionGuard, words: str) -> None:
    [told] = outputs(("Shelf_take", {"thing": "cup"}), guards=[guard])

    assert words in told
    assert "took" not in told


def test_a_denied_action_reaches_no_guard_and_a_person_sees_what_it_left() -> None:
    asked: list[ToolAction] = []

    def approve(action: ToolAction, spec: ToolSpec) -> Decision:
        asked.append(action)
        return Decision(True)

    permissions = Permissions(deny=["*_put"], approver=approve)

    told = outputs(
        ("Shelf_put", {"thing": "cup"}),
        ("Shelf_take", {"thing": "cup", "count": 5}),
        guards=[Halving()],
        permissions=permissions,
    )

    assert "denies it" in told[0]
    assert [dict(action.input) for action in asked] == [{"thing": "cup", "count": 2}]


@pytest.mark.parametrize("thing", ["gold", "glass"])
def test_a_guard_stands_before_the_steps_of_a_workflow(thing: str) -> None:
    shelf = Shelf()
    steps = [WorkflowStep(shelf, "take", {"thing": thing})]
    flow = Workflow("Both", "Take it.", steps)
    driver = ScriptedDriver([calls(("Both_run", {})), "Done."])

    run = PromptTask("?", tools=[flow], prompt_driver=driver, guards=[Halving()]).run()

    told = str(run.subtasks[0].actions[0].output)
    assert ("Gold stays on the shelf." in told) == (thing == "gold")
    assert ("took 1 …" in told) == (thing == "glass")
    assert shelf.taken.count("1 gold") == 0


def test_a_guard_stands_before_the_actions_of_an_agent_that_is_a_tool() -> None:
    inner = ScriptedDriver([calls(("Shelf_take", {"thing": "gold"})), "It stays."])
    clerk = Agent(tools=[Shelf()], prompt_driver=inner).as_tool("Clerk", "Takes things.")
    driver = ScriptedDriver([calls(("Clerk_ask", {"question": "Take gold."})), "Done."])

    PromptTask("?", tools=[clerk], prompt_driver=driver, guards=[Halving()]).run()

    assert "Gold stays on the shelf." in str(inner.stacks[1].messages[-1].content)


def test_guards_that_are_none_are_refused() -> None:
    with pytest.raises(DefinitionError, match="is no guard"):
        outputs(guards=[Halving])
    with pytest.raises(DefinitionError, match="must be a list"):
        outputs(guards=Halving())


GUARD = """
from agenthost_sdk import BaseActionGuard, DeniedError, hookimpl

class Keeper(BaseActionGuard):
    '''Let nobody greet the fox.'''

    def before(self, action, spec):
        if action.input.get("name") == "fox":
            raise DeniedError("Nobody greets the fox.")
        return action

    def after(self, action, output):
        return output.__class__(str(output).upper())

@hookimpl
def agenthost_action_guards():
    return [Keeper]
"""

GREETER = """
from agenthost_sdk import BaseTool, activity, hookimpl

class Greeter(BaseTool):
    '''Greet.'''

    @activity(read_only=True)
    def hello(self, name: str) -> str:
        '''Say hello.

        Args:
            name: Whom to greet.
        '''
        return f"Hello {name}"

@hookimpl
def agenthost_tools():
    return [Greeter]
"""


def test_a_guard_of_a_plugin_stands_before_every_tool(site: Site, agenthost: CommandLine) -> None:
    site.install("keeper", GUARD)
    site.install("greeter", GREETER)

    told = agenthost("tools", "call", "Greeter_hello", '{"name": "hen"}')
    refused = agenthost("tools", "call", "Greeter_hello", '{"name": "fox"}', "--json")
    shown = agenthost("plugins", "show", "keeper", "--json").json["data"]

    assert (told.code, told.out) == (0, "HELLO HEN\n")
    assert (refused.code, refused.json["error"]["code"]) == (6, "denied")
    assert "Nobody greets the fox." in refused.json["error"]["message"]
    assert "Keeper" in str(shown)


def test_a_plugin_whose_guard_cannot_be_made_is_reported_and_left_out(
    installed: Site, tmp_path: Any
) -> None:
    installed.install("keeper", GUARD + "\nKeeper.__init__ = lambda self: 1 / 0\n")
    host = Host(tmp_path)

    agent = host.agent("?", tools=["Calculator"], prompt_driver=ScriptedDriver(["Fine."]))

    assert agent.setup.guards == ()
    assert any("guard Keeper cannot be used: ZeroDivisionError" in one for one in host.problems())
