"""Read what a database has: tables and views, their columns, and what refers to what."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

#: The tables in which virtual tables keep what they hold.
_SHADOWS = (
    "config",
    "content",
    "data",
    "docsize",
    "idx",
    "node",
    "parent",
    "rowid",
    "segdir",
    "segments",
    "stat",
)

_RELATIONS = """
    SELECT type, name, sql FROM sqlite_master
    WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite^_%' ESCAPE '^'
    ORDER BY type, rowid
"""

_COLUMNS = 'SELECT name, type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo(?)'

_REFERENCES = 'SELECT "from", "table", "to" FROM pragma_foreign_key_list(?) ORDER BY id DESC, seq'

#: How `hidden` says that a column is calculated, and that it is none that `*` gives.
_CALCULATED = (2, 3)
_HIDDEN = 1


@dataclass(frozen=True)
class Relation:
    """A table or a view."""

    name: str
    is_view: bool
    #: The statement that made it.
    sql: str

    @property
    def is_virtual(self) -> bool:
        """Whether a module of SQLite, such as FTS5, answers for it."""
        return self.sql.lstrip().upper().startswith("CREATE VIRTUAL")


@dataclass(frozen=True)
class Column:
    """A column of a table or view."""

    name: str
    kind: str
    is_required: bool
    default: str | None
    is_key: bool
    is_calculated: bool


@dataclass(frozen=True)
class Reference:
    """A foreign key: a column, and the table and column that it refers to."""

    column: str
    table: str
    #: "" for the other table's primary key.
    other: str


def relations_of(connection: sqlite3.Connection) -> list[Relation]:
    """Return the tables, then the views; not those that SQLite keeps for itself."""
    rows = connection.execute(_RELATIONS).fetchall()
    found = [Relation(name, kind == "view", sql or "") for kind, name, sql in rows]
    virtual = [relation.name for relation in found if relation.is_virtual]
    shadows = {f"{name}_{part}" for name in virtual for part in _SHADOWS}
    return [relation for relation in found if relation.name not in shadows]


def columns_of(connection: sqlite3.Connection, relation: str) -> list[Column]:
    """Return the columns of a table or view, in their order.

    Raises:
        sqlite3.Error: A view of what is no longer there, or a virtual table of an unknown module.
    """
    rows = connection.execute(_COLUMNS, (relation,)).fetchall()
    return [_column(row) for row in rows if row[-1] != _HIDDEN]


def references_of(connection: sqlite3.Connection, table: str) -> list[Reference]:
    """Return what the columns of a table refer to."""
    rows = connection.execute(_REFERENCES, (table,)).fetchall()
    return [Reference(column, other, key or "") for column, other, key in rows]


def column_names(connection: sqlite3.Connection, relations: Iterable[Relation]) -> set[str]:
    """Return the columns of all the tables and views that can be read."""
    names: set[str] = set()
    for relation in relations:
        try:
            names.update(column.name for column in columns_of(connection, relation.name))
        except sqlite3.Error:
            continue
    return names


def _column(row: tuple[Any, ...]) -> Column:
    name, kind, required, default, key, hidden = row
    return Column(name, kind, bool(required), default, bool(key), hidden in _CALCULATED)
