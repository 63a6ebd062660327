"""A look at the plan after each round, and at the answer before it is taken."""

from __future__ import annotations

from typing import Any

import pytest

from agenthost import (
    DEFAULT_RUNNERS,
    Limits,
    PlanFirst,
    PromptTask,
    Reflect,
    ReviewAnswer,
    Run,
    reflective_runners,
)
from agenthost.tasks.runners import Runner
from agenthost_sdk import (
    BaseArtifact,
    BaseOutputValidator,
    BaseTool,
    GenericArtifact,
    ImageArtifact,
    Message,
    TextArtifact,
    Verdict,
    activity,
)
from agenthost_sdk.errors import DriverError
from agenthost_sdk.messages import (
    ActionCallMessageContent,
    ActionResultMessageContent,
    GenericMessageContent,
    ImageMessageContent,
    TextMessageContent,
)
from agenthost_sdk.testing import ScriptedDriver, calls
from support.runs import carry_out, last_words, said, words_of

PLAN = "1. Count.\n2. Answer."

NEW = "1. [x] Count.\n2. Count again.\n3. Answer."

REFLECTING: tuple[Runner, ...] = (PlanFirst(), *DEFAULT_RUNNERS, Reflect())

REVIEWING = reflective_runners(plan=None, reflect=None)

COUNT = ("Stock", "count", {"sku": "AB"})


def reflected(voice: Any, stock: Any, reply: Any, runners: Any = REFLECTING) -> Run:
    """Return a run of one round of actions, after which the model reflects with the reply."""
    driver = voice.driver(said(PLAN), voice.act(COUNT), reply, voice.answer("Two."))
    task = PromptTask("How many?", tools=[stock], prompt_driver=driver, subtask_runners=runners)
    return task.run().raise_for_error()


def test_a_new_plan_takes_the_place_of_the_old_one(voice: Any, stock: Any, is_async: bool) -> None:
    replies = [said(PLAN), voice.act(COUNT), said(f"NEW PLAN:\n{NEW}"), voice.answer("Two.")]
    driver = voice.driver(*replies)
    task = PromptTask("How many?", tools=[stock], prompt_driver=driver, subtask_runners=REFLECTING)

    run = carry_out(task, is_async)

    assert run.value == "Two."
    assert NEW in driver.stacks[-1].system_text
    assert PLAN not in driver.stacks[-1].system_text


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(f"NEW PLAN:\n{NEW}", id="as asked"),
        pytest.param(f"**New plan:**\n\n{NEW}", id="bold"),
        pytest.param(f"### Revised Plan\n{NEW}", id="a heading"),
        pytest.param(f"The count was wrong, so I change it.\nPlan: {NEW}", id="behind a reason"),
        pytest.param(f"<think>KEEP?</think>NEW PLAN: {NEW}", id="behind reasoning"),
        pytest.param(f"NEW PLAN：{NEW}", id="a full-width colon"),
        pytest.param(NEW, id="a bare list"),
    ],
)
def test_a_new_plan_is_read_however_it_is_written(voice: Any, stock: Any, reply: str) -> None:
    run = reflected(voice, stock, said(reply))

    assert run.plan.endswith(f":\n{NEW}")


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param("KEEP", id="as asked"),
        pytest.param("**KEEP**", id="bold"),
        pytest.param("Keep.", id="in small letters"),
        pytest.param("The plan still fits.\n\nKEEP the plan as it is", id="behind a reason"),
        pytest.param("NEW PLAN: KEEP", id="under the other label"),
        pytest.param("KEEP\n1. Count.\n2. Answer.", id="with the old plan"),
        pytest.param("No new plan is needed.", id="in other words"),
        pytest.param("The plan, however it goes, is good.", id="prose"),
        pytest.param("", id="nothing"),
        pytest.param("<think>NEW PLAN: 1. Run away", id="nothing but reasoning"),
        pytest.param("NEW PLAN:", id="a label without a plan"),
        pytest.param("Bananas", id="nonsense"),
    ],
)
def test_any_other_reply_keeps_the_plan(voice: Any, stock: Any, reply: str) -> None:
    run = reflected(voice, stock, said(reply))

    assert run.plan.endswith(f":\n{PLAN}")


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(said(f"NEW PLAN: {NEW}", finish="refusal"), id="a refusal"),
        pytest.param(said(f"NEW PLAN: {NEW}", finish="incomplete"), id="a reply that broke off"),
        pytest.param(DriverError("overloaded"), id="a driver that fails"),
    ],
)
def test_a_reply_that_cannot_be_used_keeps_the_plan(voice: Any, stock: Any, reply: Any) -> None:
    run = reflected(voice, stock, reply)

    assert (run.value, run.plan[-len(PLAN) :]) == ("Two.", PLAN)


@pytest.mark.parametrize(
    "runners",
    [
        pytest.param((PlanFirst(), *DEFAULT_RUNNERS, Reflect()), id="last"),
        pytest.param((PlanFirst(), Reflect(), *DEFAULT_RUNNERS), id="before the model is asked"),
    ],
)
def test_reflection_may_stand_before_or_behind_the_other_runners(
    voice: Any, stock: Any, runners: Any
) -> None:
    run = reflected(voice, stock, said(f"NEW PLAN: {NEW}"), runners)

    assert run.plan.endswith(NEW)


def test_reflection_sees_what_was_done_in_words_and_without_tools(voice: Any, stock: Any) -> None:
    driver = voice.driver(said(PLAN), voice.act(COUNT), said("KEEP"), voice.answer("Two."))

    PromptTask("How many?", tools=[stock], prompt_driver=driver, subtask_runners=REFLECTING).run()

    asked = driver.stacks[2]
    assert PLAN in asked.system_text
    assert [message.role for message in asked.messages] == ["system", "user", "assistant", "user"]
    assert '"sku": "AB"' in asked.messages[2].to_text()
    assert "2" in last_words(asked)
    assert "NEW PLAN" in last_words(asked)
    assert (asked.tools, asked.stop) == ((), ())
    blocks = [block for message in asked.messages for block in message.content]
    assert all(isinstance(block, TextMessageContent) for block in blocks)


def test_without_actions_there_is_nothing_to_reflect_on(voice: Any, stock: Any) -> None:
    driver = voice.driver(said(PLAN), voice.answer("Two."))

    run = PromptTask(
        "How many?", tools=[stock], prompt_driver=driver, subtask_runners=REFLECTING
    ).run()

    assert run.value == "Two."
    assert len(driver.stacks) == 2


def test_the_last_turn_of_a_run_is_not_reflected_on(voice: Any, stock: Any) -> None:
    acts = [voice.act(("Stock", "count", {"sku": sku})) for sku in ("A", "AB")]
    driver = voice.driver(acts[0], said("KEEP"), acts[1], voice.answer("Two."))

    run = PromptTask(
        "How many?",
        tools=[stock],
        prompt_driver=driver,
        limits=Limits(max_subtasks=1),
        subtask_runners=reflective_runners(plan=None),
    ).run()

    assert (run.value, run.stopped_by) == ("Two.", "max_subtasks")
    assert len(driver.stacks) == 4


def test_an_answer_is_sent_back_with_the_reason(voice: Any, stock: Any, is_async: bool) -> None:
    replies = [
        voice.answer("Two."),
        said("REVISE: Say of which article."),
        voice.answer("Two of AB."),
    ]
    driver = voice.driver(*replies)
    task = PromptTask("How many?", tools=[stock], prompt_driver=driver, subtask_runners=REVIEWING)

    run = carry_out(task, is_async)

    assert run.value == "Two of AB."
    assert "Two." in last_words(driver.stacks[1])
    assert "not accepted. Say of which article." in last_words(driver.stacks[2])
    assert driver.stacks[2].messages[-1].by_host
    assert "Two." in words_of(driver.stacks[2])
    assert run.repairs("output") == 1


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param("ACCEPT", id="as asked"),
        pytest.param("Accept.", id="in small letters"),
        pytest.param("ACCEPT\n\nREVISE: nothing", id="both, acceptance first"),
        pytest.param("REVISE:", id="without a reason"),
        pytest.param("I would not revise it.", id="prose"),
        pytest.param("", id="nothing"),
    ],
)
def test_an_answer_that_is_not_to_be_revised_is_taken(voice: Any, reply: str) -> None:
    driver = voice.driver(voice.answer("Two."), said(reply))

    run = PromptTask("How many?", prompt_driver=driver, subtask_runners=REVIEWING).run()

    assert (run.value, run.stopped_by) == ("Two.", "answer")


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param("Revise: say more.", id="in small letters"),
        pytest.param("**REVISE**\nsay more.", id="on the next line"),
        pytest.param("It lacks the article.\nREVISE: say more.", id="behind a reason"),
        pytest.param("REVISE say more.", id="without a colon"),
    ],
)
def test_a_revision_is_read_however_it_is_written(voice: Any, reply: str) -> None:
    driver = voice.driver(voice.answer("Two."), said(reply), voice.answer("Two of AB."))

    run = PromptTask("How many?", prompt_driver=driver, subtask_runners=REVIEWING).run()

    assert run.value == "Two of AB."
    assert last_words(driver.stacks[-1]).endswith("not accepted. say more.")


def test_answers_are_reviewed_once_in_a_run_unless_more_is_asked_for(voice: Any) -> None:
    answers = [voice.answer(text) for text in ("One.", "Two.", "Three.")]
    more = said("REVISE: More.")
    once = voice.driver(answers[0], more, answers[1])
    twice = voice.driver(answers[0], more, answers[1], more, answers[2])
    runners = reflective_runners(plan=None, reflect=None, review=ReviewAnswer(most=2))

    first = PromptTask("How many?", prompt_driver=once, subtask_runners=REVIEWING).run()
    second = PromptTask("How many?", prompt_driver=twice, subtask_runners=runners).run()

    assert (first.value, second.value) == ("Two.", "Three.")
    assert (len(once.stacks), len(twice.stacks)) == (3, 5)


class Long(BaseOutputValidator):
    """Ask for more than one word."""

    def validate(self, output: BaseArtifact) -> Verdict:
        is_long = " " in output.to_text()
        return Verdict.accept() if is_long else Verdict.refuse("One word is too short.")


def test_a_revised_answer_passes_the_output_validators(voice: Any) -> None:
    driver = voice.driver(
        voice.answer("Two of"),
        said("REVISE: Finish the sentence."),
        voice.answer("Two."),
        voice.answer("Two of AB."),
    )

    run = PromptTask(
        "How many?", prompt_driver=driver, output_validators=[Long()], subtask_runners=REVIEWING
    ).run()

    assert run.value == "Two of AB."
    assert run.repairs("output") == 2


def test_no_answer_is_reviewed_that_could_not_be_sent_back(voice: Any) -> None:
    driver = voice.driver(
        voice.answer("Two."), said("REVISE: Not so short."), voice.answer("Two of AB.")
    )
    runners = reflective_runners(plan=None, reflect=None, review=ReviewAnswer(most=9))

    run = PromptTask(
        "How many?",
        prompt_driver=driver,
        limits=Limits(max_output_repairs=1),
        subtask_runners=runners,
    ).run()

    assert run.value == "Two of AB."
    assert len(driver.stacks) == 3


SCHEMA = {
    "type": "object",
    "properties": {"units": {"type": "integer"}},
    "required": ["units"],
    "additionalProperties": False,
}


def test_an_answer_that_comes_by_the_output_tool_is_reviewed_too(stock: Any) -> None:
    def answer(units: int) -> Message:
        return calls(("StructuredOutputTool_provide_output", {"units": units}))

    driver = ScriptedDriver(
        [answer(1), "REVISE: Count again.", answer(2)], structured_output_strategy="tool"
    )

    run = PromptTask(
        "How many?",
        tools=[stock],
        prompt_driver=driver,
        output_schema=SCHEMA,
        subtask_runners=REVIEWING,
    ).run()

    *_, called, result = driver.stacks[2].messages
    assert run.value == {"units": 2}
    assert len(driver.stacks) == 3
    assert '{"units": 1}' in last_words(driver.stacks[1])
    assert [type(block) for block in called.content] == [ActionCallMessageContent]
    assert [type(block) for block in result.content] == [ActionResultMessageContent]
    assert "Count again." in result.content[0].to_text()
    assert run.repairs("output") == 1


def test_a_run_plans_acts_reflects_and_has_its_answer_reviewed(voice: Any, stock: Any) -> None:
    driver = voice.driver(
        said(PLAN),
        voice.act(COUNT),
        said(f"NEW PLAN: {NEW}"),
        voice.act(("Stock", "count", {"sku": "ABC"})),
        said("KEEP"),
        voice.answer("Five."),
        said("ACCEPT"),
    )

    run = PromptTask(
        "How many?", tools=[stock], prompt_driver=driver, subtask_runners=reflective_runners()
    ).run()

    assert run.value == "Five."
    assert NEW in run.plan
    assert len(driver.stacks) == 7


def test_a_refusal_of_the_model_is_not_reviewed(voice: Any) -> None:
    driver = voice.driver(said("I will not.", finish="refusal"))

    run = PromptTask("How many?", prompt_driver=driver, subtask_runners=REVIEWING).run()

    assert (run.value, run.stopped_by) == ("I will not.", "refusal")
    assert len(driver.stacks) == 1


def test_pictures_and_blocks_of_a_provider_are_told_in_words_where_they_can_be() -> None:
    class Camera(BaseTool):
        """Take pictures."""

        @activity(read_only=True)
        def shoot(self) -> Any:
            """Take one."""
            return [ImageArtifact(b"png"), GenericArtifact({"odd": 1}), TextArtifact("")]

    thinking = GenericMessageContent({"type": "thinking"}, "scripted")
    asked = calls(("Camera_shoot", {}))
    reply = Message("assistant", (thinking, *asked.content), finish="actions")
    driver = ScriptedDriver([reply, "KEEP", "A cat."])
    runners: list[Runner] = [*DEFAULT_RUNNERS, Reflect()]

    PromptTask("?", tools=[Camera()], prompt_driver=driver, subtask_runners=runners).run()

    _, called, result = driver.stacks[1].messages
    assert [type(block) for block in called.content] == [TextMessageContent]
    assert [type(block) for block in result.content][:2] == [
        TextMessageContent,
        ImageMessageContent,
    ]
    assert not any(isinstance(block, GenericMessageContent) for block in result.content)
    assert TextMessageContent("") not in result.content
