"""Run one statement on a file: a question, or a change."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agenthost_plugin_sql.rows import shown_rows
from agenthost_plugin_sql.sessions import Bounds, session_of
from agenthost_sdk.errors import ToolError


def rows_of(path: Path, sql: str, values: Sequence[Any], bounds: Bounds) -> dict[str, Any]:
    """Return what a SELECT statement gives.

    Raises:
        ToolError: It cannot be run, or is not allowed.
    """
    with session_of(path, bounds) as session:
        cursor = session.connection.execute(sql, values)
        if cursor.description is None:
            raise ToolError("The text has no statement that gives rows. Write a SELECT.")
        return shown_rows(cursor, bounds.rows)


def changed_by(path: Path, sql: str, values: Sequence[Any], bounds: Bounds) -> dict[str, Any]:
    """Return how many rows a statement changed, and those that it returns.

    Raises:
        ToolError: It cannot be run, or is not allowed; nothing is changed then.
    """
    with session_of(path, bounds, writable=True) as session:
        cursor = session.connection.execute(sql, values)
        shown = shown_rows(cursor, bounds.rows) if cursor.description else {}
        for _ in cursor:  # a change is whole only when all that it returns was read
            pass
        changed = cursor.rowcount
        cursor.close()
        session.commit()
    return {**({"changed_rows": changed} if changed >= 0 else {"done": True}), **shown}
