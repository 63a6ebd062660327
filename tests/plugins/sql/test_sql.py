"""The tool for SQLite files as a model and as Python code use it."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from agenthost_plugin_sql.tool import Sql
from agenthost_sdk import BaseTool, ErrorArtifact, ToolAction, ToolError
from agenthost_sdk.errors import OptionError
from agenthost_sdk.testing import ToolConformance

ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)"


class TestSqlConforms(ToolConformance):
    """The tool does what hosts expect of one."""

    @pytest.fixture(autouse=True)
    def _database(self, shop: Path) -> None:
        self.shop = shop

    def make_tool(self) -> BaseTool:
        return Sql(file=str(self.shop), writable=True)


def ask(file: Path, sql: str, *parameters: Any) -> list[list[Any]]:
    rows: list[list[Any]] = Sql(file=str(file)).query(sql, list(parameters))["rows"]
    return rows


def refusal(file: Path, path: str = "query", **given: Any) -> str:
    output = Sql(file=str(file), writable=True).run(ToolAction("1", "Sql", path, given))
    assert isinstance(output, ErrorArtifact), output
    assert output.code == "tool-error"
    return output.to_text()


def test_a_question_is_answered_with_columns_and_rows(shop: Path) -> None:
    action = ToolAction("1", "Sql", "query", {"sql": "SELECT name, city FROM customers LIMIT 2"})

    assert Sql(file=str(shop)).run(action).to_json() == {
        "columns": ["name", "city"],
        "rows": [["Ada Berg", "Oslo"], ["Per Lie", "Bergen"]],
    }


def test_parameters_stand_for_the_question_marks(shop: Path) -> None:
    sql = "SELECT name FROM customers WHERE city = ? AND id > ?"

    assert ask(shop, sql, "Oslo", 1) == [["Siri Moe"]]
    assert ask(shop, "SELECT ?, ?, ?, ?", 1.5, True, None, "' OR 1") == [[1.5, 1, None, "' OR 1"]]


@pytest.mark.parametrize(
    "sql",
    [
        "VALUES (3)",
        "SELECT 3; ",
        "SELECT 3 -- that is all",
        "WITH n(x) AS (SELECT 3) SELECT x FROM n",
        "SELECT count(*) FROM customers",
        "SELECT value FROM json_each('[3]')",
        "SELECT count(*) - 1 FROM pragma_table_info('customers')",
        f"{ENDLESS} SELECT x FROM n LIMIT 1 OFFSET 2",
        "SELECT count(*) FROM sqlite_master WHERE type IN ('table', 'view')",
    ],
)
def test_whatever_only_reads_is_run(shop: Path, sql: str) -> None:
    assert ask(shop, sql) == [[3]]


def test_pragmas_and_plans_that_only_tell_are_run(shop: Path) -> None:
    assert len(ask(shop, "PRAGMA table_info(orders)")) == 4
    assert ask(shop, "PRAGMA user_version") == [[0]]
    assert ask(shop, "PRAGMA integrity_check") == [["ok"]]
    assert "SCAN" in ask(shop, "EXPLAIN QUERY PLAN SELECT * FROM orders")[0][-1]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT body FROM notes WHERE notes MATCH 'kettle'",
        "SELECT snippet(notes, 0, '', '', '', 20) FROM notes('kettle') ORDER BY bm25(notes)",
        "SELECT body FROM letters WHERE letters MATCH 'kettle'",
    ],
)
def test_full_text_is_searched(searchable: Path, sql: str) -> None:
    assert ask(searchable, sql) == [["the kettle is on the shelf"]]


def test_an_r_tree_is_read_without_its_writes_being_allowed(searchable: Path) -> None:
    assert ask(searchable, "SELECT id FROM places WHERE west < 1.5") == [[7]]
    assert "only reads" in refusal(searchable, sql="DELETE FROM places")
    with pytest.raises(ToolError):
        ask(searchable, "DELETE FROM places_node")


@pytest.mark.parametrize(
    ("expression", "shown"),
    [
        ("NULL", None),
        ("9223372036854775807", 2**63 - 1),
        ("9e999", "Infinity"),
        ("-9e999", "-Infinity"),
        ("9e999 - 9e999", None),
        ("x'00ff'", {"blob": "00ff", "bytes": 2}),
        ("zeroblob(100)", {"blob": "00" * 16 + "…", "bytes": 100}),
        ("CAST(x'61ff' AS TEXT)", r"a\xff"),
        ("CAST(x'eda080' AS TEXT)", r"\xed\xa0\x80"),
        ("'a' || char(0) || 'b'", "a\0b"),
        ("'<b>{{ 1 + 1 }}</b>'", "<b>{{ 1 + 1 }}</b>"),
    ],
)
def test_every_value_is_shown_as_json_has_it(shop: Path, expression: str, shown: Any) -> None:
    assert ask(shop, f"SELECT {expression}") == [[shown]]


def test_columns_of_one_name_keep_their_places(shop: Path) -> None:
    answer = Sql(file=str(shop)).query(
        "SELECT 1 AS a, 2 AS a, customers.id, orders.id FROM customers JOIN orders LIMIT 1"
    )

    assert answer["columns"] == ["a", "a", "id", "id"]
    assert answer["rows"][0][:2] == [1, 2]


def test_only_the_first_rows_of_a_long_answer_are_shown(shop: Path) -> None:
    answer = Sql(file=str(shop), max_rows=3).query(f"{ENDLESS} SELECT x FROM n")

    assert answer["rows"] == [[1], [2], [3]]
    assert answer["note"].startswith("Only the first 3 rows are shown; there are more.")


def test_as_many_rows_as_are_shown_at_most_need_no_note(shop: Path) -> None:
    assert "note" not in Sql(file=str(shop), max_rows=3).query("SELECT * FROM customers")


def test_long_texts_and_wide_rows_stay_within_what_a_model_can_take(shop: Path) -> None:
    long = Sql(file=str(shop)).query("SELECT hex(zeroblob(5000)), 'short'")
    wide = ", ".join(["hex(zeroblob(5000))"] * 150)
    many = Sql(file=str(shop)).query(f"{ENDLESS} SELECT {wide} FROM n")

    assert long["rows"][0] == ["0" * 4000 + "…", "short"]
    assert "substr" in long["note"]
    assert len(many["rows"]) == 1
    assert len(str(many)) < 30_000


@pytest.mark.parametrize(
    ("sql", "parameters", "words"),
    [
        ("SELECT * FROM custmers", [], "no such table: custmers. Did you mean customers?"),
        ("SELECT o.totl FROM orders o", [], "no such column: o.totl. Did you mean total?"),
        ("SELEC 1", [], 'near "SELEC": syntax error.'),
        ("SELECT 1; SELECT 2", [], "more than one statement"),
        ("SELECT 1; DROP TABLE orders", [], "more than one statement"),
        ("", [], "no statement that gives rows"),
        ("-- nothing", [], "no statement that gives rows"),
        ("SELECT ?", [], "The current statement uses 1, and there are 0 supplied"),
        ("SELECT ?", [2**63], "64 bits"),
        ("SELECT 1\0", [], "null character"),
        ("SELECT zeroblob(2000000)", [], "too big"),
        ("SELECT 1" + " " * 100_000, [], "The statement is too long"),
        ("SELECT " + "+".join("1" * 300), [], "Expression tree is too large"),
        (" UNION ".join(["SELECT 1"] * 150), [], "too many terms in compound SELECT"),
        ("SELECT " + ",".join("1" * 300), [], "too many columns"),
    ],
    ids=range(15),
)
def test_a_statement_that_fails_is_answered_with_what_is_wrong(
    shop: Path, sql: str, parameters: list[Any], words: str
) -> None:
    assert words in refusal(shop, sql=sql, parameters=parameters)


def test_half_a_character_is_refused_in_words(shop: Path) -> None:
    with pytest.raises(ToolError, match="not valid Unicode"):
        ask(shop, "SELECT ?", "\ud800")
    with pytest.raises(ToolError, match="not valid Unicode"):
        ask(shop, "SELECT '\ud800'")


def test_a_statement_that_never_ends_is_stopped(shop: Path) -> None:
    tool = Sql(file=str(shop), time_limit=0.2, writable=True)

    with pytest.raises(ToolError, match=r"stopped after 0\.2 seconds"):
        tool.query(f"{ENDLESS} SELECT max(x) FROM n")
    with pytest.raises(ToolError, match="changed nothing"):
        tool.execute(f"INSERT INTO orders (customer_id) {ENDLESS} SELECT 1 FROM n")
    assert ask(shop, "SELECT count(*) FROM orders") == [[3]]


def test_a_function_that_takes_minutes_for_one_value_is_not_waited_for(shop: Path) -> None:
    sql = "SELECT trim(printf('%.*c', 999000, 'a'), printf('%.*c', 80000, 'b') || 'a')"
    code = (
        "import sys; from agenthost_plugin_sql.tool import Sql\n"
        "try: Sql(file=sys.argv[1], time_limit=0.1).query(sys.argv[2])\n"
        "except Exception as error: print(error)"
    )

    done = subprocess.run(
        [sys.executable, "-c", code, shop, sql], capture_output=True, text=True, timeout=60
    )

    assert done.stdout.startswith("The statement was stopped after 0.1 seconds")


def test_the_structure_is_told_in_words(shop: Path) -> None:
    assert Sql(file=str(shop)).schema() == (
        "made.db: 2 tables, 1 view.\n\n"
        "Table customers\n  id INTEGER, primary key\n  name TEXT, required\n  email TEXT\n"
        "  city TEXT, default 'Oslo'\n\n"
        "Table orders\n  id INTEGER, primary key\n"
        "  customer_id INTEGER, required, refers to customers.id\n  total REAL\n"
        "  ordered_on TEXT\n\n"
        "View big_orders\n  id INTEGER\n  total REAL"
    )


def test_one_table_is_told_with_the_statement_that_made_it(make: Callable[[str], Path]) -> None:
    file = make("CREATE TABLE t (state INT /* 1 = paid */, twice AS (state * 2))")

    told = Sql(file=str(file)).schema("T")

    assert told.startswith("Table t\n  state INT\n  twice, calculated\n")
    assert "1 = paid" in told


def test_an_unknown_table_is_answered_with_its_nearest_name(shop: Path) -> None:
    assert "Did you mean 'customers'?" in refusal(shop, "schema", table="costumers")


def test_names_are_told_as_they_must_be_written(make: Callable[[str], Path]) -> None:
    told = Sql(file=str(make('CREATE TABLE "my table" ("a ""b""", größe)'))).schema()

    assert 'Table "my table"\n  "a ""b"""\n  größe' in told


def test_what_cannot_be_read_does_not_hide_the_rest(make: Callable[[str], Path]) -> None:
    file = make("CREATE TABLE t (a); CREATE VIEW v AS SELECT b FROM gone; CREATE TABLE u (c)")

    told = Sql(file=str(file)).schema()

    assert "View v\n  cannot be read: no such table: main.gone" in told
    assert "Table u\n  c" in told


def test_where_virtual_tables_keep_what_they_hold_is_not_told(searchable: Path) -> None:
    told = Sql(file=str(searchable)).schema()

    assert told.startswith("made.db: 3 tables.")
    assert "Table places\n  id" in told


def test_of_many_tables_the_names_are_told(make: Callable[[str], Path]) -> None:
    file = make("".join(f"CREATE TABLE table_{n} (a, b, c, d, e, f);" for n in range(400)))

    told = Sql(file=str(file)).schema()

    assert told.startswith("made.db: 400 tables.\n\ntable_0, table_1, ")
    assert "and 100 more" in told
    assert "Table table_399" in Sql(file=str(file)).schema("table_399")


def test_thousands_of_tables_keep_no_answer_waiting(make: Callable[[str], Path]) -> None:
    many = make(";".join(f"CREATE TABLE t{n} (a, b REFERENCES t1 (a))" for n in range(2_000)))
    sql = Sql(file=str(many), time_limit=5)

    assert sql.schema().startswith("made.db: 2000 tables.\n\nt0, t1,")
    with pytest.raises(ToolError, match=r"no such column: bb\. Did you mean b\?"):
        sql.query("SELECT bb FROM t1")


def test_what_the_tool_offers_does_not_depend_on_the_file(shop: Path, tmp_path: Path) -> None:
    missing = Sql(file=str(tmp_path / "missing.db")).specs()

    assert missing == Sql(file=str(shop)).specs()
    assert [spec.path for spec in missing] == ["schema", "query"]


def test_changes_are_on_offer_only_where_they_are_allowed(shop: Path) -> None:
    action = ToolAction("1", "Sql", "execute", {"sql": "DELETE FROM orders"})

    assert "No activity of Sql named 'execute'" in Sql(file=str(shop)).run(action).to_text()
    assert [*Sql(file=str(shop), writable=True).activities] == ["schema", "query", "execute"]
    assert [*Sql(file=str(shop), writable=True, denylist=["query"]).activities] == [
        "schema",
        "execute",
    ]


def test_a_change_tells_how_many_rows_and_what_they_are(shop: Path) -> None:
    tool = Sql(file=str(shop), writable=True)

    changed = tool.execute("UPDATE customers SET city = ? WHERE id > ?", ["Tromsø", 1])
    added = tool.execute("INSERT INTO customers (name) VALUES ('Liv') RETURNING id, city")

    assert changed == {"changed_rows": 2}
    assert added == {"changed_rows": 1, "columns": ["id", "city"], "rows": [[4, "Oslo"]]}
    assert ask(shop, "SELECT count(*) FROM customers WHERE city = 'Tromsø'") == [[2]]


def test_rows_that_are_not_shown_are_changed_too(shop: Path) -> None:
    tool = Sql(file=str(shop), writable=True, max_rows=1)

    changed = tool.execute("UPDATE customers SET city = 'Voss' RETURNING id")

    assert changed["changed_rows"] == 3
    assert len(changed["rows"]) == 1
    assert ask(shop, "SELECT count(*) FROM customers WHERE city = 'Voss'") == [[3]]


def test_rows_are_counted_for_a_statement_that_begins_with_with(shop: Path) -> None:
    sql = "WITH few (n) AS (VALUES (1), (3)) DELETE FROM orders WHERE id IN few"

    assert Sql(file=str(shop), writable=True).execute(sql) == {"changed_rows": 2}


@pytest.mark.parametrize("sql", ["", "  ", "-- nothing", ";", "/* nothing */ ;"])
def test_a_text_without_a_statement_is_no_change(shop: Path, sql: str) -> None:
    with pytest.raises(ToolError, match="The text has no statement"):
        Sql(file=str(shop), writable=True).execute(sql)


def test_tables_are_made_changed_and_dropped(shop: Path) -> None:
    tool = Sql(file=str(shop), writable=True)
    for sql in (
        "CREATE TABLE t (a)",
        "ALTER TABLE t ADD COLUMN b",
        "ALTER TABLE t RENAME COLUMN a TO c",
        "CREATE INDEX i ON t (b)",
        "CREATE VIEW v AS SELECT c FROM t",
        "CREATE TRIGGER r AFTER INSERT ON t BEGIN DELETE FROM orders; END",
        "DROP VIEW v",
        "CREATE VIRTUAL TABLE f USING fts5(body)",
        "CREATE VIRTUAL TABLE g USING rtree(id, a, b)",
        "DROP TABLE f",
    ):
        assert tool.execute(sql) == {"done": True}, sql
    assert tool.execute("INSERT INTO t VALUES (1, 2)") == {"changed_rows": 1}
    assert tool.execute("INSERT INTO g VALUES (1, 2, 3)") == {"changed_rows": 1}

    assert ask(shop, "SELECT count(*) FROM orders") == [[0]]
    assert "Table t\n  c\n  b" in tool.schema()


def test_a_change_that_fails_changes_nothing(shop: Path) -> None:
    twice = "INSERT INTO orders (customer_id) VALUES (1), (99)"

    assert "FOREIGN KEY constraint failed" in refusal(shop, "execute", sql=twice)
    assert ask(shop, "SELECT count(*) FROM orders") == [[3]]


@pytest.mark.parametrize(
    ("option", "value"), [("time_limit", 0), ("time_limit", float("inf")), ("max_rows", -1)]
)
def test_bounds_are_above_zero(shop: Path, option: str, value: Any) -> None:
    options: dict[str, Any] = {"file": str(shop), option: value}

    with pytest.raises(OptionError, match=rf"The option '{option}' of Sql is"):
        Sql(**options)


def test_many_threads_use_one_tool(shop: Path) -> None:
    tool = Sql(file=str(shop), writable=True)

    def work(number: int) -> None:
        tool.execute("INSERT INTO orders (customer_id, total) VALUES (1, ?)", [number])
        assert tool.query("SELECT count(*) FROM orders")["rows"][0][0] > 3

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(12)))

    assert ask(shop, "SELECT count(*) FROM orders") == [[15]]


def test_what_another_program_has_written_is_seen(shop: Path) -> None:
    tool = Sql(file=str(shop))
    tool.query("SELECT 1 FROM orders")
    with closing(sqlite3.connect(shop)) as other, other:
        other.execute("DELETE FROM orders")

    assert tool.query("SELECT count(*) FROM orders")["rows"] == [[0]]


def test_the_plugin_is_imported_without_its_tool() -> None:
    code = (
        "import sys, agenthost_plugin_sql\n"
        "print(*(name for name in sys.modules if 'plugin_' in name or name == 'sqlite3'))"
    )

    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )

    assert done.stdout.split() == ["agenthost_plugin_sql"]
