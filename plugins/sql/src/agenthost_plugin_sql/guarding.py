"""Decide what a statement may do, before SQLite does any of it."""

from __future__ import annotations

import sqlite3

_READS = frozenset((sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE))

#: What changes the file, as SQL says it.
_WRITES = {
    sqlite3.SQLITE_INSERT: "INSERT",
    sqlite3.SQLITE_UPDATE: "UPDATE",
    sqlite3.SQLITE_DELETE: "DELETE",
    sqlite3.SQLITE_CREATE_INDEX: "CREATE INDEX",
    sqlite3.SQLITE_CREATE_TABLE: "CREATE TABLE",
    sqlite3.SQLITE_CREATE_TRIGGER: "CREATE TRIGGER",
    sqlite3.SQLITE_CREATE_VIEW: "CREATE VIEW",
    sqlite3.SQLITE_CREATE_VTABLE: "CREATE VIRTUAL TABLE",
    sqlite3.SQLITE_DROP_INDEX: "DROP INDEX",
    sqlite3.SQLITE_DROP_TABLE: "DROP TABLE",
    sqlite3.SQLITE_DROP_TRIGGER: "DROP TRIGGER",
    sqlite3.SQLITE_DROP_VIEW: "DROP VIEW",
    sqlite3.SQLITE_DROP_VTABLE: "DROP TABLE",
    sqlite3.SQLITE_ALTER_TABLE: "ALTER TABLE",
    sqlite3.SQLITE_REINDEX: "REINDEX",
    sqlite3.SQLITE_ANALYZE: "ANALYZE",
}

_OF_ROWS = frozenset((sqlite3.SQLITE_INSERT, sqlite3.SQLITE_UPDATE, sqlite3.SQLITE_DELETE))
_FUNCTION = sqlite3.SQLITE_FUNCTION

#: What no statement may do, and why.
_NEVER = {
    sqlite3.SQLITE_ATTACH: "it would reach another file (ATTACH, VACUUM)",
    sqlite3.SQLITE_DETACH: "DETACH is not allowed",
    sqlite3.SQLITE_TRANSACTION: "each statement is a transaction by itself; leave BEGIN, COMMIT"
    " and ROLLBACK out",
    sqlite3.SQLITE_SAVEPOINT: "each statement is a transaction by itself; leave SAVEPOINT out",
}

#: Temporary things would be gone with the statement that made them.
_TEMPORARY = frozenset(
    (
        sqlite3.SQLITE_CREATE_TEMP_INDEX,
        sqlite3.SQLITE_CREATE_TEMP_TABLE,
        sqlite3.SQLITE_CREATE_TEMP_TRIGGER,
        sqlite3.SQLITE_CREATE_TEMP_VIEW,
        sqlite3.SQLITE_DROP_TEMP_INDEX,
        sqlite3.SQLITE_DROP_TEMP_TABLE,
        sqlite3.SQLITE_DROP_TEMP_TRIGGER,
        sqlite3.SQLITE_DROP_TEMP_VIEW,
    )
)

#: Functions that reach beyond the file; builds of SQLite differ in which of them they have.
_FUNCTIONS = frozenset(
    ("edit", "fts3_tokenizer", "load_extension", "lsmode", "readfile", "writefile")
)

#: Pragmas that only tell, whatever stands in their brackets.
_TELLING = frozenset(
    (
        "collation_list",
        "compile_options",
        "foreign_key_check",
        "foreign_key_list",
        "function_list",
        "index_info",
        "index_list",
        "index_xinfo",
        "integrity_check",
        "module_list",
        "pragma_list",
        "quick_check",
        "table_info",
        "table_list",
        "table_xinfo",
    )
)

#: Pragmas that tell a value, and would set it if they were given one.
_SETTING = frozenset(
    (
        "application_id",
        "auto_vacuum",
        "data_version",
        "encoding",
        "foreign_keys",
        "freelist_count",
        "journal_mode",
        "page_count",
        "page_size",
        "schema_version",
        "user_version",
    )
)

#: Modules of virtual tables that keep everything in the file itself.
_MODULES = frozenset(("fts3", "fts4", "fts5", "geopoly", "rtree", "rtree_i32"))

#: SQLite asks for an UPDATE of it when it only learns the columns of a virtual table; a real one
#: is refused by SQLite itself.
_CATALOGUES = frozenset(
    ("sqlite_master", "sqlite_schema", "sqlite_temp_master", "sqlite_temp_schema")
)


class Guard:
    """Allow or deny each step that SQLite plans for a statement.

    It knows nothing but names, so it is one lock of several: the file is opened for reading only,
    and `PRAGMA query_only` is set.

    Args:
        writable: Whether the file may be changed.
    """

    def __init__(self, *, writable: bool) -> None:
        self.writable = writable
        #: Why the first step that was denied was so; "" while none was.
        self.refusal = ""
        #: The kinds of all steps; an empty statement has none.
        self.steps: set[int] = set()

    @property
    def is_about_rows(self) -> bool:
        """Whether rows were to be changed, and nothing else."""
        return bool(self.steps & _OF_ROWS) and self.steps <= {*_OF_ROWS, *_READS, _FUNCTION}

    def __call__(
        self, step: int, first: str | None, second: str | None, schema: str | None, _: str | None
    ) -> int:
        """Judge a step; what the two names are depends on its kind."""
        self.steps.add(step)
        refusal = self._refusal(step, first or "", second, schema or "")
        if not refusal:
            return sqlite3.SQLITE_OK
        self.refusal = self.refusal or refusal
        return sqlite3.SQLITE_DENY

    def _refusal(self, step: int, first: str, second: str | None, schema: str) -> str:
        if step in _READS:
            return ""
        if step == _FUNCTION:
            name = (second or "").lower()
            return f"the function {name} is not allowed" if name in _FUNCTIONS else ""
        if step == sqlite3.SQLITE_PRAGMA:
            return _refused_pragma(first.lower(), second)
        if step in _WRITES:
            return self._refused_write(step, first, second, schema)
        if step in _TEMPORARY:
            return "a temporary table, view, index or trigger would be gone at once"
        return _NEVER.get(step, "the statement is of a kind that is not allowed")

    def _refused_write(self, step: int, first: str, second: str | None, schema: str) -> str:
        if step == sqlite3.SQLITE_UPDATE and first in _CATALOGUES and schema == "main":
            return ""
        if not self.writable:
            what = "the tables themselves" if first in _CATALOGUES else first
            return f"{_WRITES[step]} would change the database: {what}"
        if step == sqlite3.SQLITE_CREATE_VTABLE and (second or "").lower() not in _MODULES:
            return f"virtual tables of {second} are not allowed"
        return ""


def _refused_pragma(name: str, value: str | None) -> str:
    if name in _TELLING or (name in _SETTING and value is None):
        return ""
    if name in _SETTING:
        return f"PRAGMA {name} may be read, not set"
    return f"PRAGMA {name} is not allowed"
