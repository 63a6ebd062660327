"""`@activity`: a method of a tool becomes something a model can ask for."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property
from threading import TIMEOUT_MAX
from types import MethodType
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, TypeVar, cast, overload

from agenthost_sdk.actions import Annotations, Example
from agenthost_sdk.artifacts import error_text
from agenthost_sdk.errors import DefinitionError, SchemaError
from agenthost_sdk.schemas import Input, input_of, input_of_signature

if TYPE_CHECKING:
    from typing import Self

P = ParamSpec("P")
R = TypeVar("R")

#: Examples as an author writes them: a question and the input that answers it.
Examples = Iterable[Example | tuple[str, Mapping[str, Any]]]

#: The keys that `@activity(config={...})` takes, as tools of older hosts write them.
_CONFIG_KEYS = {"name", "description", "schema"}


class Activity(Generic[P, R]):
    """A method that a model can ask for, with all that the model needs to know of it.

    Reading it from a tool gives the bound method, so that code calls it like any other; reading
    it from the class gives the activity itself.
    """

    def __init__(
        self,
        function: Callable[Concatenate[Any, P], R],
        *,
        name: str | None = None,
        description: str | None = None,
        schema: Any = None,
        annotations: Annotations = Annotations(),
        timeout: float | None = None,
        examples: Examples = (),
    ) -> None:
        self.function = _checked_method(function)
        self.name = name or str(getattr(function, "__name__", ""))  # a partial has none
        self._is_named = name is not None
        self.description = description
        self.schema = schema
        self.annotations = annotations
        self.timeout = _checked_timeout(timeout, self.name)
        self.examples = tuple(_example(example, self.name) for example in examples)
        unwrapped = inspect.unwrap(function)
        self.is_async = inspect.iscoroutinefunction(unwrapped) or inspect.isasyncgenfunction(
            unwrapped
        )
        self.__doc__ = function.__doc__
        self.__name__ = self.name
        self.__wrapped__ = function

    def __set_name__(self, owner: type, attribute: str) -> None:
        if not self._is_named:  # a decorator below may have left the function another name
            self.name, self._is_named = attribute, True

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type | None = None) -> Callable[P, R]: ...
    def __get__(self, instance: object, owner: type | None = None) -> Self | Callable[P, R]:
        if instance is None:
            return self
        return cast("Callable[P, R]", MethodType(self.function, instance))

    def input_for(self, tool: Any) -> Input:
        """Return what the activity takes: from its schema, or else from its signature.

        Raises:
            SchemaError: No JSON Schema can be made of either; the message names the activity.
        """
        title = f"{type(tool).__name__}.{self.name}"
        try:
            return self._input_for(tool)
        except SchemaError as error:
            raise SchemaError(f"Activity {title}: {error}") from error

    def _input_for(self, tool: Any) -> Input:
        if self.schema is None:
            return input_of_signature(self.function, owner=type(tool), skip_first=True)
        schema = _made(self.schema, tool) if self.is_dynamic else self.schema
        return input_of(schema, self.function, owner=type(tool), skip_first=True)

    @property
    def is_dynamic(self) -> bool:
        """Whether the schema depends on the tool's state."""
        return inspect.isfunction(self.schema) or inspect.ismethod(self.schema)


@overload
def activity(function: Callable[Concatenate[Any, P], R], /) -> Activity[P, R]: ...
@overload
def activity(
    *,
    name: str | None = ...,
    description: str | None = ...,
    schema: Any = ...,
    read_only: bool | None = ...,
    destructive: bool | None = ...,
    idempotent: bool | None = ...,
    open_world: bool | None = ...,
    timeout: float | None = ...,
    examples: Examples = ...,
    config: Mapping[str, Any] | None = ...,
) -> Callable[[Callable[Concatenate[Any, P], R]], Activity[P, R]]: ...
def activity(
    function: Callable[..., Any] | None = None,
    /,
    *,
    name: str | None = None,
    description: str | None = None,
    schema: Any = None,
    read_only: bool | None = None,
    destructive: bool | None = None,
    idempotent: bool | None = None,
    open_world: bool | None = None,
    timeout: float | None = None,
    examples: Examples = (),
    config: Mapping[str, Any] | None = None,
) -> Any:
    """Mark a method of a tool as an activity.

    The input's JSON Schema comes from the signature and its docstring (Google, NumPy or Sphinx
    style), unless `schema` gives it.

    Args:
        name: What the model calls it; the method's name where it is not given.
        description: What the model reads of it; the docstring's text where it is not given.
        schema: A `schema.Schema`, a pydantic model, a dataclass, a plain JSON Schema, or a
            function of the tool that returns one of these.
        read_only: It changes nothing. The host runs it unasked, unless it is `open_world` too.
        destructive: What it changes cannot be undone.
        idempotent: Doing it twice is the same as doing it once.
        open_world: It reaches beyond this machine.
        timeout: Seconds after which the action counts as failed.
        examples: Questions and the inputs that answer them, for models that need to be shown.
        config: `{"description": …, "schema": …, "name": …}`, as tools of older hosts write it.
    """

    def decorate(function: Callable[..., Any]) -> Activity[..., Any]:
        given = _config(config, function)
        return Activity(
            function,
            name=name or given.get("name"),
            description=description or given.get("description"),
            schema=schema if schema is not None else given.get("schema"),
            annotations=Annotations(read_only, destructive, idempotent, open_world),
            timeout=timeout,
            examples=examples,
        )

    return decorate(function) if function is not None else decorate


def activities_of(tool: type) -> dict[str, Activity[..., Any]]:
    """Return every activity of a class; one that a subclass defines again is the subclass's.

    Raises:
        DefinitionError: Two of them have one name.
    """
    found: dict[str, Activity[..., Any]] = {}
    for attribute in _attributes(tool).values():
        if isinstance(attribute, Activity):
            earlier = found.setdefault(attribute.name, attribute)
            if earlier is not attribute:
                raise DefinitionError(
                    f"{tool.__name__} has two activities named {attribute.name!r}."
                )
    return found


def check_activities(tool: type, taken: Collection[str]) -> None:
    """Refuse what would be lost in silence, and what stands where the host calls something else.

    Args:
        tool: The class of a tool.
        taken: The names that the host calls itself.

    Raises:
        DefinitionError: An activity has such a name, lacks its self, is hidden by a decorator, or
            is overridden by what is none.
    """
    for name, attribute in _attributes(tool).items():
        if isinstance(attribute, Activity) and name in taken:
            raise DefinitionError(
                f"{tool.__name__}.{name} would take the place of BaseTool.{name}. Give the method"
                f" another name, and write @activity(name={attribute.name!r})."
            )
    for name, attribute in vars(tool).items():
        if isinstance(attribute, Activity):
            _check_self(attribute.function, tool, name)
        if _hides_activity(attribute):
            raise DefinitionError(
                f"{tool.__name__}.{name} is no activity: a decorator stands above @activity."
                " Put @activity on top."
            )
        if inspect.isfunction(attribute) and _is_activity(tool.__mro__[1:], name):
            raise DefinitionError(
                f"{tool.__name__}.{name} overrides an activity and is none itself. Write"
                f" @activity above it, or {name} = None to take the activity away."
            )


def _attributes(tool: type) -> dict[str, Any]:
    attributes: dict[str, Any] = {}
    for base in reversed(tool.__mro__):
        attributes.update(vars(base))
    return attributes


def _hides_activity(attribute: Any) -> bool:
    inner = attribute
    while not isinstance(inner, Activity):
        if isinstance(inner, property):
            inner = inner.fget
        elif isinstance(inner, cached_property):
            inner = inner.func
        elif isinstance(inner, staticmethod | classmethod) or inspect.isfunction(inner):
            inner = getattr(inner, "__wrapped__", None)
        else:
            return False
    return inner is not attribute


def _is_activity(bases: Iterable[type], name: str) -> bool:
    inherited = next((vars(base)[name] for base in bases if name in vars(base)), None)
    return isinstance(inherited, Activity)


def _checked_method(function: Any) -> Callable[..., Any]:
    kind = type(function).__name__
    if isinstance(function, staticmethod | classmethod | property):
        raise DefinitionError(
            f"@activity takes a method with self, not a {kind}. Leave @{kind} out."
        )
    if not callable(function) or inspect.isclass(function):
        raise DefinitionError(
            f"@activity takes a method, not {function!r}. What is said of the method goes by"
            " keyword, as in @activity(description=…)."
        )
    return cast("Callable[..., Any]", function)


def _check_self(function: Callable[..., Any], owner: type, attribute: str) -> None:
    """Refuse a method that has its first argument for the model where the tool itself goes.

    Nobody annotates `self` with a type that a model could give; `Any` and `Self` are let through.
    """
    try:
        first = next(iter(inspect.signature(function).parameters.values()), None)
    except (TypeError, ValueError):  # some of native code have none to read
        return
    if first is None or first.kind is first.VAR_POSITIONAL or first.name == "self":
        return
    if first.annotation in _FOR_MODELS:
        raise DefinitionError(
            f"{owner.__name__}.{attribute} has no self: its first argument, {first.name!r}, would"
            f" be the tool. Write def {attribute}(self, {first.name}: …)."
        )


#: Annotations of arguments that a model gives, as they are and as text.
_FOR_MODELS = (str, int, float, bool, list, dict, "str", "int", "float", "bool", "list", "dict")


def _made(schema: Callable[[Any], Any], tool: Any) -> Any:
    """Return what the author's function gives as the schema for a tool."""
    try:
        made = schema(tool)
    except Exception as error:  # it is foreign code
        words = "The function that is its schema was called with the tool and raised"
        raise SchemaError(f"{words} {error_text(error)}.") from error
    if made is None:
        raise SchemaError("The function that is its schema returned None; it must return one.")
    return made


def _config(config: Mapping[str, Any] | None, function: Callable[..., Any]) -> Mapping[str, Any]:
    unknown = sorted(set(config or {}) - _CONFIG_KEYS)
    if unknown:
        raise DefinitionError(
            f"@activity(config=…) of {function.__qualname__} has the unknown key"
            f" {unknown[0]!r}; it takes {', '.join(sorted(_CONFIG_KEYS))}."
        )
    return config or {}


def _checked_timeout(timeout: float | None, name: str) -> float | None:
    if timeout is None:
        return None
    if not isinstance(timeout, int | float) or not 0 < timeout <= TIMEOUT_MAX:
        raise DefinitionError(
            f"The timeout of activity {name!r} is {timeout!r}; it must be a number of seconds"
            " above 0. Leave it out where there is no limit."
        )
    return timeout


def _example(example: Example | tuple[str, Mapping[str, Any]], name: str) -> Example:
    if isinstance(example, Example):
        return example
    match example:
        case (str() as question, Mapping() as given):
            return Example(question, given)
    raise DefinitionError(
        f"An example of activity {name!r} is {example!r}; write (question, input),"
        " a text and a dict."
    )
