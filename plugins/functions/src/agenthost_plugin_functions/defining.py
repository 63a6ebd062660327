"""Find the functions that a file defines, and make an activity of each."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from agenthost_sdk.actions import check_native_name
from agenthost_sdk.activities import Activity
from agenthost_sdk.errors import DefinitionError, SchemaError
from agenthost_sdk.schemas import Input, input_of, input_of_signature

#: A function as an activity that is still to get its schema, and the file that defines it.
Found = tuple[Path, Activity[..., Any]]

#: Where a module keeps what `@activity` said of its functions.
_KEPT = "__agenthost_activities__"


def functions_of(module: ModuleType, path: Path) -> list[Found]:
    """Return the public functions that a file defines, in their order.

    What it imports is none of them, nor are classes, lambdas, and names with an underscore before
    them. Where the file has `__all__`, only what that names is public.
    """
    marked = _marked(module)
    return [
        (path, marked.get(name) or Activity(function, name=name))
        for name, function in _defined(module)
    ]


def activities_of(
    tool: str, found: Iterable[Found], leave_out: Callable[[str], None]
) -> dict[str, Activity[..., Any]]:
    """Return the activities that functions become, by name.

    Args:
        tool: The name of the tool that offers them.
        found: The functions, of one file or several.
        leave_out: Is told why a function becomes none; the others do all the same.

    Raises:
        DefinitionError: Two functions have one name.
    """
    activities: dict[str, Activity[..., Any]] = {}
    places: dict[str, str] = {}
    for path, function in found:
        name, place = function.name, _place(path, function)
        if name in places:
            raise DefinitionError(
                f"Two functions are named {name}: {places[name]}, and {place}. Rename one, or put"
                " an underscore before it."
            )
        places[name] = place
        try:
            activities[name] = _whole(tool, path, function)
        except DefinitionError as error:
            leave_out(f"{place}: the function {name} is left out. {error}")
    return activities


def _marked(module: ModuleType) -> dict[str, Activity[..., Any]]:
    """Return what `@activity` stands above, and leave the functions themselves in the module.

    They call each other there, which they could not call an activity.
    """
    kept: dict[str, Activity[..., Any]] = vars(module).setdefault(_KEPT, {})
    for name, value in [*vars(module).items()]:
        if isinstance(value, Activity):
            kept[name] = value
            setattr(module, name, value.function)
    return kept


def _defined(module: ModuleType) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yield the public functions of a module, each once, by the first of its names."""
    seen: set[int] = set()
    for name, value in [*vars(module).items()]:  # other threads may run its functions
        if _is_public(name, module) and _is_defined(value, module) and id(value) not in seen:
            seen.add(id(value))
            yield name, value


def _is_public(name: str, module: ModuleType) -> bool:
    named = vars(module).get("__all__")
    return name in named if isinstance(named, list | tuple) else not name.startswith("_")


def _is_defined(value: Any, module: ModuleType) -> bool:
    """Return whether a value is a function whose `def` stands in the file."""
    if not inspect.isroutine(value) or getattr(value, "__module__", "") != module.__name__:
        return False
    plain = inspect.unwrap(value)
    return inspect.isfunction(plain) and plain.__name__ != "<lambda>"


def _place(path: Path, function: Activity[..., Any]) -> str:
    """Return the file and the line of a function, as errors name them."""
    plain: Any = inspect.unwrap(function.function)
    return f"{path}, line {plain.__code__.co_firstlineno}"


def _whole(tool: str, path: Path, function: Activity[..., Any]) -> Activity[..., Any]:
    """Return a function as an activity, with its schema.

    Raises:
        DefinitionError: Providers would refuse its name, or it has no JSON Schema.
    """
    check_native_name(tool, function.name)
    taken = _input(function)
    nothing = f"Call the Python function {function.name} of {path.name}."
    return Activity(
        function.function,
        name=function.name,
        description=function.description or taken.description or nothing,
        schema=taken,
        annotations=function.annotations,
        timeout=function.timeout,
        examples=function.examples,
    )


def _input(function: Activity[..., Any]) -> Input:
    """Return what a function takes, which has no self."""
    if function.schema is None:
        return input_of_signature(function.function)
    if function.is_dynamic:
        raise SchemaError("Its schema is a function, which takes a tool. Give the schema itself.")
    return input_of(function.schema, function.function)
