"""Exact arithmetic for agenthost, without eval and within bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agenthost_sdk.hooks import hookimpl

if TYPE_CHECKING:
    from agenthost_sdk.tools import BaseTool


@hookimpl
def agenthost_tools() -> list[type[BaseTool]]:
    """Return the calculator."""
    from agenthost_plugin_calculator.tool import Calculator  # loaded when the tool is wanted

    return [Calculator]
