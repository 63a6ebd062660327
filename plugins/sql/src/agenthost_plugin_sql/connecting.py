"""Open a SQLite file so that no more can be done with it than is allowed."""

from __future__ import annotations

import os
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from agenthost_plugin_sql.guarding import Guard
from agenthost_sdk.errors import ToolError

#: Seconds to wait for another program that is writing to the file.
_PATIENCE = 5.0

#: How many steps of SQLite's machine lie between two looks at the clock.
_STEPS = 1000

#: Bytes of a value. What functions do with one value cannot be stopped, and may take the square
#: of it: a second or more for a million. Who writes must be able to write large ones.
_LENGTH = 1_000_000
_WRITTEN_LENGTH = 10_000_000

_LIMITS = {
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_COLUMN: 200,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 100,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 200,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 1_000,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 100_000,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 100,
    sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER: 10_000,
    sqlite3.SQLITE_LIMIT_VDBE_OP: 1_000_000,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}

#: What a file is told when it is opened: to distrust its own schema, and to look at what it reads.
_PRAGMAS = ("trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0", "foreign_keys = ON")

_VIRTUAL = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL%'"


@dataclass(frozen=True)
class Opened:
    """An open file with the guard that watches over it."""

    connection: sqlite3.Connection
    guard: Guard

    def commit(self) -> None:
        """Keep what was done; without it nothing is kept."""
        self.connection.set_authorizer(None)  # which denies a COMMIT
        self.connection.execute("COMMIT")


@contextmanager
def opened(path: Path, seconds: float, *, writable: bool = False) -> Iterator[Opened]:
    """Open a file, guarded, in a transaction that ends with it.

    Args:
        path: The file; it is never made.
        seconds: After which whatever still runs is interrupted.
        writable: Whether it may be changed.

    Raises:
        ToolError: There is no such file.
        sqlite3.Error: SQLite cannot open or read it.
    """
    check_file(path)
    over = _timer(seconds)
    with (
        closing(_connected(path, over, min(seconds, _PATIENCE), writable)) as connection,
        _interrupted_after(seconds, connection),
    ):
        connection.execute("BEGIN IMMEDIATE" if writable else "BEGIN")
        _meet_virtual_tables(connection)
        _limit(connection, _WRITTEN_LENGTH if writable else _LENGTH)
        guard = Guard(writable=writable)
        connection.set_authorizer(guard)
        yield Opened(connection, guard)


def check_file(path: Path) -> None:
    """Refuse what is no file.

    Raises:
        ToolError: It is missing, a folder, or something else.
    """
    if path.is_dir():
        raise ToolError(f"{path} is a folder, not a SQLite file. Name the file in it.")
    if not path.exists():
        raise ToolError(f"There is no file {path}. The tool's option `file` must name a database.")
    if not path.is_file():
        raise ToolError(f"{path} is not an ordinary file, so it is not read.")


def has_unread_log(path: Path) -> bool:
    """Return whether changes to a file wait in the log beside it."""
    log = path.with_name(f"{path.name}-wal")
    return log.is_file() and log.stat().st_size > 0


def is_logged(path: Path) -> bool:
    """Return whether a file is in WAL mode: its header says so."""
    with path.open("rb") as file:
        return file.read(20)[18:20] == b"\x02\x02"


def _timer(seconds: float) -> Callable[[], bool]:
    end = time.monotonic() + seconds
    return lambda: time.monotonic() > end


@contextmanager
def _interrupted_after(seconds: float, connection: sqlite3.Connection) -> Iterator[None]:
    """Interrupt what is one long step to SQLite, such as count(*): no clock is read in it."""

    def interrupt() -> None:
        with suppress(sqlite3.Error):  # it was closed just now
            connection.interrupt()

    timer = threading.Timer(seconds, interrupt)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _connected(
    path: Path, over: Callable[[], bool], patience: float, writable: bool
) -> sqlite3.Connection:
    if writable:
        return _read_through(_address(path, "rw"), over, patience, writable)
    try:
        return _read_through(_address(path, "ro"), over, patience, writable)
    except sqlite3.OperationalError as error:
        if not _is_refused_log(error, path):
            raise
        # Nobody has it open, and SQLite cannot put its files beside it, as in a folder that is
        # read-only; what is in the file itself is all there is.
        return _read_through(_address(path, "ro") + "&immutable=1", over, patience, writable)


def _is_refused_log(error: sqlite3.OperationalError, path: Path) -> bool:
    kind = error.sqlite_errorcode & 0xFF
    is_refused = kind in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
    return is_refused and is_logged(path) and not has_unread_log(path)


def _read_through(
    address: str, over: Callable[[], bool], patience: float, writable: bool
) -> sqlite3.Connection:
    """Connect, and read the file's own description, which shows whether it is a database."""
    connection = sqlite3.connect(address, uri=True, timeout=patience, isolation_level=None)
    try:
        connection.set_progress_handler(over, _STEPS)
        connection.text_factory = as_text
        for pragma in (*_PRAGMAS, f"query_only = {'OFF' if writable else 'ON'}"):
            connection.execute(f"PRAGMA {pragma}")
        _defend(connection)
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


def _address(path: Path, mode: str) -> str:
    """Return the address of a file; nothing in its name can pass for one of SQLite's words."""
    plain = path.as_posix()
    rooted = plain if plain.startswith("/") else f"/{plain}"  # a drive of Windows
    return f"file://{quote(os.fsencode(rooted), safe='/:')}?mode={mode}"


def as_text(stored: bytes) -> str:
    r"""Return a text of the file; bytes that are not UTF-8 appear as \xNN."""
    return stored.decode("utf-8", "backslashreplace")


def _defend(connection: sqlite3.Connection) -> None:
    if sys.version_info >= (3, 12):
        connection.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, True)
        connection.setconfig(sqlite3.SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, False)


def _meet_virtual_tables(connection: sqlite3.Connection) -> None:
    """Have SQLite load the virtual tables: an R-tree plans its writes then, which is no write."""
    for (name,) in connection.execute(_VIRTUAL).fetchall():
        with suppress(sqlite3.Error):  # one that cannot be read does not concern the others
            connection.execute("SELECT 1 FROM pragma_table_info(?)", (name,)).close()


def _limit(connection: sqlite3.Connection, length: int) -> None:
    """Set the limits, once the file's own schema has been read without them."""
    for limit, value in {**_LIMITS, sqlite3.SQLITE_LIMIT_LENGTH: length}.items():
        connection.setlimit(limit, value)
