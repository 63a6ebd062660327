"""The loop, played through every scene of a misbehaving model and judged as a reader would.

A tool runs only on arguments that were read whole; every call is answered once; the history that
the model is shown next is one that a strict provider takes; the run comes to its end.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from agenthost import Limits, PromptTask, Run
from agenthost_sdk import BaseTool, activity
from agenthost_sdk.artifacts import ErrorArtifact
from agenthost_sdk.errors import DriverError, LimitError
from agenthost_sdk.messages import (
    Message,
    PromptStack,
)
from agenthost_sdk.testing import MisbehavingDriver
from agenthost_sdk.testing.scenes import DIALECTS, SCENES, Outcome, Scene
from support.strict_stacks import objections

ANSWER = "Two are reserved."

RIGHT = ("Stock_reserve", {"sku": "AB-1200", "units": 2})
OTHER = ("Stock_list", {"shelf": "B"})

#: An activity that ran, and its arguments.
Ran = tuple[str, dict[str, Any]]

ONE: list[Ran] = [("reserve", {"sku": "AB-1200", "units": 2, "urgent": False})]
BOTH: list[Ran] = [*ONE, ("list", {"shelf": "B"})]
LISTED: list[Ran] = [("list", {"shelf": "A"})]


class Stock(BaseTool):
    """Look up and reserve stock."""

    def __post_init__(self) -> None:
        self.ran: list[Ran] = []

    @activity(read_only=True, examples=[("Two of AB-1200, please.", RIGHT[1])])
    def reserve(self, sku: str, units: int, urgent: bool = False) -> str:
        """Reserve units.

        Args:
            sku: Stock keeping unit.
            units: How many.
            urgent: Whether they are needed at once.
        """
        assert type(units) is int
        self.ran.append(("reserve", {"sku": sku, "units": units, "urgent": urgent}))
        return f"{units} of {sku}"

    @activity(read_only=True)
    def list(self, shelf: str = "A") -> str:
        """List what lies on a shelf.

        Args:
            shelf: Which one.
        """
        self.ran.append(("list", {"shelf": shelf}))
        return f"shelf {shelf}: AB-1200"


@dataclass(frozen=True)
class Played:
    """A scene that was played, and what came of it."""

    scene: Scene
    run: Run
    driver: MisbehavingDriver
    ran: Sequence[Ran]


#: Streamed or not, and awaited or not, but for neither.
MODES = [(True, False), (False, True), (True, True)]


@cache
def play(name: str, dialect: str, stream: bool = False, awaited: bool = False) -> Played:
    """Play a scene, once for all the tests that judge it."""
    tool = Stock()
    driver = MisbehavingDriver(
        name,
        dialect=dialect,
        tools=[tool],
        other=OTHER,
        stream=stream,
        answer=ANSWER,
    )
    task = PromptTask("Two, please.", tools=[tool], prompt_driver=driver, dialect=dialect)
    run = asyncio.run(task.arun()) if awaited else task.run()
    return Played(
        SCENES[name], run, driver, sorted(tool.ran, key=lambda ran: ran[0], reverse=True)
    )


def scenes(*outcomes: Outcome) -> list[Any]:
    """Return the scenes with these outcomes, each in each dialect that plays it."""
    return [
        pytest.param(name, dialect, id=f"{name}-{dialect}")
        for name, scene in SCENES.items()
        for dialect in scene.dialects
        if scene.outcome in outcomes
    ]


EVERY = scenes("runs", "told", "mixed", "answers", "fails", "stopped")

#: What runs where it is not the one right call.
RUN_BY = {
    **dict.fromkeys(("dup_ids", "empty_id", "two_blocks"), BOTH),
    **dict.fromkeys((n for n, s in SCENES.items() if s.streamed and s.outcome == "runs"), BOTH),
    **dict.fromkeys(("empty_args_noarg", "null_args_noarg"), LISTED),
}

#: Scenes in which something is set right, which is to be recorded.
REPAIRED = (
    *("trailing_comma", "single_quotes", "smart_quotes", "comments", "markdown_fence"),
    *("double_encoded", "trailing_quotes", "wrapped_args", "string_number", "null_optional"),
    *("dup_keys", "prefixed_tool", "case_tool"),
)


@pytest.mark.parametrize(("name", "dialect"), scenes("runs"))
def test_what_can_be_read_whole_runs_as_it_was_meant(name: str, dialect: str) -> None:
    played = play(name, dialect)

    assert played.ran == RUN_BY.get(name, ONE)
    assert not any(action.failed for action in played.run.subtasks[0].actions)
    assert (played.run.value, played.run.stopped_by) == (ANSWER, "answer")
    assert len(played.driver.stacks) == 2


@pytest.mark.parametrize(
    ("name", "dialect"), [one for one in scenes("runs") if one.values[0] in REPAIRED]
)
def test_what_was_set_right_is_recorded_on_the_action(name: str, dialect: str) -> None:
    played = play(name, dialect)

    assert all(action.repairs for action in played.run.subtasks[0].actions)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_right_call_needs_no_repair(dialect: str) -> None:
    played = play("good", dialect)

    assert [action.repairs for action in played.run.subtasks[0].actions] == [()]


@pytest.mark.parametrize(("name", "dialect"), scenes("told"))
def test_what_cannot_be_read_whole_is_not_run_and_the_model_is_told(
    name: str, dialect: str
) -> None:
    played = play(name, dialect)

    first = played.run.subtasks[0]
    assert all(action.failed for action in first.actions)
    assert first.actions or first.repair == "reply"
    assert told(played.driver.stacks[1])
    assert played.ran == (LISTED if name == "truncated_optional" else ONE)
    assert (played.run.value, played.run.stopped_by) == (ANSWER, "answer")
    assert len(played.driver.stacks) == 3


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("missing_arg", "units"),
        ("wrong_type", "/sku"),
        ("bool_for_int", "/units"),
        ("extra_arg", "not_an_argument"),
        ("empty_args_required", "sku"),
        ("array_args", "object"),
        ("unknown_tool", "Stock_reserve"),
        ("length_truncated", "cut|broke off|token"),
        ("s_cut", "cut|broke off"),
    ],
)
def test_the_words_for_the_model_say_what_was_wrong(name: str, words: str) -> None:
    played = play(name, "native")

    assert re.search(words, told(played.driver.stacks[1]))


@pytest.mark.parametrize(("name", "dialect"), scenes("mixed"))
def test_a_right_action_runs_beside_a_wrong_one(name: str, dialect: str) -> None:
    played = play(name, dialect)

    assert played.ran == ONE
    assert [action.failed for action in played.run.subtasks[0].actions] == [False, True]
    assert (played.run.value, played.run.stopped_by) == (ANSWER, "answer")


#: What is answered, and what that is called.
ANSWERED = {
    "refusal": ("I cannot do that.", "refusal"),
    "react_text": ("Stock_reserve", "answer"),
}


@pytest.mark.parametrize(("name", "dialect"), scenes("answers"))
def test_words_without_an_action_are_the_answer(name: str, dialect: str) -> None:
    played = play(name, dialect)

    words, stopped_by = ANSWERED[name]
    assert played.ran == []
    assert words in played.run.value
    assert played.run.stopped_by == stopped_by
    assert len(played.driver.stacks) == 1


@pytest.mark.parametrize(("name", "dialect"), scenes("fails"))
def test_a_provider_that_fails_ends_the_run_with_all_that_is_known_of_it(
    name: str, dialect: str
) -> None:
    played = play(name, dialect)

    output = played.run.output
    status = int(name.removeprefix("http_")) if name.startswith("http_") else None
    assert isinstance(output, ErrorArtifact)
    assert isinstance(output.exception, DriverError)
    assert output.exception.provider == "misbehaving"
    assert output.exception.model == "misbehaving-1"
    assert output.exception.status == status
    assert "misbehaving:misbehaving-1" in output.value
    assert status is None or str(status) in output.value
    assert (played.ran, played.run.stopped_by) == ([], "error")


#: The limit that ends each loop.
ENDED_BY = {"loop_empty": "max_reply_repairs"}


@pytest.mark.parametrize(("name", "dialect"), scenes("stopped"))
def test_a_loop_is_stopped_by_a_limit_that_is_named(name: str, dialect: str) -> None:
    played = play(name, dialect)

    limit = ENDED_BY.get(name, "max_repeats")
    assert played.run.stopped_by == limit
    assert len(played.driver.stacks) <= 8
    if name in ("loop_stubborn", "loop_empty"):
        with pytest.raises(LimitError, match=limit):
            played.run.raise_for_error()
    else:
        assert played.run.value == ANSWER


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_loop_is_told_to_the_model_before_it_is_stopped(dialect: str) -> None:
    played = play("loop_same", dialect)

    stacks = played.driver.stacks
    before, after = told(stacks[1]), told(stacks[2])
    assert len(after) > len(before)


@pytest.mark.parametrize(("name", "dialect"), EVERY)
def test_streamed_or_not_awaited_or_not_a_scene_comes_to_the_same(name: str, dialect: str) -> None:
    ends = [_end(play(name, dialect)), *(_end(play(name, dialect, *mode)) for mode in MODES)]

    assert ends == ends[:1] * len(ends)


@pytest.mark.parametrize(("name", "dialect"), EVERY)
def test_a_strict_provider_would_take_every_stack_of_a_scene(name: str, dialect: str) -> None:
    played = play(name, dialect)

    for stack in played.driver.stacks:
        assert list(objections(stack)) == []


def told(stack: PromptStack) -> str:
    """Return what the last message says."""
    return "\n".join(block.to_text() for block in stack.messages[-1].content)


def _end(played: Played) -> tuple[Any, ...]:
    """Return all that a scene came to: what ran, what the model was shown, how the run ended."""
    run = played.run
    shown = [[_said(message) for message in stack.messages] for stack in played.driver.stacks]
    repairs = [[action.repairs for action in subtask.actions] for subtask in run.subtasks]
    return played.ran, run.stopped_by, str(run.output), repairs, shown


def _said(message: Message) -> tuple[str, list[str]]:
    return message.role, [block.to_text() for block in message.content]


class Odd(BaseTool):
    """Come to odd results."""

    @activity(read_only=True)
    def fail(self) -> str:
        """Fail, and say too much."""
        raise ValueError("cannot log in as root with password=hunter2 at /srv/app/login.py")

    @activity(read_only=True)
    def fill(self) -> str:
        """Return two million characters."""
        return "begin" + "x" * 2_000_000 + "end"

    @activity(read_only=True)
    def dump(self) -> bytes:
        """Return bytes that are no text."""
        return b"\x00\xff\xfe" * 10

    @activity(read_only=True)
    def keep_still(self) -> None:
        """Return nothing."""


def shown_of(path: str, dialect: str, limits: Limits | None = None) -> str:
    """Return what the model is shown of the result of an activity."""
    driver = MisbehavingDriver("good", dialect=dialect, call=(f"Odd_{path}", {}), answer=ANSWER)
    task = PromptTask(
        "?", tools=[Odd()], prompt_driver=driver, dialect=dialect, limits=limits or Limits()
    )
    run = task.run()
    assert (run.value, run.stopped_by) == (ANSWER, "answer")
    stack = driver.stacks[1]
    assert list(objections(stack)) == []
    return told(stack)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_what_a_tool_raises_reaches_the_model_without_secrets(dialect: str) -> None:
    shown = shown_of("fail", dialect)

    assert "ValueError" in shown
    assert "cannot log in" in shown
    assert "hunter2" not in shown


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_huge_result_is_cut_and_says_so(dialect: str) -> None:
    shown = shown_of("fill", dialect, Limits(max_output_chars=1000))

    assert len(shown) < 2000
    assert "begin" in shown
    assert "end" in shown
    assert "agenthost_read_result" in shown


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("path", ["dump", "keep_still"])
def test_bytes_and_nothing_are_results_too(dialect: str, path: str) -> None:
    shown = shown_of(path, dialect)

    assert shown.strip()
    assert len(shown) < 500
