"""Long results are cut and can be read on; long runs fold their oldest rounds."""

from __future__ import annotations

from typing import Any

import pytest

from agenthost import Limits, PromptTask, Run
from agenthost.requests import Steps
from agenthost.tasks.perform import perform
from agenthost_sdk import (
    BaseTool,
    activity,
)
from agenthost_sdk.errors import DriverError
from agenthost_sdk.testing import ScriptedDriver, calls
from support.runs import carry_out, words_of


class Library(BaseTool):
    """Books."""

    @activity(read_only=True)
    def book(self, letters: int) -> str:
        """Return a book.

        Args:
            letters: How long it is.
        """
        return "".join(chr(97 + n % 26) for n in range(letters))


def test_a_long_result_is_cut_and_can_be_read_on(voice: Any, is_async: bool) -> None:
    read = ("agenthost", "read_result", {"handle": "r1-1", "start": 900})
    driver = voice.driver(
        voice.act(("Library", "book", {"letters": 3000})), voice.act(read), voice.answer("Read.")
    )
    limits = Limits(max_output_chars=1000)
    task = PromptTask("?", tools=[Library()], prompt_driver=driver, limits=limits)

    run = carry_out(task, is_async)

    whole = run.subtasks[0].actions[0].output
    assert whole is not None
    assert len(whole.value) == 3000
    seen = words_of(driver.stacks[1])
    assert "of 3000 characters are left out" in seen
    assert "agenthost_read_result" in seen
    assert whole.value not in seen
    part = str(run.subtasks[1].actions[0].output)
    assert whole.value[900:1800] in part
    assert "go on with start=" in part


def test_the_reading_tool_is_offered_only_once_something_was_cut(voice: Any) -> None:
    driver = voice.driver(
        voice.act(("Library", "book", {"letters": 10})),
        voice.act(("Library", "book", {"letters": 3000})),
        voice.answer("Read."),
    )
    limits = Limits(max_output_chars=1000)

    PromptTask("?", tools=[Library()], prompt_driver=driver, limits=limits).run()

    offered = ["read_result" in f"{words_of(one)} {one.tools}" for one in driver.stacks]
    assert offered == [False, False, True]


def test_the_reading_tool_is_left_out_where_the_provider_takes_no_further_one() -> None:
    class Small(ScriptedDriver):
        max_tools = 1

    driver = Small([calls(("Library_book", {"letters": 3000})), "Read."])
    limits = Limits(max_output_chars=1000)

    run = PromptTask("?", tools=[Library()], prompt_driver=driver, limits=limits).run()

    assert run.value == "Read."
    assert [len(stack.tools) for stack in driver.stacks] == [1, 1]
    assert "agenthost_read_result" not in words_of(driver.stacks[1])


class Result(BaseTool):
    """Have the name of the reading tool, cut at another place."""

    @activity(read_only=True)
    def result(self) -> str:
        """Return much."""
        return "much" * 1000


@pytest.mark.parametrize("name", ["agenthost", "agenthost_read"])
def test_the_reading_tool_gives_way_to_one_of_the_application(voice: Any, name: str) -> None:
    driver = voice.driver(voice.act((name, "result", {})), voice.answer("Read."))
    limits = Limits(max_output_chars=1000)

    run = PromptTask("?", tools=[Result(name=name)], prompt_driver=driver, limits=limits).run()

    assert run.value == "Read."
    assert "characters are left out here" in words_of(driver.stacks[1])
    assert "reads on" not in words_of(driver.stacks[1])


@pytest.mark.parametrize("handle", ["r9-9", "r0-0", "r0-1", "r1-0", "r1--1", "r2-1", "first"])
def test_a_handle_of_no_result_so_far_is_told_to_the_model(voice: Any, handle: str) -> None:
    wrong = ("agenthost", "read_result", {"handle": handle})
    driver = voice.driver(
        voice.act(("Library", "book", {"letters": 3000})), voice.act(wrong), voice.answer("No.")
    )
    limits = Limits(max_output_chars=1000)

    run = PromptTask("?", tools=[Library()], prompt_driver=driver, limits=limits).run()

    assert f"No result has the handle {handle!r}" in str(run.subtasks[1].actions[0].output)


def test_a_long_run_drops_its_oldest_rounds_and_keeps_the_last(voice: Any) -> None:
    asked = [voice.act(("Library", "book", {"letters": 400 + n})) for n in range(6)]
    driver = voice.driver(*asked, voice.answer("Done."))
    limits = Limits(max_history_tokens=400, keep_rounds=2)
    task = PromptTask(
        "Which book?", tools=[Library()], prompt_driver=driver, limits=limits, folding="drop"
    )

    run = task.run()

    last = words_of(driver.stacks[-1])
    assert run.stopped_by == "answer"
    assert "Which book?" in last
    assert "404" in last
    assert "405" in last
    assert "400" not in last
    assert "left out to save room" in last
    assert len(run.subtasks) == 7


def test_a_long_run_is_summarised_by_the_model(voice: Any) -> None:
    asked = [voice.act(("Library", "book", {"letters": 400 + n})) for n in range(6)]
    driver = voice.driver(*asked, voice.answer("Done."))
    clerk = ScriptedDriver(["Books were fetched."], repeat=True)
    limits = Limits(max_history_tokens=500, keep_rounds=2)
    task = PromptTask(
        "Which book?",
        tools=[Library()],
        prompt_driver=driver,
        limits=limits,
        step_drivers={"summarise": clerk},
    )

    run = task.run()

    assert run.stopped_by == "answer"
    assert "Books were fetched." in words_of(driver.stacks[-1])
    assert clerk.stacks
    assert run.summary == "Books were fetched."


def test_rounds_of_which_no_summary_can_be_had_are_dropped(voice: Any) -> None:
    asked = [voice.act(("Library", "book", {"letters": 400 + n})) for n in range(6)]
    limits = Limits(max_history_tokens=500, keep_rounds=2)
    task = PromptTask(
        "Which book?",
        tools=[Library()],
        prompt_driver=voice.driver(*asked, voice.answer("Done.")),
        limits=limits,
        step_drivers={"summarise": ScriptedDriver([DriverError("overloaded")], repeat=True)},
    )

    run = task.run()

    assert (run.value, run.stopped_by) == ("Done.", "answer")
    assert run.folded
    assert len(run.subtasks) == 7


def folded_run(most: int, broken_off_at: int | None = None) -> tuple[Run, list[str]]:
    """Return a long run that folds, and what its model was shown; it may break off and go on."""
    asked = [calls(("Library_book", {"letters": 400 + n})) for n in range(6)]
    driver = ScriptedDriver([*asked, "Done."])
    limits = Limits(max_history_tokens=most, keep_rounds=1)
    task = PromptTask(
        "Which book?", tools=[Library()], prompt_driver=driver, limits=limits, folding="drop"
    )
    run = task.new_run()
    if broken_off_at is not None:
        perform(run, first_requests(task.steps(run), broken_off_at))
    return perform(run, task.steps(run)), [words_of(stack) for stack in driver.stacks]


def first_requests(steps: Steps[None], number: int) -> Steps[None]:
    """Yield the first requests of a loop, then break off before the next is carried out."""
    request = next(steps)
    for _ in range(number):
        request = steps.send((yield request))
    steps.close()


@pytest.mark.parametrize("most", [240, 350, 400])
@pytest.mark.parametrize("number", range(21))
def test_a_run_that_breaks_off_at_any_request_folds_what_it_would_have(
    most: int, number: int
) -> None:
    whole, shown = folded_run(most)
    run, shown_by_both = folded_run(most, broken_off_at=number)

    assert shown_by_both == shown
    assert (run.value, run.folded) == (whole.value, whole.folded)
    assert whole.folded > 2
