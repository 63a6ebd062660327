"""A memory that recalls the steps that are like the question."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from agenthost.memory.relevant import RelevantStepMemory
from agenthost_sdk import DriverError, ErrorArtifact, TextArtifact, ToolAction
from agenthost_sdk.errors import SettingsError
from agenthost_sdk.testing import WordsEmbeddingDriver
from support.answering import Answering
from support.remembered_runs import ended, failed, pairs, recalled, remember, step

#: Three runs of one step each, on subjects that share no word.
COPPER = ended("copper price", "9000", step("copper market", "copper", "9000 dollars"))
RAIN = ended("rain tomorrow", "yes", step("weather service", "rain", "heavy rain"))
TRAIN = ended("train north", "noon", step("timetable", "train", "leaves noon"))


@dataclass(kw_only=True, eq=False)
class Broken(WordsEmbeddingDriver):
    """Fail."""

    def try_embed(self, texts: Sequence[str]) -> list[list[float]]:
        raise DriverError("The provider is away.", provider=self.provider)


def _answering() -> tuple[Answering, WordsEmbeddingDriver]:
    driver = WordsEmbeddingDriver()
    return Answering(embedding_driver=driver), driver


def _filled(memory: RelevantStepMemory) -> RelevantStepMemory:
    for run in (COPPER, RAIN, TRAIN):
        memory.add(run)
    remember(memory, [8, 9])
    return memory


def test_the_nearest_steps_come_in_one_message_before_the_last_runs() -> None:
    memory = _filled(RelevantStepMemory(most=1, keep_last=2))
    answering, _ = _answering()

    shown = recalled(memory, "Is heavy rain expected?", answering)

    assert shown == [
        (
            "user",
            "Earlier steps that may matter:\n\n"
            "Thought: weather service\n"
            'Action: Stock_count({"sku": "rain"})\n'
            "Observation: heavy rain",
        ),
        *pairs(8, 9),
    ]


def test_steps_stand_in_the_order_in_which_they_were_made() -> None:
    memory = _filled(RelevantStepMemory(most=2))
    answering, _ = _answering()

    [(_, text), *_] = recalled(memory, "leaves noon and dollars 9000", answering)

    assert text.index("9000 dollars") < text.index("leaves noon")


def test_a_question_and_its_answer_are_a_step_too() -> None:
    memory = RelevantStepMemory(most=1, keep_last=1)
    memory.add(ended("My name is Ann.", "Hello Ann."))
    remember(memory, [1])
    answering, _ = _answering()

    shown = recalled(memory, "What is my name?", answering)

    assert shown[0][1].endswith("Question: My name is Ann.\nAnswer: Hello Ann.")


def test_runs_that_are_shown_word_for_word_are_not_shown_twice() -> None:
    memory = RelevantStepMemory(keep_last=2)
    remember(memory, [1, 2])
    answering, _ = _answering()

    assert recalled(memory, "q1", answering) == pairs(1, 2)
    assert answering.asked == []


def test_each_step_is_embedded_once() -> None:
    memory = _filled(RelevantStepMemory())
    answering, driver = _answering()
    recalled(memory, "first", answering)
    recalled(memory, "second", answering)

    steps = [text for text in driver.texts if text not in ("first", "second")]

    assert len(steps) == len(set(steps)) == 6
    assert len(answering.asked) == 2


def test_the_same_step_twice_is_one() -> None:
    memory = RelevantStepMemory(most=5, keep_last=1)
    for _ in range(3):
        memory.add(RAIN)
    remember(memory, [1])
    answering, _ = _answering()

    [(_, text), *_] = recalled(memory, "rain", answering)

    assert text.count("Observation: heavy rain") == 1


def test_where_the_vectors_cannot_be_had_the_last_runs_are_recalled_alone(
    caplog: pytest.LogCaptureFixture,
) -> None:
    memory = _filled(RelevantStepMemory(keep_last=1))

    with caplog.at_level(logging.WARNING, "agenthost"):
        shown = recalled(memory, "rain", Answering(embedding_driver=Broken()))

    assert shown == pairs(9)
    assert "No earlier steps are recalled" in caplog.text
    answering, _ = _answering()
    assert "heavy rain" in recalled(memory, "rain", answering)[0][1]


def test_a_task_without_an_embedding_driver_is_told_so() -> None:
    memory = _filled(RelevantStepMemory())
    steps = memory.recall(TextArtifact("rain"))
    next(steps)

    with pytest.raises(SettingsError, match="no embedding driver"):
        steps.throw(SettingsError("This task has no embedding driver."))


def test_vectors_of_another_length_are_passed_over() -> None:
    memory = _filled(RelevantStepMemory(keep_last=1))
    recalled(memory, "rain", Answering(embedding_driver=WordsEmbeddingDriver(size=8)))

    shown = recalled(memory, "rain", Answering(embedding_driver=WordsEmbeddingDriver(size=16)))

    assert shown == pairs(9)


def test_a_question_without_words_recalls_the_last_runs_alone() -> None:
    memory = _filled(RelevantStepMemory(keep_last=1))

    assert recalled(memory, " ") == pairs(9)


def test_a_run_that_failed_is_forgotten_unless_it_is_asked_for() -> None:
    forgetting, keeping = RelevantStepMemory(), RelevantStepMemory(keep_last=1, failures=True)
    for memory in (forgetting, keeping):
        memory.add(failed("rain", "The provider is away."))
        remember(memory, [1])
    answering, _ = _answering()

    assert recalled(forgetting, "rain", answering) == pairs(1)
    assert "That run failed: The provider is away." in recalled(keeping, "rain", answering)[0][1]


def test_a_cleared_memory_is_empty() -> None:
    memory = _filled(RelevantStepMemory())

    memory.clear()

    assert recalled(memory, "rain") == []


def test_an_action_without_thought_or_with_an_error_is_a_step() -> None:
    action = ToolAction("1", "Stock", "count", {"sku": "ä"}, ErrorArtifact("No such unit."))
    bare = step("", "x", "y")

    assert bare.to_text() == 'Action: Stock_count({"sku": "x"})\nObservation: y'
    assert 'Stock_count({"sku": "ä"})' in type(bare)("t", action).to_text()
    assert type(bare)("t", action).to_text().endswith("Observation: No such unit.")


def test_of_a_long_observation_the_beginning_is_recalled() -> None:
    memory = RelevantStepMemory(most=1, keep_last=1, max_chars=20)
    memory.add(ended("rain", "x" * 50, step("rain", "rain", "rain " * 10_000)))
    remember(memory, [1])
    answering, driver = _answering()

    [(_, text), *_] = recalled(memory, "rain", answering)

    assert text.endswith("Observation: rain rain rain rain … (49980 more characters)")
    assert max(map(len, driver.texts)) < 200


def test_many_threads_add_and_recall_at_once() -> None:
    memory = RelevantStepMemory(most=100, keep_last=1)
    answering, _ = _answering()

    def work(number: int) -> None:
        memory.add(ended(f"q{number}", "a", step(f"thought{number}", "x", "y")))
        recalled(memory, "thought", answering)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(32)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    [(_, text), *_] = recalled(memory, "thought", answering)
    assert all(f"Thought: thought{number}\n" in text for number in range(32))


@pytest.mark.parametrize("name", ["most", "keep_last", "max_chars"])
def test_a_number_below_one_is_refused(name: str) -> None:
    with pytest.raises(SettingsError, match=f"{name} is 0; it must be a whole number"):
        RelevantStepMemory(**{name: 0})  # type: ignore[arg-type]
