"""A tool that is made of tools: a fixed sequence of other tools' activities."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Literal

from agenthost.actions.combining import combined_annotations
from agenthost.actions.execution import arun_actions, run_actions
from agenthost.actions.guarding import STANDING, passed
from agenthost.actions.validation import Ready
from agenthost.actions.workflow_inputs import declared_input, defaults_of
from agenthost.actions.workflow_steps import WorkflowContext, WorkflowStep, check_steps
from agenthost_sdk.actions import ToolAction
from agenthost_sdk.activities import Activity, Examples
from agenthost_sdk.artifacts import BaseArtifact, ErrorArtifact, ListArtifact
from agenthost_sdk.errors import DefinitionError
from agenthost_sdk.schemas import Arguments
from agenthost_sdk.tools import BaseTool, failure

#: What a workflow hands back: the artifact of its last step, or those of all steps.
Returned = Literal["last", "all"]


class Workflow(BaseTool):
    """Run a fixed sequence of other tools' activities as one activity, `run`.

        stock = Stock()
        restock = Workflow(
            "Restock",
            "Reserve all units of an article that are on hand.",
            inputs={"sku": Annotated[str, "Stock keeping unit, such as AB-1200."]},
            steps=[
                WorkflowStep(stock, "count", {"sku": FromInput("sku")}),
                WorkflowStep(
                    stock, "reserve", {"sku": FromInput("sku"), "units": FromStep("count")}
                ),
            ],
        )

    Each step's input is held against the schema of its activity, and each step has its
    activity's time limit. A step that fails ends the workflow with an `ErrorArtifact` that names
    it, and the steps that were done. A workflow is permitted or refused as a whole: it counts as
    read-only where all of its steps are, and as destructive where one of them is.

    Args:
        name: What the model calls the tool.
        description: What the model reads of it.
        steps: The steps, in their order.
        inputs: What `run` takes: names with annotations, or pairs of annotation and default,
            such as `{"sku": str, "units": (int, 1)}`; or a JSON Schema, a `schema.Schema`, a
            pydantic model or a dataclass.
        returns: "last" for the artifact of the last step, "all" for a list of those of all
            steps, each named for its step.
        examples: Questions and the inputs that answer them.

    Raises:
        DefinitionError: There is no step, two steps have one name, or a step refers to what is
            not there.
        NotFoundError: A tool has no such activity.
        SchemaError: No JSON Schema can be made of the inputs.
    """

    def __init__(
        self,
        name: str,
        description: str,
        steps: Iterable[WorkflowStep],
        *,
        inputs: Any = None,
        returns: Returned = "last",
        examples: Examples = (),
    ) -> None:
        if returns not in ("last", "all"):
            raise DefinitionError(f"returns is {returns!r}; it must be 'last' or 'all'.")
        self.name = name
        self.steps = tuple(steps)
        self.returns: Returned = returns
        self._description = description
        self._examples = examples
        self._input = declared_input(inputs if inputs is not None else {}, name)
        check_steps(name, self.steps, self._input.schema)

    @property
    def description(self) -> str:
        """What the workflow is for."""
        return self._description

    @cached_property
    def activities(self) -> dict[str, Activity[..., Any]]:
        """The one activity, `run`."""
        is_async = any(step.is_async for step in self.steps)
        activity: Activity[..., Any] = Activity(
            Workflow._arun if is_async else Workflow._run,
            name="run",
            description=self._description,
            schema=self._input,
            annotations=combined_annotations(step.spec.annotations for step in self.steps),
            examples=self._examples,
        )
        return {"run": activity}

    def try_run(self, action: ToolAction, arguments: Arguments) -> Any:
        """Run the steps on the input as JSON has it, which is what they take."""
        del arguments  # the author's types are for functions; a step takes JSON
        function = self._find(action).function
        return function(self, {**defaults_of(self._input.schema), **action.input})

    def _run(self, given: dict[str, Any]) -> BaseArtifact:
        work = self._work(given)
        try:
            ready = next(work)
            while True:
                ready = work.send(run_actions([ready], _begun, _recorded)[0])
        except StopIteration as end:
            output: BaseArtifact = end.value
            return output

    async def _arun(self, given: dict[str, Any]) -> BaseArtifact:
        work = self._work(given)
        try:
            ready = next(work)
            while True:
                outputs = await arun_actions([ready], _begun, _recorded)
                ready = work.send(outputs[0])
        except StopIteration as end:
            output: BaseArtifact = end.value
            return output

    def _work(self, given: dict[str, Any]) -> Generator[Ready, BaseArtifact, BaseArtifact]:
        """Yield each step as an action that can run, be sent its output, and return the whole."""
        context = WorkflowContext(given)
        for step in self.steps:
            try:
                ready = step.ready(context)
            except (Exception, SystemExit) as error:  # the author's functions run in it
                return self._stopped(step, failure(error), context)
            output = yield from _guarded(ready)
            if isinstance(output, ErrorArtifact):
                return self._stopped(step, output, context)
            context.outputs[step.name] = output
        return _returned(self.returns, context)

    def _stopped(
        self, step: WorkflowStep, error: ErrorArtifact, context: WorkflowContext
    ) -> ErrorArtifact:
        """Return what went wrong in a step, and what had been done before it."""
        names = [one.name for one in self.steps]
        place = names.index(step.name)
        words = (
            f"{self.name} stopped at step {step.name!r}, {place + 1} of {len(names)}"
            f" ({step.spec.native}): {error.value.rstrip()}{_done(names, place)}"
        )
        meta = {"step": step.name, "outputs": dict(context.outputs)}
        return ErrorArtifact(words, code=error.code, exception=error.exception, meta=meta)


def _guarded(ready: Ready) -> Generator[Ready, BaseArtifact, BaseArtifact]:
    """Yield a step that the guards of the workflow's own action let pass; else say why not."""
    one = passed(ready, STANDING.get())
    if isinstance(one, Ready):
        return (yield one)
    assert one.output is not None
    return one.output


def _done(names: Sequence[str], place: int) -> str:
    before, after = ", ".join(names[:place]), ", ".join(names[place + 1 :])
    done = f" Done before it: {before}." if before else ""
    return f"\n{done.strip()}{f' Not run: {after}.' if after else ''}" if before or after else ""


def _returned(returns: Returned, context: WorkflowContext) -> BaseArtifact:
    named = [replace(output, name=name) for name, output in context.outputs.items()]
    return ListArtifact(named) if returns == "all" else list(context.outputs.values())[-1]


def _begun(place: int) -> None:
    """Tell nobody: the events are those of the workflow as a whole."""


def _recorded(place: int, output: BaseArtifact, seconds: float) -> None:
    """Keep nothing: a step's output goes to the next one."""
