"""Say which fields a driver takes: their types, their defaults, and what the settings set."""

from __future__ import annotations

import sys
import typing
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields
from typing import Any

from agenthost.cli.masking import masked
from agenthost.registry.fields import field_meanings, plain, type_words

#: What decides how a model is asked, in the order in which it is shown.
SWITCHES = ("stream", "use_native_tools", "structured_output_strategy", "dialect")

#: When and how often it is asked again.
RETRIES = (
    "max_attempts",
    "min_retry_delay",
    "max_retry_delay",
    "max_retry_seconds",
    "ignored_exception_types",
)


def field_rows(driver: type[Any], options: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return a row for each field that the settings, or code, can give a driver.

    Args:
        driver: The driver's class.
        options: What the settings give it; nothing of it is shown that is a secret.
    """
    meanings = field_meanings(driver)
    return [
        {**_row(driver, one, options), "meaning": meanings.get(one.name, "")}
        for one in fields(driver)
        if one.init
    ]


def profile_names(driver: type[Any]) -> list[str]:
    """Return the names of the servers that a driver knows the ways of."""
    found = getattr(driver, "profiles", ())
    listed = found() if callable(found) else found
    return sorted(map(str, listed))


def _row(driver: type[Any], one: Field[Any], options: Mapping[str, Any]) -> dict[str, Any]:
    default = one.default_factory() if one.default_factory is not MISSING else one.default
    is_set = one.name in options
    return {
        "name": one.name,
        "group": _group(one.name),
        "type": type_words(_annotation(driver, one)),
        "required": default is MISSING,
        "default": None if default is MISSING else masked(one.name, plain(default)),
        "set": is_set,
        "value": masked(one.name, options[one.name]) if is_set else None,
    }


def _group(name: str) -> str:
    if name in SWITCHES:
        return "switch"
    return "retry" if name in RETRIES else "field"


def _annotation(driver: type[Any], one: Field[Any]) -> Any:
    """Return a field's type; as its author wrote it where that names what only checkers know."""
    if not isinstance(one.type, str):
        return one.type
    holder = type("Holder", (), {"__annotations__": {one.name: one.type}})
    for base in driver.__mro__:  # one of them annotates it, with the names of its module
        try:
            names = vars(sys.modules[base.__module__])
            return typing.get_type_hints(holder, names)[one.name]
        except Exception:  # noqa: S112 - an annotation is code, and may fail in any way
            continue
    return one.type
