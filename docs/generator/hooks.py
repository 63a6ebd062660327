"""The page of hooks: the signature of each, and its docstring with a whole plugin."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

from agenthost_sdk import hookspecs
from agenthost_sdk.hook_reading import HOOKS
from generator.markdown import fenced, to_markdown


def page() -> str:
    """Return the page."""
    parts = ["# Hooks", to_markdown(hookspecs.__doc__ or "")]
    for name in HOOKS:
        parts += _hook(name, getattr(hookspecs, name))
    return "\n\n".join(parts) + "\n"


def _hook(name: str, specified: Any) -> Iterator[str]:
    yield f"## {name}"
    yield fenced(f"def {name}{signature(specified)}")
    yield to_markdown(specified.__doc__ or "")
    kind = name.removeprefix("agenthost_").replace("_", "-")
    yield f"A longer example, and how to test it: [{kind.replace('-', ' ')}](../kinds/{kind}.md)."


def signature(function: Any) -> str:
    """Return the signature of a hook, whose annotations are texts on every Python."""
    found = inspect.signature(function)
    taken = ", ".join(
        f"{one.name}: {one.annotation}" if one.annotation is not one.empty else one.name
        for one in found.parameters.values()
    )
    return f"({taken}) -> {found.return_annotation}"
