"""`PromptTask`: a question, tools and a model, looped until there is an answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from agenthost.actions.permission import OPEN, Permissions
from agenthost.actions.toolbox import Toolbox
from agenthost.defaults import Defaults
from agenthost.dialects import BUILT_IN
from agenthost.memory.conversation import BaseMemory, RememberedRun
from agenthost.prompts.stack import numbered
from agenthost.records.bus import Listener
from agenthost.requests import Steps
from agenthost.tasks.limits import Limits
from agenthost.tasks.perform import aperform, perform
from agenthost.tasks.run import Run
from agenthost.tasks.runners import DEFAULT_RUNNERS, Runner
from agenthost.tasks.setup import Setup
from agenthost_sdk.artifacts import BaseArtifact, to_artifact
from agenthost_sdk.dialects import BaseDialect
from agenthost_sdk.drivers import BasePromptDriver
from agenthost_sdk.errors import DefinitionError, NotFoundError, SettingsError
from agenthost_sdk.messages import Message, contents
from agenthost_sdk.tools import BaseTool
from agenthost_sdk.validators import BaseOutputValidator

#: What a question can be: text, an artifact, a list of them, or a function that gives one.
Question = str | BaseArtifact | Sequence[Any] | Callable[[], Any]


class PromptTask:
    """Put a question to a model and run the actions it asks for, until it answers.

    A task holds configuration only: every `run()` makes its own `Run`, so one task serves many
    threads and many coroutines at once.

        task = PromptTask("How many units of AB-1200 are left?", tools=[Inventory()])
        print(task.run().value)

    Args:
        input: The question, unless `run` is given one. It reaches the model as it is; nothing
            in it is rendered.
        tools: The tools on offer, or a `Toolbox` of them.
        prompt_driver: The model's driver; that of `Defaults.drivers_config` where none is given.
        dialect: The reply format, by name or as an object; by default `native` where the driver
            uses native tools, else `actions_json`.
        rules: Texts for the system message.
        limits: How far a run may go.
        output_validators: Each must accept the answer, in this order; one that refuses hands it
            back to the model.
        permissions: Which actions may run. By default all: the application chose the tools.
        listeners: Called with each event.
        memory: Earlier questions and answers; a run that succeeds is added to it.
        reflect_on_tool_use: Show the results to the model. Without it a run ends with the
            results of its first actions.
        subtask_runners: The steps of a round.

    Raises:
        DefinitionError: A tool, a name or a schema that cannot work.
        SettingsError: More tools than the provider takes; the message says how to choose.
    """

    def __init__(
        self,
        input: Question | None = None,
        *,
        tools: Sequence[BaseTool] | Toolbox = (),
        prompt_driver: BasePromptDriver | None = None,
        dialect: str | BaseDialect | None = None,
        rules: Sequence[str] = (),
        limits: Limits | None = None,
        output_validators: Sequence[BaseOutputValidator] = (),
        permissions: Permissions = OPEN,
        listeners: Sequence[Listener] = (),
        memory: BaseMemory | None = None,
        reflect_on_tool_use: bool = True,
        subtask_runners: Sequence[Runner] = DEFAULT_RUNNERS,
    ) -> None:
        driver = _driver(prompt_driver or Defaults.drivers_config.prompt_driver)
        toolbox = tools if isinstance(tools, Toolbox) else Toolbox(tools)
        chosen = _dialect(dialect, driver)
        _check_count(toolbox, chosen, driver)
        self.input = input
        self.memory = memory if memory is not None else self.make_memory()
        self.subtask_runners = tuple(subtask_runners)
        self.setup = Setup(
            driver=driver,
            toolbox=toolbox,
            dialect=chosen,
            offer=chosen.offer(toolbox.table),
            permissions=permissions,
            limits=limits or Limits(),
            validators=tuple(_validator(one) for one in output_validators),
            listeners=tuple(listeners),
            reflect_on_tool_use=reflect_on_tool_use,
            rules=numbered((rules,) if isinstance(rules, str) else rules),
        )

    def make_memory(self) -> BaseMemory | None:
        """Return the memory of a task that was given none: a task forgets."""
        return None

    def run(self, question: Question | None = None, *, listeners: Sequence[Listener] = ()) -> Run:
        """Run the loop to its end and return the run: its output, value, subtasks and usage.

        What fails becomes the run's output, an `ErrorArtifact`; `raise_for_error()` raises it.

        Args:
            question: Takes the place of the task's own input.
            listeners: Called with each event of this run, beside the task's own.
        """
        run = self.new_run(question, listeners=listeners)
        return self._remembered(perform(run, self.steps(run)))

    async def arun(
        self, question: Question | None = None, *, listeners: Sequence[Listener] = ()
    ) -> Run:
        """Do what `run` does, without blocking the event loop."""
        run = self.new_run(question, listeners=listeners)
        return self._remembered(await aperform(run, self.steps(run)))

    def new_run(
        self, question: Question | None = None, *, listeners: Sequence[Listener] = ()
    ) -> Run:
        """Return a run that has not begun, for those who drive `steps` themselves."""
        asked = _asked(self.input if question is None else question)
        setup = self.setup
        if listeners:
            setup = replace(setup, listeners=(*setup.listeners, *listeners))
        return Run(setup, asked, setup.toolbox, setup.offer)

    def steps(self, run: Run) -> Steps[None]:
        """Yield the requests of a run until it ends; nothing but the run itself is state.

        A run that broke off goes on from where it stands.
        """
        if run.opening is None:
            run.opening = yield from self._opening(run)
        while not run.has_ended():
            subtask = run.current()
            for runner in self.subtask_runners:
                yield from runner(run, subtask)
                if run.has_ended():
                    return
            if not subtask.finished:
                raise DefinitionError(
                    "No subtask runner finished the round; runners must include one that takes"
                    " the answer and one that repairs a reply."
                )

    def _opening(self, run: Run) -> Steps[tuple[Message, ...]]:
        remembered = (yield from self.memory.recall(run.input)) if self.memory else []
        return (*remembered, Message("user", contents(run.input)))

    def _remembered(self, run: Run) -> Run:
        if self.memory is not None and run.output is not None:
            self.memory.add(RememberedRun(run.input, run.output))
        return run


def _driver(given: Any) -> BasePromptDriver:
    if isinstance(given, BasePromptDriver):
        return given
    raise DefinitionError(
        f"prompt_driver is {given!r}; it must be a driver object. By name a Host chooses one:"
        " Host().agent(model='DRIVER:MODEL')."
    )


def _validator(given: Any) -> BaseOutputValidator:
    if isinstance(given, BaseOutputValidator):
        return given
    hint = f" Write {given.__name__}() to make one." if isinstance(given, type) else ""
    raise DefinitionError(
        f"{given!r} is no output validator.{hint} By name a Host chooses one:"
        " Host().agent(output_validators=[NAME])."
    )


def _dialect(chosen: str | BaseDialect | None, driver: BasePromptDriver) -> BaseDialect:
    if isinstance(chosen, BaseDialect):
        return chosen
    if not isinstance(chosen, str | None):
        raise DefinitionError(f"dialect is {chosen!r}; it must be a name or a dialect object.")
    name = chosen or ("native" if driver.use_native_tools else "actions_json")
    if name not in BUILT_IN:
        hint = "A plugin's dialect is given as an object, or by name through a Host."
        raise NotFoundError("dialect", name, BUILT_IN, hint)
    return BUILT_IN[name]()


def _check_count(toolbox: Toolbox, dialect: BaseDialect, driver: BasePromptDriver) -> None:
    most = driver.max_tools
    if dialect.native and most is not None and len(toolbox) > most:
        raise SettingsError(
            f"{len(toolbox)} activities are on offer; the driver {driver.provider!r} takes"
            f" {most} at most. Choose the tools: -t TOOL on the command line, tools=[…] in code."
        )


def _asked(question: Question | None) -> BaseArtifact:
    if question is None:
        raise DefinitionError("There is no question: give the task an input, or run() a question.")
    return to_artifact(question() if callable(question) else question)
