"""The steps of a workflow: which activity each runs, and how its input is made."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from agenthost.actions.validation import Ready, validated
from agenthost_sdk.actions import ToolAction, ToolSpec
from agenthost_sdk.artifacts import BaseArtifact, TextArtifact
from agenthost_sdk.errors import (
    DefinitionError,
    NotFoundError,
    ToolError,
    how_to_make,
    shortened,
)
from agenthost_sdk.schemas import JsonSchema
from agenthost_sdk.tools import BaseTool


@dataclass(frozen=True)
class FromInput:
    """What the workflow was given under a key; without a value the key is left out."""

    key: str


@dataclass(frozen=True, init=False)
class FromStep:
    """What came of an earlier step, or what stands at a place in it.

    `FromStep("count")` is the whole, `FromStep("find", "items", 0, "sku")` a part of it. A text
    that is JSON is read where a part of it is asked for.

    Args:
        step: The step by its name or its number, from 0.
        path: The keys and places that lead to the part.
    """

    step: str | int
    path: tuple[str | int, ...]

    def __init__(self, step: str | int, *path: str | int) -> None:
        object.__setattr__(self, "step", step)
        object.__setattr__(self, "path", path)


@dataclass(frozen=True)
class WorkflowContext:
    """What a workflow knows while it runs.

    Args:
        input: What it was given, as JSON has it, defaults included.
        outputs: What came of the steps so far, by their names.
    """

    input: Mapping[str, Any]
    outputs: dict[str, BaseArtifact] = field(default_factory=dict)

    def output(self, step: str | int) -> BaseArtifact:
        """Return what came of a step, by its name or its number, from 0."""
        return list(self.outputs.values())[step] if isinstance(step, int) else self.outputs[step]


#: A function that makes an input, or a part of one.
Made = Callable[[WorkflowContext], Any]


@dataclass(frozen=True)
class WorkflowStep:
    """One step of a workflow.

    Args:
        tool: The tool.
        activity: The name of its activity.
        input: How the activity's input is made: an object of values, of references
            (`FromInput`, `FromStep`) and of functions of the `WorkflowContext`, at any depth;
            or one such function that returns the whole.
        name: What other steps call it; the activity's name where it is not given.

    Raises:
        NotFoundError: The tool has no such activity.
        DefinitionError: What stands in the tool's place is none.
    """

    tool: BaseTool
    activity: str
    input: Mapping[str, Any] | Made = field(default_factory=dict)
    name: str = ""

    def __post_init__(self) -> None:
        _check_tool(self.tool)
        if self.activity not in self.tool.activities:
            kind = f"activity of {self.tool.name}"
            raise NotFoundError(kind, self.activity, self.tool.activities)
        object.__setattr__(self, "name", self.name or self.activity)

    @cached_property
    def spec(self) -> ToolSpec:
        """The activity's spec."""
        return next(spec for spec in self.tool.specs() if spec.path == self.activity)

    @property
    def is_async(self) -> bool:
        """Whether the activity is."""
        return self.tool.activities[self.activity].is_async

    def ready(self, context: WorkflowContext) -> Ready:
        """Return the step as an action that can run.

        Raises:
            InvalidInput: The activity refuses the input that was made for it.
            ToolError: A part that the input needs is not there.
        """
        made = _made(self.input, context)
        if not isinstance(made, Mapping):
            raise ToolError(f"Its input must be an object, and was made as {made!r}.")
        action = ToolAction(self.name, self.tool.name, self.activity, made)
        return validated(action, self.tool, self.spec)

    def references(self) -> Iterator[FromInput | FromStep]:
        """Yield the references in its input."""
        return _references(self.input)


def check_steps(workflow: str, steps: Sequence[WorkflowStep], schema: JsonSchema) -> None:
    """Refuse a sequence that cannot run, whatever it is given.

    Raises:
        DefinitionError: There is no step, two have one name, or one refers to what is not there.
    """
    if not steps:
        raise DefinitionError(f"The workflow {workflow!r} has no steps.")
    names: list[str] = []
    for step in steps:
        if not isinstance(step, WorkflowStep):
            raise DefinitionError(
                f"A step of the workflow {workflow!r} is {step!r}; write WorkflowStep(tool,"
                " 'activity', {…})."
            )
        if step.name in names:
            raise DefinitionError(
                f"Two steps of the workflow {workflow!r} are named {step.name!r};"
                " give one of them a name of its own (name=…)."
            )
        for reference in step.references():
            _check_reference(reference, f"step {step.name!r} of {workflow!r}", names, schema)
        names.append(step.name)


def _check_tool(tool: Any) -> None:
    if not isinstance(tool, BaseTool):
        hint = how_to_make(tool)
        raise DefinitionError(f"A workflow's step needs a tool, not {tool!r}.{hint}")


def _check_reference(
    reference: FromInput | FromStep, where: str, earlier: Sequence[str], schema: JsonSchema
) -> None:
    if isinstance(reference, FromInput):
        keys = schema.get("properties", {})
        is_closed = schema.get("additionalProperties") is False
        if is_closed and reference.key not in keys:
            told = f"The inputs: {shortened(list(keys)) or 'none'}."
            raise DefinitionError(f"The {where} takes the input {reference.key!r}. {told}")
        return
    number = reference.step
    is_known = number in range(len(earlier)) if isinstance(number, int) else number in earlier
    if not is_known:
        told = f"Earlier steps: {shortened(earlier) or 'none'}."
        raise DefinitionError(f"The {where} takes what came of step {number!r}. {told}")


def _references(part: Any) -> Iterator[FromInput | FromStep]:
    if isinstance(part, FromInput | FromStep):
        yield part
    elif isinstance(part, Mapping):
        for value in part.values():
            yield from _references(value)
    elif isinstance(part, list | tuple):
        for value in part:
            yield from _references(value)


_ABSENT: Any = object()


def _made(part: Any, context: WorkflowContext) -> Any:
    """Return a part of an input with its references and functions replaced by their values."""
    if isinstance(part, FromInput):
        return context.input.get(part.key, _ABSENT)
    if isinstance(part, FromStep):
        return _part(context.output(part.step), part)
    if isinstance(part, Mapping):
        made = {key: _made(value, context) for key, value in part.items()}
        return {key: value for key, value in made.items() if value is not _ABSENT}
    if isinstance(part, list | tuple):
        return [value for one in part if (value := _made(one, context)) is not _ABSENT]
    return part(context) if callable(part) else part


def _part(output: BaseArtifact, wanted: FromStep) -> Any:
    value = output.to_json()
    if wanted.path and isinstance(output, TextArtifact):
        value = _read(output.value, wanted)
    for depth, key in enumerate(wanted.path):
        if not _has(value, key):
            raise ToolError(_missing(value, wanted, depth))
        value = value[key]
    return value


def _has(value: Any, key: str | int) -> bool:
    if isinstance(value, Mapping):
        return key in value
    return isinstance(value, list) and isinstance(key, int) and key in range(len(value))


def _read(text: str, wanted: FromStep) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ToolError(f"Step {wanted.step!r} gave a text that is no JSON.") from error


def _missing(value: Any, wanted: FromStep, depth: int) -> str:
    place = "/".join(map(str, wanted.path[: depth + 1]))
    if isinstance(value, Mapping):
        found = f"There is {shortened([str(key) for key in value]) or 'nothing'}."
    elif isinstance(value, list):
        found = f"There are {len(value)} items."
    else:
        found = f"There is {value!r:.80}."
    return f"What step {wanted.step!r} gave has no /{place}. {found}"
