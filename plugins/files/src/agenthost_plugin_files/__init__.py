"""Reading, searching and writing files inside given folders, for agenthost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agenthost_sdk.hooks import hookimpl

if TYPE_CHECKING:
    from agenthost_sdk.tools import BaseTool


@hookimpl
def agenthost_tools() -> list[type[BaseTool]]:
    """Return the tool for files."""
    from agenthost_plugin_files.tool import Files  # loaded when the tool is wanted

    return [Files]
