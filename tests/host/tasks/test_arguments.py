"""What a task refuses when it is made, and the words it has for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from agenthost import (
    DEFAULT_RUNNERS,
    Agent,
    ConversationMemory,
    Judge,
    Limits,
    Permissions,
    PlanFirst,
    PromptTask,
    RelevantStepMemory,
)
from agenthost.dialects import Classic
from agenthost_sdk import BaseTool, activity
from agenthost_sdk.actions import NativeNames
from agenthost_sdk.dialects import Offer
from agenthost_sdk.drivers_config import DriversConfig
from agenthost_sdk.errors import AgenthostError, DefinitionError, SettingsError
from agenthost_sdk.events import BaseEvent
from agenthost_sdk.testing import ScriptedDriver, WordsEmbeddingDriver, calls
from agenthost_sdk.validators import BaseOutputValidator, Verdict


@dataclass
class Level:
    """An answer."""

    units: int


class Fine(BaseOutputValidator):
    """Accept all."""

    def validate(self, output: Any) -> Verdict:
        """Accept it."""
        return Verdict.accept()


def driver() -> ScriptedDriver:
    return ScriptedDriver(["Fine."], repeat=True)


def listener(event: BaseEvent) -> None:
    """Hear."""


async def waits(run: Any, subtask: Any) -> None:
    """Wait, as no runner may."""


class Waiting:
    """A runner whose call is asynchronous."""

    async def __call__(self, run: Any, subtask: Any) -> None:
        """Wait."""


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "limits of a dict": (
        {"limits": {"max_subtasks": 3}},
        "limits is {'max_subtasks': 3}; it must be a Limits object, such as limits=Limits(",
    ),
    "limits as a class": ({"limits": Limits}, "Write Limits() to make one."),
    "permissions of a word": ({"permissions": "all"}, "permissions is 'all'; it must be a Perm"),
    "no permissions": ({"permissions": None}, "permissions is None; it must be a Permissions"),
    "permissions as a class": ({"permissions": Permissions}, "Write Permissions() to make one."),
    "a memory as a class": ({"memory": ConversationMemory}, "Write ConversationMemory() to make"),
    "a memory of a list": ({"memory": []}, "memory is []; it must be a memory object"),
    "a dialect as a class": ({"dialect": Classic}, "Write Classic() to make one."),
    "variables of a list": ({"variables": ["a"]}, "variables is ['a']; it must be a mapping"),
    "an embedding driver by name": (
        {"embedding_driver": "local"},
        "embedding_driver is 'local'; it must be an embedding driver object; by name a Host",
    ),
    "folding by another word": (
        {"folding": "summarize"},
        "folding is 'summarize'; it must be 'summarise' or 'drop'.",
    ),
    "a repair prompt of a number": ({"repair_prompt": 3}, "repair_prompt is 3; it must be a text"),
    "an empty name of a driver": ({"prompt_driver": ""}, "prompt_driver is ''; it must be"),
    "a driver as a class": ({"prompt_driver": ScriptedDriver}, "Write ScriptedDriver() to make"),
    "step drivers in a list": ({"step_drivers": [driver()]}, "it must be a mapping of steps to"),
    "a step's driver by name": (
        {"step_drivers": {"plan": "openai"}},
        "step_drivers['plan'] is 'openai'; it must be a driver object.",
    ),
    "a fallback by name": ({"fallback_driver": "openai"}, "fallback_driver is 'openai'; it must"),
    "a tool by name": ({"tools": ["Stock"]}, "Host().agent(tools=['Stock'])"),
    "a single listener": ({"listeners": listener}, "it must be a list of functions that take an"),
    "a single validator": (
        {"output_validators": Fine()},
        "it must be a list of output validators, also where it is a single one:"
        " output_validators=[…].",
    ),
    "a validator as a text": ({"output_validators": "regex:a"}, "output_validators is 'regex:a'"),
    "a validator as a class": ({"output_validators": [Fine]}, "Write Fine() to make one."),
    "a single runner": ({"subtask_runners": PlanFirst()}, "it must be a list of subtask runners"),
    "a runner as a class": (
        {"subtask_runners": [PlanFirst, *DEFAULT_RUNNERS]},
        "Write PlanFirst() to make one.",
    ),
    "a runner by name": ({"subtask_runners": ["plan"]}, "'plan' is no subtask runner"),
    "an async runner": ({"subtask_runners": [waits]}, "is asynchronous. A runner is a plain"),
    "an async call": ({"subtask_runners": [Waiting()]}, "is asynchronous. A runner is a plain"),
    "a schema's file": ({"output_schema": "level.json"}, "read_schema reads one from a file"),
    "an object for its class": (
        {"output_schema": Level(3)},
        "output_schema is an object of Level; it must be the class: output_schema=Level.",
    ),
    "a schema of a number": ({"output_schema": 3}, "output_schema cannot be used: 3 has no JSON"),
}


@pytest.mark.parametrize(("options", "words"), WRONG.values(), ids=WRONG)
def test_an_argument_that_cannot_work_is_refused_when_the_task_is_made(
    options: dict[str, Any], words: str
) -> None:
    with pytest.raises(DefinitionError) as refused:
        PromptTask("?", **{"prompt_driver": driver(), **options})

    assert words in str(refused.value)


def test_a_memory_by_meaning_needs_an_embedding_driver_from_the_start() -> None:
    with (
        DriversConfig(),
        pytest.raises(SettingsError, match="A RelevantStepMemory needs an embedding driver"),
    ):
        Agent(prompt_driver=driver(), memory=RelevantStepMemory())

    with DriversConfig(embedding_driver=WordsEmbeddingDriver()) as config:
        fitted = Agent(prompt_driver=driver(), memory=RelevantStepMemory())
    assert fitted.setup.embedding_driver is config.embedding_driver
    able = Agent(
        prompt_driver=driver(),
        memory=RelevantStepMemory(),
        embedding_driver=WordsEmbeddingDriver(),
    )
    assert able.run("?").value == "Fine."


def test_a_judge_that_is_no_function_is_refused_when_it_is_made() -> None:
    with pytest.raises(DefinitionError, match="A Judge takes a function of the run"):
        Judge(3)  # type: ignore[arg-type]


RUNS: dict[str, Callable[[PromptTask, Any], Any]] = {
    "run": lambda task, heard: task.run("?", listeners=heard),
    "stream": lambda task, heard: list(task.stream("?", listeners=heard)),
}


@pytest.mark.parametrize("start", RUNS.values(), ids=RUNS)
def test_a_single_listener_of_a_run_is_refused_when_the_run_begins(
    start: Callable[[PromptTask, Any], Any],
) -> None:
    task = PromptTask(prompt_driver=driver())

    with pytest.raises(DefinitionError, match="it must be a list of functions"):
        start(task, listener)


def test_the_variables_of_a_run_have_names() -> None:
    task = PromptTask(prompt_driver=driver())

    with pytest.raises(DefinitionError, match="variables is 3; it must be a mapping"):
        task.run("?", variables=3)  # type: ignore[arg-type]


@pytest.mark.parametrize("returned", [None, [], ["a request"]], ids=str)
def test_a_runner_that_is_no_generator_is_named_by_the_run(returned: Any) -> None:
    def forgets(run: Any, subtask: Any) -> Any:
        return returned

    runners = [forgets, *DEFAULT_RUNNERS]
    run = PromptTask("?", prompt_driver=driver(), subtask_runners=runners).run()

    with pytest.raises(AgenthostError, match="forgets is no generator"):
        run.raise_for_error()


class Raises(Classic):
    """Cannot offer anything."""

    name = "raises"

    def offer(self, table: NativeNames) -> Offer:
        """Raise."""
        raise KeyError("a bug")


class Forgets(Classic):
    """Forgets to return its offer."""

    name = "forgets"

    def offer(self, table: NativeNames) -> Offer:
        """Return nothing."""
        return None  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("dialect", "words"),
    [
        (Raises(), "The dialect 'raises' cannot offer the tools: KeyError: 'a bug'."),
        (Forgets(), "The dialect 'forgets' offered None, no Offer."),
    ],
    ids=["raises", "forgets"],
)
def test_a_dialect_that_cannot_offer_the_tools_is_named(dialect: Classic, words: str) -> None:
    with pytest.raises(DefinitionError) as refused:
        PromptTask("?", prompt_driver=driver(), dialect=dialect)

    assert str(refused.value) == words


class Shop(BaseTool):
    """Look up stock."""

    @activity(read_only=True)
    def count(self) -> int:
        """Count."""
        return 7


@dataclass(kw_only=True, eq=False)
class TextOnlyDriver(ScriptedDriver):
    """A driver whose provider knows no tools."""

    use_native_tools: bool = False


def test_a_dialect_that_is_named_wins_over_the_drivers_switch() -> None:
    told_not_to = ScriptedDriver([calls(("Shop_count", {})), "7"], use_native_tools=False)

    run = PromptTask("?", tools=[Shop()], prompt_driver=told_not_to, dialect="native").run()

    assert run.value == "7"
    assert [spec.native for spec in told_not_to.stacks[0].tools] == ["Shop_count"]


def test_native_calls_by_a_driver_that_has_none_are_refused() -> None:
    unable = TextOnlyDriver(["Fine."])

    with pytest.raises(SettingsError, match=r"has no native tools, .* Choose a text") as one:
        PromptTask("?", tools=[Shop()], prompt_driver=unable, dialect="native")

    assert "'scripted'" in str(one.value)
    assert PromptTask("?", prompt_driver=unable, dialect="native").run().value == "Fine."
