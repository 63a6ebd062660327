"""Make an output validator of NAME or NAME:PARAMETERS."""

from __future__ import annotations

import re
from collections.abc import Callable

from agenthost.registry.entries import PluginRecord, ValidatorEntry
from agenthost.registry.loading import PLUGIN_FAILURES, words
from agenthost_sdk.errors import AgenthostError, DefinitionError, PluginError, SettingsError
from agenthost_sdk.validators import BaseOutputValidator

#: What a validator raises, or the code that it calls, for parameters that cannot be read.
_UNREADABLE = (DefinitionError, SettingsError, ValueError, OSError, re.error)


def parted(named: str) -> tuple[str, str | None]:
    """Return a validator's name, and its parameters: all that stands behind the first colon."""
    name, colon, parameters = named.partition(":")
    return name.strip(), parameters if colon else None


def make_validator(
    entry: ValidatorEntry,
    plugin: PluginRecord,
    factory: Callable[..., BaseOutputValidator],
    parameters: str | None,
) -> BaseOutputValidator:
    """Make a validator; it is called with nothing, or with its parameters as one text.

    Raises:
        SettingsError: It needs parameters, takes none, or cannot read these.
        PluginError: It cannot be made, whatever it is given.
    """
    _check_given(entry, parameters)
    try:
        made: object = factory() if parameters is None else factory(parameters)
    except PLUGIN_FAILURES as error:
        if entry.parameters and isinstance(error, _UNREADABLE):
            is_written = isinstance(error, AgenthostError) or type(error) is ValueError
            said = str(error) if is_written and str(error).strip() else words(error)
            raise SettingsError(_wrong(entry, parameters, said)) from error
        raise PluginError(f"{_title(entry, plugin)} cannot be made: {words(error)}.") from error
    if not isinstance(made, BaseOutputValidator):
        gave = f"gave {type(made).__name__}, which is no BaseOutputValidator"
        raise PluginError(f"{_title(entry, plugin)} {gave}.")
    return made


def _check_given(entry: ValidatorEntry, parameters: str | None) -> None:
    if parameters is None and entry.parameters and not entry.parameters.startswith("["):
        raise SettingsError(f"The output validator {entry.name!r} needs parameters. {_how(entry)}")
    if parameters is not None and not entry.parameters:
        raise SettingsError(
            f"The output validator {entry.name!r} takes no parameters, and {parameters!r} was"
            f" given. Write {entry.name!r} alone."
        )


def _wrong(entry: ValidatorEntry, parameters: str | None, said: str) -> str:
    given = "without parameters" if parameters is None else f"with {parameters!r:.200}"
    return (
        f"The output validator {entry.name!r} cannot be made {given}:"
        f" {' '.join(said.split()).rstrip('.')}. {_how(entry)}"
    )


def _how(entry: ValidatorEntry) -> str:
    example = f", such as '{entry.name}:{entry.example}'" if entry.example else ""
    return f"It is written {entry.usage}{example}."


def _title(entry: ValidatorEntry, plugin: PluginRecord) -> str:
    return f"Plugin {plugin.title}: output validator {entry.name!r}"
