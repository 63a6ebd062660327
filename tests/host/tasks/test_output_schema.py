"""Answers that must fit a schema: one check and one repair loop, whatever the strategy."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import Any

import pytest
from pydantic import BaseModel
from schema import Schema

from agenthost import Limits, PromptTask, Run
from agenthost_sdk import BaseTool, ErrorArtifact, Message, PromptStack, activity
from agenthost_sdk.errors import SchemaError
from agenthost_sdk.messages import (
    ActionCallMessageContent,
    ActionResultMessageContent,
    TextMessageContent,
)
from agenthost_sdk.testing import ScriptedDriver, calls

OUTPUT = ("StructuredOutputTool", "provide_output")


class Person(BaseModel):
    """A person."""

    name: str
    age: int


@dataclass
class Boat:
    """A boat."""

    name: str
    berth: int = 1


class Stock(BaseTool):
    """Look up stock."""

    @activity(read_only=True)
    def count(self, sku: str) -> int:
        """Count the units on hand.

        Args:
            sku: Stock keeping unit.
        """
        return len(sku)


def carry_out(task: PromptTask, is_async: bool) -> Run:
    return asyncio.run(task.arun()) if is_async else task.run()


def said(stack: PromptStack) -> str:
    return "\n".join(block.to_text() for message in stack.messages for block in message.content)


@pytest.fixture(params=["native", "tool", "rule"])
def strategy(request: pytest.FixtureRequest) -> str:
    """Run the test once with each strategy."""
    return str(request.param)


def final(voice: Any, strategy: str, value: Any) -> Message:
    """Return a reply that gives the answer as the strategy has it."""
    if strategy == "tool":
        reply: Message = voice.act((*OUTPUT, value))
    else:
        reply = voice.answer(json.dumps(value))
    return reply


@pytest.mark.parametrize(
    ("spec", "value"),
    [
        (Person, Person(name="Ada", age=36)),
        (Schema({"name": str, "age": int}), {"name": "Ada", "age": 36}),
        (
            {
                "type": "object",
                "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
                "required": ["name"],
            },
            {"name": "Ada", "age": 36},
        ),
    ],
    ids=["pydantic", "schema", "json-schema"],
)
def test_the_value_is_of_the_type_that_was_asked_for(
    voice: Any, strategy: str, spec: Any, value: Any, is_async: bool
) -> None:
    driver = voice.driver(
        final(voice, strategy, {"name": "Ada", "age": 36}), structured_output_strategy=strategy
    )
    task = PromptTask("Who?", tools=[Stock()], prompt_driver=driver, output_schema=spec)

    run = carry_out(task, is_async)

    assert run.value == value
    assert run.stopped_by == "answer"


def test_a_dataclass_comes_back_as_one_and_is_shown_as_json() -> None:
    driver = ScriptedDriver(['{"name": "Gull"}'])

    run = PromptTask("Which boat?", prompt_driver=driver, output_schema=Boat).run()

    assert run.value == Boat("Gull")
    assert run.output is not None
    assert json.loads(run.output.to_text()) == {"name": "Gull", "berth": 1}


@pytest.mark.parametrize("spec", [list[int], {"type": "array", "items": {"type": "integer"}}])
def test_an_answer_may_be_something_else_than_an_object(strategy: str, spec: Any) -> None:
    given = calls(("StructuredOutputTool_provide_output", {"value": [1, 2]}))
    reply = given if strategy == "tool" else "[1, 2]"
    driver = ScriptedDriver([reply], structured_output_strategy=strategy)  # type: ignore[arg-type]

    run = PromptTask("Which?", prompt_driver=driver, output_schema=spec).run()

    assert run.value == [1, 2]


def test_a_refused_answer_goes_back_with_the_pointer_and_the_models_own_words(
    voice: Any, strategy: str
) -> None:
    driver = voice.driver(
        final(voice, strategy, {"name": "Ada", "age": "thirty"}),
        final(voice, strategy, {"name": "Ada", "age": 30}),
        structured_output_strategy=strategy,
    )
    task = PromptTask("Who?", tools=[Stock()], prompt_driver=driver, output_schema=Person)

    run = task.run()

    second = said(driver.stacks[1])
    assert run.value == Person(name="Ada", age=30)
    assert "/age" in second
    assert "thirty" in second


def test_answers_that_stay_wrong_stop_at_the_limit_with_the_fault(
    voice: Any, strategy: str
) -> None:
    wrong = final(voice, strategy, {"name": "Ada"})
    driver = voice.driver(wrong, repeat=True, structured_output_strategy=strategy)
    task = PromptTask(
        "Who?",
        tools=[Stock()],
        prompt_driver=driver,
        output_schema=Person,
        limits=Limits(max_output_repairs=2),
    )

    run = task.run()

    assert run.stopped_by == "max_output_repairs"
    assert len(driver.stacks) == 3
    assert isinstance(run.output, ErrorArtifact)
    assert "age" in run.value


def test_the_rule_stands_once_in_the_prompt_however_often_it_is_retried() -> None:
    driver = ScriptedDriver(["no", "no", '{"name": "Ada", "age": 36}'])

    PromptTask("Who?", prompt_driver=driver, output_schema=Person).run()

    assert [said(stack).count("fits this JSON Schema") for stack in driver.stacks] == [1, 1, 1]


def test_the_rule_of_the_output_tool_stands_once_too(voice: Any) -> None:
    wrong = [voice.answer("Ada, who is 36.")] * 2
    right = voice.act((*OUTPUT, {"name": "Ada", "age": 36}))
    driver = voice.driver(*wrong, right, structured_output_strategy="tool")

    run = PromptTask("Who?", prompt_driver=driver, output_schema=Person).run()

    assert run.value == Person(name="Ada", age=36)
    assert [said(stack).count("and in no other way") for stack in driver.stacks] == [1, 1, 1]
    told = driver.stacks[-1].messages[-1].to_text()
    assert "StructuredOutputTool_provide_output" in told


def test_answers_by_the_output_tool_that_stay_wrong_reach_no_limit_of_actions(voice: Any) -> None:
    wrong = voice.act((*OUTPUT, {"name": "Ada", "age": "x"}))
    driver = voice.driver(wrong, repeat=True, structured_output_strategy="tool")
    limits = Limits(max_output_repairs=6, max_subtasks=1, max_repeats=2, max_consecutive_errors=1)

    run = PromptTask("Who?", prompt_driver=driver, output_schema=Person, limits=limits).run()

    assert run.stopped_by == "max_output_repairs"
    assert len(driver.stacks) == 7


def test_a_native_driver_gets_the_schema_and_no_rule() -> None:
    driver = ScriptedDriver(['{"name": "Ada", "age": 36}'], structured_output_strategy="native")

    PromptTask("Who?", prompt_driver=driver, output_schema=Person).run()

    (stack,) = driver.stacks
    assert stack.output_schema is not None
    assert stack.output_schema["required"] == ["name", "age"]
    assert "JSON Schema" not in said(stack)


def test_a_text_dialect_with_tools_takes_the_rule_in_place_of_the_drivers_own_way() -> None:
    driver = ScriptedDriver(
        ['Answer: {"name": "Ada", "age": 36}'],
        structured_output_strategy="native",
        use_native_tools=False,
    )

    run = PromptTask("Who?", tools=[Stock()], prompt_driver=driver, output_schema=Person).run()

    assert run.value == Person(name="Ada", age=36)
    assert driver.stacks[0].output_schema is None
    assert "fits this JSON Schema" in said(driver.stacks[0])


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


@pytest.mark.parametrize(
    ("spec", "value", "expected"),
    [
        (Person, json.dumps({"name": "Ada", "age": 36}), Person(name="Ada", age=36)),
        (list[int], "[1, 2]", [1, 2]),
        (str, "[1, 2]", "[1, 2]"),
    ],
    ids=["an object", "an array", "a text"],
)
def test_json_in_a_text_is_opened_where_no_text_is_wanted(
    spec: Any, value: str, expected: Any
) -> None:
    driver = ScriptedDriver([json.dumps(value)])

    run = PromptTask("Who?", prompt_driver=driver, output_schema=spec).run()

    assert run.value == expected


def test_a_number_in_a_text_is_no_object_in_a_text() -> None:
    driver = ScriptedDriver(['"42"', '{"name": "Ada", "age": 36}'])

    run = PromptTask("Who?", prompt_driver=driver, output_schema=Person).run()

    assert run.value == Person(name="Ada", age=36)
    assert len(driver.stacks) == 2


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
    assert "StructuredOutputTool_provide_output" in said(driver.stacks[1])


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


def test_a_null_for_a_key_that_may_be_left_out_is_left_out() -> None:
    driver = ScriptedDriver(['{"name": "Gull", "berth": null}'])

    run = PromptTask("Which boat?", prompt_driver=driver, output_schema=Boat).run()

    assert run.value == Boat("Gull")


def test_a_reply_that_was_cut_is_never_completed() -> None:
    cut = Message("assistant", (TextMessageContent('{"name": "Ada", "age": 3'),), finish="length")
    driver = ScriptedDriver([cut, '{"name": "Ada", "age": 36}'])

    run = PromptTask("Who?", prompt_driver=driver, output_schema=Person).run()

    assert run.value == Person(name="Ada", age=36)
    assert "limit of tokens" in said(driver.stacks[1])


@pytest.mark.parametrize("words", ["I cannot help with that.", ""])
def test_a_refusal_is_no_error_of_form(words: str) -> None:
    content = (TextMessageContent(words),) if words else ()
    driver = ScriptedDriver([Message("assistant", content, finish="refusal")])

    run = PromptTask("Who?", prompt_driver=driver, output_schema=Person).run()

    assert run.stopped_by == "refusal"
    assert isinstance(run.output, ErrorArtifact)
    assert run.output.code == "refusal"
    assert words in run.value


def test_a_refusal_where_any_words_will_do_is_the_answer() -> None:
    refusal = Message("assistant", (TextMessageContent("I cannot."),), finish="refusal")

    run = PromptTask("Who?", prompt_driver=ScriptedDriver([refusal])).run()

    assert (run.value, run.stopped_by) == ("I cannot.", "refusal")


def test_what_is_no_schema_is_refused_when_the_task_is_made() -> None:
    with pytest.raises(SchemaError):
        PromptTask("Who?", prompt_driver=ScriptedDriver([]), output_schema={"type": "no such"})
