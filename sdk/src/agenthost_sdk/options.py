"""The options of a tool: which there are, their defaults, and whether a value fits."""

from __future__ import annotations

import copy
import inspect
import sys
import typing
from collections.abc import Collection, Iterable, Mapping
from typing import Any, ClassVar, NamedTuple, get_origin

from agenthost_sdk.errors import (
    DefinitionError,
    InvalidInput,
    OptionError,
    SchemaError,
    nearest,
)
from agenthost_sdk.schemas import output_schema

#: What TOML and JSON have in one piece; a value in parts may be meant to be shared as it is.
_SCALARS = (str, int, float, bool)

_JSON = (*_SCALARS, list, dict, type(None))


class Option(NamedTuple):
    """An option of a tool."""

    #: As its author wrote it; it may be a text.
    annotation: Any
    #: `REQUIRED` where there is none.
    default: Any
    #: The class that annotates it.
    owner: type


class _Required:
    """Stands where an option has no default."""


REQUIRED: Any = _Required()


def check_option_names(tool: type, taken: Collection[str]) -> None:
    """Refuse a class with an option that would take the place of what every tool has."""
    for name, _ in _annotations(tool):
        if name in taken:
            raise DefinitionError(
                f"The option {name!r} of {tool.__name__} would take the place of BaseTool.{name}."
                " Give it another name."
            )


def options_of(tool: type) -> dict[str, Option]:
    """Return the options of a class by name, those of its bases first."""
    options: dict[str, Option] = {}
    for base in reversed(tool.__mro__):
        for name, annotation in _annotations(base):
            if not name.startswith("_") and not _is_class_variable(annotation):
                options[name] = Option(annotation, _checked_default(tool, name), base)
    return options


def option_values(
    tool: type, given: Mapping[str, Any], unchecked: Collection[str] = ()
) -> dict[str, Any]:
    """Return the value of each option: the given one as its annotation has it, or the default.

    Args:
        tool: The class.
        given: Values by the name of the option.
        unchecked: Options that the tool checks itself.

    Raises:
        OptionError: An option is missing, unknown, or of a value that does not fit.
    """
    options = options_of(tool)
    for name in given:
        if name not in options:
            problem = unknown_option(tool.__name__, name, options)
            raise OptionError(tool.__name__, name, problem, is_known=False)
    values = {}
    for name, option in options.items():
        value = given.get(name, option.default)
        if value is REQUIRED:
            raise OptionError(tool.__name__, name, f"{tool.__name__} needs the option {name!r}.")
        is_plain = name in unchecked and name in given
        values[name] = value if is_plain else _value(tool, name, option, value)
    return values


def fitting_value(owner: type, name: str, value: Any) -> Any:
    """Return a value as a class annotates its attribute of that name.

    Raises:
        InvalidInput: It does not fit.
    """
    return _fitting(value, option_type(options_of(owner)[name]))


def unknown_option(tool: str, option: str, options: Collection[str]) -> str:
    """Return words for an option that a tool does not take, with those that it takes."""
    near = nearest(option, options)
    meant = f" Did you mean {near[0]!r}?" if near else ""
    takes = ", ".join(options) or "none"
    return f"{tool} has no option {option!r}.{meant} It takes {takes}."


def _value(tool: type, name: str, option: Option, value: Any) -> Any:
    if value is option.default:
        return _copied(value)
    try:
        return _fitting(value, option_type(option))
    except InvalidInput as error:
        problem = f"The option {name!r} of {tool.__name__} does not fit: {error}"
        raise OptionError(tool.__name__, name, problem) from error


def _copied(default: Any) -> Any:
    """Return a default for one tool alone; what cannot be copied, such as a lock, is shared."""
    try:
        return copy.deepcopy(default)
    except Exception:  # it may be any object, whose own code runs here
        return default


def _fitting(value: Any, kind: Any) -> Any:
    """Return a value as its annotation has it; one that fits already is not even copied.

    Where no schema can be made of the annotation, nothing is known, and any value is taken.

    Raises:
        InvalidInput: It does not fit.
    """
    if type(value) is kind:
        return value
    try:
        output = output_schema(kind)
    except SchemaError:
        return value
    if type(value) not in _SCALARS and _is_instance(value, kind, strict=True):
        return value
    problems = output.check(value)
    if not problems:
        return output.parse(value)
    if _is_instance(value, kind, strict=type(value) in _JSON):
        return value
    raise InvalidInput(problems)


def _is_instance(value: Any, kind: Any, *, strict: bool) -> bool:
    from pydantic import TypeAdapter, ValidationError  # few values need more than a look at them

    try:
        TypeAdapter(kind).validate_python(value, strict=strict)
    except ValidationError:
        return False
    except Exception:  # it runs code of the type's author; what it cannot judge is let through
        return True
    return True


def option_type(option: Option) -> Any:
    """Return the annotation with its names looked up; `Any` where one of them is not known."""
    module = sys.modules.get(option.owner.__module__)
    inside = {name: part for name, part in vars(option.owner).items() if isinstance(part, type)}
    holder = type("Holder", (), {"__annotations__": {"option": option.annotation}})
    try:
        hints = typing.get_type_hints(holder, vars(module), inside, include_extras=True)
        return hints["option"]
    except Exception:  # an annotation is code, and may fail in any way
        return Any


def _checked_default(tool: type, option: str) -> Any:
    default = getattr(tool, option, REQUIRED)
    if type(default).__name__ in ("Field", "FieldInfo"):  # of dataclasses, of pydantic
        raise DefinitionError(
            f"The default of option {option!r} of {tool.__name__} is a field(…). Write the"
            " default itself; each tool gets its own copy."
        )
    return default


def _annotations(base: type) -> Iterable[tuple[str, Any]]:
    if sys.version_info >= (3, 14):
        import annotationlib  # a name that only type checkers know must not stop the tool

        return annotationlib.get_annotations(base, format=annotationlib.Format.FORWARDREF).items()
    return inspect.get_annotations(base).items()


def _is_class_variable(annotation: Any) -> bool:
    if isinstance(annotation, str):
        return annotation.split(".")[-1].startswith("ClassVar")
    return annotation is ClassVar or get_origin(annotation) is ClassVar
