"""Other drivers for some steps of a run, and one to fall back on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from agenthost import DEFAULT_RUNNERS, Limits, PlanFirst, PromptTask
from agenthost_sdk.errors import (
    DriverError,
    DriverServerError,
    NotFoundError,
    SettingsError,
)
from agenthost_sdk.events import BaseEvent, FinishPromptEvent, RestartPromptEvent, StartPromptEvent
from agenthost_sdk.messages import (
    DeltaMessage,
    Message,
    PromptStack,
    TextMessageContent,
    Usage,
)
from agenthost_sdk.testing import ScriptedDriver
from support.runs import carry_out


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


@dataclass(kw_only=True, eq=False)
class BreakingDriver(ScriptedDriver):
    """A driver whose streams all break off, though they are billed."""

    stream: bool = True
    max_attempts: int = 2
    min_retry_delay: float = 0.0

    def try_stream(self, stack: PromptStack) -> Iterator[DeltaMessage]:
        yield DeltaMessage(usage=Usage(100, 7))
        raise DriverServerError("overloaded")


def test_a_run_counts_the_tokens_of_what_broke_off_too(is_async: bool) -> None:
    reply = Message("assistant", (TextMessageContent("Here."),), Usage(10, 1))
    saved = PromptTask(
        "?", prompt_driver=BreakingDriver([]), fallback_driver=ScriptedDriver([reply])
    )
    lost = PromptTask("?", prompt_driver=BreakingDriver([]))

    assert carry_out(saved, is_async).usage == Usage(210, 15)
    assert carry_out(lost, is_async).usage == Usage(200, 14)


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


@pytest.mark.parametrize("error", [ConnectionError("reset"), TimeoutError("too late")])
def test_a_connection_that_breaks_is_a_failure_of_the_driver(
    voice: Any, error: OSError, is_async: bool
) -> None:
    failing, other = voice.driver(error), voice.driver(voice.answer("Here."))
    task = PromptTask("?", prompt_driver=failing, fallback_driver=other)

    run = carry_out(task, is_async)

    assert run.value == "Here."


def test_a_plan_and_a_summary_that_no_connection_gives_do_not_end_a_run(
    voice: Any, stock: Any, is_async: bool
) -> None:
    asked = [voice.act(("Stock", "count", {"sku": sku * 400})) for sku in "AB"]
    away = voice.driver(ConnectionError("reset"), repeat=True)
    task = PromptTask(
        "?",
        tools=[stock],
        prompt_driver=voice.driver(*asked, voice.answer("Here.")),
        step_drivers={"plan": away, "summarise": away},
        subtask_runners=[PlanFirst(), *DEFAULT_RUNNERS],
        limits=Limits(max_history_tokens=100, keep_rounds=1),
    )

    run = carry_out(task, is_async)

    assert run.value == "Here."
    assert (run.plan, run.summary) == ("", "")
    assert len(away.stacks) == 2


def test_only_a_drivers_failure_is_followed_by_the_fallback(voice: Any) -> None:
    other = voice.driver(voice.answer("Here."))
    task = PromptTask("?", prompt_driver=voice.driver(ValueError("a bug")), fallback_driver=other)

    run = task.run()

    assert run.stopped_by == "error"
    assert not other.stacks


@dataclass(kw_only=True, eq=False)
class TextOnlyDriver(ScriptedDriver):
    """A driver whose provider knows no tools."""

    use_native_tools: bool = False


def test_a_driver_without_native_tools_cannot_take_over_from_one_that_has_them() -> None:
    plain = TextOnlyDriver([])

    with pytest.raises(SettingsError, match="text dialect"):
        PromptTask("?", prompt_driver=ScriptedDriver([]), fallback_driver=plain)
    with pytest.raises(SettingsError, match="text dialect"):
        PromptTask("?", prompt_driver=ScriptedDriver([]), step_drivers={"repair": plain})


@pytest.mark.parametrize("place", ["fallback_driver", "repair", "answer"])
def test_a_driver_that_cannot_hold_to_a_schema_itself_is_told_of_it_in_words(place: str) -> None:
    plain = ScriptedDriver([], structured_output_strategy="rule")
    is_step = place != "fallback_driver"
    given: dict[str, Any] = {"step_drivers": {place: plain}} if is_step else {place: plain}
    native = ScriptedDriver([], structured_output_strategy="native")
    task = PromptTask("?", prompt_driver=native, output_schema={"type": "object"}, **given)

    stack = task.new_run().stack()

    assert stack.output_schema is None
    assert "fits this JSON Schema" in stack.system_text


def test_drivers_that_all_hold_to_a_schema_themselves_are_not_told_of_it_in_words() -> None:
    task = PromptTask(
        "?",
        prompt_driver=ScriptedDriver([], structured_output_strategy="native"),
        fallback_driver=ScriptedDriver([], structured_output_strategy="native"),
        step_drivers={"plan": ScriptedDriver([], structured_output_strategy="rule")},
        output_schema={"type": "object"},
    )

    stack = task.new_run().stack()

    assert stack.output_schema is not None
    assert stack.system_text == ""


def test_more_tools_than_the_fallbacks_provider_takes_are_refused_at_once(stock: Any) -> None:
    class Few(ScriptedDriver):
        provider = "few"
        max_tools = 2

    with pytest.raises(SettingsError, match="3 activities are on offer; the driver 'few' takes 2"):
        PromptTask("?", tools=[stock], prompt_driver=ScriptedDriver([]), fallback_driver=Few([]))


def test_a_step_that_does_not_exist_is_refused_with_those_that_do() -> None:
    given: Any = {"thinking": ScriptedDriver([])}

    with pytest.raises(NotFoundError, match="summarise"):
        PromptTask("?", prompt_driver=ScriptedDriver([]), step_drivers=given)


def test_a_task_tells_its_driver_and_keeps_it() -> None:
    driver = ScriptedDriver([])
    task = PromptTask("?", prompt_driver=driver)

    assert task.prompt_driver is driver
    with pytest.raises(AttributeError, match="prompt_driver"):
        task.prompt_driver = ScriptedDriver([])  # type: ignore[misc]
