"""Arrange converted values as the arguments of a function."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from agenthost_sdk.schemas.annotations import Taken
from agenthost_sdk.schemas.inputs import Arguments

_BY_POSITION = inspect.Parameter.POSITIONAL_ONLY
_BY_EITHER = inspect.Parameter.POSITIONAL_OR_KEYWORD
_REST = inspect.Parameter.VAR_POSITIONAL

#: The kinds whose values can all go by name, as with nearly every function.
_BY_NAME = frozenset({_BY_EITHER, inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_KEYWORD})


def arranged(taken: Sequence[Taken], values: Mapping[str, Any]) -> Arguments:
    """Return values by name as arguments: what can only go by position does, the rest by name.

    What is not given is left to the function's own defaults.
    """
    named = dict(values)
    if _BY_NAME.issuperset([p.kind for p in taken]):
        return Arguments((), named)
    rest = next((p.name for p in taken if p.kind is _REST), None)
    more = named.pop(rest, ()) if rest is not None else ()
    by_position = (_BY_POSITION, _BY_EITHER) if more else (_BY_POSITION,)
    first = [named.pop(p.name, p.default) for p in taken if p.kind in by_position]
    return Arguments((*first, *more), named)
