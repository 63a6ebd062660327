"""The loop: from a question to an answer, in every dialect, blocking and async."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from agenthost import Agent, PromptTask
from agenthost.tasks.perform import perform
from agenthost_sdk import (
    BaseArtifact,
    BaseOutputValidator,
    BaseTool,
    ErrorArtifact,
    Message,
    Verdict,
    activity,
)
from agenthost_sdk.errors import (
    DefinitionError,
    DriverError,
    NotFoundError,
    SettingsError,
)
from agenthost_sdk.events import BaseEvent, FinishActionEvent, StartActionEvent
from agenthost_sdk.messages import ActionCallMessageContent, ActionResultMessageContent
from agenthost_sdk.testing import ScriptedDriver, calls
from support.runs import carry_out, words_of


def test_an_answer_without_actions_ends_the_run(voice: Any, is_async: bool) -> None:
    task = PromptTask("Hello?", prompt_driver=voice.driver(voice.answer("Hello.")))

    run = carry_out(task, is_async)

    assert run.value == "Hello."
    assert run.stopped_by == "answer"


def test_a_result_is_shown_to_the_model_before_it_answers(
    voice: Any, stock: Any, is_async: bool
) -> None:
    driver = voice.driver(
        voice.act(("Stock", "count", {"sku": "AB-1200"}), thought="I shall count."),
        voice.answer("There are 7."),
    )

    run = carry_out(PromptTask("How many?", tools=[stock], prompt_driver=driver), is_async)

    assert run.value == "There are 7."
    assert [action.output.value for action in run.subtasks[0].actions if action.output] == [7]
    assert "7" in words_of(driver.stacks[1])
    assert run.subtasks[0].thought == "I shall count."


def test_a_valid_action_runs_beside_its_invalid_siblings(
    voice: Any, stock: Any, is_async: bool
) -> None:
    asked = voice.act(
        ("Stock", "count", {"sku": 5}),
        ("Stock", "count", {"sku": "AB-1200"}),
        ("Stock", "cuont", {"sku": "AB-1200"}),
        ("Stock", "fail", {"words": "no stock"}),
        ("Stock", "reserve", {"sku": "AB", "units": 2}),
    )
    driver = voice.driver(asked, voice.answer("Done."))

    run = carry_out(PromptTask("?", tools=[stock], prompt_driver=driver), is_async)

    outputs = [action.output for action in run.subtasks[0].actions]
    assert [isinstance(output, ErrorArtifact) for output in outputs] == [
        True,
        False,
        True,
        True,
        False,
    ]
    told = words_of(driver.stacks[1])
    assert "/sku" in told
    assert "count" in told
    assert "ValueError: no stock" in told
    assert "2 of AB reserved" in told


def test_every_call_is_answered_once_in_the_models_order(stock: Any, is_async: bool) -> None:
    asked = calls(
        ("Stock_count", {"sku": "A"}),
        ("Nothing_here", {}),
        ("Stock_count", "{broken"),
        ("Stock_count", {"sku": "AB"}),
    )
    driver = ScriptedDriver([asked, "Done."])

    carry_out(PromptTask("?", tools=[stock], prompt_driver=driver), is_async)

    *_, said, results = driver.stacks[1].messages
    called = [block for block in said.content if isinstance(block, ActionCallMessageContent)]
    answered = [b for b in results.content if isinstance(b, ActionResultMessageContent)]
    assert [block.id for block in called] == [block.id for block in answered]
    assert [block.failed for block in answered] == [False, True, True, False]


def test_ids_that_are_missing_or_stand_twice_are_made_anew(stock: Any) -> None:
    call = ActionCallMessageContent("same", "Stock_count", '{"sku": "A"}')
    nameless = ActionCallMessageContent("", "Stock_count", '{"sku": "AB"}')
    driver = ScriptedDriver([Message("assistant", (call, call, nameless)), "Done."])

    run = PromptTask("?", tools=[stock], prompt_driver=driver).run()

    tags = [action.tag for action in run.subtasks[0].actions]
    assert len(set(tags)) == 3
    assert all(tags)


def test_a_call_that_broke_off_is_never_run(stock: Any) -> None:
    call = ActionCallMessageContent("1", "Stock_count", '{"sku": "A"}')
    cut = ActionCallMessageContent("2", "Stock_count", '{"sku": "AB"}')
    reply = Message("assistant", (call, cut), finish="length")

    run = PromptTask("?", tools=[stock], prompt_driver=ScriptedDriver([reply, "Done."])).run()

    first, second = run.subtasks[0].actions
    assert not first.failed
    assert second.failed


def test_an_action_that_takes_too_long_is_answered_in_its_stead(
    voice: Any, is_async: bool
) -> None:
    release = threading.Event()

    class Slow(BaseTool):
        """Take long."""

        @activity(read_only=True, timeout=0.05)
        def wait(self) -> str:
            """Wait."""
            release.wait(60)
            return "late"

        @activity(read_only=True, timeout=0.05)
        async def doze(self) -> str:
            """Doze."""
            await asyncio.sleep(60)
            return "late"

    driver = voice.driver(
        voice.act(("Slow", "wait", {}), ("Slow", "doze", {})), voice.answer("Too slow.")
    )
    run = carry_out(PromptTask("?", tools=[Slow()], prompt_driver=driver), is_async)
    release.set()

    assert run.value == "Too slow."
    for action in run.subtasks[0].actions:
        assert isinstance(action.output, ErrorArtifact)
        assert action.output.code == "timeout"
        assert "0.05 seconds" in action.output.value


def test_an_empty_reply_is_handed_back_with_a_reminder(voice: Any, stock: Any) -> None:
    driver = voice.driver("", voice.answer("Here I am."))

    run = PromptTask("?", tools=[stock], prompt_driver=driver).run()

    assert run.value == "Here I am."
    assert "empty" in words_of(driver.stacks[1])
    assert all(message.content for message in driver.stacks[1].messages)


class Whole(BaseOutputValidator):
    """Accept whole numbers only."""

    def validate(self, output: BaseArtifact) -> Verdict:
        text = output.to_text()
        return Verdict.accept() if text.isdigit() else Verdict.refuse("Write digits only.")


def test_an_answer_that_a_validator_refuses_goes_back_with_the_reason(
    voice: Any, is_async: bool
) -> None:
    driver = voice.driver(voice.answer("about seven"), voice.answer("7"))
    task = PromptTask("?", prompt_driver=driver, output_validators=[Whole()])

    run = carry_out(task, is_async)

    assert run.value == "7"
    assert "Write digits only." in words_of(driver.stacks[1])
    assert "about seven" in words_of(driver.stacks[1])


def test_a_driver_that_fails_ends_the_run_with_its_words(voice: Any, is_async: bool) -> None:
    failing = voice.driver(DriverError("out of coffee", provider="x", model="m", status=418))

    run = carry_out(PromptTask("?", prompt_driver=failing), is_async)

    assert run.stopped_by == "error"
    assert run.value == "x:m: out of coffee (status 418)"
    with pytest.raises(DriverError):
        run.raise_for_error()


def test_an_interrupt_keeps_what_was_done_and_is_raised(stock: Any) -> None:
    driver = ScriptedDriver([calls(("Stock_count", {"sku": "A"})), KeyboardInterrupt()])
    task = PromptTask("?", tools=[stock], prompt_driver=driver)
    run = task.new_run()

    with pytest.raises(KeyboardInterrupt):
        perform(run, task.steps(run))
    assert run.stopped_by == "KeyboardInterrupt"
    assert not run.subtasks[0].actions[0].failed


def test_a_run_that_broke_off_goes_on_where_it_stands(stock: Any) -> None:
    driver = ScriptedDriver(
        [calls(("Stock_count", {"sku": "A"})), KeyboardInterrupt(), "There is 1."]
    )
    task = PromptTask("?", tools=[stock], prompt_driver=driver)
    run = task.new_run()
    with pytest.raises(KeyboardInterrupt):
        perform(run, task.steps(run))

    run.stopped_by, run.output = "", None
    perform(run, task.steps(run))

    assert run.value == "There is 1."
    assert len(run.subtasks) == 2


def test_without_reflection_the_run_ends_with_the_results(voice: Any, stock: Any) -> None:
    driver = voice.driver(voice.act(("Stock", "count", {"sku": "ABC"})))
    task = PromptTask("?", tools=[stock], prompt_driver=driver, reflect_on_tool_use=False)

    run = task.run()

    assert run.stopped_by == "actions"
    assert run.output is not None
    assert run.output.to_text() == "3"


def test_an_agent_remembers_what_was_said() -> None:
    driver = ScriptedDriver(["My name is Ada.", "Ada."])
    agent = Agent(prompt_driver=driver, rules=["Be brief."])

    agent.run("Who are you?")
    agent.run("Say it again.")

    roles = [message.role for message in driver.stacks[1].messages]
    assert roles == ["system", "user", "assistant", "user"]
    assert "My name is Ada." in words_of(driver.stacks[1])


def test_an_agent_forgets_a_run_that_failed() -> None:
    driver = ScriptedDriver([DriverError("no"), "Fine."])
    agent = Agent(prompt_driver=driver)

    agent.run("First?")
    agent.run("Second?")

    assert "First?" not in words_of(driver.stacks[1])


def test_nothing_that_a_user_says_is_rendered() -> None:
    driver = ScriptedDriver(["ok"])

    PromptTask("{{ 7 * 7 }} {% if x %}", prompt_driver=driver, rules=["{{ 1 }}"]).run()

    assert "{{ 7 * 7 }} {% if x %}" in words_of(driver.stacks[0])


def test_listeners_hear_of_each_action_and_cannot_disturb_the_run(
    voice: Any, stock: Any, is_async: bool
) -> None:
    heard: list[BaseEvent] = []

    def broken(event: BaseEvent) -> None:
        raise RuntimeError("I am broken")

    driver = voice.driver(
        voice.act(("Stock", "count", {"sku": "A"}), ("Stock", "fail", {"words": "no"})),
        voice.answer("Done."),
        stream=True,
    )
    task = PromptTask("?", tools=[stock], prompt_driver=driver, listeners=[broken, heard.append])
    run = carry_out(task, is_async)

    assert run.value == "Done."
    names = [event.type for event in heard if "Chunk" not in event.type]
    assert names[0] == "StartTaskEvent"
    assert names[-1] == "FinishTaskEvent"
    assert len([e for e in heard if isinstance(e, StartActionEvent)]) == 2
    assert len([e for e in heard if isinstance(e, FinishActionEvent)]) == 2
    assert {event.run_id for event in heard} == {run.id}


def test_more_tools_than_a_provider_takes_is_an_error_that_names_the_flag(stock: Any) -> None:
    class Small(ScriptedDriver):
        max_tools = 2

    with pytest.raises(SettingsError, match="-t TOOL"):
        PromptTask("?", tools=[stock], prompt_driver=Small([]))


def test_the_tool_that_takes_the_answer_counts_among_them(stock: Any) -> None:
    class Small(ScriptedDriver):
        max_tools = 3

    driver = Small([], structured_output_strategy="tool")
    with pytest.raises(SettingsError, match="4 activities are on offer"):
        PromptTask("?", tools=[stock], prompt_driver=driver, output_schema=int)


def test_an_unknown_dialect_names_the_nearest() -> None:
    with pytest.raises(NotFoundError, match="Did you mean 'native'"):
        PromptTask("?", prompt_driver=ScriptedDriver([]), dialect="natve")


def test_two_tools_of_one_name_are_refused(stock: Any) -> None:
    with pytest.raises(DefinitionError, match="'Stock'"):
        PromptTask("?", tools=[stock, stock], prompt_driver=ScriptedDriver([]))
