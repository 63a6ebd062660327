"""Hand a parsed input to a function whose parameters bear the names of its keys."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping
from typing import Any, get_origin

from agenthost_sdk.errors import SchemaError, nearest, shortened
from agenthost_sdk.schemas.annotations import Taken, parameters_of, title_of
from agenthost_sdk.schemas.calls import arranged
from agenthost_sdk.schemas.inputs import Arguments

_EMPTY = inspect.Parameter.empty
_VARIABLE = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


class Receiver:
    """The parameters of a function, and which of them gets what of an input.

    A parameter gets the key of its name. The input as a whole goes to one that is annotated with
    its type, to one without a default that is annotated as a dict, and to one named `values`; one
    named `params` gets it as `{"values": …}`, as older hosts hand it over. Keys that no parameter
    takes are left out, unless there is `**kwargs`; a key that is missing leaves the parameter its
    default, else None.

    Args:
        function: The function.
        keys: The keys that the input's schema names.
        is_open: Whether the schema allows other keys.
        kind: The type of the whole input, None for a plain one.
        owner: The class in whose body the function stands.
        skip_first: Leave out the first parameter, `self`.

    Raises:
        SchemaError: A parameter without a default can never get anything.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        keys: Collection[str],
        is_open: bool,
        kind: Any,
        *,
        owner: type | None = None,
        skip_first: bool = False,
    ) -> None:
        self._taken = parameters_of(function, owner, skip_first, lenient=True)
        self._named = [taken for taken in self._taken if taken.kind not in _VARIABLE]
        self._takes_all = any(taken.kind is _VARIABLE[1] for taken in self._taken)
        self._whole = {
            taken.name
            for taken in self._named
            if taken.name not in keys and _takes_whole(taken, kind)
        }
        for taken in self._named:
            gets = taken.name in keys or taken.name in self._whole or taken.default is not _EMPTY
            if not gets and not is_open:
                raise SchemaError(_never_given(taken, function, keys))

    @property
    def names(self) -> set[str]:
        """The names of the parameters."""
        return {taken.name for taken in self._named}

    def arguments(self, values: Mapping[str, Any], whole: Any) -> Arguments:
        """Return the arguments for an input.

        Args:
            values: The parts of the input by name.
            whole: The input as one value.
        """
        given: dict[str, Any] = dict(values) if self._takes_all else {}
        for taken in self._named:
            if taken.name in self._whole:
                given[taken.name] = {"values": whole} if taken.name == "params" else whole
            elif taken.name in values:
                given[taken.name] = values[taken.name]
            elif taken.default is _EMPTY:
                given[taken.name] = None
        return arranged(self._taken, given)


def _takes_whole(taken: Taken, kind: Any) -> bool:
    if taken.annotation is kind or taken.name in ("params", "values"):
        return True
    plain = get_origin(taken.annotation) or taken.annotation
    is_dict = isinstance(plain, type) and issubclass(dict, plain) and plain is not object
    return is_dict and taken.default is _EMPTY


def _never_given(taken: Taken, function: Callable[..., Any], keys: Collection[str]) -> str:
    near = nearest(taken.name, keys, 1)
    meant = f" Did you mean {near[0]!r}?" if near else ""
    return (
        f"Parameter {taken.name!r} of {title_of(function)} has no default, and the schema has no"
        f" such key.{meant} The keys are {shortened(sorted(keys)) or 'none'}."
    )
