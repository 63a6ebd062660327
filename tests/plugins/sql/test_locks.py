"""Whatever a model writes, a file that may not be changed is not, nor is any other."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agenthost_plugin_sql.connecting import opened
from agenthost_plugin_sql.tool import Sql
from agenthost_sdk import ErrorArtifact, ToolAction

WRITES = [
    "INSERT INTO customers (name) VALUES ('x')",
    "INSERT INTO customers (name) VALUES ('x') RETURNING *",
    "WITH n AS (SELECT 1) INSERT INTO customers (name) SELECT 'x' FROM n",
    "REPLACE INTO customers VALUES (1, 'x', 'x', 'x')",
    "UPDATE customers SET name = 'x'",
    "DELETE FROM customers",
    "DELETE FROM orders WHERE id IN (SELECT id FROM orders)",
    "CREATE TABLE t (a)",
    "CREATE TABLE t AS SELECT * FROM customers",
    "CREATE TEMP TABLE t (a)",
    "CREATE INDEX i ON customers (name)",
    "CREATE VIEW v AS SELECT 1",
    "CREATE TRIGGER r AFTER INSERT ON orders BEGIN DELETE FROM orders; END",
    "CREATE VIRTUAL TABLE f USING fts5(body)",
    "DROP TABLE customers",
    "DROP VIEW big_orders",
    "ALTER TABLE customers RENAME TO people",
    "ALTER TABLE customers ADD COLUMN x",
    "ANALYZE",
    "REINDEX",
    "UPDATE sqlite_master SET sql = 'x'",
    "DELETE FROM sqlite_master",
    "INSERT INTO sqlite_master VALUES ('table', 'x', 'x', 0, 'CREATE TABLE x (a)')",
    "UPDATE sqlite_dbpage SET data = x'00' WHERE pgno = 1",
]

#: What no statement may do, in a file that may be changed neither.
REACHING = [
    "ATTACH 'other.db' AS other",
    "ATTACH DATABASE 'file:other.db?mode=rwc' AS other",
    "ATTACH ':memory:' AS other",
    "ATTACH '' AS other",
    "DETACH main",
    "VACUUM",
    "VACUUM INTO 'other.db'",
    "VACUUM main INTO 'file:other.db?mode=rwc'",
    "SELECT load_extension('other')",
    "SELECT writefile('other.db', 'x')",
    "SELECT readfile('made.db')",
    "SELECT fts3_tokenizer('simple')",
    "SELECT edit('x')",
    "CREATE VIRTUAL TABLE z USING zipfile('other.db')",
    "CREATE VIRTUAL TABLE z USING csv(filename='other.db')",
    "BEGIN",
    "COMMIT",
    "END",
    "ROLLBACK",
    "SAVEPOINT s",
    "RELEASE s",
    "PRAGMA journal_mode = WAL",
    "PRAGMA journal_mode(DELETE)",
    "PRAGMA main.journal_mode = OFF",
    "PRAGMA user_version = 7",
    "PRAGMA application_id(7)",
    "PRAGMA encoding = 'UTF-16'",
    "PRAGMA auto_vacuum = FULL",
    "PRAGMA query_only = OFF",
    "PRAGMA Query_Only = 0",
    "PRAGMA writable_schema = ON",
    "PRAGMA trusted_schema = ON",
    "PRAGMA temp_store_directory = '.'",
    "PRAGMA data_store_directory = '.'",
    "PRAGMA wal_checkpoint(TRUNCATE)",
    "PRAGMA incremental_vacuum",
    "PRAGMA optimize",
    "PRAGMA schema_version = 99",
    "PRAGMA hard_heap_limit = 1",
    "PRAGMA key = 'x'",
    "PRAGMA rekey = 'x'",
    "PRAGMA nothing_known",
    "SELECT * FROM pragma_journal_mode('off')",
]


def prefixed(statement: str) -> st.SearchStrategy[str]:
    """Return the statement in the many ways in which the same is said."""
    starts = st.sampled_from(["", "  ", "/* x */ ", "-- x\n", ";", "EXPLAIN ", "SELECT 1; "])
    ends = st.sampled_from(["", ";", " -- x", "; SELECT 1", "; COMMIT"])
    cases = st.sampled_from([statement, statement.lower(), statement.upper()])
    return st.tuples(starts, cases, ends).map("".join)


HOSTILE = st.sampled_from(WRITES + REACHING).flatmap(prefixed)


def told(tool: Sql, sql: str, path: str = "query") -> object:
    return tool.run(ToolAction("1", "Sql", path, {"sql": sql}))


def fingerprint(folder: Path) -> dict[str, str]:
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in folder.iterdir()}


@pytest.fixture
def watched(shop: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a database in the working folder, where a relative name would come to lie."""
    monkeypatch.chdir(shop.parent)
    return shop


@pytest.mark.parametrize("sql", WRITES + REACHING)
def test_a_question_changes_nothing(watched: Path, sql: str) -> None:
    before = fingerprint(watched.parent)

    output = told(Sql(file=str(watched), writable=True), sql)

    assert isinstance(output, ErrorArtifact)
    assert output.code == "tool-error"
    assert fingerprint(watched.parent) == before


@pytest.mark.parametrize("sql", REACHING)
def test_a_change_stays_within_its_file_and_its_own_transaction(watched: Path, sql: str) -> None:
    before = fingerprint(watched.parent)

    assert isinstance(told(Sql(file=str(watched), writable=True), sql, "execute"), ErrorArtifact)
    assert fingerprint(watched.parent) == before


@given(statements=st.lists(HOSTILE, min_size=1, max_size=5))
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_no_row_of_hostile_statements_changes_a_byte(watched: Path, statements: list[str]) -> None:
    before = fingerprint(watched.parent)
    tool = Sql(file=str(watched), time_limit=2)

    for statement in statements:
        told(tool, statement)

    assert fingerprint(watched.parent) == before


@pytest.mark.parametrize("sql", [*WRITES, "CREATE TABLE t AS SELECT 1"])
def test_each_lock_holds_without_the_guard(shop: Path, sql: str) -> None:
    before = fingerprint(shop.parent)

    with opened(shop, 2) as session:
        for unlock in (None, "PRAGMA query_only = OFF"):
            session.connection.set_authorizer(None)
            session.connection.execute(unlock or "SELECT 1").close()
            with suppress(sqlite3.Error):
                session.connection.execute(sql).fetchall()
        session.connection.execute("COMMIT")

    assert fingerprint(shop.parent) == before


def test_no_other_file_is_attached_even_without_the_guard(watched: Path) -> None:
    with opened(watched, 2) as session:
        session.connection.set_authorizer(None)
        for sql in ("ATTACH 'made.db' AS other", "ATTACH 'file:new.db?mode=rwc' AS other"):
            with pytest.raises(sqlite3.OperationalError, match="too many attached"):
                session.connection.execute(sql)

    assert [*fingerprint(watched.parent)] == ["made.db"]


def test_a_hostile_schema_reaches_no_further_than_a_statement(make: Callable[[str], Path]) -> None:
    file = make(
        "CREATE TABLE t (a); INSERT INTO t VALUES (1);"
        "CREATE VIEW v AS SELECT load_extension('x') FROM t;"
        "CREATE VIEW w AS SELECT fts3_tokenizer('simple') FROM t;"
    )
    tool = Sql(file=str(file))

    assert isinstance(told(tool, "SELECT * FROM v"), ErrorArtifact)
    assert isinstance(told(tool, "SELECT * FROM w"), ErrorArtifact)
    assert tool.query("SELECT a FROM t")["rows"] == [[1]]


def test_looking_at_what_a_database_holds_changes_nothing(searchable: Path) -> None:
    before = fingerprint(searchable.parent)

    Sql(file=str(searchable)).schema()
    Sql(file=str(searchable)).query("SELECT * FROM notes, letters, places")

    assert fingerprint(searchable.parent) == before


def test_reading_in_wal_mode_leaves_the_file_as_it_is(shop: Path) -> None:
    with closing(sqlite3.connect(shop)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    before = fingerprint(shop.parent)[shop.name]

    for sql in WRITES:
        told(Sql(file=str(shop)), sql)
    assert Sql(file=str(shop)).query("SELECT count(*) FROM orders")["rows"] == [[3]]

    assert fingerprint(shop.parent)[shop.name] == before
