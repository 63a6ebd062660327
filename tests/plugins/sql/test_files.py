"""Files that cannot be read, or only in part, are answered with why; none is ever made."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from agenthost_plugin_sql.tool import Sql
from agenthost_sdk import ToolError

COUNT = "SELECT count(*) FROM orders"


def words(file: Path | str, sql: str = COUNT) -> str:
    tool = Sql(file=str(file))
    with pytest.raises(ToolError) as caught:
        tool.query(sql)
    with pytest.raises(ToolError):
        tool.schema()
    return str(caught.value)


@pytest.mark.parametrize(
    "name",
    [
        "missing.db",
        "file:new.db",
        "file:new.db?mode=rwc",
        "file:///new.db?mode=memory&cache=shared",
        "new.db?mode=rwc",
        ":memory:",
        "no/such/folder/new.db",
    ],
)
def test_a_missing_file_is_named_and_not_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)

    assert words(name).startswith("There is no file ")
    with pytest.raises(ToolError, match="There is no file"):
        Sql(file=name, writable=True).execute("CREATE TABLE t (a)")
    assert [*tmp_path.iterdir()] == []


def test_a_folder_is_no_database(tmp_path: Path) -> None:
    assert "is a folder" in words(tmp_path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    assert "not an ordinary file" in words(tmp_path / "pipe")


@pytest.mark.parametrize(
    "content", [b"name,city\nAda,Oslo\n" * 90, bytes(range(256)) * 16, b"\x00" * 4096]
)
def test_what_is_no_database_or_encrypted_is_said_to_be_so(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "odd.db"
    file.write_bytes(content)

    assert "is not a SQLite database, or it is encrypted" in words(file)
    assert file.read_bytes() == content
    assert [*tmp_path.iterdir()] == [file]


def test_a_damaged_database_is_said_to_be_so(shop: Path) -> None:
    content = shop.read_bytes()
    shop.write_bytes(content[:100] + b"\xee" * (len(content) - 100))

    assert "is damaged" in words(shop)


def test_an_empty_file_is_a_database_without_tables(tmp_path: Path) -> None:
    (tmp_path / "empty.db").touch()

    assert Sql(file=str(tmp_path / "empty.db")).schema() == "empty.db: no tables."
    assert (tmp_path / "empty.db").read_bytes() == b""


@pytest.mark.parametrize(
    "name", ["a?mode=memory.db", "a#b.db", "100%25.db", "größe 数 .db", "a&b=c"]
)
def test_no_sign_in_a_name_is_more_than_a_sign(shop: Path, name: str) -> None:
    if os.name == "nt" and "?" in name:
        pytest.skip("no file of Windows has such a name")
    file = shop.rename(shop.with_name(name))

    assert Sql(file=str(file)).query(COUNT)["rows"] == [[3]]
    Sql(file=str(file), writable=True).execute("DELETE FROM orders")
    assert Sql(file=str(file)).query(COUNT)["rows"] == [[0]]
    assert [*file.parent.iterdir()] == [file]


def test_a_name_may_start_at_home(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(shop.parent))
    monkeypatch.setenv("USERPROFILE", str(shop.parent))

    assert Sql(file="~/made.db").query(COUNT)["rows"] == [[3]]


def test_a_relative_name_stays_where_it_was_given(
    shop: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shop.parent)
    tool = Sql(file="made.db")
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))

    assert tool.query(COUNT)["rows"] == [[3]]


def test_a_locked_file_is_said_to_be_so(shop: Path) -> None:
    with closing(sqlite3.connect(shop, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")

        with pytest.raises(ToolError, match=r"made\.db is locked: another program"):
            Sql(file=str(shop), time_limit=0.1).query(COUNT)
        with pytest.raises(ToolError, match=r"made\.db is locked: another program"):
            Sql(file=str(shop), time_limit=0.1, writable=True).execute("DELETE FROM orders")


def test_a_write_that_was_broken_off_is_said_to_be_so(
    make: Callable[[str], Path], tmp_path: Path
) -> None:
    file = make("CREATE TABLE orders (a); INSERT INTO orders VALUES (1)")
    (tmp_path / "copy").mkdir()
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("PRAGMA cache_size = 1")
        other.execute("BEGIN")
        other.execute("UPDATE orders SET a = 2")
        other.execute("CREATE TABLE t AS SELECT randomblob(100000) AS b")
        for part in ("made.db", "made.db-journal"):
            shutil.copy(tmp_path / part, tmp_path / "copy" / part)

    assert "was broken off" in words(tmp_path / "copy" / "made.db")


def test_changes_in_the_log_of_wal_mode_are_read(shop: Path) -> None:
    with closing(sqlite3.connect(shop, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode = WAL")
        other.execute("DELETE FROM orders WHERE id = 1")

        assert Sql(file=str(shop)).query(COUNT)["rows"] == [[2]]
        Sql(file=str(shop), writable=True).execute("DELETE FROM orders WHERE id = 2")
        assert other.execute(COUNT).fetchall() == [(1,)]


def test_a_file_in_wal_mode_is_read_where_nothing_can_be_put_beside_it(shop: Path) -> None:
    with closing(sqlite3.connect(shop)) as other:
        other.execute("PRAGMA journal_mode = WAL")
    shop.with_name("made.db-wal").mkdir()  # so that SQLite cannot make its log

    assert Sql(file=str(shop)).query(COUNT)["rows"] == [[3]]


@pytest.mark.skipif(
    os.name == "nt" or not hasattr(os, "geteuid") or os.geteuid() == 0,
    reason="the rights of folders do not hold for this user",
)
def test_a_file_in_wal_mode_is_read_in_a_folder_that_is_read_only(shop: Path) -> None:
    with closing(sqlite3.connect(shop)) as other:
        other.execute("PRAGMA journal_mode = WAL")
    shop.parent.chmod(0o500)
    try:
        assert Sql(file=str(shop)).query(COUNT)["rows"] == [[3]]
        with pytest.raises(ToolError, match=r"made\.db cannot be"):
            Sql(file=str(shop), writable=True).execute("DELETE FROM orders")
    finally:
        shop.parent.chmod(0o700)
