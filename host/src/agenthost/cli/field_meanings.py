"""Find what a driver's authors wrote about its fields: in docstrings and beside the fields."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from textwrap import dedent
from typing import Any

from agenthost_sdk.schemas.docstrings import read_docstring, unwrapped


def field_meanings(driver: type[Any]) -> dict[str, str]:
    """Return what each field means, as far as the class or one that it inherits from says it.

    It is said under `Args:` of the class's docstring, in comments `#:` above the field, or in a
    string under it. What a class says goes before what those say that it inherits from.
    """
    found: dict[str, str] = {}
    for base in reversed(driver.__mro__[:-1]):
        found.update(_beside_fields(base))
        found.update(read_docstring(vars(base).get("__doc__")).parameters)
    return found


def _beside_fields(base: type[Any]) -> Iterator[tuple[str, str]]:
    """Yield the fields that a class's source says something of, and what it says."""
    try:
        source = dedent(inspect.getsource(base))
        [written] = ast.parse(source).body
    except (OSError, TypeError, SyntaxError, ValueError):  # it was not read from a file, say
        return
    lines, statements = source.splitlines(), getattr(written, "body", [])
    for statement, following in zip(statements, [*statements[1:], None], strict=True):
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            said = _string(following) or _comment(lines[: statement.lineno - 1])
            if said:
                yield statement.target.id, said


def _string(statement: ast.stmt | None) -> str:
    """Return the text that a statement is; "" where it is none."""
    value = statement.value if isinstance(statement, ast.Expr) else None
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return unwrapped(inspect.cleandoc(value.value))
    return ""


def _comment(lines: list[str]) -> str:
    """Return the comment `#:` that the lines end with."""
    said: list[str] = []
    for line in reversed(lines):
        if not line.lstrip().startswith("#:"):
            break
        said.insert(0, line.lstrip().removeprefix("#:").strip())
    return " ".join(said)
