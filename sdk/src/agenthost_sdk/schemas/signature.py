"""Make an activity's input from the signature of a function and its docstring."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, NotRequired, Required, get_args, get_origin

import typing_extensions
from pydantic import Field
from pydantic.fields import FieldInfo
from typing_extensions import Doc

from agenthost_sdk.errors import SchemaError
from agenthost_sdk.schemas.annotations import Taken, docstring_of, parameters_of, title_of
from agenthost_sdk.schemas.calls import arranged
from agenthost_sdk.schemas.defaults import with_defaults
from agenthost_sdk.schemas.docstrings import Documentation, read_docstring
from agenthost_sdk.schemas.inputs import Arguments, Input
from agenthost_sdk.schemas.local_times import LOCAL_TIMES
from agenthost_sdk.schemas.typed import Typed
from agenthost_sdk.schemas.typed_dicts import fields_of, portable, record_of

_REST = inspect.Parameter.VAR_POSITIONAL
_EXTRA = inspect.Parameter.VAR_KEYWORD
_EMPTY = inspect.Parameter.empty

#: In Python 3.11 the two are not the same.
_UNPACKS = (typing.Unpack, typing_extensions.Unpack)


def signature_input(function: Callable[..., Any], owner: type | None, skip_first: bool) -> Input:
    """Return what a function takes; see `input_of_signature`."""
    taken = parameters_of(function, owner, skip_first)
    words = read_docstring(docstring_of(function, owner))
    keys = list(_keys(taken, words))
    typed = _typed(keys, taken, function)
    defaults = {key.published: key.default for key in keys if key.has_plain_default}

    def parse(value: dict[str, Any]) -> Arguments:
        return arranged(taken, typed.parse(value))

    schema = with_defaults(typed.schema, defaults)
    return Input(schema, words.description, parse, own_formats=LOCAL_TIMES)


@dataclass(frozen=True)
class _Key:
    """A parameter as it is published."""

    name: str
    annotation: Any
    required: bool
    default: Any = _EMPTY

    @property
    def published(self) -> str:
        """The key in JSON: the alias that a `Field` gives, else the parameter's name."""
        aliases = (info.validation_alias for info in _infos(self.annotation))
        return next((alias for alias in aliases if isinstance(alias, str)), self.name)

    @property
    def has_plain_default(self) -> bool:
        """Whether the signature itself has a default; one in a `Field` is pydantic's affair."""
        return self.default is not _EMPTY and not isinstance(self.default, FieldInfo)

    @property
    def qualified(self) -> Any:
        return Required[self.annotation] if self.required else NotRequired[self.annotation]


def _keys(taken: Iterable[Taken], words: Documentation) -> Iterator[_Key]:
    for parameter in taken:
        if parameter.kind is _EXTRA:
            yield from _unpacked(parameter.annotation, words)
        elif parameter.kind is _REST:
            item: Any = portable(parameter.annotation)
            described = _described(list[item], words.parameters.get(parameter.name, ""))
            yield _Key(parameter.name, described, required=False)
        else:
            yield _key(parameter, words.parameters.get(parameter.name, ""))


def _key(parameter: Taken, words: str) -> _Key:
    annotation, default = portable(parameter.annotation), parameter.default
    if isinstance(default, FieldInfo):
        annotation = Annotated[annotation, default]
    in_field = any(not info.is_required() for info in _infos(annotation))
    required = not in_field and (default is _EMPTY or isinstance(default, FieldInfo))
    if in_field and default is not _EMPTY and not isinstance(default, FieldInfo):
        annotation = Annotated[annotation, Field(default=default)]  # the signature's goes first
    return _Key(parameter.name, _described(annotation, words), required, default)


def _unpacked(annotation: Any, words: Documentation) -> Iterator[_Key]:
    """Yield the keys of `**kwargs: Unpack[SomeTypedDict]`."""
    if get_origin(annotation) in _UNPACKS:
        for name, hint in fields_of(get_args(annotation)[0]).items():
            described = _described(portable(get_args(hint)[0]), words.parameters.get(name, ""))
            yield _Key(name, described, get_origin(hint) is Required)


def _described(annotation: Any, words: str) -> Any:
    """Return an annotation that bears its description; the author's `Field` has the first word."""
    if any(info.description for info in _infos(annotation)):
        return annotation
    texts = [note.documentation if isinstance(note, Doc) else note for note in _notes(annotation)]
    described = next((text for text in texts if isinstance(text, str)), words)
    return Annotated[annotation, Field(description=described)] if described else annotation


def _infos(annotation: Any) -> list[FieldInfo]:
    return [note for note in _notes(annotation) if isinstance(note, FieldInfo)]


def _notes(annotation: Any) -> Sequence[Any]:
    return get_args(annotation)[1:] if get_origin(annotation) is Annotated else ()


def _typed(keys: list[_Key], taken: list[Taken], function: Callable[..., Any]) -> Typed:
    fields = {key.name: key.qualified for key in keys}
    extra = next((parameter.annotation for parameter in taken if parameter.kind is _EXTRA), None)
    try:
        return Typed(_record(fields, None if get_origin(extra) in _UNPACKS else extra))
    except SchemaError:
        for key in keys:
            _blame(key, function)
        raise


def _record(fields: Mapping[str, Any], extra: Any) -> Any:
    """Return a TypedDict of the keys: unlike a model, it has no names of its own to collide with.

    Args:
        fields: The annotations of the keys.
        extra: The annotation of further keys, None where there may be none.
    """
    if extra is None:
        return record_of("Input", fields, closed=True)
    return record_of("Input", fields, extra_items=portable(extra))


def _blame(key: _Key, function: Callable[..., Any]) -> None:
    """Raise for a parameter that has no JSON Schema, naming it and its function."""
    try:
        Typed(key.annotation)
    except SchemaError as error:
        raise SchemaError(
            f"Parameter {key.name!r} of {title_of(function)} cannot come from JSON. {error}"
            " Annotate it with a type that can (such as str, a dataclass or a pydantic model)."
        ) from error
