"""Fetching web pages as readable text, for agenthost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agenthost_sdk.hooks import hookimpl

if TYPE_CHECKING:
    from agenthost_sdk.tools import BaseTool


@hookimpl
def agenthost_tools() -> list[type[BaseTool]]:
    """Return the tool for the web."""
    from agenthost_plugin_web.tool import Web  # loaded when the tool is wanted

    return [Web]
