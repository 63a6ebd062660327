"""Whatever calls a reply holds, a run answers each of them once, streamed or not."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agenthost import PromptTask, Run
from agenthost.dialects import BUILT_IN
from agenthost_sdk import BaseTool, Message, activity
from agenthost_sdk.messages import (
    ActionCallMessageContent,
    ActionResultMessageContent,
    BaseMessageContent,
    TextMessageContent,
)
from agenthost_sdk.testing import ScriptedDriver


class Stock(BaseTool):
    """Look up stock."""

    @activity(read_only=True)
    def count(self, sku: str, units: int = 1) -> str:
        """Count the units on hand.

        Args:
            sku: Stock keeping unit.
            units: How many are wanted.
        """
        return f"{units} of {sku}"


VALUES = st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=4)
INPUTS = st.dictionaries(st.sampled_from(["sku", "units", "other"]), VALUES, max_size=3)
ARGUMENTS = st.one_of(
    INPUTS.map(json.dumps),
    INPUTS.map(repr),
    INPUTS.map(lambda given: json.dumps(json.dumps(given))),
    INPUTS.map(lambda given: json.dumps(given)[:-1]),
    st.text(max_size=8),
    st.just(""),
)
CALLS = st.builds(
    ActionCallMessageContent,
    st.sampled_from(["", "a", "b", "call_1"]),
    st.sampled_from(["Stock_count", "stock.count", "functions.Stock_count", "Stock_gone", "x y"]),
    ARGUMENTS,
)
TEXTS = st.sampled_from(["", "Let me look.", "Thought: look.", "<think>hm</think>"])


@pytest.mark.parametrize("dialect", sorted(BUILT_IN))
@settings(max_examples=100, deadline=None)
@given(text=TEXTS, first=st.lists(CALLS, min_size=1, max_size=4), again=st.booleans())
def test_each_call_of_a_reply_has_one_result_under_an_id_of_its_own(
    dialect: str, text: str, first: list[ActionCallMessageContent], again: bool
) -> None:
    said: tuple[BaseMessageContent, ...] = (TextMessageContent(text),) if text else ()
    reply = Message("assistant", (*said, *first), finish="actions")
    replies = [reply, reply] if again else [reply]

    whole, streamed = (played(dialect, replies, stream=stream) for stream in (False, True))

    assert outcome(whole) == outcome(streamed)
    assert whole.value == "Done."
    tags = [action.tag for subtask in whole.subtasks for action in subtask.actions]
    assert len(tags) == len(first) * len(replies)
    if dialect == "native":
        assert len(set(tags)) == len(tags)
        assert answered(whole) == called(whole) == tags


def played(dialect: str, replies: list[Message], *, stream: bool) -> Run:
    end = BUILT_IN[dialect]().conclude("Done.")
    native = dialect == "native"
    driver = ScriptedDriver([*replies, end], use_native_tools=native, stream=stream)
    return PromptTask("?", tools=[Stock()], prompt_driver=driver, dialect=dialect).run()


def outcome(run: Run) -> list[Any]:
    """Return what two runs have in common whose replies were the same."""
    actions = [action for subtask in run.subtasks for action in subtask.actions]
    return [
        (one.tag, one.native, dict(one.input), str(one.output), one.repairs) for one in actions
    ]


def called(run: Run) -> list[str]:
    return [call.id for message in run.history() for call in message.calls]


def answered(run: Run) -> list[str]:
    blocks = [block for message in run.history() for block in message.content]
    return [block.id for block in blocks if isinstance(block, ActionResultMessageContent)]
