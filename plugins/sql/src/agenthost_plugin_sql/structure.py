"""Tell what a database holds, in words: tables, views and their columns."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

from agenthost_plugin_sql.catalogue import (
    Column,
    Relation,
    columns_of,
    references_of,
    relations_of,
)
from agenthost_plugin_sql.sessions import Bounds, session_of
from agenthost_sdk.errors import NotFoundError, ToolError, shortened

#: Characters of the whole, and of one statement in it.
_MOST = 12_000
_LONGEST_STATEMENT = 4_000

_MOST_NAMES = 300

_PLAIN = re.compile(r"[^\W\d]\w*")


def structure_of(path: Path, table: str, bounds: Bounds) -> str:
    """Return what a database holds, or all that is known of one table.

    Args:
        path: The file.
        table: A table or view; "" for all of them.
        bounds: How long it may take.

    Raises:
        ToolError: The file cannot be read, or has no such table.
    """
    with session_of(path, bounds) as session:
        relations = relations_of(session.connection)
        if table:
            return _whole(session.connection, _named(relations, table))
        head = f"{path.name}: {_counted(relations)}."
        whole = head
        for relation in relations:
            whole += f"\n\n{_told(session.connection, relation)}"
            if len(whole) > _MOST:
                return f"{head}\n\n{_names(relations)}"
    return whole


def _named(relations: Sequence[Relation], table: str) -> Relation:
    for relation in relations:
        if relation.name.casefold() == table.strip('"`[] ').casefold():
            return relation
    known = [relation.name for relation in relations]
    raise ToolError(str(NotFoundError("table or view", table, known)))


def _whole(connection: sqlite3.Connection, relation: Relation) -> str:
    statement = relation.sql
    if len(statement) > _LONGEST_STATEMENT:
        statement = f"{statement[:_LONGEST_STATEMENT]}…"
    return f"{_told(connection, relation)[:_MOST]}\n\nMade by:\n{statement}"


def _told(connection: sqlite3.Connection, relation: Relation) -> str:
    kind = "View" if relation.is_view else "Table"
    try:
        columns = columns_of(connection, relation.name)
        references = {one.column: one for one in references_of(connection, relation.name)}
    except sqlite3.Error as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT:
            raise
        return f"{kind} {quoted(relation.name)}\n  cannot be read: {error}"
    refers = {
        column: f"refers to {quoted(one.table)}" + (f".{quoted(one.other)}" if one.other else "")
        for column, one in references.items()
    }
    lines = (_line(column, refers.get(column.name, "")) for column in columns)
    return "\n".join([f"{kind} {quoted(relation.name)}", *lines])


def _line(column: Column, refers: str) -> str:
    words = ", ".join(part for part in (*_traits(column), refers) if part)
    kind = " ".join(column.kind.split())
    return f"  {quoted(column.name)}{f' {kind}' if kind else ''}{f', {words}' if words else ''}"


def _traits(column: Column) -> Iterator[str]:
    if column.is_key:
        yield "primary key"
    if column.is_required:
        yield "required"
    if column.is_calculated:
        yield "calculated"
    if column.default is not None:
        yield f"default {' '.join(column.default.split())}"


def _names(relations: Sequence[Relation]) -> str:
    names = shortened([quoted(relation.name) for relation in relations], _MOST_NAMES)
    return (
        f"{names[:_MOST]}\n\nThey are too many to be told at once: ask for the columns of"
        " one by its name in `table`."
    )


def _counted(relations: Sequence[Relation]) -> str:
    views = sum(relation.is_view for relation in relations)
    tables = len(relations) - views
    if not relations:
        return "no tables"
    told = [f"{tables} table{'s' * (tables != 1)}"] if tables else []
    told += [f"{views} view{'s' * (views != 1)}"] if views else []
    return ", ".join(told)


def quoted(name: str) -> str:
    """Return a name as it must be written in a statement."""
    if _PLAIN.fullmatch(name):
        return name
    escaped = name.replace('"', '""')
    return (
        '"'
        + "".join(sign if sign.isprintable() else f"\\u{ord(sign):04x}" for sign in escaped)
        + '"'
    )
