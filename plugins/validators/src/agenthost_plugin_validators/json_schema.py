"""`json-schema`: the answer is JSON that fits a schema."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar

from agenthost_plugin_validators.texts import no_text, text_of
from agenthost_sdk.artifacts import BaseArtifact, BooleanArtifact, JsonArtifact, ModelArtifact
from agenthost_sdk.errors import InvalidInput
from agenthost_sdk.json_text import UnreadableJson, read_json
from agenthost_sdk.schemas import Output, Problem, output_schema, read_schema
from agenthost_sdk.validators import BaseOutputValidator, Verdict

#: The longest schema that is shown whole to a model whose answer is no JSON at all.
_MOST_SHOWN = 4_000


class JsonSchema(BaseOutputValidator):
    """Accept an answer that is JSON and fits a JSON Schema, and hand it on as JSON.

    A text may have a fence around the JSON, or words; it is replaced by the value that it holds.
    What does not fit is refused with the place (a JSON Pointer) of each problem.

        JsonSchema("answer.schema.json")
        JsonSchema({"type": "object", "required": ["units"]})

    Args:
        schema: A file's name, a schema as JSON text, a schema as a dict, or a `schema.Schema`,
            pydantic model or dataclass, whose own checks then hold too.

    Raises:
        SchemaError: The file cannot be read, or this is no valid schema.
    """

    name: ClassVar[str] = "json-schema"
    parameters: ClassVar[str] = "FILE|SCHEMA"
    example: ClassVar[str] = '{"type": "object", "required": ["units"]}'

    def __init__(self, schema: Any) -> None:
        self._wanted: Output = output_schema(
            read_schema(schema) if isinstance(schema, str) else schema
        )

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema."""
        return self._wanted.schema

    def validate(self, output: BaseArtifact) -> Verdict:
        """Read the answer, and hold it against the schema."""
        if isinstance(output, BooleanArtifact | JsonArtifact | ModelArtifact):
            return self._judged(output.to_json()) or Verdict.accept()
        text = text_of(output)
        if text is None:
            return no_text(output)
        try:
            value = read_json(text).value
        except UnreadableJson as error:
            return Verdict.refuse(f"The answer must be JSON. {error}{self._shown}")
        replacement = JsonArtifact(value, name=output.name, meta=output.meta)
        return self._judged(value) or Verdict.replace(replacement)

    def _judged(self, value: Any) -> Verdict | None:
        """Refuse what does not fit; None where all is right."""
        problems = self._wanted.check(value) or self._own_problems(value)
        if not problems:
            return None
        told = "\n".join(map(str, problems))
        return Verdict.refuse(f"The answer does not fit its JSON Schema.\n{told}")

    def _own_problems(self, value: Any) -> Sequence[Problem]:
        """Return what the checks of a model, dataclass or `schema.Schema` refuse."""
        try:
            self._wanted.parse(value)
        except InvalidInput as error:
            return error.problems
        return ()

    @cached_property
    def _shown(self) -> str:
        """What a model must be told that answers in prose, and may know of no schema."""
        written = json.dumps(self.schema, ensure_ascii=False)
        return f" It must fit this JSON Schema:\n{written}" if len(written) <= _MOST_SHOWN else ""
