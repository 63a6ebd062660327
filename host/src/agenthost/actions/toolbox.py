"""The tools of a task: the table of their native names, and the tool behind each spec."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from agenthost_sdk.actions import NativeNames, ToolAction, ToolSpec
from agenthost_sdk.errors import DefinitionError, how_to_make
from agenthost_sdk.tools import BaseTool


class Toolbox:
    """The tools that a task offers; made once, read by many threads.

    Args:
        tools: The tools on offer.
        origins: The distribution of each tool that a plugin contributed.

    Raises:
        NativeNameError: A name that providers refuse, or two tools that claim one.
        SchemaError: A tool for which no JSON Schema can be made.
        DefinitionError: Two tools with one name, or something that is no tool.
    """

    def __init__(
        self, tools: Iterable[BaseTool] = (), origins: dict[BaseTool, str] | None = None
    ) -> None:
        if isinstance(tools, BaseTool | str) or not isinstance(tools, Iterable):
            raise DefinitionError(f"tools is {tools!r}; it must be a list of tools: [{tools}].")
        self.tools = tuple(_checked(tool) for tool in tools)
        self._by_name = {tool.name: tool for tool in self.tools}
        if len(self._by_name) < len(self.tools):
            raise DefinitionError(_twice([tool.name for tool in self.tools]))
        self.origins = origins or {}
        specs = [spec for tool in self.tools for spec in tool.specs(self.origins.get(tool, ""))]
        self.table = NativeNames(specs)
        self._known = {(spec.name, spec.path): (spec, self._by_name[spec.name]) for spec in specs}

    def __len__(self) -> int:
        return len(self.table)

    def find(self, action: ToolAction) -> tuple[ToolSpec, BaseTool]:
        """Return the spec that an action names, and the tool that it belongs to.

        Raises:
            NotFoundError: There is no such tool or activity on offer; it names the nearest.
        """
        known = self._known.get((action.name, action.path))
        if known is not None:
            return known
        spec = self.table.find(action.name, action.path)
        return spec, self._by_name[spec.name]


def _checked(tool: Any) -> BaseTool:
    if isinstance(tool, BaseTool):
        return tool
    hint = how_to_make(tool)
    if isinstance(tool, str):
        hint = f" By name a Host chooses tools: Host().agent(tools=[{tool!r}])."
    raise DefinitionError(f"{tool!r} is no tool.{hint}")


def _twice(names: Sequence[str]) -> str:
    name = next(name for name in names if names.count(name) > 1)
    return (
        f"Two tools are named {name!r}. Give one of them another name, as in"
        f" {name}(name={name + '2'!r})."
    )
