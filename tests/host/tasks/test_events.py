"""What a run tells its listeners: each start with one finish, whatever is raised in between."""

from __future__ import annotations

import _thread
import asyncio
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from agenthost import PromptTask
from agenthost.records.bus import RunCancelled
from agenthost.requests import Prompt, Steps, ask
from agenthost.tasks.perform import perform
from agenthost.tasks.run import Run
from agenthost.tasks.subtasks import ActionsSubtask
from agenthost_sdk import BaseTool, activity
from agenthost_sdk.artifacts import ErrorArtifact
from agenthost_sdk.errors import DefinitionError, DriverError
from agenthost_sdk.events import (
    BaseEvent,
    BaseFinishEvent,
    BaseStartEvent,
    FinishActionEvent,
    FinishActionsSubtaskEvent,
    FinishPromptEvent,
    FinishTaskEvent,
    RestartPromptEvent,
    StartActionEvent,
    StartActionsSubtaskEvent,
    StartPromptEvent,
    StartTaskEvent,
    TextChunkEvent,
)
from agenthost_sdk.messages import Message, TextMessageContent, Usage
from agenthost_sdk.testing import ScriptedDriver, calls
from support.runs import carry_out

COUNT = calls(("Stock_count", {"sku": "AB"}), ("Stock_count", {"sku": 3}), ("Stock_no", {}))
STARTS = [StartTaskEvent, StartPromptEvent, StartActionsSubtaskEvent, StartActionEvent]
FINISHES = [FinishPromptEvent, FinishActionEvent, FinishActionsSubtaskEvent, FinishTaskEvent]


def assert_paired(events: list[BaseEvent]) -> None:
    """Assert that each start is followed by exactly one finish of its kind and id."""
    open_ones: set[tuple[str, str]] = set()
    seen: Counter[tuple[str, str]] = Counter()
    for event in events:
        if isinstance(event, BaseStartEvent):
            key = event.type.removeprefix("Start"), event.id
            open_ones.add(key)
            seen[key] += 1
        elif isinstance(event, BaseFinishEvent):
            open_ones.remove((event.type.removeprefix("Finish"), event.id))
            assert event.seconds >= 0
    assert open_ones == set()
    assert set(seen.values()) == {1}
    assert isinstance(events[0], StartTaskEvent)
    assert isinstance(events[-1], FinishTaskEvent)


def only(kind: type[Any], events: list[BaseEvent]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def test_every_start_has_its_finish_in_every_dialect(
    voice: Any, stock: Any, is_async: bool
) -> None:
    events: list[BaseEvent] = []
    driver = voice.driver(
        voice.act(("Stock", "count", {"sku": "AB"}), ("Stock", "reserve", {"sku": "AB"})),
        "",
        voice.answer("There are 2."),
    )
    task = PromptTask("?", tools=[stock], prompt_driver=driver, listeners=[events.append])

    run = carry_out(task, is_async)

    assert run.value == "There are 2."
    assert_paired(events)
    assert {event.run_id for event in events} == {run.id}
    assert [event.step for event in only(StartPromptEvent, events)] == ["act", "act", "repair"]
    assert len(only(StartActionEvent, events)) == 2


def test_ids_stay_unique_where_the_model_uses_a_tag_again(stock: Any) -> None:
    events: list[BaseEvent] = []
    asked = calls(("Stock_count", {"sku": "AB"}))
    driver = ScriptedDriver([asked, asked, "Done."])

    PromptTask("?", tools=[stock], prompt_driver=driver, listeners=[events.append]).run()

    assert_paired(events)
    ids = [event.id for event in only(BaseStartEvent, events)]
    assert len(set(ids)) == len(ids) == 8


def test_the_finishes_carry_output_tokens_times_and_errors(stock: Any, is_async: bool) -> None:
    events: list[BaseEvent] = []
    reply = Message("assistant", (TextMessageContent("Done."),), Usage(7, 3))
    driver = ScriptedDriver([COUNT, reply])
    task = PromptTask("?", tools=[stock], prompt_driver=driver, listeners=[events.append])

    run = carry_out(task, is_async)

    task_end = events[-1]
    assert isinstance(task_end, FinishTaskEvent)
    assert (task_end.usage, task_end.stopped_by, task_end.error) == (Usage(7, 3), "answer", None)
    assert task_end.output == run.output
    assert only(FinishPromptEvent, events)[-1].usage == Usage(7, 3)
    [round_] = only(FinishActionsSubtaskEvent, events)
    assert [action.output for action in round_.actions] == [
        action.output for action in run.subtasks[0].actions
    ]
    errors = {
        event.action.input.get("sku"): event.error for event in only(FinishActionEvent, events)
    }
    assert errors["AB"] is None
    assert "a string is needed" in errors[3]
    assert "Stock_no" in errors[None] or "no" in errors[None]


@pytest.mark.parametrize(
    "error",
    [DriverError("lost"), ValueError("a bug"), KeyboardInterrupt(), SystemExit(3)],
    ids=repr,
)
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
def test_what_a_driver_raises_leaves_nothing_open(
    error: BaseException, stream: bool, is_async: bool, stock: Any
) -> None:
    events: list[BaseEvent] = []
    driver = ScriptedDriver([COUNT, error], stream=stream)
    task = PromptTask("?", tools=[stock], prompt_driver=driver, listeners=[events.append])

    if isinstance(error, Exception):
        carry_out(task, is_async)
    else:
        with pytest.raises(type(error)):
            carry_out(task, is_async)

    assert_paired(events)
    assert only(FinishPromptEvent, events)[-1].error
    assert only(FinishTaskEvent, events)[-1].error


@pytest.mark.parametrize(
    "kind", [*STARTS, TextChunkEvent, *FINISHES], ids=lambda one: one.__name__
)
@pytest.mark.parametrize("raised", [KeyboardInterrupt, RunCancelled])
def test_an_interrupt_at_any_event_leaves_nothing_open(
    kind: type[BaseEvent], raised: type[BaseException], is_async: bool, stock: Any
) -> None:
    events: list[BaseEvent] = []
    hit: list[BaseEvent] = []

    def interrupting(event: BaseEvent) -> None:
        if isinstance(event, kind) and not hit:
            hit.append(event)
            raise raised

    driver = ScriptedDriver([COUNT, "Done."], stream=True)
    listeners = [events.append, interrupting]
    task = PromptTask("?", tools=[stock], prompt_driver=driver, listeners=listeners)

    with pytest.raises(BaseException) as caught:  # noqa: PT011 - the loop may turn one into another
        carry_out(task, is_async)

    assert not isinstance(caught.value, Exception)
    assert_paired(events)


def test_a_runner_that_raises_leaves_nothing_open(is_async: bool) -> None:
    events: list[BaseEvent] = []

    def runner(run: Run, subtask: ActionsSubtask) -> Steps[None]:
        yield from ask(Prompt(run.stack()))
        raise KeyError("a bug")

    driver = ScriptedDriver(["Done."])
    task = PromptTask(
        "?", prompt_driver=driver, listeners=[events.append], subtask_runners=[runner]
    )

    run = carry_out(task, is_async)

    assert_paired(events)
    assert run.stopped_by == "error"


def test_a_runner_that_will_not_be_closed_leaves_nothing_open(is_async: bool) -> None:
    events: list[BaseEvent] = []

    def runner(run: Run, subtask: ActionsSubtask) -> Steps[None]:
        try:
            yield from ask(Prompt(run.stack()))
        except GeneratorExit:
            yield Prompt(run.stack())

    driver = ScriptedDriver([KeyboardInterrupt()])
    task = PromptTask(
        "?", prompt_driver=driver, listeners=[events.append], subtask_runners=[runner]
    )

    with pytest.raises((RuntimeError, KeyboardInterrupt)):
        carry_out(task, is_async)

    assert_paired(events)


def test_a_fallback_is_told_as_another_attempt_of_one_prompt(is_async: bool) -> None:
    events: list[BaseEvent] = []
    task = PromptTask(
        "?",
        prompt_driver=ScriptedDriver([DriverError("busy")]),
        fallback_driver=ScriptedDriver(["Here."], stream=True),
        listeners=[events.append],
    )

    carry_out(task, is_async)

    assert_paired(events)
    [restart] = only(RestartPromptEvent, events)
    assert "busy" in restart.error
    assert restart.id == only(StartPromptEvent, events)[0].id
    assert {event.attempt for event in only(TextChunkEvent, events)} == {2}


class Gate(BaseTool):
    """Wait, be quick, or interrupt."""

    def __post_init__(self) -> None:
        self.gate = threading.Event()
        self.is_quick_done = threading.Event()

    @activity(read_only=True)
    def wait(self) -> str:
        """Wait for the gate."""
        self.gate.wait(60)
        return "open"

    @activity(read_only=True)
    async def await_(self) -> str:
        """Wait for ever."""
        await asyncio.Event().wait()
        return "never"

    @activity(read_only=True)
    def quick(self) -> str:
        """Be quick."""
        return "quick"

    @activity(read_only=True)
    def interrupt(self) -> str:
        """Interrupt the main thread, as a person does, once the quick one is done."""
        self.is_quick_done.wait(60)
        _thread.interrupt_main()
        self.gate.wait(60)
        return "open"


@pytest.fixture
def gate() -> Iterator[Gate]:
    tool = Gate()
    yield tool
    tool.gate.set()


def releasing(gate: Gate) -> Callable[[BaseEvent], None]:
    def listener(event: BaseEvent) -> None:
        if isinstance(event, FinishActionEvent) and event.output.value == "quick":
            gate.is_quick_done.set()

    return listener


def test_a_persons_interrupt_during_actions_keeps_the_results_and_answers_the_rest(
    gate: Gate,
) -> None:
    events: list[BaseEvent] = []
    driver = ScriptedDriver(
        [calls(("Gate_quick", {}), ("Gate_interrupt", {}), ("Gate_await_", {}))]
    )
    listeners = [events.append, releasing(gate)]
    task = PromptTask("?", tools=[gate], prompt_driver=driver, listeners=listeners)
    run = task.new_run()

    with pytest.raises(KeyboardInterrupt):
        perform(run, task.steps(run))

    quick, *left = (action.output for action in run.subtasks[0].actions)
    assert run.stopped_by == "KeyboardInterrupt"
    assert quick is not None
    assert quick.value == "quick"
    assert all(isinstance(one, ErrorArtifact) and one.code == "cancelled" for one in left)
    assert_paired(events)
    assert only(FinishActionsSubtaskEvent, events)[0].error == "KeyboardInterrupt"


def test_a_cancelled_coroutine_answers_what_is_pending_as_cancelled(gate: Gate) -> None:
    events: list[BaseEvent] = []
    driver = ScriptedDriver([calls(("Gate_quick", {}), ("Gate_wait", {}), ("Gate_await_", {}))])
    listeners = [events.append, releasing(gate)]
    task = PromptTask("?", tools=[gate], prompt_driver=driver, listeners=listeners)

    async def cancelled() -> None:
        running = asyncio.create_task(task.arun())
        while not gate.is_quick_done.is_set():
            await asyncio.sleep(0)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

    asyncio.run(cancelled())

    assert_paired(events)
    end = events[-1]
    assert isinstance(end, FinishTaskEvent)
    assert end.stopped_by == "cancelled"
    outputs = [action.output for action in only(FinishActionsSubtaskEvent, events)[0].actions]
    assert [getattr(one, "code", one and one.value) for one in outputs] == [
        "quick",
        "cancelled",
        "cancelled",
    ]


async def slow(event: BaseEvent) -> None:
    """Be a listener that would have to be awaited."""


def test_an_asynchronous_listener_is_refused_when_it_is_given() -> None:
    driver = ScriptedDriver(["Hello."])

    with pytest.raises(DefinitionError, match="asynchronous"):
        PromptTask("?", prompt_driver=driver, listeners=[slow])
    with pytest.raises(DefinitionError, match="asynchronous"):
        PromptTask("?", prompt_driver=driver).run(listeners=[slow])


def test_a_listener_that_raises_at_every_event_changes_nothing(
    voice: Any, stock: Any, is_async: bool
) -> None:
    def broken(event: BaseEvent) -> None:
        raise RuntimeError(event.type)

    driver = voice.driver(voice.act(("Stock", "count", {"sku": "AB"})), voice.answer("Two."))
    task = PromptTask("?", tools=[stock], prompt_driver=driver, listeners=[broken])

    assert carry_out(task, is_async).value == "Two."
