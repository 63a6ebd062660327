"""Unit conversion for agenthost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agenthost_sdk.hooks import hookimpl

if TYPE_CHECKING:
    from agenthost_sdk.tools import BaseTool


@hookimpl
def agenthost_tools() -> list[type[BaseTool]]:
    """Return the tool for units."""
    from agenthost_plugin_units.tool import Units  # loaded when the tool is wanted

    return [Units]
