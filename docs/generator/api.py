"""The pages of public names: each with its docstring, and with its code less what it does."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

import agenthost_sdk
import agenthost_sdk.testing
from generator.markdown import fenced, to_markdown

#: What linters and type checkers are told is nothing for readers.
_PRAGMA = re.compile(r"  # (noqa|type: ignore|pragma).*")

_Defined = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)

_KIT = "agenthost_sdk.testing."


def page_of_sdk() -> str:
    """Return the page of what `agenthost_sdk` exports."""
    return _page("The SDK", agenthost_sdk, agenthost_sdk._HOMES)


def page_of_kit() -> str:
    """Return the page of what `agenthost_sdk.testing` exports."""
    kit = agenthost_sdk.testing
    homes: dict[str, list[str]] = {}
    for name, home in kit._HOMES.items():
        homes.setdefault(home, []).append(name)
    return _page("The kit for testing", kit, homes)


def _page(title: str, package: ModuleType, homes: Any) -> str:
    parts = [f"# {title}", to_markdown(package.__doc__ or "")]
    for home, names in homes.items():
        module = import_module(f"{package.__name__}.{home}")
        parts += [f"## {module.__name__}", to_markdown(module.__doc__ or "")]
        for name in names:
            parts += _entry(name, getattr(module, name), module)
    return "\n\n".join(parts) + "\n"


def _entry(name: str, value: Any, module: ModuleType) -> Iterator[str]:
    """Yield the heading of a public name, what is said of it, and its code."""
    yield f"### {name}"
    home = getattr(value, "__module__", "")
    is_ours = home.startswith("agenthost_sdk.") and hasattr(value, "__qualname__")
    source = _Source.of(import_module(home) if is_ours else module)
    nodes = source.defined(name)
    if not nodes:
        yield from source.assigned(name)
        return
    yield to_markdown(ast.get_docstring(nodes[-1], clean=False) or "")
    stubs = [
        source.class_stub(node, value) if isinstance(node, ast.ClassDef) else source.stub(node)
        for node in nodes
    ]
    yield fenced("\n".join(stubs))


class _Source:
    """The source of a module, from which stubs are cut out word for word."""

    def __init__(self, module: ModuleType) -> None:
        text = inspect.getsource(module)
        self._lines = text.splitlines()
        self._tree = ast.parse(text)

    @staticmethod
    @cache
    def of(module: ModuleType) -> _Source:
        """Return the source of a module, read once."""
        return _Source(module)

    def defined(self, name: str) -> list[_Defined]:
        """Return the definitions of a name: one, or a function with its overloads."""
        kinds = (ast.ClassDef, *_FUNCTIONS)
        return [node for node in self._tree.body if isinstance(node, kinds) and node.name == name]

    def assigned(self, name: str) -> Iterator[str]:
        """Yield the comment above an assignment, and the assignment."""
        for node in self._tree.body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name:
                yield " ".join(line.strip("#: ") for line in self._comment(node.lineno))
                yield fenced(self._cut(node.lineno, node.end_lineno))

    def class_stub(self, node: ast.ClassDef, value: type) -> str:
        """Return a class with its fields and public methods; their docstrings stay."""
        first = min((one.lineno for one in node.decorator_list), default=node.lineno)
        head = self._cut(first, node.body[0].lineno - 1)
        known: set[str] = set()
        fields: list[str] = []
        methods: list[str] = []
        for source, part in [(self, node), *_hidden_bases(value)]:
            for one in part.body:
                name = _name(one)
                if name in known or not _is_public(name):
                    continue
                known.add(name)
                if isinstance(one, _FUNCTIONS):
                    methods.append("\n" + source._function(one, with_docstring=True))
                else:
                    comment = source._comment(one.lineno)
                    fields.append("\n".join((*comment, source._cut(one.lineno, one.end_lineno))))
        below = "\n".join((*fields, *methods)).lstrip("\n") or "    ..."
        return f"{head}\n{below}"

    def stub(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
        """Return a function's decorators and signature."""
        return self._function(node, with_docstring=False)

    def _function(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef, *, with_docstring: bool
    ) -> str:
        first = min((one.lineno for one in node.decorator_list), default=node.lineno)
        body = node.body[0]
        if with_docstring and ast.get_docstring(node):
            return self._cut(first, body.end_lineno)
        if isinstance(body, ast.Expr) and ast.unparse(body) == "...":
            return self._cut(first, body.end_lineno)
        # With the docstring gone, the signature still ends in its colon.
        return f"{self._cut(first, self._last_of_head(node))} ..."

    def _last_of_head(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
        """Return the line on which a signature ends; comments may stand below it."""
        line = node.body[0].lineno - 1
        while not _PRAGMA.sub("", self._lines[line - 1]).rstrip().endswith(":"):
            line -= 1
        return line

    def _comment(self, line: int) -> list[str]:
        """Return the lines of `#:` above a line."""
        first = line - 1
        while self._lines[first - 1].strip().startswith("#:"):
            first -= 1
        return self._lines[first : line - 1]

    def _cut(self, first: int, last: int | None) -> str:
        lines = (_PRAGMA.sub("", line) for line in self._lines[first - 1 : last])
        return "\n".join(lines).rstrip()


def _hidden_bases(value: type) -> Iterator[tuple[_Source, ast.ClassDef]]:
    """Yield the definitions of the kit's bases that are not exported themselves."""
    for base in value.__mro__[1:]:
        name, home = base.__name__, base.__module__
        if home.startswith(_KIT) and name not in agenthost_sdk.testing.__all__:
            source = _Source.of(import_module(home))
            yield from (
                (source, node) for node in source.defined(name) if isinstance(node, ast.ClassDef)
            )


def _name(node: ast.stmt) -> str:
    """Return the name of a field or a method; "" of what is neither."""
    if isinstance(node, ast.AnnAssign):
        return ast.unparse(node.target)
    return node.name if isinstance(node, _FUNCTIONS) else ""


def _is_public(name: str) -> bool:
    return name == "__init__" or (bool(name) and not name.startswith("_"))
