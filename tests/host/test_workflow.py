"""A tool that runs a fixed sequence of other tools' activities."""

from __future__ import annotations

import asyncio
import threading
from typing import Annotated, Any

import pytest
from pydantic import BaseModel

from agenthost import FromInput, FromStep, PromptTask, Workflow, WorkflowContext, WorkflowStep
from agenthost_sdk import BaseArtifact, BaseTool, ErrorArtifact, ListArtifact, activity
from agenthost_sdk.actions import ToolAction
from agenthost_sdk.testing import ScriptedDriver, ToolConformance, calls
from support.shop import COUNT, PRICE, SELL, SHOP, Shop, made


def outcome(workflow: Workflow, given: dict[str, Any]) -> BaseArtifact:
    return workflow.run(ToolAction("1", "Sale", "run", given))


def test_each_step_takes_from_the_input_and_from_earlier_steps() -> None:
    output = outcome(made(COUNT, SELL), {"sku": "AB-1200"})

    assert output.value == "7 of AB-1200 sold"


def test_async_steps_run_beside_blocking_ones() -> None:
    output = outcome(made(COUNT, PRICE), {"sku": "AB"})

    assert output.value == {"total": 4.0}


def test_the_async_steps_of_a_workflow_run_on_the_hosts_loop_wherever_it_is_called() -> None:
    loops = []

    class Watch(BaseTool):
        """Watch."""

        @activity(read_only=True)
        async def look(self) -> None:
            """Note the loop."""
            loops.append(asyncio.get_running_loop())

    async def run() -> BaseArtifact:
        workflow = made(COUNT, WorkflowStep(Watch(), "look"), SELL)
        return await workflow.arun(ToolAction("1", "Sale", "run", {"sku": "AB"}))

    outputs = [asyncio.run(run()) for _ in range(2)]

    assert [output.value for output in outputs] == ["2 of AB sold"] * 2
    assert loops[0] is loops[1]


def test_a_step_that_changes_its_input_changes_no_other_steps() -> None:
    class Eater(BaseTool):
        """Eat."""

        @activity(read_only=True)
        def eat(self, what: list[Any]) -> list[Any]:
            """Eat all."""
            eaten = list(what)
            what.clear()
            return eaten

    eater = Eater()
    whole = {"what": FromStep("first")}
    steps = [
        WorkflowStep(eater, "eat", {"what": FromInput("what")}, name="first"),
        WorkflowStep(eater, "eat", whole, name="second"),
        WorkflowStep(eater, "eat", whole, name="third"),
    ]

    output = outcome(made(*steps, inputs={"what": list}, returns="all"), {"what": [1, 2]})

    assert output.to_json() == [[1, 2], [1, 2], [1, 2]]


def test_the_artifacts_of_all_steps_are_returned_if_asked_for() -> None:
    output = outcome(made(COUNT, SELL, returns="all"), {"sku": "AB"})

    assert isinstance(output, ListArtifact)
    assert [(part.name, part.value) for part in output.value] == [
        ("count", 2),
        ("sell", "2 of AB sold"),
    ]


def twice(context: WorkflowContext) -> Any:
    return context.output("count").value * 2


@pytest.mark.parametrize(
    ("units", "sold"),
    [
        pytest.param(3, 3, id="a value"),
        pytest.param(FromStep("count"), 2, id="a step by name"),
        pytest.param(FromStep(0), 2, id="a step by number"),
        pytest.param(FromStep("tell", "prices", 1), 4, id="a part of a text that is JSON"),
        pytest.param(twice, 4, id="a function"),
        pytest.param("5", 5, id="a number in a text"),
        pytest.param(FromInput("units"), 9, id="a default of the input"),
    ],
)
def test_a_part_of_an_input_is_made_of(units: Any, sold: int) -> None:
    tell = WorkflowStep(SHOP, "tell", {"sku": FromInput("sku")})
    sell = WorkflowStep(SHOP, "sell", {"sku": FromInput("sku"), "units": units})
    workflow = made(COUNT, tell, sell, inputs={"sku": str, "units": (int, 9)})

    assert outcome(workflow, {"sku": "AB"}).value == f"{sold} of AB sold"


def test_a_function_may_make_the_whole_input() -> None:
    def everything(context: WorkflowContext) -> Any:
        return {"sku": context.input["sku"].lower(), "units": 1}

    output = outcome(made(WorkflowStep(SHOP, "sell", everything)), {"sku": "AB"})

    assert output.value == "1 of ab sold"


def test_references_stand_at_any_depth() -> None:
    class Echo(BaseTool):
        """Say again."""

        @activity(read_only=True)
        def say(self, what: dict[str, Any]) -> Any:
            """Say it."""
            return what

    step = WorkflowStep(Echo(), "say", {"what": {"list": [FromInput("sku"), {"n": FromStep(0)}]}})

    output = outcome(made(COUNT, step), {"sku": "AB"})

    assert output.value == {"list": ["AB", {"n": 2}]}


def test_an_input_that_was_not_given_is_left_to_the_activitys_default() -> None:
    step = WorkflowStep(
        SHOP, "count", {"sku": FromInput("sku"), "reserved": FromInput("reserved")}
    )
    schema = {
        "type": "object",
        "properties": {"sku": {"type": "string"}, "reserved": {"type": "boolean"}},
        "required": ["sku"],
        "additionalProperties": False,
    }
    workflow = made(step, inputs=schema)

    assert outcome(workflow, {"sku": "AB"}).value == 2
    assert outcome(workflow, {"sku": "AB", "reserved": True}).value == 100


class Order(BaseModel):
    """What is wanted."""

    sku: str
    units: int = 3


@pytest.mark.parametrize(
    "inputs", [{"sku": str, "units": (int, 3)}, Order], ids=["names", "model"]
)
def test_defaults_of_the_inputs_reach_the_steps(inputs: Any) -> None:
    step = WorkflowStep(SHOP, "sell", {"sku": FromInput("sku"), "units": FromInput("units")})

    assert outcome(made(step, inputs=inputs), {"sku": "AB"}).value == "3 of AB sold"


def test_a_step_that_fails_stops_the_workflow_and_is_named() -> None:
    fail = WorkflowStep(SHOP, "fail", {"words": "no shop"}, name="ask")

    output = outcome(made(COUNT, fail, SELL), {"sku": "AB"})

    assert isinstance(output, ErrorArtifact)
    assert output.value == (
        "Sale stopped at step 'ask', 2 of 3 (Shop_fail): ValueError: no shop\n"
        "Done before it: count. Not run: sell."
    )
    assert output.code == "exception"
    assert isinstance(output.exception, ValueError)


@pytest.mark.parametrize("is_async", [False, True], ids=["blocking", "async"])
def test_each_step_has_its_activitys_time_limit(is_async: bool) -> None:
    steps = [COUNT, PRICE] if is_async else [COUNT]

    output = outcome(made(*steps, WorkflowStep(SHOP, "hang")), {"sku": "AB"})

    assert isinstance(output, ErrorArtifact)
    assert output.code == "timeout"
    assert "'hang'" in output.value


def gone(context: WorkflowContext) -> Any:
    return context.input["colour"]


def nothing(_: WorkflowContext) -> Any:
    return None


@pytest.mark.parametrize(
    ("given", "words"),
    [
        pytest.param({"sku": 5, "units": 1}, "/sku", id="a wrong type"),
        pytest.param({"sku": "AB"}, "units", id="a missing key"),
        pytest.param(
            {"sku": "AB", "units": FromStep("tell", "colour")}, "no /colour", id="no key"
        ),
        pytest.param({"units": FromStep("tell", "prices", 7)}, "2 items", id="no such item"),
        pytest.param({"units": FromStep("count", "x")}, "There is 2", id="a part of a number"),
        pytest.param({"units": FromStep("word", "x")}, "no JSON", id="a part of a mere text"),
        pytest.param(gone, "KeyError", id="a function that raises"),
        pytest.param(nothing, "must be an object", id="a function that gives nothing"),
    ],
)
def test_an_input_that_cannot_be_made_is_told_as_the_steps_error(given: Any, words: str) -> None:
    tell = WorkflowStep(SHOP, "tell", {"sku": FromInput("sku")})
    word = WorkflowStep(Words(), "say", {}, name="word")

    output = outcome(made(COUNT, tell, word, WorkflowStep(SHOP, "sell", given)), {"sku": "AB"})

    assert isinstance(output, ErrorArtifact)
    assert "'sell', 4 of 4" in output.value
    assert words in output.value


class Words(BaseTool):
    """Say a word."""

    @activity(read_only=True)
    def say(self) -> str:
        """Say it."""
        return "word"


def test_what_the_workflow_is_given_is_held_against_its_inputs() -> None:
    output = outcome(made(COUNT), {"sku": 7, "colour": "red"})

    assert isinstance(output, ErrorArtifact)
    assert output.code == "invalid-input"
    assert "/sku" in output.value


def test_one_workflow_runs_in_many_threads_at_once() -> None:
    workflow = made(COUNT, PRICE, SELL)
    outputs: dict[int, Any] = {}

    def run(number: int) -> None:
        outputs[number] = outcome(workflow, {"sku": "x" * number}).value

    threads = [threading.Thread(target=run, args=(number,)) for number in range(32)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert outputs == {number: f"{number} of {'x' * number} sold" for number in range(32)}


@pytest.mark.parametrize(
    ("activities", "reads", "destroys"),
    [
        pytest.param(["count", "price"], True, False, id="all only read"),
        pytest.param(["count", "sell"], False, True, id="one destroys"),
        pytest.param(["count", "note"], False, None, id="one does not say"),
        pytest.param(["count", "odd"], False, True, id="one says both"),
    ],
)
def test_a_workflow_says_of_itself_what_holds_of_all_its_steps(
    activities: list[str], reads: bool, destroys: bool | None
) -> None:
    class Full(Shop):
        @activity
        def note(self) -> None:
            """Note something."""

        @activity(read_only=True, destructive=True)
        def odd(self) -> None:
            """Say two things of itself."""

    workflow = made(*(WorkflowStep(Full(), name) for name in activities))

    stated = workflow.specs()[0].annotations

    assert (stated.read_only, stated.destructive) == (reads, destroys)


def test_a_workflow_may_be_a_step_of_another() -> None:
    inner = made(COUNT)
    outer = Workflow(
        "Outer",
        "Count and price.",
        [
            WorkflowStep(inner, "run", {"sku": FromInput("sku")}, name="inner"),
            WorkflowStep(SHOP, "price", {"units": FromStep("inner")}),
        ],
        inputs={"sku": str},
    )

    output = outer.run(ToolAction("1", "Outer", "run", {"sku": "AB"}))

    assert output.value == {"total": 4.0}


def test_a_model_uses_a_workflow_like_any_tool() -> None:
    driver = ScriptedDriver([calls(("Sale_run", {"sku": "AB"})), "Sold."])

    run = PromptTask("Sell AB.", tools=[made(COUNT, SELL)], prompt_driver=driver).run()

    assert run.value == "Sold."
    assert [str(action.output) for action in run.subtasks[0].actions] == ["2 of AB sold"]


class TestWorkflow(ToolConformance):
    tool = Workflow(
        "Value",
        "Work out what all units of an article cost.",
        [COUNT, PRICE],
        inputs={"sku": Annotated[str, "Stock keeping unit, such as AB-1200."]},
        examples=[("What are all AB-1200 worth?", {"sku": "AB-1200"})],
    )
