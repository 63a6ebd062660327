"""The tool that takes the answer: beside other actions, several times, at limits."""

from __future__ import annotations

from typing import Any

from agenthost import Limits, PromptTask
from agenthost_sdk import ErrorArtifact, Message
from agenthost_sdk.messages import (
    ActionCallMessageContent,
    ActionResultMessageContent,
)
from agenthost_sdk.testing import ScriptedDriver, calls
from support.final_answers import OUTPUT, Person, Stock
from support.runs import words_of


def test_the_rule_of_the_output_tool_stands_once_too(voice: Any) -> None:
    wrong = [voice.answer("Ada, who is 36.")] * 2
    right = voice.act((*OUTPUT, {"name": "Ada", "age": 36}))
    driver = voice.driver(*wrong, right, structured_output_strategy="tool")

    run = PromptTask("Who?", prompt_driver=driver, output_schema=Person).run()

    assert run.value == Person(name="Ada", age=36)
    assert [words_of(stack).count("and in no other way") for stack in driver.stacks] == [1, 1, 1]
    told = driver.stacks[-1].messages[-1].to_text()
    assert "StructuredOutputTool_provide_output" in told


def test_answers_by_the_output_tool_that_stay_wrong_reach_no_limit_of_actions(voice: Any) -> None:
    wrong = voice.act((*OUTPUT, {"name": "Ada", "age": "x"}))
    act = voice.act(("Stock", "count", {"sku": "AB"}))
    driver = voice.driver(act, *[wrong] * 7, structured_output_strategy="tool")
    limits = Limits(max_output_repairs=6, max_subtasks=1, max_repeats=2, max_consecutive_errors=1)
    task = PromptTask(
        "Who?", tools=[Stock()], prompt_driver=driver, output_schema=Person, limits=limits
    )

    run = task.run()

    assert run.stopped_by == "max_output_repairs"
    assert len(driver.stacks) == 8


def test_actions_beside_the_final_answer_are_answered_as_not_run(voice: Any) -> None:
    reply = voice.act(("Stock", "count", {"sku": "A"}), (*OUTPUT, {"name": "Ada", "age": 36}))
    driver = voice.driver(reply, structured_output_strategy="tool")
    task = PromptTask("Who?", tools=[Stock()], prompt_driver=driver, output_schema=Person)

    run = task.run()

    beside, _ = run.subtasks[0].actions
    assert run.value == Person(name="Ada", age=36)
    assert "was not run" in str(beside.output)


def test_actions_beside_a_refused_answer_run_and_each_call_has_its_result() -> None:
    driver = ScriptedDriver(
        [
            calls(
                ("Stock_count", {"sku": "AB"}),
                ("StructuredOutputTool_provide_output", {"name": "Ada", "age": "x"}),
            ),
            calls(("StructuredOutputTool_provide_output", {"name": "Ada", "age": 36})),
        ],
        structured_output_strategy="tool",
    )
    task = PromptTask("Who?", tools=[Stock()], prompt_driver=driver, output_schema=Person)

    run = task.run()

    results = [
        block
        for message in driver.stacks[1].messages
        for block in message.content
        if isinstance(block, ActionResultMessageContent)
    ]
    assert run.value == Person(name="Ada", age=36)
    assert str(results[0].output) == "2"
    assert "/age" in str(results[1].output)


def test_of_several_final_answers_in_a_reply_the_first_that_fits_is_taken(voice: Any) -> None:
    reply = voice.act(
        (*OUTPUT, {"name": "Ada", "age": "x"}),
        (*OUTPUT, {"name": "Ada", "age": 36}),
        (*OUTPUT, {"name": "Bob", "age": 5}),
    )
    driver = voice.driver(reply, structured_output_strategy="tool")

    run = PromptTask("Who?", prompt_driver=driver, output_schema=Person).run()

    refused, taken, beside = (action.output for action in run.subtasks[0].actions)
    assert run.value == Person(name="Ada", age=36)
    assert "/age" in str(refused)
    assert not isinstance(taken, ErrorArtifact)
    assert "was not run" in str(beside)


def test_where_no_final_answer_of_a_reply_fits_each_is_told_why(voice: Any) -> None:
    driver = voice.driver(
        voice.act((*OUTPUT, {"name": "Ada", "age": "x"}), (*OUTPUT, {"age": 36})),
        voice.act((*OUTPUT, {"name": "Ada", "age": 36})),
        structured_output_strategy="tool",
    )

    run = PromptTask("Who?", prompt_driver=driver, output_schema=Person).run()

    first, second = (str(action.output) for action in run.subtasks[0].actions)
    assert run.value == Person(name="Ada", age=36)
    assert "/age" in first
    assert "name" in second


def test_a_final_answer_that_cannot_be_read_counts_as_a_repair_of_the_answer() -> None:
    cut = ActionCallMessageContent("c", f"{OUTPUT[0]}_{OUTPUT[1]}", '{"name": "Ada", "ag')
    driver = ScriptedDriver([Message("assistant", (cut,))] * 5, structured_output_strategy="tool")

    run = PromptTask(
        "Who?", prompt_driver=driver, output_schema=Person, limits=Limits(max_output_repairs=2)
    ).run()

    assert run.stopped_by == "max_output_repairs"
    assert len(driver.stacks) == 3
    assert "cut off" in str(run.value)


def test_a_text_where_the_output_tool_is_wanted_is_handed_back_with_its_name() -> None:
    driver = ScriptedDriver(
        [
            "Her name is Ada and she is 36.",
            calls(("StructuredOutputTool_provide_output", {"name": "Ada", "age": 36})),
        ],
        structured_output_strategy="tool",
    )

    run = PromptTask("Who?", prompt_driver=driver, output_schema=Person).run()

    assert run.value == Person(name="Ada", age=36)
    assert "StructuredOutputTool_provide_output" in words_of(driver.stacks[1])


def test_at_a_limit_the_output_tool_alone_stays_on_offer() -> None:
    driver = ScriptedDriver(
        [
            calls(("Stock_count", {"sku": "A"})),
            calls(("Stock_count", {"sku": "AB"})),
            calls(("StructuredOutputTool_provide_output", {"name": "Ada", "age": 36})),
        ],
        structured_output_strategy="tool",
    )
    task = PromptTask(
        "Who?",
        tools=[Stock()],
        prompt_driver=driver,
        output_schema=Person,
        limits=Limits(max_subtasks=1),
    )

    run = task.run()

    assert (run.value, run.stopped_by) == (Person(name="Ada", age=36), "max_subtasks")
    assert [one.native for one in driver.stacks[2].tools] == [
        "StructuredOutputTool_provide_output"
    ]
