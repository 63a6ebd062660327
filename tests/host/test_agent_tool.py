"""An agent that is a tool of another."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from agenthost import DEFAULT_RUNNERS, Agent, Limits, Run
from agenthost.requests import Steps
from agenthost.tasks.subtasks import ActionsSubtask
from agenthost_sdk import (
    BaseArtifact,
    BaseTool,
    ErrorArtifact,
    Message,
    PromptStack,
    Usage,
    activity,
)
from agenthost_sdk.actions import ToolAction
from agenthost_sdk.errors import DefinitionError, DriverError
from agenthost_sdk.messages import TextMessageContent
from agenthost_sdk.testing import ScriptedDriver, ToolConformance, calls
from support.runs import carry_out


def echo(stack: PromptStack) -> str:
    return f"You asked: {stack.messages[-1].to_text()}"


def asking(*questions: str, tool: str = "Expert") -> Message:
    return calls(*((f"{tool}_ask", {"question": question}) for question in questions))


def expert(*replies: Any, **options: Any) -> Agent:
    return Agent(prompt_driver=ScriptedDriver(list(replies) or [echo], repeat=True), **options)


def asker(tool: BaseTool, *replies: Any) -> Agent:
    return Agent(tools=[tool], prompt_driver=ScriptedDriver([*replies, "Done."]))


def outputs(run: Run) -> list[BaseArtifact]:
    return [action.output for action in run.subtasks[0].actions if action.output]


def test_an_agent_answers_a_question_of_another(is_async: bool) -> None:
    outer = asker(expert().as_tool("Expert", "Knows all."), asking("Why?"))

    run = carry_out(outer, is_async, "Go.")

    assert run.value == "Done."
    assert [output.value for output in outputs(run)] == ["You asked: Why?"]


def test_each_question_is_a_conversation_of_its_own(is_async: bool) -> None:
    driver = ScriptedDriver([echo], repeat=True)
    inner = Agent(prompt_driver=driver)
    inner.run("Before?")
    outer = asker(inner.as_tool("Expert", "Knows all."), asking("One?"), asking("Two?"))

    carry_out(outer, is_async, "Go.")
    inner.run("After?")

    asked = [[message.to_text() for message in stack.messages] for stack in driver.stacks]
    assert asked == [
        ["Before?"],
        ["One?"],
        ["Two?"],
        ["Before?", "You asked: Before?", "After?"],
    ]


def test_many_questions_of_one_reply_run_side_by_side(is_async: bool) -> None:
    barrier = threading.Barrier(16, timeout=30)

    def meet(stack: PromptStack) -> str:
        barrier.wait()
        return echo(stack)

    questions = [f"Number {number}?" for number in range(16)]
    outer = asker(expert(meet).as_tool("Expert", "Knows all."), asking(*questions))

    run = carry_out(outer, is_async, "Go.")

    assert [output.value for output in outputs(run)] == [f"You asked: {one}" for one in questions]


@pytest.mark.parametrize(
    ("inner", "words", "code"),
    [
        pytest.param(expert(DriverError("overloaded")), "overloaded", "driver", id="its driver"),
        pytest.param(
            expert("", limits=Limits(max_reply_repairs=1)),
            "max_reply_repairs",
            "limit",
            id="a limit",
        ),
    ],
)
def test_what_ends_the_other_agent_is_an_error_of_the_action(
    inner: Agent, words: str, code: str, is_async: bool
) -> None:
    outer = asker(inner.as_tool("Expert", "Knows all."), asking("Why?"))

    run = carry_out(outer, is_async, "Go.")

    (output,) = outputs(run)
    assert isinstance(output, ErrorArtifact)
    assert "Expert has no answer." in output.value
    assert words in output.value
    assert output.code == code


def test_the_answer_tells_what_it_cost() -> None:
    reply = Message("assistant", (TextMessageContent("Because."),), Usage(10, 5))
    tool = expert(reply).as_tool("Expert", "Knows all.")

    output = tool.run(ToolAction("1", "Expert", "ask", {"question": "Why?"}))

    assert output.value == "Because."
    assert output.meta["usage"] == Usage(10, 5)
    assert output.meta["stopped_by"] == "answer"


def test_a_question_that_is_no_text_is_refused() -> None:
    tool = expert().as_tool("Expert", "Knows all.")

    output = tool.run(ToolAction("1", "Expert", "ask", {"question": 7}))

    assert isinstance(output, ErrorArtifact)
    assert "/question" in output.value


def test_an_agent_that_asks_itself_is_stopped(is_async: bool) -> None:
    def give_myself(run: Run, subtask: ActionsSubtask) -> Steps[None]:
        if not subtask.number and "Myself_ask" not in run.toolbox.table.specs:
            run.add_tools(agent.as_tool("Myself", "Is me.", max_depth=3))
        yield from ()

    def reply(stack: PromptStack) -> Any:
        told = stack.messages[-1].content[-1].to_text()
        return f"Told: {told}" if "Told" in told or "max_depth" in told else again

    again = asking("And?", tool="Myself")
    agent = Agent(
        prompt_driver=ScriptedDriver([reply], repeat=True),
        subtask_runners=[give_myself, *DEFAULT_RUNNERS],
    )

    run = carry_out(agent, is_async, "Why?")

    assert run.value == (
        "Told: Told: Told: Told: Myself was not asked: agents wait for one another 3 deep"
        " already (Myself, Myself, Myself), and max_depth is 3. Answer without it."
    )


class Shelf(BaseTool):
    """Hold things."""

    @activity(read_only=True)
    def look(self) -> str:
        """Look."""
        return "a book"

    @activity(destructive=True)
    def burn(self) -> str:
        """Burn all."""
        return "ashes"


@pytest.mark.parametrize(
    ("tools", "reads", "destroys"),
    [
        pytest.param([], True, False, id="none"),
        pytest.param([Shelf(denylist=["burn"])], True, False, id="one that reads"),
        pytest.param([Shelf()], False, True, id="one that destroys"),
    ],
)
def test_an_agent_says_of_itself_what_holds_of_its_tools(
    tools: list[BaseTool], reads: bool, destroys: bool
) -> None:
    tool = expert(tools=tools).as_tool("Expert", "Knows all.")

    stated = tool.specs()[0].annotations

    assert (stated.read_only, stated.destructive) == (reads, destroys)


@pytest.mark.parametrize("max_depth", [0, -1, True, "2"])
def test_an_odd_depth_is_refused(max_depth: Any) -> None:
    with pytest.raises(DefinitionError, match="max_depth is"):
        expert().as_tool("Expert", "Knows all.", max_depth=max_depth)


class TestAgentTool(ToolConformance):
    tool = expert().as_tool(
        "Expert",
        "Answer questions about everything.",
        examples=[("Ask the expert why.", {"question": "Why?"})],
    )
