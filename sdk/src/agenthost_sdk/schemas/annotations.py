"""Find out what a callable takes: its parameters, with their annotations resolved."""

from __future__ import annotations

import functools
import inspect
import sys
import types
import typing
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from agenthost_sdk.errors import SchemaError

_Kind = inspect.Parameter

_TAKES_SELF = (_Kind.POSITIONAL_ONLY, _Kind.POSITIONAL_OR_KEYWORD, _Kind.VAR_POSITIONAL)

#: Their docstrings speak of Python, not of the author's function.
_WORDLESS = (None, types.FunctionType, types.MethodType, types.BuiltinFunctionType, type, object)


@dataclass(frozen=True)
class Taken:
    """One parameter of a callable."""

    name: str
    #: `Any` where the author wrote none.
    annotation: Any
    #: `inspect.Parameter.empty` where there is none.
    default: Any
    #: One of `inspect.Parameter`'s five kinds.
    kind: Any


def parameters_of(
    function: Callable[..., Any],
    owner: type | None = None,
    skip_first: bool = False,
    lenient: bool = False,
) -> list[Taken]:
    """Return the parameters of a callable with their annotations resolved.

    Decorators that set `__wrapped__`, `functools.partial`, bound methods and objects with
    `__call__` are seen through.

    Args:
        function: The callable.
        owner: The class whose names the annotations may use, for a function out of its body.
        skip_first: Leave out the first parameter: the `self` of a function not yet bound.
        lenient: Take an annotation that cannot be resolved as `Any`, for those who do not need it.

    Raises:
        SchemaError: It has no signature, or an annotation uses a name that is not known.
    """
    try:
        parameters = list(_signature(function).parameters.values())
    except (TypeError, ValueError) as error:
        raise SchemaError(f"{title_of(function)} has no signature to read: {error}.") from error
    if skip_first and not (parameters and parameters[0].kind in _TAKES_SELF):
        raise SchemaError(f"{title_of(function)} has no first parameter; a method takes self.")
    names = _Names(innermost(function), owner)
    wanted = parameters[1:] if skip_first else parameters
    return [Taken(p.name, names.resolve(p, function, lenient), p.default, p.kind) for p in wanted]


def innermost(function: Callable[..., Any]) -> Any:
    """Return the plain function (or class) that a callable leads to in the end."""
    seen: Any = function
    while True:
        if isinstance(seen, functools.partial):
            seen = seen.func
        elif inspect.ismethod(seen) or isinstance(seen, staticmethod | classmethod):
            seen = seen.__func__
        elif hasattr(seen, "__wrapped__"):
            seen = seen.__wrapped__
        elif inspect.isroutine(seen) or inspect.isclass(seen):
            return seen
        else:
            seen = type(seen).__call__


def docstring_of(function: Any, owner: type | None = None) -> str:
    """Return the docstring of a callable, of what it wraps, overrides, or is an instance of."""
    plain = innermost(function)
    bases = owner.__mro__ if owner is not None else ()
    sources = [
        *([function] if inspect.isroutine(function) or inspect.isclass(function) else []),
        plain,
        *(vars(base).get(getattr(plain, "__name__", "")) for base in bases),
        *([] if isinstance(function, functools.partial) else [type(function)]),
    ]
    telling = (source for source in sources if not any(source is one for one in _WORDLESS))
    return next((source.__doc__ for source in telling if source.__doc__), "")


def title_of(function: Any) -> str:
    """Return the name of a callable as error messages show it."""
    return str(getattr(innermost(function), "__qualname__", function))


def _signature(function: Callable[..., Any]) -> inspect.Signature:
    if sys.version_info >= (3, 14):
        # There annotations are computed when they are read; names not known must not raise here.
        import annotationlib

        return inspect.signature(function, annotation_format=annotationlib.Format.FORWARDREF)
    return inspect.signature(function)


class _Names:
    """The names that the annotations of one function may use."""

    def __init__(self, function: Any, owner: type | None) -> None:
        source = function.__init__ if inspect.isclass(function) else function
        self._globals: dict[str, Any] = getattr(source, "__globals__", {})
        self._locals = {parameter.__name__: parameter for parameter in _type_parameters(function)}
        for base in reversed(_bodies(function, owner)):
            self._locals |= {key: part for key, part in vars(base).items() if _is_type_like(part)}
            self._locals[base.__name__] = base

    def resolve(
        self, parameter: inspect.Parameter, function: Callable[..., Any], lenient: bool
    ) -> Any:
        """Return the annotation of a parameter with every name in it looked up."""
        if parameter.annotation is _Kind.empty:
            return Any
        try:
            return self._resolved(parameter.annotation)
        except Exception as error:  # an annotation is code, and may fail in any way
            if lenient:
                return Any
            if isinstance(error, NameError):
                raise SchemaError(_unknown_name(parameter, error, function)) from error
            where = f"The annotation of parameter {parameter.name!r} of {title_of(function)}"
            raise SchemaError(f"{where} cannot be used: {error}.") from error

    def _resolved(self, annotation: Any) -> Any:
        holder = _Holder({"annotation": annotation})
        hints = typing.get_type_hints(
            holder, globalns=self._globals, localns=self._locals, include_extras=True
        )
        return hints["annotation"]


class _Holder:
    """Stands for a function that has the one annotation to resolve."""

    def __init__(self, annotations: dict[str, Any]) -> None:
        self.__annotations__ = annotations


def _type_parameters(function: Any) -> tuple[Any, ...]:
    return tuple(getattr(function, "__type_params__", ()))


def _bodies(function: Any, owner: type | None) -> tuple[type, ...]:
    """Return the class in whose body the function stands; where it is not to be seen, them all."""
    bases = owner.__mro__ if owner is not None else ()
    body, place = getattr(function, "__qualname__", "").rpartition(".")[0], function.__module__
    found = [base for base in bases if (base.__qualname__, base.__module__) == (body, place)]
    return tuple(found[:1]) or bases


def _is_type_like(part: Any) -> bool:
    """Return whether a class attribute can be meant by an annotation: a method `list` is not."""
    marks = ("__bound__", "__value__", "__supertype__")  # of type variables, aliases, new types
    is_named = any(hasattr(part, mark) for mark in marks)
    return is_named or isinstance(part, type) or typing.get_origin(part) is not None


def _unknown_name(
    parameter: inspect.Parameter, error: NameError, function: Callable[..., Any]
) -> str:
    name = error.name or str(error)
    return (
        f"The annotation of parameter {parameter.name!r} of {title_of(function)} uses the name"
        f" {name!r}, which neither its module nor its class knows. Define {name!r} at the top"
        " level of the module, and import it also at run time (not only under TYPE_CHECKING)."
    )
