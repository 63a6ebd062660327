"""A memory that has the model summarise its older runs."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from typing import Any

import pytest

from agenthost.memory.summary import SummaryMemory
from agenthost.requests import Prompt
from agenthost_sdk import DriverError, Message, TextArtifact
from agenthost_sdk.errors import SettingsError
from agenthost_sdk.messages import TextMessageContent
from agenthost_sdk.testing import ScriptedDriver, calls
from support.answering import Answering
from support.remembered_runs import failed, pairs, recalled, remember


def _summary(text: str) -> tuple[str, str]:
    return "user", f"Summary of our conversation so far: {text}"


def _answering(*replies: Any) -> Answering:
    return Answering(ScriptedDriver(list(replies)))


def _told(answering: Answering) -> list[str]:
    """Return what the model was given to summarise."""
    prompts = [request for request in answering.asked if isinstance(request, Prompt)]
    return [prompt.stack.messages[-1].to_text() for prompt in prompts]


def test_the_last_runs_stay_word_for_word_and_those_before_become_a_summary() -> None:
    memory = SummaryMemory(keep=2)
    answering = _answering("They greeted each other.")
    remember(memory, range(4))

    assert recalled(memory, answering=answering) == [
        _summary("They greeted each other."),
        *pairs(2, 3),
    ]
    assert "Question: q0\nAnswer: a0\n\nQuestion: q1\nAnswer: a1" in _told(answering)[0]


def test_a_summary_is_asked_for_as_such_and_without_tools() -> None:
    memory = SummaryMemory(keep=1)
    answering = _answering("S")
    remember(memory, range(2))

    recalled(memory, answering=answering)

    [prompt] = answering.asked
    assert isinstance(prompt, Prompt)
    assert prompt.step == "summarise"
    assert prompt.stack.tools == ()
    assert [message.role for message in prompt.stack.messages] == ["system", "user"]


def test_as_long_as_all_may_stay_nothing_is_asked() -> None:
    memory = SummaryMemory(keep=2)
    answering = _answering()
    remember(memory, range(2))

    assert recalled(memory, answering=answering) == pairs(0, 1)
    assert answering.asked == []


def test_a_summary_takes_in_the_one_before_and_only_what_is_new() -> None:
    memory = SummaryMemory(keep=1)
    answering = _answering("First.", "Second.")
    remember(memory, range(2))
    recalled(memory, answering=answering)
    remember(memory, [2])

    assert recalled(memory, answering=answering) == [_summary("Second."), *pairs(2)]
    [_, second] = _told(answering)
    assert "The notes so far:\n\nFirst." in second
    assert "q1" in second
    assert "q0" not in second


def test_with_a_number_of_tokens_nothing_is_summarised_below_it() -> None:
    memory = SummaryMemory(keep=1, max_tokens=60)
    answering = _answering("Three.")
    remember(memory, range(3))
    assert recalled(memory, answering=answering) == pairs(0, 1, 2)
    remember(memory, [3])

    assert recalled(memory, answering=answering) == [_summary("Three."), *pairs(3)]
    assert len(_told(answering)) == 1


@pytest.mark.parametrize(
    "reply",
    [
        DriverError("The provider is away."),
        ValueError("broken"),
        "",
        "<think>What did they say?",
        calls(("Stock_count", {})),
        Message("assistant", (TextMessageContent("I cannot."),), finish="refusal"),
        Message("assistant", (TextMessageContent("They gree"),), finish="incomplete"),
    ],
    ids=["driver", "bug", "empty", "thought", "call", "refusal", "broken off"],
)
def test_a_summary_that_fails_loses_nothing_and_is_tried_again(
    reply: Any, caplog: pytest.LogCaptureFixture
) -> None:
    memory = SummaryMemory(keep=1)
    answering = _answering(reply, "Well.")
    remember(memory, range(3))

    with caplog.at_level(logging.WARNING, "agenthost"):
        first = recalled(memory, answering=answering)

    assert first == pairs(0, 1, 2)
    assert "No summary of earlier runs, which stay whole" in caplog.text
    assert recalled(memory, answering=answering) == [_summary("Well."), *pairs(2)]


def test_what_the_model_says_to_itself_is_no_part_of_the_summary() -> None:
    memory = SummaryMemory(keep=1)
    remember(memory, range(2))

    shown = recalled(memory, answering=_answering("<think>Hm.</think>\n\nThey met."))

    assert shown[0] == _summary("They met.")


def test_two_runs_at_once_ask_for_one_summary() -> None:
    memory = SummaryMemory(keep=1)
    remember(memory, range(3))
    first = memory.recall(TextArtifact("q"))
    second = memory.recall(TextArtifact("q"))
    next(first)

    shown_by_second = recalled_by(second)

    assert shown_by_second == pairs(0, 1, 2)
    with pytest.raises(StopIteration) as end:
        first.send(Message("assistant", (TextMessageContent("Both."),)))
    assert end.value.value[0].to_text() == _summary("Both.")[1]


def recalled_by(steps: Any) -> list[tuple[str, str]]:
    messages: Sequence[Message] = Answering().run(steps)
    return [(message.role, message.to_text()) for message in messages]


def test_a_run_that_breaks_off_in_a_summary_leaves_it_to_the_next() -> None:
    memory = SummaryMemory(keep=1)
    remember(memory, range(2))
    broken = memory.recall(TextArtifact("q"))
    next(broken)

    broken.close()

    assert recalled(memory, answering=_answering("S"))[0] == _summary("S")


def test_what_was_cleared_does_not_come_back_as_a_summary() -> None:
    memory = SummaryMemory(keep=1)
    remember(memory, range(2))
    steps = memory.recall(TextArtifact("q"))
    next(steps)

    memory.clear()

    with pytest.raises(StopIteration) as end:
        steps.send(Message("assistant", (TextMessageContent("Old."),)))
    assert end.value.value == []
    assert memory.summary == ""


def test_runs_that_are_added_while_a_summary_is_written_are_kept() -> None:
    memory = SummaryMemory(keep=1)
    remember(memory, range(2))
    steps = memory.recall(TextArtifact("q"))
    next(steps)
    remember(memory, [2])

    with pytest.raises(StopIteration):
        steps.send(Message("assistant", (TextMessageContent("One."),)))

    assert recalled(memory, answering=_answering("Two."))[1:] == pairs(2)


def test_a_run_that_failed_is_summarised_as_such_where_that_is_asked_for() -> None:
    memory = SummaryMemory(keep=1, failures=True)
    answering = _answering("S")
    memory.add(failed("q?", "The provider is away."))
    remember(memory, [1])

    recalled(memory, answering=answering)

    assert "Question: q?\nThat run failed: The provider is away." in _told(answering)[0]


def test_many_threads_add_and_recall_without_loss() -> None:
    memory = SummaryMemory(keep=2)
    answering = Answering(ScriptedDriver(["S"], repeat=True))

    def work(number: int) -> None:
        remember(memory, [number])
        recalled(memory, answering=answering)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(32)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    recalled(memory, answering=answering)
    told = "\n\n".join(_told(answering))
    kept = [text for _, text in recalled(memory, answering=answering) if text.startswith("q")]
    assert len(kept) == 2
    assert all(
        told.count(f"Question: q{number}\n") + (f"q{number}" in kept) == 1 for number in range(32)
    )


@pytest.mark.parametrize("name", ["keep", "max_tokens"])
def test_a_limit_of_none_is_refused(name: str) -> None:
    with pytest.raises(SettingsError, match=f"{name} is 0; it must be a whole number"):
        SummaryMemory(**{name: 0})  # type: ignore[arg-type]
