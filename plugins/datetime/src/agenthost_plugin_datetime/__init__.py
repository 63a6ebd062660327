"""Dates, times and IANA time zones for agenthost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agenthost_sdk.hooks import hookimpl

if TYPE_CHECKING:
    from agenthost_sdk.tools import BaseTool


@hookimpl
def agenthost_tools() -> list[type[BaseTool]]:
    """Return the tool for dates and times."""
    from agenthost_plugin_datetime.tool import DateTime  # loaded when the tool is wanted

    return [DateTime]
