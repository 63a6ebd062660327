"""Real replies in the classic format, where their records lie beside the repository."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agenthost.dialects import Classic
from agenthost_sdk.actions import NativeNames, native_specs
from agenthost_sdk.dialects import Reply
from agenthost_sdk.messages import Message, TextMessageContent
from support.reference import DATA

EPISODES = DATA / "react" / "reflexion_hotpotqa_react.jsonl"
CALLS = DATA / "toolbench" / "steps.jsonl"


def lines(path: Path) -> list[dict[str, Any]]:
    """Return the records of a file; none where it is absent."""
    if not path.is_file():
        return []
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def steps() -> Iterator[tuple[int, str, str, str]]:
    """Yield number, thought, name and text of each step of the episodes."""
    for episode in lines(EPISODES):
        for step in episode["steps"]:
            name, text = step["action"].removesuffix("]").split("[", 1)
            yield step["n"], step["thought"], name, text


def read(text: str, table: NativeNames) -> Reply:
    return Classic().read(Message("assistant", (TextMessageContent(text),)), table)


@pytest.mark.parametrize("number", ["", " {}"], ids=["bare", "numbered"])
def test_every_step_of_the_episodes_reads_as_the_action_that_stands_there(number: str) -> None:
    table = NativeNames(native_specs({(name, None) for _, _, name, _ in steps()} - FINISH))

    for n, thought, name, text in steps():
        label = number.format(n)
        reply = read(f"Thought{label}: {thought}\nAction{label}: {name}[{text}]", table)

        assert reply.thought == thought
        if name == "Finish":
            assert str(reply.answer) == text
            continue
        [action] = reply.actions
        assert not action.failed
        assert (action.name, [*action.input.values()]) == (name, [text])


FINISH = {("Finish", None)}


def test_every_recorded_call_reads_as_the_call_that_stands_there() -> None:
    records = lines(CALLS)
    table = NativeNames(native_specs({(record["action"], None) for record in records}))

    for record in records:
        given = record["action_input"]
        text = f"Action: {record['action']}\nAction Input: {given}"
        reply = read(f"Thought: {record['thought']}\n{text}", table)

        [action] = reply.actions
        assert not action.failed, str(action.output)
        assert (action.name, dict(action.input)) == (record["action"], json.loads(given))
        assert words(reply.thought) <= words(record["thought"])


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text))
