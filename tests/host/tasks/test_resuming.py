"""A run that something ended goes on from where it stands."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from agenthost import ConversationMemory, Limits, PromptTask, Run
from agenthost_sdk.errors import DefinitionError, DriverError


def go_on(task: PromptTask, run: Run, is_async: bool, limits: Limits | None = None) -> Run:
    if is_async:
        return asyncio.run(task.aresume(run, limits=limits))
    return task.resume(run, limits=limits)


def test_a_run_that_a_provider_ended_asks_again_and_acts_not_again(
    voice: Any, stock: Any, is_async: bool
) -> None:
    act = voice.act(("Stock", "count", {"sku": "AB"}))
    driver = voice.driver(act, DriverError("away"), voice.answer("Two."))
    task = PromptTask("?", tools=[stock], prompt_driver=driver)
    run = task.run()
    rounds = list(run.subtasks[:1])

    again = go_on(task, run, is_async)

    assert again is run
    assert (run.value, run.stopped_by) == ("Two.", "answer")
    assert run.subtasks[:1] == rounds


def test_a_run_at_its_limit_goes_on_with_a_higher_one(
    voice: Any, stock: Any, is_async: bool
) -> None:
    act = [voice.act(("Stock", "count", {"sku": "A" * n})) for n in range(1, 4)]
    driver = voice.driver(*act, voice.answer("Done."))
    limits = Limits(max_subtasks=1, last_turn=False)
    task = PromptTask("?", tools=[stock], prompt_driver=driver, limits=limits)
    run = task.run()
    assert run.stopped_by == "max_subtasks"

    go_on(task, run, is_async, Limits(max_subtasks=9))

    assert (run.value, run.stopped_by) == ("Done.", "answer")


def test_the_answer_that_was_refused_last_is_shown_to_the_model_that_goes_on(
    voice: Any, is_async: bool
) -> None:
    driver = voice.driver(voice.answer("Some."), voice.answer("Few."), voice.answer("7"))
    limits = Limits(max_output_repairs=1)
    task = PromptTask("?", prompt_driver=driver, output_schema=int, limits=limits)
    run = task.run()
    assert run.stopped_by == "max_output_repairs"

    go_on(task, run, is_async, Limits(max_output_repairs=2))

    assert (run.value, run.stopped_by) == (7, "answer")
    *_, said, told = driver.stacks[-1].messages
    assert "Few." in said.to_text()
    assert "not accepted" in told.to_text()


def test_a_run_that_has_its_answer_is_not_resumed(voice: Any) -> None:
    task = PromptTask("?", prompt_driver=voice.driver(voice.answer("Done.")))
    run = task.run()

    with pytest.raises(DefinitionError, match="start a new run"):
        task.resume(run)


def test_a_run_that_has_not_begun_is_not_resumed(voice: Any) -> None:
    task = PromptTask("?", prompt_driver=voice.driver())

    with pytest.raises(DefinitionError, match="has not ended"):
        task.resume(task.new_run())


def test_a_run_that_is_resumed_stands_in_the_memory_once(voice: Any, stock: Any) -> None:
    act = [voice.act(("Stock", "count", {"sku": "A" * n})) for n in range(1, 4)]
    driver = voice.driver(act[0], act[1], voice.answer("So far."), voice.answer("Done."))
    memory = ConversationMemory()
    limits = Limits(max_subtasks=1)
    task = PromptTask("?", tools=[stock], prompt_driver=driver, limits=limits, memory=memory)
    run = task.run()
    assert run.stopped_by == "max_subtasks"

    task.resume(run, limits=Limits())

    assert run.value == "Done."
    assert [message.to_text() for message in memory.messages()] == ["?", "Done."]
