"""Hold what the settings, or a caller, give a driver against the fields that it has."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any, NamedTuple, TypeVar

from agenthost_sdk.drivers import BasePromptDriver
from agenthost_sdk.embeddings import BaseEmbeddingDriver
from agenthost_sdk.errors import InvalidInput, OptionError, SettingsError, nearest
from agenthost_sdk.options import fitting_value

Driver = TypeVar("Driver", bound=BasePromptDriver | BaseEmbeddingDriver)

#: What a table may say in place of these fields, which are not for the settings.
IN_TABLES = {"name": "driver", "key_name": "key_env"}

#: Fields whose values no settings file can hold.
_OF_CODE = ("ignored_exception_types",)


class Table(NamedTuple):
    """A table of the settings: what it is called, the driver that it is for, and its file."""

    title: str
    driver: str
    file: str


def field_names(driver: type[Driver]) -> list[str]:
    """Return the names of the fields that a driver is made with."""
    return [one.name for one in fields(driver) if one.init]


def fitting_options(
    driver: type[Driver], options: Mapping[str, Any], table: Table
) -> dict[str, Any]:
    """Return what a table gives a driver, in the form that its fields have.

    Raises:
        SettingsError: The driver has no such field, or the value does not fit it.
    """
    known = [name for name in field_names(driver) if name != "name"]
    listed = ["driver", *(IN_TABLES.get(name, name) for name in known)]
    for name in options:
        if name not in known:
            raise SettingsError(
                f"{table.title} in {table.file} has {name!r}, which the driver {table.driver!r}"
                f" does not take.{_meant(name, listed)} It takes {', '.join(listed)}."
            )
    return dict(_fitting(driver, options, table))


def check_given(driver: type[Driver], title: str, given: Mapping[str, Any]) -> None:
    """Refuse a field that a caller gives and the driver does not have.

    Raises:
        OptionError: There is one.
    """
    known = [name for name in field_names(driver) if name != "name"]
    for name in given:
        if name not in known:
            raise OptionError(
                driver.__name__,
                name,
                f"The driver {title!r} takes no {name!r}.{_meant(name, known)} It takes"
                f" {', '.join(known)}.",
                is_known=False,
            )


def _fitting(
    driver: type[Driver], options: Mapping[str, Any], table: Table
) -> Iterator[tuple[str, Any]]:
    hidden = {one.name for one in fields(driver) if not one.repr}
    for name, value in options.items():
        try:
            _check_settable(name, value)
            yield name, fitting_value(driver, name, value)
        except InvalidInput as error:
            why = "The value is of the wrong kind." if name in hidden else str(error)
            shown = IN_TABLES.get(name, name)
            raise SettingsError(
                f"{table.title} in {table.file}: {shown} does not fit. {why}"
            ) from None  # what was raised holds the value


def _check_settable(name: str, value: Any) -> None:
    """Refuse what code alone can give, and what TOML has and the JSON of a request has not."""
    if name in _OF_CODE:
        raise InvalidInput(["It can only be given in code."])
    try:
        json.dumps(value)
    except TypeError:
        words = "A date or a time in it is no JSON value; put it between quotes."
        raise InvalidInput([words]) from None


def _meant(name: str, known: list[str]) -> str:
    near = nearest(name, known, most=1)
    return f" Did you mean {near[0]!r}?" if near else ""
