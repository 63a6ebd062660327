"""Tools that are added and removed between the rounds of a run."""

from __future__ import annotations

from typing import Any

import pytest

from agenthost import DEFAULT_RUNNERS, PromptTask, Run
from agenthost.requests import Steps
from agenthost.tasks.subtasks import ActionsSubtask
from agenthost_sdk import BaseTool, ErrorArtifact, PromptStack, activity
from agenthost_sdk.errors import DefinitionError
from support.runs import carry_out, words_of

COUNT = ("Stock", "count", {"sku": "AB"})


class Clock(BaseTool):
    """Tell the time."""

    @activity(read_only=True)
    def now(self, zone: str = "UTC") -> str:
        """Tell the time.

        Args:
            zone: Where.
        """
        return f"noon in {zone}"


NOW = ("Clock", "now", {"zone": "Rome"})


def offered(stack: PromptStack) -> str:
    """Return all that the model is offered, natively or in words."""
    return " ".join([stack.system_text, *(spec.native + spec.name for spec in stack.tools)])


def after_first_round(change: Any) -> Any:
    """Return runners that change the tools once, when the first round has ended."""

    def runner(run: Run, subtask: ActionsSubtask) -> Steps[None]:
        if subtask.finished and not subtask.number:
            change(run)
        yield from ()

    return [*DEFAULT_RUNNERS, runner]


def test_a_tool_that_is_added_is_offered_in_the_next_round(
    voice: Any, stock: Any, is_async: bool
) -> None:
    driver = voice.driver(voice.act(COUNT), voice.act(NOW), voice.answer("Noon."))
    runners = after_first_round(lambda run: run.add_tools(Clock()))
    task = PromptTask("?", tools=[stock], prompt_driver=driver, subtask_runners=runners)

    run = carry_out(task, is_async)

    assert run.value == "Noon."
    assert ["Clock" in offered(stack) for stack in driver.stacks] == [False, True, True]
    assert [str(action.output) for action in run.subtasks[1].actions] == ["noon in Rome"]


def test_a_tool_that_is_removed_is_answered_by_an_error_that_names_what_there_is(
    voice: Any, stock: Any, is_async: bool
) -> None:
    driver = voice.driver(voice.act(COUNT), voice.act(COUNT), voice.answer("Noon."))
    runners = after_first_round(lambda run: run.remove_tools("Stock"))
    task = PromptTask("?", tools=[stock, Clock()], prompt_driver=driver, subtask_runners=runners)

    run = carry_out(task, is_async)

    (action,) = run.subtasks[1].actions
    assert isinstance(action.output, ErrorArtifact)
    assert action.output.code == "not-found"
    assert "Clock" in action.output.value
    assert "Clock" in offered(driver.stacks[1])
    assert "Stock" not in offered(driver.stacks[1])
    assert run.value == "Noon."


def test_what_a_removed_tool_gave_stays_in_the_history(voice: Any, stock: Any) -> None:
    driver = voice.driver(voice.act(COUNT), voice.answer("Two."))
    runners = after_first_round(lambda run: run.remove_tools("Stock"))

    run = PromptTask(
        "?", tools=[stock, Clock()], prompt_driver=driver, subtask_runners=runners
    ).run()

    assert "2" in words_of(driver.stacks[1])
    assert run.value == "Two."


def test_a_tool_is_replaced_by_another_of_its_name(voice: Any, stock: Any) -> None:
    class Other(BaseTool):
        """Count otherwise."""

        name = "Stock"

        @activity(read_only=True)
        def count(self, sku: str) -> int:
            """Count in dozens.

            Args:
                sku: Stock keeping unit.
            """
            return len(sku) * 12

    def replace(run: Run) -> None:
        run.remove_tools("Stock")
        run.add_tools(Other())

    driver = voice.driver(voice.act(COUNT), voice.act(COUNT), voice.answer("Done."))
    task = PromptTask(
        "?", tools=[stock], prompt_driver=driver, subtask_runners=after_first_round(replace)
    )

    run = task.run()

    results = [str(action.output) for one in run.subtasks for action in one.actions]
    assert results == ["2", "24"]


def test_what_changes_in_one_run_changes_no_other(voice: Any, stock: Any) -> None:
    acts = [voice.act(COUNT), voice.answer("Two.")]
    driver = voice.driver(*acts, *acts)
    runners = after_first_round(lambda run: run.add_tools(Clock()))
    task = PromptTask("?", tools=[stock], prompt_driver=driver, subtask_runners=runners)

    task.run()
    task.run()

    assert ["Clock" in offered(stack) for stack in driver.stacks] == [False, True, False, True]


def test_a_tool_of_a_name_that_is_taken_is_refused(voice: Any, stock: Any) -> None:
    task = PromptTask("?", tools=[stock], prompt_driver=voice.driver())
    run = task.new_run()

    with pytest.raises(DefinitionError, match="Two tools are named 'Stock'"):
        run.add_tools(type(stock)())

    assert [tool.name for tool in run.toolbox.tools] == ["Stock"]


def test_a_name_that_nothing_bears_removes_nothing(voice: Any, stock: Any) -> None:
    run = PromptTask("?", tools=[stock], prompt_driver=voice.driver()).new_run()

    run.remove_tools("Clock")

    assert [tool.name for tool in run.toolbox.tools] == ["Stock"]
