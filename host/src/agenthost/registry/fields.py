"""Say of the fields of drivers and the options of tools what they take and what they mean."""

from __future__ import annotations

import ast
import inspect
import json
import typing
from collections.abc import Iterator, Mapping
from textwrap import dedent
from types import FunctionType, NoneType, UnionType
from typing import Annotated, Any, Literal, Union

from agenthost_sdk.schemas.docstrings import read_docstring, unwrapped


def field_meanings(owner: type[Any]) -> dict[str, str]:
    """Return what each field means, as far as the class or one that it inherits from says it.

    It is said under `Args:` of the class's docstring, in comments `#:` above the field, or in a
    string under it. What a class says goes before what those say that it inherits from.
    """
    found: dict[str, str] = {}
    for base in reversed(owner.__mro__[:-1]):
        found.update(_beside_fields(base))
        found.update(read_docstring(vars(base).get("__doc__")).parameters)
    return found


def type_words(annotation: Any) -> str:
    """Return a type as a person reads it: the choices of a Literal, and no module names."""
    origin, inner = typing.get_origin(annotation), typing.get_args(annotation)
    if isinstance(annotation, str):
        return annotation
    if isinstance(annotation, list):  # what a callable takes
        return f"[{', '.join(map(type_words, annotation))}]"
    if annotation in (None, NoneType, ...):
        return "..." if annotation is ... else "None"
    if origin is Literal:
        return " | ".join(map(repr, inner))
    if origin in (Union, UnionType):
        return " | ".join(map(type_words, inner))
    if origin is Annotated:
        return type_words(inner[0])
    name = getattr(origin or annotation, "__name__", str(annotation))
    return f"{name}[{', '.join(map(type_words, inner))}]" if inner else name


def plain(value: Any) -> Any:
    """Return a default as JSON has it; one that JSON has no word for by the name of its kind."""
    try:
        written = _written(value)
        _write(written).encode()
    except Exception:  # not a number, a list within itself, a `repr` of its author's that fails
        return type(value).__name__
    return written


#: Refuses what is no JSON, or has characters that UTF-8 has no bytes for.
_write = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def _written(value: Any) -> Any:
    if isinstance(value, type | FunctionType):  # a function's `repr` is another in each process
        return value.__name__
    if isinstance(value, tuple | list | set | frozenset):
        return [_written(one) for one in value]
    if isinstance(value, Mapping):
        return {str(name): _written(one) for name, one in value.items()}
    if isinstance(value, str | int | float | None):
        return value
    said = repr(value)  # that of `object` has an address in it, which is another each time
    return type(value).__name__ if said == object.__repr__(value) else said


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
