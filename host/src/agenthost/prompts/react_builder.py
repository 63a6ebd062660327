"""`ReActPromptBuilder`: a whole system prompt of a role, its tools and how to work with them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from textwrap import indent
from typing import Any, Protocol, Self, runtime_checkable

from agenthost.dialects import BUILT_IN
from agenthost.dialects.rounds import example_rounds
from agenthost_sdk.actions import Example, NativeNames, ToolSpec, native_name
from agenthost_sdk.dialects import BaseDialect
from agenthost_sdk.errors import DefinitionError, NotFoundError, how_to_make
from agenthost_sdk.tools import BaseTool

#: The headings of the sections, and the labels of what is said of a tool.
HEADINGS: Mapping[str, str] = {
    "role": "Role",
    "capabilities": "Capabilities",
    "tools": "Tools",
    "workflow": "Workflow",
    "constraints": "Constraints",
    "description": "Description",
    "parameters": "Parameters",
    "example": "Example",
}


@runtime_checkable
class Described(Protocol):
    """Anything that says of a tool what a model needs to know, as `DescribedTool` does."""

    @property
    def name(self) -> str:
        """What the model calls it by."""
        ...

    @property
    def description(self) -> str:
        """What it does."""
        ...

    @property
    def parameters(self) -> Mapping[str, Any]:
        """A JSON Schema, or the name of each parameter with words about it."""
        ...

    @property
    def examples(self) -> Sequence[str]:
        """Whatever shows its use."""
        ...


@dataclass
class DescribedTool:
    """A tool in words, for a prompt alone; nothing runs it.

    Args:
        name: What the model calls it by.
        description: What it does.
        parameters: A JSON Schema, or the name of each parameter with words about it.
        examples: Whatever shows its use, each a text.
    """

    name: str
    description: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    examples: Sequence[str] = ()


class ReActPromptBuilder:
    """Build a system prompt for reasoning and acting by turns.

        prompt = (
            ReActPromptBuilder("a buyer for a hardware store")
            .add_capability("Compare offers.")
            .add_tool(Inventory())
            .add_constraint("Never spend more than 100 euros.")
            .build()
        )

    A section in which nothing stands is left out. How to act is said by the dialect, so that what
    the model is told and what is read of its replies agree.

    Args:
        role: Who the model is to be.
        dialect: The reply format, by name or as an object.
        headings: Other words for some of `HEADINGS`, such as those of another language.

    Raises:
        DefinitionError: The role is empty, or what was given as the dialect is none.
        NotFoundError: There is no such heading, or no such dialect.
    """

    def __init__(
        self,
        role: str,
        *,
        dialect: str | BaseDialect = "classic",
        headings: Mapping[str, str] | None = None,
    ) -> None:
        self.role = _said("role", role)
        self.headings = {**HEADINGS, **_known(headings or {})}
        self._dialect = _dialect(dialect)
        self._capabilities: list[str] = []
        self._constraints: list[str] = []
        self._tools: list[_Tool] = []

    def add_capability(self, capability: str) -> Self:
        """Say what the model can do."""
        self._capabilities.append(_said("capability", capability))
        return self

    def add_constraint(self, constraint: str) -> Self:
        """Say what the model must keep to."""
        self._constraints.append(_said("constraint", constraint))
        return self

    def add_tool(self, tool: BaseTool | ToolSpec | Described) -> Self:
        """Describe a tool: one that runs, one activity of one, or one in words.

        Raises:
            DefinitionError: It is none of these.
            NativeNameError: A tool of that name was added already.
        """
        tools = [*self._tools, *_tools(tool)]
        NativeNames(one.spec for one in tools)
        self._tools = tools
        return self

    def build(self, *, tools: bool = True) -> str:
        """Return the prompt.

        Args:
            tools: Whether the tools and the workflow are part of it. Leave them out of a rule for
                a task that has these tools: it says both itself.
        """
        sections = {
            "role": self.role,
            "capabilities": _bullets(self._capabilities),
            "tools": "\n\n".join(map(self._tool, self._tools)) if tools else "",
            "workflow": self._workflow() if tools else "",
            "constraints": _bullets(self._constraints),
        }
        return "\n\n".join(
            f"## {self.headings[name]}\n\n{body}" for name, body in sections.items() if body
        )

    def _tool(self, tool: _Tool) -> str:
        spec = tool.spec
        facts = [
            ("description", spec.description),
            ("parameters", _json(tool.parameters)),
            *(("example", example) for example in tool.examples),
        ]
        lines = [f"- {self.headings[name]}: {_hanging(said)}" for name, said in facts if said]
        return "\n".join((f"### {spec.native}", *lines))

    def _workflow(self) -> str:
        """Return how to act; what the section of the tools says is not said again."""
        specs = [one.spec for one in self._tools]
        if specs and self._dialect.form:
            rounds = example_rounds(self._dialect, NativeNames(specs))
            return "\n\n".join((self._dialect.form, *rounds))
        told = f'Described under "{self.headings["tools"]}".'
        table = NativeNames(replace(spec, description=told) for spec in specs)
        return self._dialect.offer(table).system


@dataclass(frozen=True)
class _Tool:
    """A tool as the prompt shows it."""

    spec: ToolSpec
    parameters: Mapping[str, Any]
    examples: Sequence[str]


def _tools(given: Any) -> Iterable[_Tool]:
    if isinstance(given, BaseTool):
        return [_of_spec(spec) for spec in given.specs()]
    if isinstance(given, ToolSpec):
        return [_of_spec(given)]
    if isinstance(given, Described) and not isinstance(given, type):
        return [_in_words(given)]
    raise DefinitionError(
        f"{given!r:.80} is no tool: give a BaseTool, a ToolSpec or a DescribedTool."
        f"{how_to_make(given)}"
    )


def _of_spec(spec: ToolSpec) -> _Tool:
    return _Tool(spec, spec.schema, [_shown(example) for example in spec.examples[:1]])


def _in_words(tool: Described) -> _Tool:
    schema = _schema(tool.parameters)
    spec = ToolSpec(native_name(tool.name, None), tool.name, None, tool.description, schema)
    return _Tool(spec, tool.parameters, list(tool.examples))


def _schema(parameters: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return parameters as a JSON Schema, whichever way they were written."""
    if parameters.get("type") == "object" or "properties" in parameters:
        return parameters
    properties = {
        name: said if isinstance(said, Mapping) else {"description": str(said)}
        for name, said in parameters.items()
    }
    return {"type": "object", "properties": properties}


def _shown(example: Example) -> str:
    return f"{example.question} → {_json(example.input)}"


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(dict(value), ensure_ascii=False, default=str)


def _bullets(texts: Iterable[str]) -> str:
    return "\n".join(f"- {_hanging(text)}" for text in texts)


def _hanging(text: str) -> str:
    """Return the text of a list's item; its further lines stand under the first."""
    return indent(text, "  ").lstrip(" ")


def _said(what: str, text: Any) -> str:
    if not isinstance(text, str) or not text.strip():
        raise DefinitionError(f"A {what} is a text in words; it was given {text!r:.80}.")
    return text.strip()


def _dialect(given: Any) -> BaseDialect:
    if isinstance(given, BaseDialect):
        return given
    if not isinstance(given, str):
        raise DefinitionError(f"dialect is {given!r:.80}; it must be a name or a dialect object.")
    if given not in BUILT_IN:
        hint = "A plugin's dialect is given as an object: Host().dialect(NAME)."
        raise NotFoundError("dialect", given, BUILT_IN, hint)
    return BUILT_IN[given]()


def _known(headings: Mapping[str, str]) -> Mapping[str, str]:
    for name in headings:
        if name not in HEADINGS:
            raise NotFoundError("heading", name, HEADINGS)
    return headings
