"""The Python functions of a file as tools, for agenthost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agenthost_sdk.hooks import hookimpl

if TYPE_CHECKING:
    from agenthost_sdk.tools import BaseTool


@hookimpl
def agenthost_tools() -> list[type[BaseTool]]:
    """Return the tool for functions."""
    from agenthost_plugin_functions.tool import Functions  # loaded when the tool is wanted

    return [Functions]
