"""Questions in SQL to a SQLite file, for agenthost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agenthost_sdk.hooks import hookimpl

if TYPE_CHECKING:
    from agenthost_sdk.tools import BaseTool


@hookimpl
def agenthost_tools() -> list[type[BaseTool]]:
    """Return the tool for a SQLite file."""
    from agenthost_plugin_sql.tool import Sql  # loaded when the tool is wanted

    return [Sql]
