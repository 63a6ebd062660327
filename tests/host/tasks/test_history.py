"""What the model is shown of its own rounds, in the corners where a history goes wrong."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from agenthost import Limits, PromptTask
from agenthost_sdk import BaseTool, Message, activity
from agenthost_sdk.artifacts import ErrorArtifact, ImageArtifact, ListArtifact, TextArtifact
from agenthost_sdk.messages import (
    ActionCallMessageContent,
    ActionResultMessageContent,
    PromptStack,
)
from agenthost_sdk.testing import ScriptedDriver, calls

COUNT = ("Stock_count", {"sku": "AB"})
FAIL = ("Stock_fail", {"words": "no"})

SCHEMA = {"type": "object", "properties": {"units": {"type": "integer"}}, "required": ["units"]}


def with_ids(message: Message, *ids: str) -> Message:
    """Return a reply whose calls bear these ids."""
    named = zip(message.calls, ids, strict=True)
    return replace(message, content=tuple(replace(call, id=one) for call, one in named))


def blocks(stack: PromptStack, kind: type) -> list[Any]:
    """Return the blocks of a kind, in their order."""
    return [one for message in stack.messages for one in message.content if isinstance(one, kind)]


@pytest.mark.parametrize(
    "rounds",
    [
        pytest.param([("",), ("",), ("",)], id="missing"),
        pytest.param([("call_0",), ("call_0",), ("call_0",)], id="numbered anew"),
        pytest.param([("a", "a"), ("a_2", "a"), ("a_2_2", "a_3")], id="made ones used again"),
        pytest.param([("a", ""), ("call_2", "a"), ("", "call_2_2")], id="made for missing ones"),
    ],
)
def test_a_call_bears_an_id_that_no_other_of_the_run_bears(
    stock: BaseTool, rounds: list[tuple[str, ...]]
) -> None:
    asked = [COUNT, FAIL]
    replies = [with_ids(calls(*asked[: len(ids)]), *ids) for ids in rounds]
    driver = ScriptedDriver([*replies, "Two."])

    run = PromptTask("?", tools=[stock], prompt_driver=driver, limits=Limits(max_repeats=9)).run()

    called = [one.id for one in blocks(driver.stacks[-1], ActionCallMessageContent)]
    answered = [one.id for one in blocks(driver.stacks[-1], ActionResultMessageContent)]
    tags = [action.tag for subtask in run.subtasks for action in subtask.actions]
    assert run.value == "Two."
    assert called == answered == tags
    assert set(Counter(called).values()) == {1}
    assert "" not in called


def test_an_id_that_nothing_else_bears_stays_as_the_provider_gave_it(stock: BaseTool) -> None:
    replies = [with_ids(calls(COUNT), "one"), with_ids(calls(FAIL), "two")]
    driver = ScriptedDriver([*replies, "Done."])

    PromptTask("?", tools=[stock], prompt_driver=driver).run()

    called = blocks(driver.stacks[-1], ActionCallMessageContent)
    assert [one.id for one in called] == ["one", "two"]


@pytest.mark.parametrize(
    ("limits", "limit"),
    [
        (Limits(max_output_repairs=1), "max_output_repairs"),
        (Limits(max_subtasks=1), "max_subtasks"),
    ],
    ids=["max_output_repairs", "max_subtasks"],
)
def test_what_stands_beside_a_last_answer_that_is_refused_is_answered_too(
    voice: Any, stock: BaseTool, limits: Limits, limit: str
) -> None:
    wrong = ("StructuredOutputTool", "provide_output", {"units": "many"})
    beside = ("Stock", "count", {"sku": "AB"})
    driver = voice.driver(
        *[voice.act(beside, wrong, beside) for _ in range(4)], structured_output_strategy="tool"
    )
    task = PromptTask(
        "?",
        tools=[stock],
        prompt_driver=driver,
        dialect=voice.dialect,
        output_schema=SCHEMA,
        limits=limits,
    )

    run = task.run()

    assert run.stopped_by == limit
    outputs = [action.output for action in run.subtasks[-1].actions]
    assert [type(one) for one in outputs] == [ErrorArtifact] * 3
    assert "not run" in str(outputs[0])
    assert "/units" in str(outputs[1])


class Camera(BaseTool):
    """Take pictures."""

    @activity(read_only=True)
    def take(self) -> ImageArtifact:
        """Take one."""
        return ImageArtifact(b"picture")

    @activity(read_only=True)
    def describe(self) -> ListArtifact:
        """Take one, and say what is on it."""
        return ListArtifact([TextArtifact("a tree"), ImageArtifact(b"picture")])


@pytest.mark.parametrize("path", ["take", "describe"])
def test_a_picture_that_comes_again_is_shown_beside_the_note(path: str) -> None:
    again = [calls((f"Camera_{path}", {})), calls((f"Camera_{path}", {}))]
    driver = ScriptedDriver([*again, "A tree."])

    PromptTask("?", tools=[Camera()], prompt_driver=driver).run()

    [first, second] = blocks(driver.stacks[-1], ActionResultMessageContent)
    assert "second time" in str(second.output)
    assert isinstance(second.output, ListArtifact)
    assert ImageArtifact(b"picture") in second.output.value
    assert str(first.output) in str(second.output)


def test_a_refused_answer_goes_back_though_the_run_shows_no_results(voice: Any) -> None:
    answer = ("StructuredOutputTool", "provide_output")
    driver = voice.driver(
        voice.act((*answer, {"units": "many"})),
        voice.act((*answer, {"units": 7})),
        structured_output_strategy="tool",
    )
    task = PromptTask(
        "?",
        prompt_driver=driver,
        dialect=voice.dialect,
        output_schema=SCHEMA,
        reflect_on_tool_use=False,
    )

    run = task.run()

    assert (run.value, run.stopped_by) == ({"units": 7}, "answer")
