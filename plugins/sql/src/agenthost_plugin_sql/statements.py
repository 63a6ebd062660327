"""Run one statement on a file: a question, or a change."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agenthost_plugin_sql.connecting import Opened
from agenthost_plugin_sql.rows import shown_rows
from agenthost_plugin_sql.sessions import Bounds, answered_in_time, session_of
from agenthost_sdk.errors import ToolError


def rows_of(path: Path, sql: str, values: Sequence[Any], bounds: Bounds) -> dict[str, Any]:
    """Return what a SELECT statement gives.

    Raises:
        ToolError: It cannot be run, or is not allowed.
    """
    return answered_in_time(lambda: _rows(path, sql, values, bounds), bounds)


def changed_by(path: Path, sql: str, values: Sequence[Any], bounds: Bounds) -> dict[str, Any]:
    """Return how many rows a statement changed, and those that it returns.

    Raises:
        ToolError: It cannot be run, or is not allowed; nothing is changed then.
    """
    with session_of(path, bounds, writable=True) as session:
        cursor = session.connection.execute(sql, values)
        if not session.guard.steps:
            raise ToolError("The text has no statement. Write one, such as an UPDATE.")
        shown = shown_rows(cursor, bounds.rows) if cursor.description else {}
        for _ in cursor:  # a change is whole only when all that it returns was read
            pass
        changed = _changed_rows(session, cursor)
        cursor.close()
        session.commit()
    return {**({"done": True} if changed is None else {"changed_rows": changed}), **shown}


def _changed_rows(session: Opened, cursor: sqlite3.Cursor) -> int | None:
    """Return how many rows a statement changed; None for one that is not about rows.

    sqlite3 does not count for a statement that begins with WITH, but SQLite does.
    """
    if cursor.rowcount >= 0:
        return cursor.rowcount
    if not session.guard.is_about_rows:
        return None
    counted: int = session.connection.execute("SELECT changes()").fetchone()[0]
    return counted


def _rows(path: Path, sql: str, values: Sequence[Any], bounds: Bounds) -> dict[str, Any]:
    with session_of(path, bounds) as session:
        cursor = session.connection.execute(sql, values)
        if cursor.description is None:
            raise ToolError("The text has no statement that gives rows. Write a SELECT.")
        return shown_rows(cursor, bounds.rows)
