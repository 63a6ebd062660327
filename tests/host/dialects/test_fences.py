"""A code fence round a whole reply is no part of it; one within it shows what stands there."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from agenthost_sdk.artifacts import TextArtifact
from agenthost_sdk.dialects import Reply

Read = Callable[..., Reply]

#: A reply with an action, and one with an answer, in the dialects with labels.
ASKED = {
    "actions_json": 'Actions: [{"tag": "1", "name": "search", "input": {"query": "river"}}]',
    "classic": "Action: search\nAction Input: river",
    "json": '{"actions": [{"tag": "1", "name": "search", "input": {"query": "river"}}]}',
}

every_text_dialect = pytest.mark.parametrize("dialect", sorted(ASKED))


@every_text_dialect
@pytest.mark.parametrize("word", ["", "text", "plaintext", "markdown", " "], ids=repr)
@pytest.mark.parametrize("mark", ["```", "~~~~"])
@pytest.mark.parametrize(
    "before",
    ["", "I look.\n", "I look.\n\n", "<think>\nFinal Answer: 5?\n</think>\n", "\ufeff"],
    ids=ascii,
)
def test_a_fence_round_a_reply_is_taken_off(
    read: Read, dialect: str, word: str, mark: str, before: str
) -> None:
    reply = read(dialect, f"{mark}{word}\n{before}{ASKED[dialect]}\n{mark}")

    [action] = reply.actions
    assert (action.native, action.input, action.failed) == ("search", {"query": "river"}, False)
    assert reply.thought in ("I look.", "")


@every_text_dialect
def test_a_fence_round_an_answer_behind_reasoning_is_taken_off(read: Read, dialect: str) -> None:
    said = '{"answer": "7"}' if dialect == "json" else "Thought: I know.\nAnswer: 7"

    reply = read(dialect, f"```\n<think>\n{ASKED[dialect]}\n</think>\n{said}\n```")

    assert reply.answer == TextArtifact("7")


@every_text_dialect
@pytest.mark.parametrize(
    "text",
    ["```\n```", "```text", "~~~\n\n~~~", "```\n<think>\nThought: x\n```"],
    ids=repr,
)
def test_a_fence_with_nothing_to_say_is_empty(read: Read, dialect: str, text: str) -> None:
    reply = read(dialect, text)

    assert reply.problem is not None
    assert "empty" in reply.problem


@every_text_dialect
@pytest.mark.parametrize(
    "text",
    [
        "```\nNo label stands here.\n```",
        "```python\nprint(1)\n```",
        "```python\n# so:\nAction: search\nAction Input: x\n```",
        "```\nOne.\n```\n\nTwo.\n\n```\nThree.\n```",
        "```\nI write\n```\nsome code.",
        "~~~\nI write\nAction: search\nAction Input: x\n~~~\nto search.",
    ],
    ids=repr,
)
def test_a_fence_that_is_an_answer_or_a_part_of_one_is_kept(
    read: Read, dialect: str, text: str
) -> None:
    assert read(dialect, text).answer == TextArtifact(text)
