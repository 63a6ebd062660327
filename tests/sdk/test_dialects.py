"""What a dialect offers, and what it read."""

from __future__ import annotations

from agenthost_sdk.actions import ToolAction
from agenthost_sdk.artifacts import TextArtifact
from agenthost_sdk.dialects import Offer, Reply


def test_an_empty_offer_leaves_the_choice_to_the_model() -> None:
    assert Offer() == Offer(system="", tools=(), stop=(), tool_choice="auto")


def test_a_reply_with_an_answer_ends_the_loop_though_it_is_empty() -> None:
    assert Reply(answer=TextArtifact("")).is_answer
    assert not Reply(actions=(ToolAction("1", "A"),)).is_answer
    assert not Reply(problem="unreadable").is_answer
