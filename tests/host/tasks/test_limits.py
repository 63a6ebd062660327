"""The limits of a run: each its own, each named, and nothing of what was done is lost."""

from __future__ import annotations

import threading
from itertools import count
from typing import Any

import pytest

from agenthost import Limits, PromptTask, Run
from agenthost_sdk import (
    BaseArtifact,
    BaseOutputValidator,
    BaseTool,
    ErrorArtifact,
    PromptStack,
    Verdict,
    activity,
)
from agenthost_sdk.errors import LimitError, SettingsError
from agenthost_sdk.messages import Message, TextMessageContent, Usage
from agenthost_sdk.testing import ScriptedDriver
from support.runs import carry_out, words_of


class Counter(BaseTool):
    """Count."""

    def __post_init__(self) -> None:
        self.numbers = count(1)

    @activity(read_only=True)
    def next(self, step: int = 0) -> int:
        """Return the next number.

        Args:
            step: Of no account.
        """
        return next(self.numbers)

    @activity(read_only=True)
    def same(self, step: int = 0) -> str:
        """Return the same as ever.

        Args:
            step: Told apart by it.
        """
        return "as ever"

    @activity(read_only=True)
    def fail(self, step: int) -> str:
        """Fail, each time in another way.

        Args:
            step: Told apart by it.
        """
        raise ValueError(f"fault {step}")


def ran(run: Run) -> list[str]:
    """Return the results of the actions that ran."""
    return [
        str(action.output)
        for subtask in run.subtasks
        for action in subtask.actions
        if not action.failed
    ]


@pytest.mark.parametrize(
    "fault",
    [
        {"max_subtasks": 0},
        {"max_subtasks": -1},
        {"max_subtasks": True},
        {"max_subtasks": 1.5},
        {"max_subtasks": None},
        {"max_reply_repairs": 0},
        {"max_output_repairs": -3},
        {"max_consecutive_errors": 0},
        {"max_repeats": 1},
        {"max_seconds": 0},
        {"max_seconds": float("nan")},
        {"max_seconds": "9"},
        {"max_tokens": 0},
        {"max_output_chars": 0},
        {"max_history_tokens": 0},
        {"last_turn": 1},
    ],
    ids=str,
)
def test_a_limit_that_makes_no_sense_is_refused_when_it_is_made(fault: dict[str, Any]) -> None:
    with pytest.raises(SettingsError, match=next(iter(fault))):
        Limits(**fault)


def test_n_rounds_of_actions_are_allowed_and_then_one_last_turn(
    voice: Any, is_async: bool
) -> None:
    asked = [voice.act(("Counter", "next", {})) for _ in range(4)]
    driver = voice.driver(*asked, voice.answer("Three so far."))
    limits = Limits(max_subtasks=3)
    task = PromptTask("?", tools=[Counter()], prompt_driver=driver, limits=limits)

    run = carry_out(task, is_async)

    assert run.value == "Three so far."
    assert run.stopped_by == "max_subtasks"
    assert ran(run) == ["1", "2", "3"]
    last = driver.stacks[-1]
    assert "3 rounds of actions" in words_of(last)
    assert last.tool_choice == "none"
    assert "was not run" in words_of(last)


def test_exactly_n_rounds_and_an_answer_reach_no_limit(voice: Any) -> None:
    asked = [voice.act(("Counter", "next", {})) for _ in range(3)]
    driver = voice.driver(*asked, voice.answer("Three."))

    run = PromptTask(
        "?", tools=[Counter()], prompt_driver=driver, limits=Limits(max_subtasks=3)
    ).run()

    assert (run.value, run.stopped_by) == ("Three.", "answer")


def test_a_model_that_acts_in_its_last_turn_ends_in_an_error_that_names_the_limit(
    voice: Any, is_async: bool
) -> None:
    driver = voice.driver(voice.act(("Counter", "next", {})), repeat=True)
    limits = Limits(max_subtasks=3)
    task = PromptTask("?", tools=[Counter()], prompt_driver=driver, limits=limits)

    run = carry_out(task, is_async)

    assert run.stopped_by == "max_subtasks"
    assert len(driver.stacks) == 5
    assert ran(run) == ["1", "2", "3"]
    with pytest.raises(LimitError, match="max_subtasks: 3 rounds"):
        run.raise_for_error()


def test_the_last_turn_can_be_switched_off(voice: Any) -> None:
    driver = voice.driver(voice.act(("Counter", "next", {})), repeat=True)
    limits = Limits(max_subtasks=2, last_turn=False)

    run = PromptTask("?", tools=[Counter()], prompt_driver=driver, limits=limits).run()

    assert len(driver.stacks) == 3
    assert run.stopped_by == "max_subtasks"
    assert isinstance(run.output, ErrorArtifact)


def test_replies_that_stay_empty_end_in_an_error(voice: Any) -> None:
    driver = voice.driver("", repeat=True)

    run = PromptTask("?", tools=[Counter()], prompt_driver=driver).run()

    assert run.stopped_by == "max_reply_repairs"
    assert len(driver.stacks) == 4
    assert isinstance(run.output, ErrorArtifact)
    assert "max_reply_repairs" in run.value


@pytest.mark.parametrize("dialect", ["actions_json", "classic"])
def test_what_is_left_of_a_reply_without_a_form_stands_as_the_answer(dialect: str) -> None:
    driver = ScriptedDriver(["Thought: hm."], repeat=True)
    task = PromptTask("?", tools=[Counter()], prompt_driver=driver, dialect=dialect)

    run = task.run()

    assert run.value == "hm."
    assert run.stopped_by == "max_reply_repairs"


def test_replies_that_are_handed_back_count_towards_the_rounds() -> None:
    driver = ScriptedDriver(["Thought: hm."], repeat=True)
    limits = Limits(max_subtasks=2, max_reply_repairs=9)
    task = PromptTask(
        "?", tools=[Counter()], prompt_driver=driver, dialect="actions_json", limits=limits
    )

    run = task.run()

    assert (run.value, run.stopped_by) == ("hm.", "max_subtasks")
    assert len(driver.stacks) == 3


def test_the_reminder_of_the_form_can_be_set(voice: Any) -> None:
    driver = voice.driver("", voice.answer("Here."))
    task = PromptTask(
        "?", tools=[Counter()], prompt_driver=driver, repair_prompt="Bitte in der Form antworten."
    )

    task.run()

    told = driver.stacks[1].messages[-1].to_text()
    assert told.endswith("Bitte in der Form antworten.")
    assert task.setup.dialect.reminder
    assert task.setup.dialect.reminder not in told


class Whole(BaseOutputValidator):
    """Accept whole numbers only."""

    def validate(self, output: BaseArtifact) -> Verdict:
        """Refuse all else."""
        text = output.to_text()
        return Verdict.accept() if text.isdigit() else Verdict.refuse("Write digits only.")


def test_answers_that_stay_refused_stop_at_their_own_limit(voice: Any) -> None:
    driver = voice.driver(voice.answer("about seven"), repeat=True)
    limits = Limits(max_output_repairs=2)

    run = PromptTask("?", prompt_driver=driver, output_validators=[Whole()], limits=limits).run()

    assert run.stopped_by == "max_output_repairs"
    assert "Write digits only." in run.value
    assert len(driver.stacks) == 3


def test_an_answer_of_the_last_turn_must_pass_the_validators_too(voice: Any) -> None:
    driver = voice.driver(
        voice.act(("Counter", "next", {})), voice.act(("Counter", "next", {})), voice.answer("x")
    )
    task = PromptTask(
        "?",
        tools=[Counter()],
        prompt_driver=driver,
        output_validators=[Whole()],
        limits=Limits(max_subtasks=1),
    )

    run = task.run()

    assert run.stopped_by == "max_subtasks"
    assert isinstance(run.output, ErrorArtifact)
    assert "Write digits only." in run.value


def test_rounds_in_which_every_action_fails_are_limited(voice: Any) -> None:
    asked = [voice.act(("Counter", "fail", {"step": n})) for n in range(4)]
    driver = voice.driver(*asked, voice.answer("It fails."))
    limits = Limits(max_consecutive_errors=4)

    run = PromptTask("?", tools=[Counter()], prompt_driver=driver, limits=limits).run()

    assert (run.value, run.stopped_by) == ("It fails.", "max_consecutive_errors")


def test_one_action_that_succeeds_breaks_the_row_of_errors(voice: Any) -> None:
    failing = [voice.act(("Counter", "fail", {"step": n})) for n in range(6)]
    good = voice.act(("Counter", "next", {}), ("Counter", "fail", {"step": 9}))
    driver = voice.driver(*failing[:3], good, *failing[3:], voice.answer("Done."))
    limits = Limits(max_consecutive_errors=4)

    run = PromptTask("?", tools=[Counter()], prompt_driver=driver, limits=limits).run()

    assert run.stopped_by == "answer"


def test_the_same_again_is_told_at_the_second_time_and_stopped_at_the_third(
    voice: Any, is_async: bool
) -> None:
    same = [voice.act(("Counter", "same", {"step": 1})) for _ in range(3)]
    driver = voice.driver(*same, voice.answer("As ever."))

    run = carry_out(PromptTask("?", tools=[Counter()], prompt_driver=driver), is_async)

    assert (run.value, run.stopped_by) == ("As ever.", "max_repeats")
    assert "second time" not in words_of(driver.stacks[1])
    assert "second time" in words_of(driver.stacks[2])
    assert len(driver.stacks) == 4


def test_a_model_may_poll_while_the_result_changes(voice: Any) -> None:
    asked = [voice.act(("Counter", "next", {"step": 1})) for _ in range(9)]
    driver = voice.driver(*asked, voice.answer("Nine."))

    run = PromptTask("?", tools=[Counter()], prompt_driver=driver).run()

    assert (run.value, run.stopped_by) == ("Nine.", "answer")


def test_a_cycle_of_two_rounds_is_told_and_stopped(voice: Any) -> None:
    cycle = [voice.act(("Counter", "same", {"step": n % 2})) for n in range(6)]
    driver = voice.driver(*cycle, voice.answer("Round and round."))

    run = PromptTask("?", tools=[Counter()], prompt_driver=driver).run()

    assert (run.value, run.stopped_by) == ("Round and round.", "max_repeats")
    assert "second time" not in words_of(driver.stacks[3])
    assert "second time" in words_of(driver.stacks[4])
    assert len(driver.stacks) == 7


def test_the_tokens_of_a_run_are_limited_before_the_next_request(voice: Any) -> None:
    def costly(message: Message) -> Message:
        return Message("assistant", message.content, Usage(600, 10), message.finish)

    driver = voice.driver(
        costly(voice.act(("Counter", "next", {}))),
        costly(voice.act(("Counter", "next", {}))),
        voice.answer("Two."),
    )
    limits = Limits(max_tokens=1000)

    run = PromptTask("?", tools=[Counter()], prompt_driver=driver, limits=limits).run()

    assert (run.value, run.stopped_by) == ("Two.", "max_tokens")
    assert run.usage.total_tokens == 1220


def test_a_model_that_does_not_reply_in_time_is_not_waited_for(is_async: bool) -> None:
    release = threading.Event()

    def late(_: PromptStack) -> str:
        release.wait(60)
        return "too late"

    task = PromptTask("?", prompt_driver=ScriptedDriver([late]), limits=Limits(max_seconds=0.05))

    run = carry_out(task, is_async)
    release.set()

    assert run.stopped_by == "max_seconds"
    assert isinstance(run.output, ErrorArtifact)
    assert run.output.code == "limit"


def test_an_action_that_outlasts_the_run_is_answered_and_the_model_has_the_last_word(
    voice: Any, is_async: bool
) -> None:
    release = threading.Event()

    class Slow(BaseTool):
        """Wait."""

        @activity(read_only=True)
        def wait(self) -> str:
            """Wait."""
            release.wait(60)
            return "late"

    driver = voice.driver(voice.act(("Slow", "wait", {})), voice.answer("No time."))
    limits = Limits(max_seconds=0.3)

    run = carry_out(PromptTask("?", tools=[Slow()], prompt_driver=driver, limits=limits), is_async)
    release.set()

    assert (run.value, run.stopped_by) == ("No time.", "max_seconds")
    [action] = run.subtasks[0].actions
    assert action.failed
    assert "left to the run (max_seconds)" in str(action.output)


def test_an_answer_that_was_cut_at_the_limit_of_tokens_says_so() -> None:
    cut = Message("assistant", (TextMessageContent("Once upon a"),), finish="length")

    run = PromptTask("?", prompt_driver=ScriptedDriver([cut])).run()

    assert (run.value, run.stopped_by) == ("Once upon a", "length")


def test_an_action_that_comes_to_the_same_beside_one_that_does_not_is_told_and_may_go_on(
    voice: Any,
) -> None:
    asked = [
        voice.act(("Counter", "same", {"step": 1}), ("Counter", "next", {"step": n}))
        for n in range(5)
    ]
    driver = voice.driver(*asked, voice.answer("Five."))

    run = PromptTask("?", tools=[Counter()], prompt_driver=driver).run()

    assert (run.value, run.stopped_by) == ("Five.", "answer")
    assert "second time" not in words_of(driver.stacks[1])
    assert "second time" in words_of(driver.stacks[2])


def test_rounds_in_another_order_are_the_same(voice: Any) -> None:
    one, two = ("Counter", "same", {"step": 1}), ("Counter", "same", {"step": 2})
    driver = voice.driver(
        voice.act(one, two), voice.act(two, one), voice.act(one, two), voice.answer("Done.")
    )

    run = PromptTask("?", tools=[Counter()], prompt_driver=driver).run()

    assert (run.value, run.stopped_by) == ("Done.", "max_repeats")


def test_a_long_cycle_is_stopped_too(voice: Any) -> None:
    cycle = [voice.act(("Counter", "same", {"step": n % 5})) for n in range(15)]
    driver = voice.driver(*cycle, voice.answer("Round."))

    run = PromptTask("?", tools=[Counter()], prompt_driver=driver).run()

    assert (run.value, run.stopped_by) == ("Round.", "max_repeats")
