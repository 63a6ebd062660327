"""Show rows of an answer: as many as a model can take, each value as JSON has it."""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Sequence
from typing import Any

#: Characters of an answer, as JSON.
MOST_CHARACTERS = 20_000

#: Characters of one text; less where there are many columns.
_LONGEST_TEXT = 4_000
_SHORTEST_TEXT = 60

_LONGEST_NAME = 120

#: Bytes of a blob that are shown.
_BLOB_START = 16

_CUT = "Texts that end in … are cut: ask for the rest with substr(column, start, length)."


def shown_rows(cursor: sqlite3.Cursor, most: int) -> dict[str, Any]:
    """Return the columns and the first rows of an answer, with a note where it is not all.

    Args:
        cursor: An answer of which nothing is read yet.
        most: How many rows to show.
    """
    columns = [_short(str(column[0]), _LONGEST_NAME) for column in cursor.description]
    longest = max(_SHORTEST_TEXT, min(_LONGEST_TEXT, MOST_CHARACTERS // len(columns)))
    rows: list[list[Any]] = []
    used, is_cut = 0, False
    for row in cursor:
        cells = [_shown(value, longest) for value in row]
        used += len(json.dumps(cells, ensure_ascii=False))
        if len(rows) == most or (rows and used > MOST_CHARACTERS):
            return _answer(columns, rows, _more(len(rows)), is_cut)
        is_cut = is_cut or any(_is_longer(value, longest) for value in row)
        rows.append(cells)
    return _answer(columns, rows, "", is_cut)


def _answer(
    columns: list[str], rows: Sequence[list[Any]], more: str, is_cut: bool
) -> dict[str, Any]:
    note = " ".join(part for part in (more, _CUT if is_cut else "") if part)
    return {"columns": columns, "rows": rows, **({"note": note} if note else {})}


def _more(shown: int) -> str:
    first = "Only the first row is" if shown == 1 else f"Only the first {shown} rows are"
    return (
        f"{first} shown; there are more. Narrow the question (WHERE), let the database sum it up"
        f" (count, sum, GROUP BY), or ask for the next rows with LIMIT and OFFSET {shown}."
    )


def _shown(value: Any, longest: int) -> Any:
    if isinstance(value, str):
        return _short(value, longest)
    if isinstance(value, bytes):
        dots = "…" if len(value) > _BLOB_START else ""
        return {"blob": value[:_BLOB_START].hex() + dots, "bytes": len(value)}
    if isinstance(value, float) and not math.isfinite(value):
        return "Infinity" if value > 0 else "-Infinity"  # NaN is NULL in SQLite
    return value


def _short(text: str, longest: int) -> str:
    return f"{text[:longest]}…" if len(text) > longest else text


def _is_longer(value: Any, longest: int) -> bool:
    return isinstance(value, str) and len(value) > longest
