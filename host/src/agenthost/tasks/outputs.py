"""What the answer has to be: how the model is told of it, and how its answer is read.

A driver declares a strategy and carries out "native" itself; "tool" and "rule" are the host's:
"tool" offers a tool whose input is the answer, "rule" says it in the system message. Whichever
it is, the answer is held against one schema in one way.
"""

from __future__ import annotations

import dataclasses
import json
from functools import cached_property
from typing import Any

from agenthost.actions.toolbox import Toolbox
from agenthost.actions.validation import conformed
from agenthost_sdk.activities import activity
from agenthost_sdk.artifacts import (
    BaseArtifact,
    JsonArtifact,
    ListArtifact,
    ModelArtifact,
    TextArtifact,
    error_text,
)
from agenthost_sdk.drivers import StructuredOutputStrategy
from agenthost_sdk.errors import InvalidInput
from agenthost_sdk.json_text import UnreadableJson, read_json
from agenthost_sdk.schemas import (
    JsonSchema,
    Output,
    Problem,
    output_schema,
    provider_safe,
    unwrapped,
)
from agenthost_sdk.tools import BaseTool


class FinalOutput:
    """The schema of a task's answer, and the strategy by which the model is to meet it.

    Args:
        spec: A `schema.Schema`, a pydantic model, a dataclass, another type, or a JSON Schema.
        strategy: "native", "tool" or "rule".

    Raises:
        SchemaError: No JSON Schema can be made of the spec.
    """

    def __init__(self, spec: Any, strategy: StructuredOutputStrategy) -> None:
        self._output: Output = output_schema(spec)
        self.strategy = strategy
        self.tool = StructuredOutputTool(self.schema) if strategy == "tool" else None

    @property
    def schema(self) -> JsonSchema:
        """The JSON Schema of the answer."""
        return self._output.schema

    @cached_property
    def rule(self) -> str:
        """What the system message says of the answer."""
        if self.tool is not None:
            return f"Give your final answer by calling {self.tool.native}, and in no other way."
        if self.strategy == "native":
            return ""
        shown = json.dumps(self.schema, ensure_ascii=False, separators=(",", ":"))
        return (
            "Your final answer must be one JSON value that fits this JSON Schema, with nothing"
            f" before or after it:\n{shown}"
        )

    def read(self, answer: BaseArtifact) -> BaseArtifact:
        """Return the answer as the author's own type has it.

        Raises:
            UnreadableJson: The answer is no JSON, or was cut off.
            InvalidInput: The schema refuses it; its problems have JSON pointers.
        """
        return self.accepted(_value(answer))

    def accepted(self, value: Any) -> BaseArtifact:
        """Return a JSON value as an artifact, once it is what it has to be.

        Raises:
            InvalidInput: The schema refuses it.
        """
        bare = self._opened(unwrapped(self.schema, value))
        if bare is None:  # to `conformed` nothing is an empty object
            problems = self._output.check(bare)
            if problems:
                raise InvalidInput(problems)
            fitting = bare
        else:
            fitting, _ = conformed(bare, self._output)
        try:
            return _artifact(self._output.parse(fitting))
        except InvalidInput:
            raise
        except (Exception, SystemExit) as error:  # the author's own code runs in it
            fault = f"Its own type refused it: {error_text(error)}."
            raise InvalidInput([Problem("", (), "parse", fault)]) from error

    def _opened(self, value: Any) -> Any:
        """Return the object or array that a text holds as JSON, where no such text fits."""
        if not isinstance(value, str) or not self._output.check(value):
            return value
        try:
            held = read_json(value).value
        except UnreadableJson:
            return value
        return held if isinstance(held, dict | list) else value


def with_output_tool(toolbox: Toolbox, output: FinalOutput | None) -> Toolbox:
    """Return the tools with the one that gives the answer, where the strategy needs it."""
    if output is None or output.tool is None:
        return toolbox
    return Toolbox((*toolbox.tools, output.tool), toolbox.origins)


class StructuredOutputTool(BaseTool):
    """The tool by which a model gives its final answer; it is never run."""

    def __init__(self, schema: JsonSchema) -> None:
        super().__init__(name="StructuredOutputTool")
        self._schema = provider_safe(schema)

    @property
    def native(self) -> str:
        """The native name of its activity."""
        return f"{self.name}_provide_output"

    @activity(
        description="Give the final answer, which ends the conversation.",
        schema=lambda tool: tool._schema,
        read_only=True,
    )
    def provide_output(self, /, **output: Any) -> dict[str, Any]:
        """Return what was given."""
        return output


def _value(answer: BaseArtifact) -> Any:
    """Return the JSON value of an answer; of several blocks the text counts."""
    if isinstance(answer, ListArtifact):
        texts = [one.value for one in answer.value if isinstance(one, TextArtifact)]
        return read_json("\n".join(texts)).value
    if isinstance(answer, JsonArtifact) and not isinstance(answer.value, str):
        return answer.value
    return read_json(answer.to_text()).value


def _artifact(value: Any) -> BaseArtifact:
    is_model = callable(getattr(value, "model_dump_json", None)) and not isinstance(value, type)
    if is_model or dataclasses.is_dataclass(value):
        return ModelArtifact(value)
    return JsonArtifact(value)
