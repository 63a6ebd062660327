"""Say what went wrong with a file or a statement, in words that a model can act on."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from pathlib import Path

from agenthost_plugin_sql.catalogue import column_names, relations_of
from agenthost_plugin_sql.connecting import Opened, has_unread_log, opened
from agenthost_plugin_sql.guarding import Guard
from agenthost_sdk.errors import ToolError, nearest, shortened

#: How many tables are looked at for the name of a column that may have been meant.
_LOOKED_AT = 200

_UNKNOWN = re.compile(r"no such (table|column): (.+)")


def in_words(error: BaseException, path: Path, seconds: float, session: Opened | None) -> str:
    """Return a failure as a model should read it.

    Args:
        error: What sqlite3 raised.
        path: The file.
        seconds: The time limit.
        session: The open file; None where it could not be opened.
    """
    if session is not None and session.guard.refusal:
        return _refused(session.guard)
    whole = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    code = whole & 0xFF
    if code == sqlite3.SQLITE_INTERRUPT:
        return too_slow(seconds)
    if whole == sqlite3.SQLITE_READONLY_ROLLBACK:
        return _broken_off(path)
    if code == sqlite3.SQLITE_READONLY and session is not None and not session.guard.writable:
        return f"{_READS}, and this would change the database. {_WAY_ON}"
    if code in _OF_THE_FILE:
        return _OF_THE_FILE[code](path)
    return _of_the_statement(error, path, seconds)


def too_slow(seconds: float) -> str:
    """Return words for a statement that was stopped after so many seconds."""
    return (
        f"The statement was stopped after {seconds:g} seconds, and changed nothing. Make it"
        " cheaper: fewer rows, an indexed column, a LIMIT in the recursion."
    )


def _refused(guard: Guard) -> str:
    if guard.writable:
        return f"The statement is refused: {guard.refusal}."
    return f"{_READS}, and {guard.refusal}. {_WAY_ON}"


_READS = "The statement is refused: this activity only reads"
_WAY_ON = "Ask with a SELECT; the activity `schema` tells what there is."


def _locked(path: Path) -> str:
    return f"{path.name} is locked: another program is writing to it. Try again in a moment."


def _unreadable(path: Path) -> str:
    return (
        f"{path} is not a SQLite database, or it is encrypted. Name another file in the tool's"
        " option `file`."
    )


def _damaged(path: Path) -> str:
    return (
        f"{path} is damaged, and cannot be read here. Its owner can try `sqlite3 FILE .recover`,"
        " or take a copy that was made before."
    )


def _closed(path: Path) -> str:
    if has_unread_log(path):
        return (
            f"{path} has changes in the log beside it, which SQLite can only read where it may"
            " write to the folder. Open it once with the program that it belongs to, or copy both"
            " files to another folder."
        )
    return f"{path} cannot be opened. See whether this user may read it and its folder."


def _unwritable(path: Path) -> str:
    return f"{path} cannot be written. See whether this user may write to it and to its folder."


def _broken_off(path: Path) -> str:
    return (
        f"A write to {path} was broken off, so it cannot be read as it is. Open it once with the"
        " program that it belongs to, which takes back what was half done."
    )


def _full(path: Path) -> str:
    return f"There is no room left for {path}, so nothing was changed."


def _failing(path: Path) -> str:
    return f"{path} cannot be read from its disk or network. Try again, or copy the file."


#: What is wrong with the file, by SQLite's code.
_OF_THE_FILE: dict[int, Callable[[Path], str]] = {
    sqlite3.SQLITE_BUSY: _locked,
    sqlite3.SQLITE_LOCKED: _locked,
    sqlite3.SQLITE_NOTADB: _unreadable,
    sqlite3.SQLITE_CORRUPT: _damaged,
    sqlite3.SQLITE_CANTOPEN: _closed,
    sqlite3.SQLITE_READONLY: _unwritable,
    sqlite3.SQLITE_FULL: _full,
    sqlite3.SQLITE_IOERR: _failing,
}


def _of_the_statement(error: BaseException, path: Path, seconds: float) -> str:
    said = str(error).strip().rstrip(".")
    unknown = _UNKNOWN.fullmatch(said)
    if unknown:
        return f"{said}.{_known(unknown[1], unknown[2], path, seconds)}"
    if "too big" in said:
        return (
            "A value is too big to be handled here. Leave its column out, or ask for"
            " length(column) in its place."
        )
    if "too large" in said and isinstance(error, sqlite3.DataError):
        return "The statement is too long. Give long values as parameters."
    if "one statement at a time" in said:
        return "There is more than one statement. Give one at a time, without a ; in between."
    if isinstance(error, OverflowError):
        return "A parameter is too big: SQLite's integers have 64 bits. Give it as a text."
    if isinstance(error, UnicodeError):
        return "The statement, a parameter or a column's name is not valid Unicode text."
    return f"{said}."


def _known(kind: str, asked: str, path: Path, seconds: float) -> str:
    """Return which name may have been meant, and which tables there are."""
    try:
        with opened(path, seconds) as session:
            relations = relations_of(session.connection)
            tables = [relation.name for relation in relations]
            is_table = kind == "table"
            few = relations[:_LOOKED_AT]
            names = tables if is_table else column_names(session.connection, few)
    except (sqlite3.Error, ToolError):  # the first error says enough
        return ""
    near = nearest(asked.rpartition(".")[2], sorted(names))
    meant = f" Did you mean {' or '.join(near)}?" if near else ""
    return f"{meant} Tables: {shortened(tables) or 'none'}."
