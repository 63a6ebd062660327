"""`PromptTask`: a question, tools and a model, looped until there is an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from typing import Any

from agenthost.actions.guarding import STANDING, checked_guards, with_standing
from agenthost.actions.permission import OPEN, Permissions
from agenthost.actions.toolbox import Toolbox
from agenthost.defaults import Defaults
from agenthost.dialects.rounds import rounds
from agenthost.memory.base import BaseMemory
from agenthost.memory.folding import Folding
from agenthost.prompts.rules import Rules, checked_rules, rules_text
from agenthost.records.bus import Listener
from agenthost.requests import Step, Steps
from agenthost.tasks.arguments import check_folding, check_kinds, embedding_driver_for
from agenthost.tasks.assembly import (
    Question,
    asked,
    checked_driver,
    checked_listeners,
    checked_runners,
    checked_steps,
    checked_validators,
    chosen_dialect,
    final_output,
    offered,
)
from agenthost.tasks.limits import Limits
from agenthost.tasks.outputs import with_output_tool
from agenthost.tasks.perform import aperform, perform
from agenthost.tasks.remembering import recalled, remember
from agenthost.tasks.run import Run
from agenthost.tasks.runners import DEFAULT_RUNNERS, Runner
from agenthost.tasks.setup import Setup, reply_drivers
from agenthost.tasks.streaming import AsyncRunStream, MakeRun, RunStream
from agenthost.tasks.subtasks import ActionsSubtask
from agenthost_sdk.dialects import BaseDialect
from agenthost_sdk.drivers import BasePromptDriver
from agenthost_sdk.embeddings import BaseEmbeddingDriver
from agenthost_sdk.errors import DefinitionError
from agenthost_sdk.guards import BaseActionGuard
from agenthost_sdk.messages import Message, contents
from agenthost_sdk.tools import BaseTool
from agenthost_sdk.validators import BaseOutputValidator


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
        rules: What the system message says: texts, rules, rulesets, templates.
        variables: What templates among the rules, or a template as the question, may use.
        limits: How far a run may go.
        output_validators: Each must accept the answer, in this order; one that refuses hands it
            back to the model.
        permissions: Which actions may run. By default all: the application chose the tools.
        listeners: Called with each event.
        guards: Look at each action before it runs and at what came of it, in this order.
        executor: Where actions run, in the place of threads of our own; whoever made it closes it.
        memory: Earlier questions and answers; a run that succeeds is added to it.
        reflect_on_tool_use: Show the results to the model. Without it a run ends with the
            results of its first actions.
        subtask_runners: The steps of a round; each a generator of requests, as ours are.
        output_schema: What the answer has to be: a `schema.Schema`, a pydantic model, a
            dataclass, or a JSON Schema. `run().value` is then of that type.
        step_drivers: Other drivers for some steps: "act", "repair", "plan", "reflect", "judge",
            "summarise", "answer" (the last turn at a limit).
        fallback_driver: Asked where the driver of a step fails.
        embedding_driver: For memories that look for what is near in meaning; that of
            `Defaults.drivers_config` where none is given.
        folding: What becomes of the oldest rounds past `Limits.max_history_tokens`.
        repair_prompt: How a reply has to look, for one that is handed back for its form; it
            stands in the place of the dialect's own reminder.
        few_shot: Show the tools' examples as whole rounds before the conversation. The text
            dialects show them in the system message in any case.

    Raises:
        DefinitionError: A tool, a name, a schema or another argument that cannot work.
        SettingsError: More tools than the provider takes; the message says how to choose.
    """

    def __init__(
        self,
        input: Question | None = None,
        *,
        tools: Sequence[BaseTool] | Toolbox = (),
        prompt_driver: BasePromptDriver | None = None,
        dialect: str | BaseDialect | None = None,
        rules: Rules = (),
        limits: Limits | None = None,
        output_validators: Sequence[BaseOutputValidator] = (),
        permissions: Permissions = OPEN,
        listeners: Sequence[Listener] = (),
        guards: Sequence[BaseActionGuard] = (),
        executor: Executor | None = None,
        memory: BaseMemory | None = None,
        reflect_on_tool_use: bool = True,
        subtask_runners: Sequence[Runner] = DEFAULT_RUNNERS,
        output_schema: Any = None,
        step_drivers: Mapping[Step, BasePromptDriver] | None = None,
        fallback_driver: BasePromptDriver | None = None,
        embedding_driver: BaseEmbeddingDriver | None = None,
        variables: Mapping[str, Any] | None = None,
        folding: Folding = "summarise",
        repair_prompt: str = "",
        few_shot: bool = False,
    ) -> None:
        check_kinds(
            limits=limits,
            permissions=permissions,
            memory=memory,
            executor=executor,
            embedding_driver=embedding_driver,
            variables=variables,
            repair_prompt=repair_prompt,
            few_shot=few_shot,
        )
        check_folding(folding)
        config = Defaults.drivers_config
        driver = checked_driver(config.prompt_driver if prompt_driver is None else prompt_driver)
        given = tools if isinstance(tools, Toolbox) else Toolbox(tools)
        chosen = chosen_dialect(dialect, driver)
        steps = checked_steps(step_drivers, fallback_driver, chosen)
        answering = reply_drivers(driver, steps, fallback_driver)
        output = final_output(output_schema, given, chosen, answering)
        toolbox = with_output_tool(given, output)
        self.input = input
        self.rules = checked_rules(rules)
        self.variables = dict(variables or {})
        self.memory = memory if memory is not None else self.make_memory()
        self.subtask_runners = checked_runners(subtask_runners)
        self.setup = Setup(
            driver=driver,
            toolbox=toolbox,
            dialect=chosen,
            offer=offered(chosen, toolbox, driver),
            permissions=permissions,
            limits=limits or Limits(),
            validators=checked_validators(output_validators),
            listeners=checked_listeners(listeners),
            guards=checked_guards(guards),
            executor=executor,
            reflect_on_tool_use=reflect_on_tool_use,
            output=output,
            step_drivers=steps,
            fallback_driver=fallback_driver,
            embedding_driver=embedding_driver_for(self.memory, embedding_driver, config),
            folding=folding,
            repair_prompt=repair_prompt,
            few_shot=few_shot,
        )
        self.setup.check_count(toolbox)

    @property
    def prompt_driver(self) -> BasePromptDriver:
        """The model's driver; a task keeps it, and another one is given to another task."""
        return self.setup.driver

    def make_memory(self) -> BaseMemory | None:
        """Return the memory of a task that was given none: a task forgets."""
        return None

    def run(
        self,
        question: Question | None = None,
        *,
        variables: Mapping[str, Any] | None = None,
        listeners: Sequence[Listener] = (),
    ) -> Run:
        """Run the loop to its end and return the run: its output, value, subtasks and usage.

        What fails becomes the run's output, an `ErrorArtifact`; `raise_for_error()` raises it.

        Args:
            question: Takes the place of the task's own input.
            variables: What templates may use in this run, beside the task's own.
            listeners: Called with each event of this run, beside the task's own.
        """
        run = self.new_run(question, variables=variables, listeners=listeners)
        return self._carried_out(run)

    async def arun(
        self,
        question: Question | None = None,
        *,
        variables: Mapping[str, Any] | None = None,
        listeners: Sequence[Listener] = (),
    ) -> Run:
        """Do what `run` does, without blocking the event loop."""
        run = self.new_run(question, variables=variables, listeners=listeners)
        return await self._acarried_out(run)

    def resume(self, run: Run, *, limits: Limits | None = None) -> Run:
        """Carry on a run of this task that an error, an interrupt or a limit ended.

        It goes on from where it stands; what was done is not done again.

        Args:
            run: The run.
            limits: Take the place of its own; those that ended it would end it again.

        Raises:
            DefinitionError: The run has its answer, or has not ended.
        """
        return self._carried_out(run.reopened(limits))

    async def aresume(self, run: Run, *, limits: Limits | None = None) -> Run:
        """Do what `resume` does, without blocking the event loop."""
        return await self._acarried_out(run.reopened(limits))

    def stream(
        self,
        question: Question | None = None,
        *,
        variables: Mapping[str, Any] | None = None,
        listeners: Sequence[Listener] = (),
    ) -> RunStream:
        """Run the loop in a thread of its own, and iterate over its events as they happen.

        The model's replies come in pieces; the run's own object is the stream's `run`.

            for event in task.stream():
                print(event.type)
        """
        return RunStream(self._heard(question, variables, listeners), self._carried_out)

    def astream(
        self,
        question: Question | None = None,
        *,
        variables: Mapping[str, Any] | None = None,
        listeners: Sequence[Listener] = (),
    ) -> AsyncRunStream:
        """Do what `stream` does, for `async for`, on the running event loop."""
        return AsyncRunStream(self._heard(question, variables, listeners), self._acarried_out)

    def new_run(
        self,
        question: Question | None = None,
        *,
        variables: Mapping[str, Any] | None = None,
        listeners: Sequence[Listener] = (),
    ) -> Run:
        """Return a run that has not begun, for those who drive `steps` themselves."""
        check_kinds(variables=variables)
        known = {**self.variables, **(variables or {})}
        setup = self.setup
        if listeners:
            heard = (*setup.listeners, *checked_listeners(listeners))
            setup = replace(setup, listeners=heard)
        if STANDING.get():  # this task is a tool of another's run
            setup = replace(setup, guards=with_standing(setup.guards))
        given = asked(self.input if question is None else question, known)
        return Run(setup, given, setup.toolbox, setup.offer, rules_text(self.rules, known))

    def steps(self, run: Run) -> Steps[None]:
        """Yield the requests of a run until it ends; nothing but the run itself is state.

        A run that broke off goes on from where it stands; `resume` does so.
        """
        if run.opening is None:
            run.opening = yield from self._opening(run)
        while not run.stopped_by:
            yield from self._round(run)

    def _round(self, run: Run) -> Steps[None]:
        subtask = run.current()
        for runner in self.subtask_runners:
            yield from _requests_of(runner, run, subtask)
            if run.stopped_by:
                return
        if not subtask.finished:
            raise DefinitionError(
                "No subtask runner finished the round; runners must include one that takes"
                " the answer and one that repairs a reply. Ours do:"
                " subtask_runners=[*DEFAULT_RUNNERS, …]."
            )

    def _opening(self, run: Run) -> Steps[tuple[Message, ...]]:
        setup = run.setup
        shown = rounds(setup.dialect, setup.toolbox.table) if setup.few_shot else ()
        examples = [message for one in shown for message in one]
        earlier = yield from recalled(self.memory, run.input)
        return (*examples, *earlier, Message("user", contents(run.input)))

    def _carried_out(self, run: Run) -> Run:
        perform(run, self.steps(run))
        remember(self.memory, run)
        return run

    async def _acarried_out(self, run: Run) -> Run:
        await aperform(run, self.steps(run))
        remember(self.memory, run)
        return run

    def _heard(
        self,
        question: Question | None,
        variables: Mapping[str, Any] | None,
        listeners: Sequence[Listener],
    ) -> MakeRun:
        """Return what makes the run of a stream, which listens beside the others."""
        others = checked_listeners(listeners)
        return lambda own: self.new_run(question, variables=variables, listeners=(*others, own))


def _requests_of(runner: Runner, run: Run, subtask: ActionsSubtask) -> Steps[None]:
    steps: Any = runner(run, subtask)
    if not hasattr(steps, "send"):
        named = getattr(runner, "__qualname__", type(runner).__name__)
        raise DefinitionError(
            f"The subtask runner {named} is no generator; it returned {steps!r:.60}. Write"
            " `yield from ()` where it has nothing to ask for."
        )
    requests: Steps[None] = steps
    return requests
