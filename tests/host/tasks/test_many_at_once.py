"""Many runs, and many actions, at once: with right and separate results."""

from __future__ import annotations

import asyncio
import json
import math
import threading
from collections import UserDict
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from agenthost import Agent, PromptTask, Run
from agenthost_sdk import (
    BaseArtifact,
    BaseTool,
    ErrorArtifact,
    Message,
    PromptStack,
    activity,
)
from agenthost_sdk.artifacts import NOTHING
from agenthost_sdk.testing import ScriptedDriver, calls
from support.runs import carry_out, words_of


class Echo(BaseTool):
    """Say a word again."""

    @activity(read_only=True)
    def say(self, word: str) -> str:
        """Say it.

        Args:
            word: The word.
        """
        return word

    @activity(read_only=True)
    async def asay(self, word: str) -> str:
        """Say it, asynchronously.

        Args:
            word: The word.
        """
        await asyncio.sleep(0)
        return word

    @activity(read_only=True)
    async def loop(self) -> int:
        """Tell which loop this is."""
        return id(asyncio.get_running_loop())


def parrot(stack: PromptStack) -> str | Message:
    """Ask for the question's echo, then answer with what came of it."""
    last = stack.messages[-1]
    if last.role == "user" and not any(message.calls for message in stack.messages):
        word = last.to_text()
        return calls(("Echo_say", {"word": word}), ("Echo_asay", {"word": word}))
    said = [block.to_text() for message in stack.messages[-2:] for block in message.content]
    return " ".join(said[-2:])


def echo_task() -> PromptTask:
    driver = ScriptedDriver([parrot], repeat=True)
    return PromptTask(tools=[Echo()], prompt_driver=driver)


def test_a_thousand_coroutines_run_one_task_with_right_and_separate_results() -> None:
    task = echo_task()

    async def many() -> list[Run]:
        return await asyncio.gather(*(task.arun(f"w{number}") for number in range(1_000)))

    runs = asyncio.run(many())

    assert [run.value for run in runs] == [f"w{number} w{number}" for number in range(1_000)]
    assert len({run.id for run in runs}) == 1_000


def test_two_hundred_actions_in_one_reply_are_all_answered_in_order(is_async: bool) -> None:
    words = [f"w{number}" for number in range(200)]
    paths = ["say", "asay"] * 100
    asked = [(f"Echo_{path}", {"word": word}) for path, word in zip(paths, words, strict=True)]
    driver = ScriptedDriver([calls(*asked), "Done."])

    run = carry_out(PromptTask("?", tools=[Echo()], prompt_driver=driver), is_async)

    actions = run.subtasks[0].actions
    assert [str(action.output) for action in actions[:128]] == words[:128]
    assert all("more than 128 actions" in str(action.output) for action in actions[128:])
    assert len(actions) == 200
    assert run.value == "Done."


def test_async_activities_of_blocking_runs_live_on_one_loop() -> None:
    driver = ScriptedDriver([calls(("Echo_loop", {})), "Done."], repeat=True)
    task = PromptTask("?", tools=[Echo()], prompt_driver=driver)

    first, second = task.run(), task.run()

    async def inside() -> Run:
        return task.run()

    third = asyncio.run(inside())
    loops = {str(run.subtasks[0].output) for run in (first, second, third)}

    assert len(loops) == 1


def test_a_blocking_run_works_inside_a_running_loop_beside_async_ones() -> None:
    task = echo_task()

    async def inside() -> list[Any]:
        waiting = asyncio.create_task(task.arun("async"))
        blocking = task.run("blocking")
        return [(await waiting).value, blocking.value]

    assert asyncio.run(inside()) == ["async async", "blocking blocking"]


def test_agents_in_many_threads_keep_their_conversations_apart() -> None:
    def said(stack: PromptStack) -> str:
        return " ".join(one.to_text() for one in stack.messages if one.role == "user")

    driver = ScriptedDriver([said], repeat=True)

    def talk(number: int) -> Any:
        agent = Agent(prompt_driver=driver)
        agent.run(f"first {number}")
        return agent.run(f"second {number}").value

    with ThreadPoolExecutor(32) as pool:
        values = list(pool.map(talk, range(32)))

    assert values == [f"first {number} second {number}" for number in range(32)]


class Unprintable:
    """A value whose text cannot be had."""

    def __str__(self) -> str:
        raise RuntimeError("no text")

    __repr__ = __str__


class Plain:
    """A value that JSON has no word for."""

    def __repr__(self) -> str:
        return "<Plain>"


@dataclass
class Point:
    x: float
    when: date


def numbers() -> Iterator[int]:
    yield from range(3)


async def async_numbers() -> AsyncIterator[int]:
    for number in range(3):
        yield number


def endless() -> Iterator[int]:
    number = 0
    while True:
        yield number
        number += 1


def ring() -> list[Any]:
    value: list[Any] = []
    value.append(value)
    return value


def deep() -> list[Any]:
    value: list[Any] = []
    for _ in range(100_000):
        value = [value]
    return value


#: What an activity may return, and words that the model must read of it.
RETURNED: dict[str, tuple[Callable[[], Any], str]] = {
    "nothing": (lambda: None, NOTHING),
    "text bytes": (lambda: b"abc", "abc"),
    "other bytes": (lambda: b"\xff\x00", "2 bytes"),
    "bytearray": (lambda: bytearray(b"abc"), "abc"),
    "memoryview": (lambda: memoryview(b"abc"), "abc"),
    "generator": (numbers, "[0, 1, 2]"),
    "endless generator": (endless, "[0, 1, 2"),
    "async generator": (async_numbers, "[0, 1, 2]"),
    "nan": (lambda: math.nan, "nan"),
    "infinity": (lambda: -math.inf, "-inf"),
    "nan inside": (lambda: {"x": math.nan, "y": [math.inf]}, "NaN"),
    "set": (lambda: {3}, "[3]"),
    "empty set": (set, "[]"),
    "mixed set": (lambda: {"a"} | {1}, "a"),
    "date": (lambda: date(2024, 5, 1), "2024-05-01"),
    "time": (lambda: datetime(2024, 5, 1, tzinfo=UTC), "2024-05-01T00:00:00"),
    "duration": (lambda: timedelta(minutes=1), "PT"),
    "decimal": (lambda: Decimal("1.10"), "1.10"),
    "fraction": (lambda: Fraction(1, 3), "1/3"),
    "complex": (lambda: 1 + 2j, "1+2j"),
    "uuid": (lambda: UUID(int=1), "00000000-0000"),
    "path": (lambda: Path("a") / "b", "a"),
    "huge integer": (lambda: 10**5_000, ""),
    "huge integer inside": (lambda: {"n": 10**5_000}, ""),
    "exception": (lambda: ValueError("bad date"), "bad date"),
    "exception inside": (lambda: {"error": ValueError("bad date")}, "bad date"),
    "lone surrogate": (lambda: "a\ud800b", "a"),
    "lone surrogate inside": (lambda: {"t": "a\ud800b"}, "a"),
    "object": (Plain, "Plain"),
    "object inside": (lambda: {"p": Plain()}, "Plain"),
    "unprintable": (Unprintable, "Unprintable"),
    "unprintable inside": (lambda: [Unprintable()], ""),
    "class": (lambda: Plain, "Plain"),
    "function": (lambda: numbers, "numbers"),
    "dataclass": (lambda: Point(1.5, date(2024, 5, 1)), "2024-05-01"),
    "odd keys": (lambda: {(1, 2): "a", None: "b", date(2024, 5, 1): "c"}, "a"),
    "mapping": (lambda: UserDict(a=1), '{"a": 1}'),
    "ring": (ring, ""),
    "deep": (deep, ""),
    "bytes inside": (lambda: {"b": b"\xff\x00"}, "b"),
    "empty text": (str, ""),
}


class Giver(BaseTool):
    """Return what is asked for."""

    @activity(read_only=True)
    def give(self, what: str) -> Any:
        """Return it.

        Args:
            what: Its name.
        """
        return RETURNED[what][0]()

    @activity(read_only=True)
    async def agive(self, what: str) -> Any:
        """Return it, asynchronously.

        Args:
            what: Its name.
        """
        return RETURNED[what][0]()


def outputs_of(run: Run) -> list[BaseArtifact]:
    return [action.output for action in run.subtasks[0].actions if action.output is not None]


@pytest.mark.parametrize("what", RETURNED)
def test_whatever_an_activity_returns_the_model_can_read_it(
    what: str, voice: Any, is_async: bool
) -> None:
    driver = voice.driver(
        voice.act(("Giver", "give", {"what": what}), ("Giver", "agive", {"what": what})),
        voice.answer("Done."),
    )

    run = carry_out(PromptTask("?", tools=[Giver()], prompt_driver=driver), is_async)

    assert run.value == "Done."
    first, second = outputs_of(run)
    assert type(first) is type(second)
    for output in (first, second):
        text = output.to_text()
        assert RETURNED[what][1] in text
        text.encode()
        assert len(text) < 20_000
        assert isinstance(output, ErrorArtifact) is (what == "exception")
        json.dumps(output.to_json())


def test_sixty_four_actions_of_one_reply_meet_at_one_barrier(
    voice: Any, meeting: Any, is_async: bool
) -> None:
    asked = [("Meeting", "meet", {"number": number}) for number in range(64)]
    driver = voice.driver(voice.act(*asked), voice.answer("All are there."))

    run = carry_out(PromptTask("?", tools=[meeting], prompt_driver=driver), is_async)

    outputs = [action.output.value for action in run.subtasks[0].actions if action.output]
    assert outputs == list(range(64))


def test_one_task_serves_sixty_four_threads_at_once(voice: Any) -> None:
    class Echo(BaseTool):
        """Say it again."""

        @activity(read_only=True)
        def say(self, words: str) -> str:
            """Say it.

            Args:
                words: What to say.
            """
            barrier.wait()
            return words.upper()

    def reply(stack: PromptStack) -> Message:
        asked = [message.to_text() for message in stack.messages if message.role == "user"]
        question = asked[0]
        if len(asked) == 1:
            return voice.act(("Echo", "say", {"words": question}))  # type: ignore[no-any-return]
        heard = question.upper() in words_of(stack)
        return voice.answer(question.upper() if heard else "not heard")  # type: ignore[no-any-return]

    barrier = threading.Barrier(64, timeout=60)
    task = PromptTask(tools=[Echo()], prompt_driver=voice.driver(reply, repeat=True))
    questions = [f"question number {number:02}x" for number in range(64)]
    with ThreadPoolExecutor(64) as pool:
        runs = list(pool.map(task.run, questions))

    assert [run.value for run in runs] == [question.upper() for question in questions]
    assert len({run.id for run in runs}) == 64


def test_run_works_inside_a_running_event_loop(voice: Any, stock: Any) -> None:
    driver = voice.driver(
        voice.act(("Stock", "reserve", {"sku": "A", "units": 1})), voice.answer("Done.")
    )

    async def inside() -> Run:
        return PromptTask("?", tools=[stock], prompt_driver=driver).run()

    assert asyncio.run(inside()).value == "Done."


class Guarded(BaseTool):
    """Do one thing at a time, as a client with a lock of its own does."""

    def __post_init__(self) -> None:
        self.lock = asyncio.Lock()

    @activity(read_only=True)
    async def pass_through(self, number: int) -> int:
        """Wait for the others, and go.

        Args:
            number: Who comes.
        """
        async with self.lock:
            await asyncio.sleep(0)
            return number

    @activity(read_only=True, timeout=0.05)
    async def block(self) -> str:
        """Block the loop, as it should not."""
        gate.wait(30)
        return "late"


gate = threading.Event()


def test_what_a_tool_keeps_on_its_loop_serves_blocking_and_awaited_runs() -> None:
    asked = [("Guarded_pass_through", {"number": number}) for number in range(4)]
    driver = ScriptedDriver([calls(*asked), "All."], repeat=True)
    task = PromptTask("?", tools=[Guarded()], prompt_driver=driver)

    runs = [task.run(), asyncio.run(task.arun()), asyncio.run(task.arun()), task.run()]

    for run in runs:
        assert run.value == "All."
        assert [str(action.output) for action in run.subtasks[0].actions] == list("0123")


def test_an_async_activity_that_blocks_its_loop_is_answered_in_time_all_the_same(
    is_async: bool,
) -> None:
    gate.clear()
    driver = ScriptedDriver([calls(("Guarded_block", {})), "Too slow."])
    task = PromptTask("?", tools=[Guarded()], prompt_driver=driver)

    run = carry_out(task, is_async)
    gate.set()

    assert run.value == "Too slow."
    assert "0.05 seconds" in str(run.subtasks[0].actions[0].output)
