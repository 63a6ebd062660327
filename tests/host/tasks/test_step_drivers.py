"""Other drivers for some steps of a run, and one to fall back on."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from agenthost import Limits, PromptTask, Run
from agenthost_sdk.errors import DriverError, NotFoundError, SettingsError
from agenthost_sdk.events import BaseEvent, FinishPromptEvent, RestartPromptEvent, StartPromptEvent
from agenthost_sdk.testing import ScriptedDriver


def carry_out(task: PromptTask, is_async: bool) -> Run:
    return asyncio.run(task.arun()) if is_async else task.run()


def test_a_reply_that_is_handed_back_can_go_to_another_driver(voice: Any, is_async: bool) -> None:
    cheap, clever = voice.driver(""), voice.driver(voice.answer("Here."))
    task = PromptTask("?", prompt_driver=cheap, step_drivers={"repair": clever})

    run = carry_out(task, is_async)

    assert run.value == "Here."
    assert (len(cheap.stacks), len(clever.stacks)) == (1, 1)


def test_the_last_turn_at_a_limit_can_go_to_another_driver(voice: Any, stock: Any) -> None:
    asked = voice.act(("Stock", "count", {"sku": "A"}))
    first, last = voice.driver(asked, repeat=True), voice.driver(voice.answer("One."))
    task = PromptTask(
        "?",
        tools=[stock],
        prompt_driver=first,
        step_drivers={"answer": last},
        limits=Limits(max_subtasks=1),
    )

    run = task.run()

    assert (run.value, run.stopped_by) == ("One.", "max_subtasks")
    assert len(last.stacks) == 1


def test_a_driver_that_fails_is_followed_by_the_fallback(voice: Any, is_async: bool) -> None:
    events: list[BaseEvent] = []
    failing = voice.driver(DriverError("overloaded", provider="first", status=529))
    task = PromptTask(
        "?",
        prompt_driver=failing,
        fallback_driver=voice.driver(voice.answer("Here.")),
        listeners=[events.append],
    )

    run = carry_out(task, is_async)

    assert run.value == "Here."
    told = [type(event) for event in events]
    assert told.count(StartPromptEvent) == told.count(FinishPromptEvent) == 1
    (restart,) = [event for event in events if isinstance(event, RestartPromptEvent)]
    assert restart.attempt == 2
    assert "overloaded" in restart.error


def test_where_the_fallback_fails_too_the_error_tells_of_both(voice: Any, is_async: bool) -> None:
    task = PromptTask(
        "?",
        prompt_driver=voice.driver(DriverError("overloaded", provider="first")),
        fallback_driver=voice.driver(DriverError("no key", provider="second")),
    )

    run = carry_out(task, is_async)

    assert run.stopped_by == "error"
    assert "second: no key" in run.value
    assert "first: overloaded" in run.value


def test_only_a_drivers_failure_is_followed_by_the_fallback(voice: Any) -> None:
    other = voice.driver(voice.answer("Here."))
    task = PromptTask(
        "?", prompt_driver=voice.driver(ValueError("a bug")), fallback_driver=other
    )

    run = task.run()

    assert run.stopped_by == "error"
    assert not other.stacks


def test_a_driver_without_native_tools_cannot_take_over_from_one_that_has_them() -> None:
    plain = ScriptedDriver([], use_native_tools=False)

    with pytest.raises(SettingsError, match="text dialect"):
        PromptTask("?", prompt_driver=ScriptedDriver([]), fallback_driver=plain)
    with pytest.raises(SettingsError, match="text dialect"):
        PromptTask("?", prompt_driver=ScriptedDriver([]), step_drivers={"repair": plain})


def test_a_step_that_does_not_exist_is_refused_with_those_that_do() -> None:
    given: Any = {"thinking": ScriptedDriver([])}

    with pytest.raises(NotFoundError, match="summarise"):
        PromptTask("?", prompt_driver=ScriptedDriver([]), step_drivers=given)
