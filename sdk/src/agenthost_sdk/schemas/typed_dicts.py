"""Let authors use `typing.TypedDict`, which pydantic refuses before Python 3.12.

There `typing`'s own does not see `NotRequired` in annotations that are texts; what is made here
from it does.
"""

from __future__ import annotations

import functools
import operator
import sys
import types
import typing
from typing import Any

import typing_extensions
from typing_extensions import is_typeddict

_QUALIFIERS = (typing.Required, typing.NotRequired)

#: Makes a TypedDict of a name and annotations; type checkers know no such call.
record_of: Any = typing_extensions.TypedDict


def portable(annotation: Any, made: dict[Any, Any] | None = None) -> Any:
    """Return an annotation with each `typing.TypedDict` in it as pydantic takes it."""
    if sys.version_info >= (3, 12):
        return annotation
    known = {} if made is None else made
    if is_typeddict(annotation):
        return known.get(annotation) or _remade(annotation, known)
    parts = typing.get_args(annotation)
    new = tuple(portable(part, known) if _is_open(part) else part for part in parts)
    if all(one is other for one, other in zip(parts, new, strict=True)):
        return annotation
    if isinstance(annotation, types.UnionType):
        return functools.reduce(operator.or_, new)
    if typing.get_origin(annotation) is typing.Annotated:
        return typing.Annotated[new]
    if isinstance(annotation, types.GenericAlias):
        origin: Any = annotation.__origin__
        return types.GenericAlias(origin, new)
    return annotation.copy_with(new)


def fields_of(kind: Any) -> dict[str, Any]:
    """Return the annotations of a TypedDict, each one marked as required or not."""
    hints = typing_extensions.get_type_hints(kind, include_extras=True)
    return {name: _qualified(hint, name in kind.__required_keys__) for name, hint in hints.items()}


def _is_open(part: Any) -> bool:
    return is_typeddict(part) or bool(typing.get_args(part))


def _remade(kind: Any, known: dict[Any, Any]) -> Any:
    fields = fields_of(kind)
    # It may speak of itself, so it is known before its annotations are made.
    known[kind] = remade = record_of(kind.__name__, fields)
    remade.__doc__ = kind.__doc__
    remade.__module__ = kind.__module__
    if hasattr(kind, "__pydantic_config__"):
        remade.__pydantic_config__ = kind.__pydantic_config__
    remade.__annotations__.update({name: portable(hint, known) for name, hint in fields.items()})
    return remade


def _qualified(hint: Any, required: bool) -> Any:
    if typing.get_origin(hint) in _QUALIFIERS:
        return hint
    return typing.Required[hint] if required else typing.NotRequired[hint]
