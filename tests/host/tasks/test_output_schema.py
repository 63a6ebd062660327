"""Answers that must fit a schema: one check and one repair loop, whatever the strategy."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest
from schema import Schema

from agenthost import Limits, PromptTask
from agenthost_sdk import ErrorArtifact, Message
from agenthost_sdk.errors import SchemaError, SettingsError
from agenthost_sdk.messages import (
    TextMessageContent,
)
from agenthost_sdk.testing import ScriptedDriver, calls
from support.final_answers import Person, Stock, final
from support.runs import carry_out, words_of


@dataclass
class Boat:
    """A boat."""

    name: str
    berth: int = 1


@pytest.fixture(params=["native", "tool", "rule"])
def strategy(request: pytest.FixtureRequest) -> str:
    """Run the test once with each strategy."""
    return str(request.param)


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

    second = words_of(driver.stacks[1])
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

    assert [words_of(stack).count("fits this JSON Schema") for stack in driver.stacks] == [1, 1, 1]


def test_a_native_driver_gets_the_schema_and_no_rule() -> None:
    driver = ScriptedDriver(['{"name": "Ada", "age": 36}'], structured_output_strategy="native")

    PromptTask("Who?", prompt_driver=driver, output_schema=Person).run()

    (stack,) = driver.stacks
    assert stack.output_schema is not None
    assert stack.output_schema["required"] == ["name", "age"]
    assert "JSON Schema" not in words_of(stack)


def test_a_text_dialect_with_tools_takes_the_rule_in_place_of_the_drivers_own_way() -> None:
    driver = ScriptedDriver(
        ['Answer: {"name": "Ada", "age": 36}'],
        structured_output_strategy="native",
        use_native_tools=False,
    )

    run = PromptTask("Who?", tools=[Stock()], prompt_driver=driver, output_schema=Person).run()

    assert run.value == Person(name="Ada", age=36)
    assert driver.stacks[0].output_schema is None
    assert "fits this JSON Schema" in words_of(driver.stacks[0])


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


def test_a_null_for_a_key_that_may_be_left_out_is_left_out() -> None:
    driver = ScriptedDriver(['{"name": "Gull", "berth": null}'])

    run = PromptTask("Which boat?", prompt_driver=driver, output_schema=Boat).run()

    assert run.value == Boat("Gull")


def test_a_reply_that_was_cut_is_never_completed() -> None:
    cut = Message("assistant", (TextMessageContent('{"name": "Ada", "age": 3'),), finish="length")
    driver = ScriptedDriver([cut, '{"name": "Ada", "age": 36}'])

    run = PromptTask("Who?", prompt_driver=driver, output_schema=Person).run()

    assert run.value == Person(name="Ada", age=36)
    assert "limit of tokens" in words_of(driver.stacks[1])


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


@dataclass
class Positive:
    """A number above 0."""

    number: int

    def __post_init__(self) -> None:
        if self.number == 0:
            raise SystemExit
        if self.number < 0:
            raise ValueError


@pytest.mark.parametrize(
    ("number", "words"), [(-1, "refused, without a reason"), (0, "SystemExit")]
)
def test_a_type_that_refuses_without_words_is_told_as_that(number: int, words: str) -> None:
    driver = ScriptedDriver([json.dumps({"number": number}), '{"number": 1}'])

    run = PromptTask("?", prompt_driver=driver, output_schema=Positive).run()

    assert run.value == Positive(1)
    assert words in words_of(driver.stacks[1])


def test_a_strategy_that_does_not_exist_is_refused_with_those_that_do() -> None:
    driver = ScriptedDriver([], structured_output_strategy="bogus")  # type: ignore[arg-type]

    with pytest.raises(
        SettingsError, match=r"'bogus'; it must be one of 'native', 'tool', 'rule'"
    ):
        PromptTask("?", prompt_driver=driver, output_schema={"type": "object"})
    PromptTask("?", prompt_driver=driver)
