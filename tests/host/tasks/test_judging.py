"""A judge that ends a run from its observations, and runners of a user's own."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from agenthost import DEFAULT_RUNNERS, Judge, Limits, ModelJudge, PromptTask, Run
from agenthost.requests import Prompt, Steps, ask
from agenthost.tasks.runners import Runner
from agenthost.tasks.subtasks import ActionsSubtask
from agenthost_sdk import (
    BaseArtifact,
    BaseOutputValidator,
    BaseTool,
    ErrorArtifact,
    JsonArtifact,
    ListArtifact,
    PromptStack,
    TextArtifact,
    Verdict,
    activity,
)
from agenthost_sdk.errors import DefinitionError
from support.runs import carry_out, said

COUNT = ("Stock", "count", {"sku": "AB"})

FAIL = ("Stock", "fail", {"words": "no stock"})


def judged(voice: Any, stock: Any, decided: Any, *asked: Any) -> Run:
    """Return a run whose judge decides so after its first round of actions."""
    driver = voice.driver(voice.act(*(asked or (COUNT,))), voice.answer("Two, says the model."))
    runners: list[Runner] = [*DEFAULT_RUNNERS, Judge(lambda _: decided)]
    return PromptTask("?", tools=[stock], prompt_driver=driver, subtask_runners=runners).run()


@pytest.mark.parametrize(
    ("decided", "value"),
    [
        pytest.param("Two.", "Two.", id="a text"),
        pytest.param(JsonArtifact({"units": 2}), {"units": 2}, id="an artifact"),
        pytest.param(Verdict.replace(TextArtifact("Two.")), "Two.", id="a verdict with an output"),
        pytest.param(Verdict.accept(), 2, id="a verdict that accepts the result"),
        pytest.param(True, 2, id="true"),
    ],
)
def test_a_judge_ends_the_run_with_an_answer(
    voice: Any, stock: Any, decided: Any, value: Any
) -> None:
    run = judged(voice, stock, decided)

    assert (run.value, run.stopped_by, len(run.subtasks)) == (value, "judge", 1)


@pytest.mark.parametrize(
    "decided",
    [
        pytest.param(None, id="nothing"),
        pytest.param(False, id="false"),
        pytest.param(Verdict.refuse("not yet"), id="a verdict that refuses"),
    ],
)
def test_a_judge_lets_the_run_go_on(voice: Any, stock: Any, decided: Any) -> None:
    run = judged(voice, stock, decided)

    assert (run.value, run.stopped_by) == ("Two, says the model.", "answer")


def test_several_results_are_the_answer_together_without_the_errors(
    voice: Any, stock: Any
) -> None:
    run = judged(voice, stock, True, COUNT, FAIL, ("Stock", "count", {"sku": "ABC"}))

    assert isinstance(run.output, ListArtifact)
    assert [one.value for one in run.output.value] == [2, 3]


def test_errors_alone_are_no_answer(voice: Any, stock: Any) -> None:
    run = judged(voice, stock, True, FAIL)

    assert run.value == "Two, says the model."


def found(run: Run) -> str | None:
    outputs = [str(action.output) for action in run.subtasks[-1].actions]
    return f"It is {outputs[0]}." if outputs == ["3"] else None


async def afound(run: Run) -> str | None:
    await asyncio.sleep(0)
    return found(run)


@pytest.mark.parametrize("decide", [found, afound], ids=["blocking", "async"])
def test_a_judge_is_asked_after_each_round(
    voice: Any, stock: Any, is_async: bool, decide: Any
) -> None:
    driver = voice.driver(voice.act(COUNT), voice.act(("Stock", "count", {"sku": "ABC"})))
    runners: list[Runner] = [*DEFAULT_RUNNERS, Judge(decide)]
    task = PromptTask("?", tools=[stock], prompt_driver=driver, subtask_runners=runners)

    run = carry_out(task, is_async)

    assert (run.value, run.stopped_by) == ("It is 3.", "judge")


class Long(BaseOutputValidator):
    """Ask for more than one word."""

    def validate(self, output: BaseArtifact) -> Verdict:
        is_long = " " in output.to_text()
        return Verdict.accept() if is_long else Verdict.refuse("One word is too short.")


def test_a_judges_answer_passes_the_output_validators_or_the_run_goes_on(
    voice: Any, stock: Any, is_async: bool
) -> None:
    driver = voice.driver(voice.act(COUNT), voice.answer("Two of AB."))
    task = PromptTask(
        "?",
        tools=[stock],
        prompt_driver=driver,
        output_validators=[Long()],
        subtask_runners=[*DEFAULT_RUNNERS, Judge(lambda _: "Two.")],
    )

    run = carry_out(task, is_async)

    assert (run.value, run.stopped_by, run.repairs("output")) == ("Two of AB.", "answer", 0)


def test_a_judges_answer_is_held_against_the_output_schema(voice: Any, stock: Any) -> None:
    schema = {"type": "object", "properties": {"units": {"type": "integer"}}}
    driver = voice.driver(voice.act(COUNT), structured_output_strategy="rule")

    run = PromptTask(
        "?",
        tools=[stock],
        prompt_driver=driver,
        output_schema=schema,
        subtask_runners=[*DEFAULT_RUNNERS, Judge(lambda _: '{"units": 2}')],
    ).run()

    assert (run.value, run.stopped_by) == ({"units": 2}, "judge")


def broken(run: Run) -> str:
    raise RuntimeError("no idea")


async def abroken(run: Run) -> str:
    raise SystemExit(3)


@pytest.mark.parametrize(
    ("decide", "words"),
    [
        pytest.param(broken, "judge broken raised RuntimeError: no idea", id="raises"),
        pytest.param(abroken, "judge abroken raised SystemExit: 3", id="raises, async"),
        pytest.param(lambda _: 7, "returned 7; it must return", id="returns something odd"),
    ],
)
def test_a_judge_that_is_broken_ends_the_run_and_is_named(
    voice: Any, stock: Any, is_async: bool, decide: Any, words: str
) -> None:
    driver = voice.driver(voice.act(COUNT))
    runners: list[Runner] = [*DEFAULT_RUNNERS, Judge(decide)]
    task = PromptTask("?", tools=[stock], prompt_driver=driver, subtask_runners=runners)

    run = carry_out(task, is_async)

    assert isinstance(run.output, ErrorArtifact)
    assert words in run.output.value
    assert isinstance(run.output.exception, DefinitionError)


def model_judged(voice: Any, stock: Any, reply: Any) -> Run:
    driver = voice.driver(voice.act(COUNT), reply, voice.answer("Two, says the model."))
    runners: list[Runner] = [*DEFAULT_RUNNERS, ModelJudge()]
    return PromptTask("?", tools=[stock], prompt_driver=driver, subtask_runners=runners).run()


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        pytest.param("DONE: Two.", "Two.", id="as asked"),
        pytest.param("**Done:** Two.", "Two.", id="bold"),
        pytest.param(
            "The count is there.\nDONE: Two,\nof AB.", "Two,\nof AB.", id="several lines"
        ),
        pytest.param("<think>GO ON</think>DONE: Two.", "Two.", id="behind reasoning"),
    ],
)
def test_a_model_may_be_the_judge(voice: Any, stock: Any, reply: str, value: str) -> None:
    run = model_judged(voice, stock, said(reply))

    assert (run.value, run.stopped_by) == (value, "judge")


@pytest.mark.parametrize(
    "reply",
    ["GO ON", "Go on.", "GO ON\nDONE: perhaps", "DONE:", "Not done, I think.", "", "Bananas"],
    ids=["as asked", "small", "both", "no answer", "prose", "nothing", "nonsense"],
)
def test_a_model_that_has_no_answer_lets_the_run_go_on(voice: Any, stock: Any, reply: str) -> None:
    run = model_judged(voice, stock, said(reply))

    assert (run.value, run.stopped_by) == ("Two, says the model.", "answer")


def test_another_driver_may_be_the_judge(voice: Any, stock: Any) -> None:
    judge = voice.driver(said("DONE: Two."))

    run = PromptTask(
        "?",
        tools=[stock],
        prompt_driver=voice.driver(voice.act(COUNT)),
        step_drivers={"judge": judge},
        subtask_runners=[*DEFAULT_RUNNERS, ModelJudge()],
    ).run()

    assert run.value == "Two."
    assert judge.stacks[0].tools == ()


def test_a_model_is_no_judge_of_a_run_that_has_reached_a_limit(voice: Any, stock: Any) -> None:
    replies = [voice.act(COUNT), said("GO ON"), voice.act(COUNT), voice.answer("Two.")]
    driver = voice.driver(*replies)

    run = PromptTask(
        "?",
        tools=[stock],
        prompt_driver=driver,
        limits=Limits(max_subtasks=1),
        subtask_runners=[*DEFAULT_RUNNERS, ModelJudge()],
    ).run()

    assert (run.value, run.stopped_by) == ("Two.", "max_subtasks")
    assert len(driver.stacks) == 4


class Clock(BaseTool):
    """Tell the time."""

    @activity(read_only=True)
    def now(self) -> str:
        """Tell the time."""
        return "noon"


def give_clock(run: Run, subtask: ActionsSubtask) -> Steps[None]:
    """Give the model a clock, once it has acted."""
    if subtask.finished and "Clock_now" not in run.toolbox.table.specs:
        run.add_tools(Clock())
    yield from ()


def give_up(run: Run, subtask: ActionsSubtask) -> Steps[None]:
    """End the run after its first round."""
    if subtask.finished:
        run.stop("tired", TextArtifact("Enough."))
    yield from ()


def ask_poet(run: Run, subtask: ActionsSubtask) -> Steps[None]:
    """Put the answer into verse."""
    if subtask.reply is not None and subtask.reply.answer is not None:
        words = f"Put this into verse: {subtask.reply.answer}"
        verse = yield from ask(Prompt(PromptStack.from_artifact(words), "answer"))
        subtask.finish()
        run.stop("answer", TextArtifact(verse.to_text()))


def test_a_runner_of_ones_own_adds_tools(voice: Any, stock: Any, is_async: bool) -> None:
    driver = voice.driver(voice.act(COUNT), voice.act(("Clock", "now", {})), voice.answer("Noon."))
    runners = [*DEFAULT_RUNNERS, give_clock]
    task = PromptTask("?", tools=[stock], prompt_driver=driver, subtask_runners=runners)

    run = carry_out(task, is_async)

    assert run.value == "Noon."
    assert [str(action.output) for action in run.subtasks[1].actions] == ["noon"]


def test_a_runner_of_ones_own_ends_the_run(voice: Any, stock: Any, is_async: bool) -> None:
    runners = [*DEFAULT_RUNNERS, give_up]
    driver = voice.driver(voice.act(COUNT))
    task = PromptTask("?", tools=[stock], prompt_driver=driver, subtask_runners=runners)

    run = carry_out(task, is_async)

    assert (run.value, run.stopped_by) == ("Enough.", "tired")


def test_a_runner_of_ones_own_asks_the_model(voice: Any, is_async: bool) -> None:
    *before, take_answer = DEFAULT_RUNNERS
    driver = voice.driver(voice.answer("Two."), said("There were two, / and one was you."))
    runners = [*before, ask_poet, take_answer]
    task = PromptTask("?", prompt_driver=driver, subtask_runners=runners)

    run = carry_out(task, is_async)

    assert run.value == "There were two, / and one was you."
