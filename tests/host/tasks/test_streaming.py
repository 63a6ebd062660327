"""The events of one run as an iterator: they end, whatever is raised, and leaving cancels."""

from __future__ import annotations

import asyncio
import contextvars
import gc
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from agenthost import Agent, PromptTask
from agenthost.memory.base import RememberedRun
from agenthost.memory.conversation import ConversationMemory
from agenthost.tasks.run import Run
from agenthost_sdk import BaseTool, activity
from agenthost_sdk.artifacts import TextArtifact
from agenthost_sdk.errors import DefinitionError, DriverError
from agenthost_sdk.events import BaseEvent, FinishTaskEvent, StartTaskEvent, TextChunkEvent
from agenthost_sdk.testing import ScriptedDriver, calls

#: What the consumer has set.
CALLER = contextvars.ContextVar("CALLER", default="nobody")

COUNT = calls(("Stock_count", {"sku": "AB"}), text="Let me look.")


def streamed(task: PromptTask, is_async: bool) -> tuple[list[BaseEvent], Run]:
    """Return all events of a stream, and its run."""
    if not is_async:
        events = task.stream()
        return list(events), events.run

    async def drawn() -> tuple[list[BaseEvent], Run]:
        events = task.astream()
        return [event async for event in events], events.run

    return asyncio.run(drawn())


class Waiting(BaseTool):
    """Wait for a gate."""

    def __post_init__(self) -> None:
        self.gate = threading.Event()

    @activity(read_only=True)
    def wait(self) -> str:
        """Wait for the gate."""
        self.gate.wait(60)
        return "open"

    @activity(read_only=True)
    def quick(self) -> str:
        """Be quick."""
        return "quick"

    @activity(read_only=True)
    def caller(self) -> str:
        """Tell who called."""
        return CALLER.get()


@pytest.fixture
def waiting() -> Iterator[Waiting]:
    tool = Waiting()
    yield tool
    tool.gate.set()


def test_the_events_come_from_the_start_of_the_run_to_its_end(
    voice: Any, stock: Any, is_async: bool
) -> None:
    driver = voice.driver(voice.act(("Stock", "count", {"sku": "AB"})), voice.answer("Two."))

    events, run = streamed(PromptTask("?", tools=[stock], prompt_driver=driver), is_async)

    assert isinstance(events[0], StartTaskEvent)
    assert isinstance(events[-1], FinishTaskEvent)
    assert any(isinstance(event, TextChunkEvent) for event in events)
    assert {event.run_id for event in events} == {run.id}
    assert (run.value, run.stopped_by) == ("Two.", "answer")


def test_listeners_hear_of_a_streamed_run_too(is_async: bool) -> None:
    heard: list[BaseEvent] = []
    task = PromptTask("?", prompt_driver=ScriptedDriver(["Hi."]), listeners=[heard.append])

    events, _ = streamed(task, is_async)

    assert heard == events


def test_an_agent_remembers_what_it_streamed() -> None:
    driver = ScriptedDriver(["My name is Ada.", "Ada."])
    agent = Agent(prompt_driver=driver)

    list(agent.stream("Who are you?"))
    list(agent.stream("Say it again."))

    assert len(driver.stacks[1].messages) == 3


def test_a_stream_that_has_ended_stays_so() -> None:
    events = PromptTask("?", prompt_driver=ScriptedDriver(["Hi."])).stream()
    list(events)

    assert list(events) == []
    assert next(events, None) is None


def test_without_a_question_the_call_itself_is_refused() -> None:
    task = PromptTask(prompt_driver=ScriptedDriver(["Hi."]))

    with pytest.raises(DefinitionError, match="no question"):
        task.stream()
    with pytest.raises(DefinitionError, match="no question"):
        task.astream()


@pytest.mark.parametrize("error", [DriverError("lost"), ValueError("a bug")], ids=repr)
def test_a_run_that_fails_ends_its_stream(error: Exception, is_async: bool) -> None:
    events, run = streamed(PromptTask("?", prompt_driver=ScriptedDriver([error])), is_async)

    assert isinstance(events[-1], FinishTaskEvent)
    assert events[-1].error
    assert run.stopped_by == "error"


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_what_the_run_raises_is_raised_to_the_consumer(
    error: type[BaseException], is_async: bool
) -> None:
    heard: list[BaseEvent] = []
    driver = ScriptedDriver([error()])
    task = PromptTask("?", prompt_driver=driver, listeners=[heard.append])

    with pytest.raises(error):
        streamed(task, is_async)

    assert isinstance(heard[-1], FinishTaskEvent)


class Broken(ConversationMemory):
    """A memory that cannot take anything in."""

    def add(self, run: RememberedRun) -> None:
        raise KeyError("a bug")


def test_a_memory_that_raises_neither_fails_the_stream_nor_makes_it_wait(is_async: bool) -> None:
    task = PromptTask("?", prompt_driver=ScriptedDriver(["Hi."]), memory=Broken())

    events, run = streamed(task, is_async)

    assert isinstance(events[-1], FinishTaskEvent)
    assert run.value == "Hi."


class Ended:
    """A listener that waits for the end of a run."""

    def __init__(self) -> None:
        self.event: FinishTaskEvent | None = None
        self._is_over = threading.Event()

    def __call__(self, event: BaseEvent) -> None:
        if isinstance(event, FinishTaskEvent):
            self.event = event
            self._is_over.set()

    def stopped_by(self) -> str:
        """Return why the run ended, once it has."""
        assert self._is_over.wait(60)
        assert self.event is not None
        return self.event.stopped_by


@pytest.fixture
def ended() -> Ended:
    return Ended()


def test_leaving_early_cancels_an_async_run_and_its_actions(waiting: Waiting) -> None:
    driver = ScriptedDriver([calls(("Waiting_wait", {})), "Done."])
    task = PromptTask("?", tools=[waiting], prompt_driver=driver)

    async def left() -> Run:
        async with task.astream() as events:
            async for event in events:
                if event.type == "StartActionEvent":
                    break
        assert [event async for event in events] == []
        return events.run

    run = asyncio.run(left())

    assert run.stopped_by == "cancelled"
    assert [getattr(action.output, "code", "") for action in run.subtasks[0].actions] == [
        "cancelled"
    ]


def test_leaving_early_cancels_the_run_and_does_not_wait_for_what_hangs(
    waiting: Waiting, ended: Ended
) -> None:
    driver = ScriptedDriver([calls(("Waiting_wait", {})), "Done."])
    task = PromptTask("?", tools=[waiting], prompt_driver=driver, listeners=[ended])

    with task.stream() as events:
        for event in events:
            if event.type == "StartActionEvent":
                break
    was_running = ended.event is None
    waiting.gate.set()

    assert was_running
    assert ended.stopped_by() == "cancelled"
    assert events.run.output is not None
    assert events.run.output.to_text() == "The run was cancelled."
    assert len(driver.stacks) == 1
    assert list(events) == []


def test_a_stream_that_is_forgotten_cancels_its_run(waiting: Waiting, ended: Ended) -> None:
    driver = ScriptedDriver([calls(("Waiting_wait", {})), "Done."])
    task = PromptTask("?", tools=[waiting], prompt_driver=driver, listeners=[ended])

    for event in task.stream():
        if event.type == "StartActionEvent":
            break
    gc.collect()
    waiting.gate.set()

    assert ended.stopped_by() == "cancelled"


def test_an_async_stream_that_is_forgotten_cancels_its_run(waiting: Waiting, ended: Ended) -> None:
    driver = ScriptedDriver([calls(("Waiting_wait", {})), "Done."])
    task = PromptTask("?", tools=[waiting], prompt_driver=driver, listeners=[ended])

    async def forgotten() -> None:
        async for event in task.astream():
            if event.type == "StartActionEvent":
                break
        gc.collect()
        while ended.event is None:
            await asyncio.sleep(0)

    asyncio.run(forgotten())

    assert ended.stopped_by() == "cancelled"


def test_a_consumer_that_is_cancelled_cancels_the_run(waiting: Waiting) -> None:
    driver = ScriptedDriver([calls(("Waiting_wait", {})), "Done."])
    events = PromptTask("?", tools=[waiting], prompt_driver=driver).astream()
    began = asyncio.Event()

    async def consume() -> None:
        async for event in events:
            if event.type == "StartActionEvent":
                began.set()

    async def cancelled() -> None:
        consumer = asyncio.create_task(consume())
        await began.wait()
        consumer.cancel()
        with pytest.raises(asyncio.CancelledError):
            await consumer
        await events.aclose()

    asyncio.run(cancelled())

    assert events.run.stopped_by == "cancelled"


def test_another_thread_may_close_a_stream_that_somebody_waits_on(waiting: Waiting) -> None:
    driver = ScriptedDriver([calls(("Waiting_wait", {})), "Done."])
    events = PromptTask("?", tools=[waiting], prompt_driver=driver).stream()
    begun, got = threading.Event(), []

    def consume() -> None:
        for event in events:
            got.append(event)
            if event.type == "StartActionEvent":
                begun.set()

    consumer = threading.Thread(target=consume)
    consumer.start()
    begun.wait(60)
    events.close()
    consumer.join(60)

    assert not consumer.is_alive()


def test_a_stream_that_nobody_began_runs_nothing() -> None:
    driver = ScriptedDriver(["Hi."])

    with PromptTask("?", prompt_driver=driver).stream() as events:
        pass

    assert driver.stacks == []
    assert list(events) == []


def test_the_run_sees_the_context_of_its_consumer(waiting: Waiting, is_async: bool) -> None:
    driver = ScriptedDriver([calls(("Waiting_caller", {})), "Done."])
    token = CALLER.set("me")
    try:
        _, run = streamed(PromptTask("?", tools=[waiting], prompt_driver=driver), is_async)
    finally:
        CALLER.reset(token)

    assert run.subtasks[0].actions[0].output == TextArtifact("me")


def test_a_blocking_stream_works_inside_a_running_event_loop(stock: Any) -> None:
    driver = ScriptedDriver([calls(("Stock_reserve", {"sku": "A", "units": 1})), "Done."])
    task = PromptTask("?", tools=[stock], prompt_driver=driver)

    async def inside() -> Run:
        return streamed(task, is_async=False)[1]

    assert asyncio.run(inside()).value == "Done."


def test_many_async_streams_run_on_one_loop() -> None:
    driver = ScriptedDriver([lambda stack: stack.messages[-1].to_text().upper()], repeat=True)
    task = PromptTask(prompt_driver=driver)

    async def one(number: int) -> Any:
        async with task.astream(f"question {number}") as events:
            async for _ in events:
                pass
        return events.run.value

    async def many() -> list[Any]:
        return await asyncio.gather(*map(one, range(100)))

    assert asyncio.run(many()) == [f"QUESTION {number}" for number in range(100)]


def test_leaving_the_text_early_cancels_the_run(ended: Ended) -> None:
    held = threading.Event()

    def hold(event: BaseEvent) -> None:
        if isinstance(event, TextChunkEvent) and event.token == "2":
            held.wait(60)

    driver = ScriptedDriver(["1234"], piece=1)
    stream = PromptTask("?", prompt_driver=driver, listeners=[ended, hold]).stream()

    text = stream.text()
    next(text)
    text.close()  # type: ignore[attr-defined]
    held.set()

    assert ended.stopped_by() == "cancelled"
    assert list(stream) == []
