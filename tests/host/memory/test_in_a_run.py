"""Memories at their place in a run: after the system message, before the question."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from agenthost import (
    Agent,
    BaseMemory,
    ConversationMemory,
    PromptTask,
    RelevantStepMemory,
    SummaryMemory,
    Template,
)
from agenthost.memory.base import RememberedRun
from agenthost.requests import Steps
from agenthost_sdk import BaseArtifact, BaseTool, DriverError, ErrorArtifact, Message, activity
from agenthost_sdk.errors import DefinitionError
from agenthost_sdk.testing import ScriptedDriver, WordsEmbeddingDriver, calls
from support.remembered_runs import pairs, remember, said
from support.runs import carry_out


class Stock(BaseTool):
    """Look up stock."""

    @activity(read_only=True)
    def count(self, sku: str) -> str:
        """Count the units on hand.

        Args:
            sku: Stock keeping unit.
        """
        return f"seven of {sku}"


def asked_last(driver: ScriptedDriver) -> list[tuple[str, str]]:
    """Return who said what in the stack that was asked last."""
    return said(driver.stacks[-1].messages)


def test_an_agents_memory_stands_between_the_rules_and_the_question(is_async: bool) -> None:
    driver = ScriptedDriver(["a1", "a2"])
    agent = Agent(prompt_driver=driver, rules=["Be brief."])
    carry_out(agent, is_async, "q1")

    carry_out(agent, is_async, "q2")

    assert asked_last(driver) == [("system", "Be brief."), *pairs(1), ("user", "q2")]


def test_a_run_that_failed_is_not_remembered_as_the_models_words(is_async: bool) -> None:
    driver = ScriptedDriver([DriverError("away"), "a2"])
    agent = Agent(prompt_driver=driver)
    assert isinstance(carry_out(agent, is_async, "q1").output, ErrorArtifact)

    carry_out(agent, is_async, "q2")

    assert asked_last(driver) == [("user", "q2")]


def test_tokens_are_counted_by_the_tasks_driver(is_async: bool) -> None:
    driver = ScriptedDriver(["a1", "a2", "a3"])
    memory = ConversationMemory(max_tokens=driver.count_tokens(pair_of("q2", "a2")))
    agent = Agent(prompt_driver=driver, memory=memory)
    for question in ("q1", "q2", "q3"):
        carry_out(agent, is_async, question)

    assert asked_last(driver) == [*pairs(2), ("user", "q3")]


def pair_of(question: str, answer: str) -> list[Message]:
    memory = ConversationMemory()
    remember(memory, [])
    driver = ScriptedDriver([answer])
    PromptTask(question, prompt_driver=driver, memory=memory).run()
    return memory.messages()


def test_rounds_with_tools_are_replayed_where_that_is_asked_for(is_async: bool) -> None:
    driver = ScriptedDriver([calls(("Stock_count", {"sku": "A"})), "Seven.", "Still seven."])
    memory = ConversationMemory(tool_rounds=True)
    agent = Agent(prompt_driver=driver, tools=[Stock()], memory=memory)
    carry_out(agent, is_async, "How many A?")

    carry_out(agent, is_async, "And now?")

    blocks = [
        block.to_text() for message in driver.stacks[-1].messages for block in message.content
    ]
    assert blocks == [
        "How many A?",
        'Stock_count({"sku": "A"})',
        "seven of A",
        "Seven.",
        "And now?",
    ]


def test_the_summary_is_written_by_the_model_before_the_first_round(is_async: bool) -> None:
    driver = ScriptedDriver(["a1", "a2", "They said a1.", "a3"])
    agent = Agent(prompt_driver=driver, memory=SummaryMemory(keep=1))
    for question in ("q1", "q2", "q3"):
        carry_out(agent, is_async, question)

    assert asked_last(driver) == [
        ("user", "Summary of our conversation so far: They said a1."),
        *pairs(2),
        ("user", "q3"),
    ]


def test_a_summary_that_fails_does_not_fail_the_run(is_async: bool) -> None:
    driver = ScriptedDriver(["a1", "a2", DriverError("away"), "a3"])
    agent = Agent(prompt_driver=driver, memory=SummaryMemory(keep=1))
    for question in ("q1", "q2"):
        carry_out(agent, is_async, question)

    run = carry_out(agent, is_async, "q3")

    assert run.value == "a3"
    assert asked_last(driver) == [*pairs(1, 2), ("user", "q3")]


def test_the_steps_of_earlier_runs_are_recalled_by_their_likeness(is_async: bool) -> None:
    driver = ScriptedDriver(
        [
            calls(("Stock_count", {"sku": "copper"}), text="I look into the copper store."),
            "Seven.",
            *("fine", "good", "Seven of copper."),
        ]
    )
    agent = Agent(
        prompt_driver=driver,
        tools=[Stock()],
        memory=RelevantStepMemory(most=1, keep_last=1),
        embedding_driver=WordsEmbeddingDriver(),
    )
    for question in ("How many?", "How are you?", "Are you well?"):
        carry_out(agent, is_async, question)

    carry_out(agent, is_async, "What of copper in the store?")

    [(role, recalled), *rest] = asked_last(driver)
    assert role == "user"
    assert recalled == (
        "Earlier steps that may matter:\n\n"
        "Thought: I look into the copper store.\n"
        'Action: Stock_count({"sku": "copper"})\n'
        "Observation: seven of copper"
    )
    assert rest == [
        ("user", "Are you well?"),
        ("assistant", "good"),
        ("user", "What of copper in the store?"),
    ]


class Undeclared(RelevantStepMemory):
    """Embeds, and does not say so."""

    needs_embeddings = False


def test_a_memory_that_embeds_without_an_embedding_driver_says_what_is_missing(
    is_async: bool,
) -> None:
    memory = Undeclared(keep_last=1)
    remember(memory, [1, 2])
    agent = Agent(prompt_driver=ScriptedDriver(["a"]), memory=memory)

    run = carry_out(agent, is_async, "q")

    assert isinstance(run.output, ErrorArtifact)
    assert "embedding_driver=" in run.output.value


class Odd(BaseMemory):
    """Recall what a function gives, and raise when it is to remember."""

    def __init__(self, recalls: Callable[[], Any]) -> None:
        self.recalls = recalls

    def add(self, run: RememberedRun) -> None:
        raise OSError("no room left")

    def recall(self, question: BaseArtifact) -> Any:
        return self.recalls()


def words_in_place_of_messages() -> Steps[list[str]]:
    yield from ()
    return ["Hello."]


def nothing_to_recall() -> Steps[list[Message]]:
    yield from ()
    return []


@pytest.mark.parametrize(
    ("recalls", "words"),
    [
        (lambda: ["Hello."], "Odd.recall is no generator; it returned ['Hello.']"),
        (lambda: None, "Odd.recall is no generator; it returned None"),
        (words_in_place_of_messages, "it must return a list of messages"),
    ],
    ids=["a list", "nothing", "words"],
)
def test_a_memory_that_recalls_no_messages_is_named_by_the_run(
    recalls: Callable[[], Any], words: str
) -> None:
    run = Agent(prompt_driver=ScriptedDriver(["a"]), memory=Odd(recalls)).run("q")

    assert isinstance(run.output, ErrorArtifact)
    assert words in run.output.value


def test_a_memory_that_cannot_remember_does_not_cost_the_run(
    is_async: bool, caplog: pytest.LogCaptureFixture
) -> None:
    agent = Agent(prompt_driver=ScriptedDriver(["a"]), memory=Odd(nothing_to_recall))

    run = carry_out(agent, is_async, "q")

    assert (run.value, run.stopped_by) == ("a", "answer")
    assert "The memory Odd raised, and does not remember the run." in caplog.text


def test_braces_in_what_is_remembered_are_never_rendered(is_async: bool) -> None:
    driver = ScriptedDriver(["{{ 7 * 7 }}", "ok"])
    agent = Agent(
        prompt_driver=driver, rules=[Template("Be {{ how }}.")], variables={"how": "{{ odd }}"}
    )
    carry_out(agent, is_async, "{% raw %} {tools}")

    carry_out(agent, is_async, "{{ 1 }}")

    assert asked_last(driver) == [
        ("system", "Be {{ odd }}."),
        ("user", "{% raw %} {tools}"),
        ("assistant", "{{ 7 * 7 }}"),
        ("user", "{{ 1 }}"),
    ]


def test_variables_may_be_given_to_a_run_alone() -> None:
    driver = ScriptedDriver(["a", "b"])
    task = PromptTask(
        Template("What of {{ day }}?"), prompt_driver=driver, rules=[Template("It is {{ day }}.")]
    )

    task.run(variables={"day": "Monday"})
    task.run(variables={"day": "Tuesday"})

    assert [said(stack.messages) for stack in driver.stacks] == [
        [("system", f"It is {day}."), ("user", f"What of {day}?")] for day in ("Monday", "Tuesday")
    ]
    with pytest.raises(DefinitionError, match="'day' is undefined"):
        task.run()
