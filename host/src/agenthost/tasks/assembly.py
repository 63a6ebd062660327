"""Make a task's setup from what the task is given, and refuse what cannot work."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, get_args

from agenthost.actions.toolbox import Toolbox
from agenthost.dialects import BUILT_IN
from agenthost.memory.base import says_something
from agenthost.prompts.templates import Template, rendered
from agenthost.records.bus import Listener
from agenthost.requests import Step
from agenthost.tasks.arguments import check_kinds, check_runner, check_schema, listed
from agenthost.tasks.outputs import FinalOutput
from agenthost.tasks.runners import Runner
from agenthost.tasks.setup import READ_STEPS
from agenthost_sdk.artifacts import BaseArtifact, error_text, to_artifact
from agenthost_sdk.dialects import BaseDialect, Offer
from agenthost_sdk.drivers import BasePromptDriver, StructuredOutputStrategy
from agenthost_sdk.errors import (
    AgenthostError,
    DefinitionError,
    NotFoundError,
    SchemaError,
    SettingsError,
    how_to_make,
)
from agenthost_sdk.events import check_listener
from agenthost_sdk.messages import Message, contents
from agenthost_sdk.validators import BaseOutputValidator

#: What a question can be: text, an artifact, a template, a list of them, or a function of one.
Question = str | BaseArtifact | Template | Sequence[Any] | Callable[[], Any]


def checked_driver(given: Any, name: str = "prompt_driver") -> BasePromptDriver:
    """Return the driver that a task was given.

    Args:
        given: What should be one.
        name: The argument it was given as.

    Raises:
        DefinitionError: It is no driver.
    """
    if isinstance(given, BasePromptDriver):
        return given
    raise DefinitionError(
        f"{name} is {given!r}; it must be a driver object.{how_to_make(given)}"
        " By name a Host makes one: Host().prompt_driver('DRIVER:MODEL')."
    )


def checked_listeners(given: Iterable[Listener]) -> tuple[Listener, ...]:
    """Return the listeners, once each of them can listen.

    Raises:
        DefinitionError: They are no list, or one cannot be called or is a coroutine function.
    """
    listeners = listed("listeners", given, "functions that take an event")
    for listener in listeners:
        check_listener(listener)
    return listeners


def checked_validators(given: Iterable[BaseOutputValidator]) -> tuple[BaseOutputValidator, ...]:
    """Return the output validators that a task was given.

    Raises:
        DefinitionError: They are no list, or one is no output validator.
    """
    validators = listed("output_validators", given, "output validators")
    for one in validators:
        if not isinstance(one, BaseOutputValidator):
            raise DefinitionError(
                f"{one!r} is no output validator.{how_to_make(one)} By name a Host chooses one:"
                " Host().agent(output_validators=[NAME])."
            )
    return validators


def checked_runners(given: Iterable[Runner]) -> tuple[Runner, ...]:
    """Return the subtask runners that a task was given.

    Raises:
        DefinitionError: They are no list, or one cannot be a runner.
    """
    runners = listed("subtask_runners", given, "subtask runners")
    for runner in runners:
        check_runner(runner)
    return runners


def chosen_dialect(chosen: str | BaseDialect | None, driver: BasePromptDriver) -> BaseDialect:
    """Return the dialect that was chosen, or the one that suits the driver.

    Raises:
        DefinitionError: What was chosen is neither a name nor a dialect.
        NotFoundError: No dialect of the host has that name.
    """
    if isinstance(chosen, BaseDialect):
        return chosen
    if not isinstance(chosen, str | None):
        raise DefinitionError(
            f"dialect is {chosen!r}; it must be a name or a dialect object.{how_to_make(chosen)}"
        )
    suited = driver.dialect or ("native" if driver.use_native_tools else "actions_json")
    name = chosen or suited
    if name not in BUILT_IN:
        hint = "A plugin's dialect is given as an object, or by name through a Host."
        raise NotFoundError("dialect", name, BUILT_IN, hint)
    return BUILT_IN[name]()


def offered(dialect: BaseDialect, toolbox: Toolbox, driver: BasePromptDriver) -> Offer:
    """Return how a dialect puts the tools to the model.

    Raises:
        SettingsError: The driver could not pass them on.
        DefinitionError: The dialect raised, or returned something else.
    """
    if dialect.native and len(toolbox) and not driver.has_native_tools:
        raise SettingsError(
            f"The driver {driver.title!r} has no native tools, and"
            f" the dialect {dialect.name!r} needs them. Choose a text dialect, such as"
            " dialect='actions_json'."
        )
    try:
        offer: object = dialect.offer(toolbox.table)
    except AgenthostError:
        raise
    except Exception as error:
        raised = f"The dialect {dialect.name!r} cannot offer the tools: {error_text(error)}."
        raise DefinitionError(raised) from error
    if not isinstance(offer, Offer):
        raise DefinitionError(f"The dialect {dialect.name!r} offered {offer!r:.80}, no Offer.")
    return offer


def asked(question: Question | None, variables: Mapping[str, Any]) -> BaseArtifact:
    """Return a question as an artifact; only one that is a template is rendered.

    Raises:
        DefinitionError: There is no question, or nothing in it.
    """
    given = question() if callable(question) else question
    if given is None:
        raise DefinitionError("There is no question: give the task an input, or run() a question.")
    artifact = to_artifact(rendered(given, variables))
    if not says_something(Message("user", contents(artifact))):
        raise DefinitionError(f"The question is {given!r}: there is nothing in it to answer.")
    return artifact


def checked_steps(
    given: Mapping[Step, BasePromptDriver] | None,
    fallback: BasePromptDriver | None,
    dialect: BaseDialect,
) -> dict[Step, BasePromptDriver]:
    """Return the drivers of some steps, once each is one that its step can use."""
    check_kinds(step_drivers=given)
    drivers = dict(given or {})
    for step, driver in drivers.items():
        if step not in _STEPS:
            hint = "step_drivers is keyed by the steps of a run."
            raise NotFoundError("step", step, _STEPS, hint)
        _check_speaks(checked_driver(driver, f"step_drivers[{step!r}]"), step, dialect)
    if fallback is not None:
        _check_speaks(checked_driver(fallback, "fallback_driver"), "act", dialect)
    return drivers


#: The steps of a run.
_STEPS: tuple[Step, ...] = ("act", "repair", "plan", "reflect", "judge", "summarise", "answer")


def _check_speaks(driver: BasePromptDriver, step: Step, dialect: BaseDialect) -> None:
    if dialect.native and step in READ_STEPS and not driver.has_native_tools:
        raise SettingsError(
            f"The driver {driver.title!r} has no native tools, and cannot take over from one"
            " that has. Give the task a text dialect (dialect='actions_json'), or another driver."
        )


def final_output(
    spec: Any, toolbox: Toolbox, dialect: BaseDialect, drivers: Sequence[BasePromptDriver]
) -> FinalOutput | None:
    """Return what the answer has to be, by the strategy that the first driver declares.

    A driver's own way holds for the whole reply, so that a text dialect could not ask for an
    action beside it: with tools it gives way to "rule". It does so too where another driver that
    may answer has no such way, since only a rule tells all of them.

    Raises:
        SchemaError: No JSON Schema can be made of the spec.
        SettingsError: A driver declares a strategy that does not exist.
    """
    if spec is None:
        return None
    check_schema(spec)
    strategy, *others = [_strategy(driver) for driver in drivers]
    is_shared = all(other == "native" for other in others)
    if strategy == "native" and (not is_shared or (len(toolbox) and not dialect.native)):
        strategy = "rule"
    try:
        return FinalOutput(spec, strategy)
    except SchemaError as error:
        raise SchemaError(f"output_schema cannot be used: {error}") from error


def _strategy(driver: BasePromptDriver) -> StructuredOutputStrategy:
    """Return how a driver's model is held to a schema."""
    strategy, known = driver.structured_output_strategy, get_args(StructuredOutputStrategy)
    if strategy not in known:
        listed = ", ".join(map(repr, known))
        raise SettingsError(
            f"The driver {driver.title!r} has structured_output_strategy {strategy!r}; it must be"
            f" one of {listed}."
        )
    return strategy
