"""A plan that is made before the first round."""

from __future__ import annotations

from typing import Any

import pytest

from agenthost import DEFAULT_RUNNERS, PlanFirst, PromptTask
from agenthost.tasks.runners import Runner
from agenthost_sdk import ErrorArtifact, Usage
from agenthost_sdk.artifacts import ImageArtifact, TextArtifact
from agenthost_sdk.errors import DriverError
from agenthost_sdk.messages import ImageMessageContent
from support.runs import carry_out, last_words, said

PLANNING: tuple[Runner, ...] = (PlanFirst(), *DEFAULT_RUNNERS)

PLAN = "1. Count with Stock_count.\n2. Answer."


def test_the_plan_stands_in_the_system_message_of_every_round(
    voice: Any, stock: Any, is_async: bool
) -> None:
    count = voice.act(("Stock", "count", {"sku": "AB"}))
    driver = voice.driver(said(PLAN), count, voice.answer("Two."))
    task = PromptTask("How many?", tools=[stock], prompt_driver=driver, subtask_runners=PLANNING)

    run = carry_out(task, is_async)

    assert run.value == "Two."
    assert PLAN in run.plan
    assert [PLAN in stack.system_text for stack in driver.stacks] == [False, True, True]


def test_the_plan_is_asked_for_with_question_and_tools_but_offers_none(
    voice: Any, stock: Any
) -> None:
    driver = voice.driver(said(PLAN), voice.answer("Two."))
    rules = ["Be brief."]

    PromptTask(
        "How many AB?", tools=[stock], rules=rules, prompt_driver=driver, subtask_runners=PLANNING
    ).run()

    asked = driver.stacks[0]
    assert [message.role for message in asked.messages] == ["system", "user"]
    assert asked.system_text == "Be brief."
    assert "How many AB?" in last_words(asked)
    assert "Stock_count: Count the units on hand." in last_words(asked)
    assert (asked.tools, asked.stop) == ((), ())


def test_a_plan_is_asked_for_once_in_a_run(voice: Any, stock: Any) -> None:
    acts = [voice.act(("Stock", "count", {"sku": "AB" * n})) for n in (1, 2, 3)]
    driver = voice.driver(said(""), *acts, voice.answer("Two."))

    run = PromptTask(
        "How many?", tools=[stock], prompt_driver=driver, subtask_runners=PLANNING
    ).run()

    assert run.value == "Two."
    assert len(driver.stacks) == 5
    assert run.plan == ""


def test_what_the_model_says_to_itself_is_no_part_of_the_plan(voice: Any) -> None:
    driver = voice.driver(said(f"<think>Hm.</think>\n{PLAN}"), voice.answer("Two."))

    run = PromptTask("How many?", prompt_driver=driver, subtask_runners=PLANNING).run()

    assert run.plan.endswith(f"\n{PLAN}")
    assert "Hm." not in run.plan


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(said("I will not.", finish="refusal"), id="a refusal"),
        pytest.param(said("1. Cou", finish="incomplete"), id="a reply that broke off"),
        pytest.param(said("<think>Let me see"), id="nothing but reasoning"),
        pytest.param(DriverError("overloaded"), id="a driver that fails"),
    ],
)
def test_a_run_without_a_plan_to_be_had_goes_on(voice: Any, reply: Any) -> None:
    driver = voice.driver(reply, voice.answer("Two."))

    run = PromptTask("How many?", prompt_driver=driver, subtask_runners=PLANNING).run()

    assert (run.value, run.plan) == ("Two.", "")


def test_the_words_can_be_chosen(voice: Any) -> None:
    driver = voice.driver(said(PLAN), voice.answer("Two."))
    runners: list[Runner] = [PlanFirst(words="Plan like a sailor."), *DEFAULT_RUNNERS]

    PromptTask("How many?", prompt_driver=driver, subtask_runners=runners).run()

    assert last_words(driver.stacks[0]).endswith("Plan like a sailor.")


def test_another_driver_may_make_the_plan(voice: Any) -> None:
    planner = voice.driver(said(PLAN))
    driver = voice.driver(voice.answer("Two."))

    run = PromptTask(
        "How many?",
        prompt_driver=driver,
        step_drivers={"plan": planner},
        subtask_runners=PLANNING,
    ).run()

    assert PLAN in run.plan
    assert (len(planner.stacks), len(driver.stacks)) == (1, 1)


def test_the_tokens_of_the_plan_count(voice: Any) -> None:
    driver = voice.driver(said(PLAN, usage=Usage(10, 5)), voice.answer("Two."))

    run = PromptTask("How many?", prompt_driver=driver, subtask_runners=PLANNING).run()

    assert run.usage.total_tokens == 15


def test_pictures_of_the_question_are_seen_by_the_planner(voice: Any) -> None:
    driver = voice.driver(said(PLAN), voice.answer("A cat."))
    question = [TextArtifact("What is this?"), ImageArtifact(b"png")]

    PromptTask(question, prompt_driver=driver, subtask_runners=PLANNING).run()

    blocks = driver.stacks[0].messages[-1].content
    assert any(isinstance(block, ImageMessageContent) for block in blocks)


def test_a_run_that_broke_off_behind_its_plan_keeps_it(voice: Any) -> None:
    driver = voice.driver(said(PLAN), DriverError("gone"), voice.answer("Two."))
    task = PromptTask("How many?", prompt_driver=driver, subtask_runners=PLANNING)
    run = task.run()
    assert isinstance(run.output, ErrorArtifact)

    steps = task.steps(run)
    run.stopped_by, run.output = "", None
    request: Any = next(steps)

    assert request.step == "act"
    assert PLAN in request.stack.system_text
