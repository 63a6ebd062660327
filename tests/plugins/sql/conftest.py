"""Databases to ask."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

SHOP = """
    CREATE TABLE customers (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        email TEXT,
        city TEXT DEFAULT 'Oslo'
    );
    CREATE TABLE orders (
        id INTEGER PRIMARY KEY,
        customer_id INTEGER NOT NULL REFERENCES customers (id),
        total REAL,
        ordered_on TEXT
    );
    CREATE VIEW big_orders AS SELECT id, total FROM orders WHERE total > 100;
    INSERT INTO customers VALUES
        (1, 'Ada Berg', 'ada@example.org', 'Oslo'),
        (2, 'Per Lie', NULL, 'Bergen'),
        (3, 'Siri Moe', 'siri@example.org', 'Oslo');
    INSERT INTO orders VALUES
        (1, 1, 120.5, '2026-03-01'), (2, 1, 15, '2026-04-11'), (3, 2, 310, '2026-04-12');
"""

#: Virtual tables of every kind that keep what they hold in the file.
SEARCHABLE = """
    CREATE VIRTUAL TABLE notes USING fts5(body);
    INSERT INTO notes VALUES ('the kettle is on the shelf');
    CREATE VIRTUAL TABLE letters USING fts4(body);
    INSERT INTO letters VALUES ('the kettle is on the shelf');
    CREATE VIRTUAL TABLE places USING rtree(id, west, east);
    INSERT INTO places VALUES (7, 1, 2);
"""


@pytest.fixture
def make(tmp_path: Path) -> Callable[[str], Path]:
    """Return what makes a database with a script."""

    def make(script: str) -> Path:
        path = tmp_path / "made.db"
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA synchronous = OFF")  # hundreds of tests need no disk
            connection.executescript(f"BEGIN; {script}; COMMIT")
        return path

    return make


@pytest.fixture
def shop(make: Callable[[str], Path]) -> Path:
    """Return a shop's database."""
    return make(SHOP)


@pytest.fixture
def searchable(make: Callable[[str], Path]) -> Path:
    """Return a database with virtual tables."""
    return make(SEARCHABLE)
