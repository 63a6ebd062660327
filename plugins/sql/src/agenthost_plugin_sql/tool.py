"""The tool that models see: look into a SQLite file, ask it, and change it where allowed."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from threading import TIMEOUT_MAX
from typing import Any

from agenthost_plugin_sql import examples
from agenthost_plugin_sql.sessions import Bounds
from agenthost_plugin_sql.statements import changed_by, rows_of
from agenthost_plugin_sql.structure import structure_of
from agenthost_sdk import BaseTool, activity
from agenthost_sdk.activities import Activity
from agenthost_sdk.errors import OptionError

#: What a `?` in a statement can stand for.
Value = str | int | float | bool | None


class Sql(BaseTool):
    """Look things up in a SQLite database with SQL: its tables, their columns, and their rows."""

    #: The database, which must exist.
    file: str
    #: Whether statements may change it.
    writable: bool = False
    #: Seconds after which a statement is stopped.
    time_limit: float = 10.0
    #: How many rows of an answer are shown.
    max_rows: int = 100

    def __post_init__(self) -> None:
        """Keep where the file is, whatever becomes of the working directory."""
        self._path = Path(self.file).expanduser().absolute()
        self._bounds = Bounds(
            _above_zero("time_limit", self.time_limit), int(_above_zero("max_rows", self.max_rows))
        )

    @cached_property
    def activities(self) -> dict[str, Activity[..., Any]]:
        """The activities on offer; `execute` is one only where the file may be changed."""
        found = super().activities
        return {name: one for name, one in found.items() if self.writable or name != "execute"}

    @activity(read_only=True, idempotent=True, open_world=False, examples=examples.SCHEMA)
    def schema(self, table: str = "") -> str:
        """Tell which tables and views the database has, and their columns. Look here first.

        Args:
            table: A table or view to tell more of; empty for all of them.
        """
        return structure_of(self._path, table, self._bounds)

    @activity(read_only=True, idempotent=True, open_world=False, examples=examples.QUERY)
    def query(self, sql: str, parameters: list[Value] | None = None) -> dict[str, Any]:
        """Answer a question with one SELECT statement of SQLite; nothing can be changed by it.

        Only the first rows of a long answer are shown, so let the database count, sum and sort.

        Args:
            sql: One statement, such as SELECT name FROM customers WHERE city = ?
            parameters: The values for the ? marks, in their order.
        """
        return rows_of(self._path, sql, parameters or (), self._bounds)

    @activity(destructive=True, open_world=False, examples=examples.EXECUTE)
    def execute(self, sql: str, parameters: list[Value] | None = None) -> dict[str, Any]:
        """Change the database with one INSERT, UPDATE, DELETE, CREATE, ALTER or DROP statement.

        It is done as a whole or, where it fails, not at all.

        Args:
            sql: One statement, such as UPDATE customers SET city = ? WHERE id = ?
            parameters: The values for the ? marks, in their order.
        """
        return changed_by(self._path, sql, parameters or (), self._bounds)


def _above_zero(option: str, value: float) -> float:
    if not 0 < value <= TIMEOUT_MAX:
        words = f"The option {option!r} of Sql is {value}; it must be a number above 0."
        raise OptionError("Sql", option, words)
    return value
