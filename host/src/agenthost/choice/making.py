"""Make the driver that a name stands for, with its fields from the settings."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeVar

from agenthost.choice.fitting import Table, check_given, field_names, fitting_options
from agenthost.folders import find_folders
from agenthost.keys import KeyStore
from agenthost.registry.entries import PluginRecord
from agenthost.registry.loading import PLUGIN_FAILURES, words
from agenthost.registry.plugins import Registry
from agenthost.settings import Settings
from agenthost_sdk.drivers import BasePromptDriver
from agenthost_sdk.embeddings import BaseEmbeddingDriver
from agenthost_sdk.errors import (
    AgenthostError,
    NotFoundError,
    PluginError,
    SettingsError,
    nearest,
)
from agenthost_sdk.keys import find_key, keep_secret

Driver = TypeVar("Driver", bound=BasePromptDriver | BaseEmbeddingDriver)

#: The fields of a table that are of prompts alone, though embedding drivers have them too.
_OF_PROMPTS = ("model", "extra_params")


class Named(NamedTuple):
    """What "NAME" or "NAME:MODEL" stands for: a plugin's driver, or a server of the settings."""

    name: str
    model: str
    #: The plugin's driver: the one of that name, or the one that `[drivers.NAME]` names.
    base: str
    #: What else `[drivers.NAME]` holds.
    table: Mapping[str, Any]

    @property
    def key_env(self) -> str | None:
        """The variable that the settings give for the key."""
        return self.table.get("key_env") or self.table.get("key_name")


def read_name(settings: Settings, named: str) -> Named:
    """Return what "NAME" or "NAME:MODEL" stands for.

    Raises:
        SettingsError: The name is empty, or its table holds something other than a text for it.
    """
    name, model = (part.strip() for part in named.partition(":")[::2])
    if not name:
        raise SettingsError(f"The model {named!r} names no driver. Write DRIVER or DRIVER:MODEL.")
    table = dict(settings.driver_options.get(name, {}))
    for word in ("driver", "key_env", "key_name"):
        if not isinstance(table.get(word, ""), str):
            raise SettingsError(
                f"{_title(name)} in {_file(settings)}: {word} is {table[word]!r}; it must be a"
                " text."
            )
    return Named(name, model, table.pop("driver", "") or name, table)


def make_prompt_driver(
    registry: Registry, named: str, given: Mapping[str, Any]
) -> BasePromptDriver:
    """Make the prompt driver "DRIVER" or "DRIVER:MODEL".

    Args:
        registry: What the plugins contribute, and the settings.
        named: The driver, or a server that the settings name, and the model.
        given: Fields that go before those of the settings.

    Raises:
        NotFoundError: No driver has that name.
        SettingsError: The settings give it a field that it does not have.
        OptionError: A given field is none of its fields.
        PluginError: Its plugin fails.
    """
    wanted = read_name(registry.settings, named)
    driver = _prompt_class(registry, wanted)
    options = _with_key(registry.settings, driver, wanted.table, given)
    table = Table(_title(wanted.name), wanted.base, _file(registry.settings))
    options = fitting_options(driver, options, table)
    check_given(driver, wanted.name, given)
    options |= {"model": wanted.model} if wanted.model else {}
    options |= {"name": wanted.name} if wanted.name != wanted.base else {}
    _, plugin = registry.catalog.drivers[wanted.base]
    return _made(driver, options | dict(given), plugin)


def make_embedding_driver(registry: Registry, named: str) -> BaseEmbeddingDriver:
    """Make the embedding driver "DRIVER" or "DRIVER:MODEL".

    Of the fields that the settings give the prompt driver of that name, it takes those that say
    which server is asked and how, as far as it has them, such as `base_url` and `timeout`.

    Raises:
        NotFoundError: No embedding driver has that name.
        PluginError: Its plugin fails.
    """
    wanted = read_name(registry.settings, named)
    driver = _embedding_class(registry, wanted)
    table = _with_key(registry.settings, driver, wanted.table, {})
    shared = set(field_names(driver)).difference(_OF_PROMPTS)
    options = {name: value for name, value in table.items() if name in shared}
    where = Table(_title(wanted.name), wanted.base, _file(registry.settings))
    options = fitting_options(driver, options, where)
    options |= {"model": wanted.model} if wanted.model else {}
    if wanted.name != wanted.base and "name" in field_names(driver):
        options["name"] = wanted.name
    _, plugin = registry.catalog.embeddings[wanted.base]
    return _made(driver, options, plugin)


def key_name(settings: Settings, driver: str, key_env: str | None) -> str:
    """Return the variable that a driver's key is looked up under; "" where it needs none.

    Args:
        settings: May name another variable than the driver's own.
        driver: The driver's name.
        key_env: The driver's own variable.
    """
    return read_name(settings, driver).key_env or key_env or ""


def key_of(settings: Settings, name: str) -> str:
    """Return a key: of the environment, the settings folder's store, or this person's; or "".

    Raises:
        SettingsError: A store cannot be read.
    """
    return _kept_at_home(settings, name) or find_key(name)


def _kept_at_home(settings: Settings, name: str) -> str:
    """Return a key from the store of a home that is not this person's own."""
    if not name or os.environ.get(name, "").strip() or settings.folders == find_folders():
        return ""
    return KeyStore(settings.folders).get(name)


def _with_key(
    settings: Settings, driver: type[Driver], table: Mapping[str, Any], given: Mapping[str, Any]
) -> dict[str, Any]:
    """Return a table's fields, with what it says of the key in the form that a driver takes."""
    options, taken = dict(table), field_names(driver)
    named = options.pop("key_env", None)
    if named and "key_name" in taken:
        options.setdefault("key_name", named)
    keep_secret(str(options.get("api_key") or ""))
    if "api_key" in taken and not options.get("api_key"):
        name = options.get("key_name") or named or _own_key_env(driver, {**table, **given})
        # A driver looks its key up itself, but in no home other than this person's.
        finds_it = not named or "key_name" in taken
        key = _kept_at_home(settings, name) if finds_it else key_of(settings, name)
        options |= {"api_key": key} if key else {}
    return options


def _own_key_env(driver: type[Driver], options: Mapping[str, Any]) -> str:
    """Return the variable of a driver's key; "" where another server than its provider's is asked,
    which must not be sent that key."""
    is_elsewhere = options.get("base_url") or options.get("profile")
    return "" if is_elsewhere else driver.key_env or ""


def _made(driver: type[Driver], options: dict[str, Any], plugin: PluginRecord) -> Driver:
    """Return a driver; what its plugin raises names the plugin."""
    try:
        return driver(**options)
    except AgenthostError:
        raise
    except PLUGIN_FAILURES as error:
        raise PluginError(
            f"Plugin {plugin.title}: {driver.__name__} cannot be made: {words(error)}."
        ) from error


def _prompt_class(registry: Registry, wanted: Named) -> type[BasePromptDriver]:
    if wanted.base in registry.catalog.drivers:
        return registry.driver_class(wanted.base)
    rows = sorted(registry.drivers(), key=lambda row: row.rank)
    hint = "Write DRIVER:MODEL." if wanted.base == wanted.name else ""
    raise _unknown("driver", registry, wanted, [row.name for row in rows], hint)


def _embedding_class(registry: Registry, wanted: Named) -> type[BaseEmbeddingDriver]:
    drivers = registry.catalog.embeddings
    if wanted.base in drivers:
        return registry.embedding_class(wanted.base)
    raise _unknown("embedding driver", registry, wanted, list(drivers), "")


def _unknown(
    kind: str, registry: Registry, wanted: Named, drivers: list[str], hint: str
) -> AgenthostError:
    """Return the error for a name that no driver bears, with what the reader may do."""
    if broken := registry.catalog.broken(wanted.base):
        return PluginError(broken)
    settings = registry.settings
    table, file = _title(wanted.name), _file(settings)
    off = registry.off_hint(wanted.base)
    plugin = "" if off else f"Is its plugin, agenthost-plugin-{wanted.base}, installed?"
    if wanted.base != wanted.name:
        hints = [f"{table} in {file} names it.", plugin, off]
        return NotFoundError(kind, wanted.base, drivers, " ".join(filter(None, hints)))
    if wanted.name in settings.driver_options:
        such = f'driver = "{drivers[0]}"' if drivers else 'driver = "…"'
        missing = f"{table} in {file} does not say whose driver it is: add {such}, or another."
        return NotFoundError(kind, wanted.name, drivers, missing)
    named = [name for name, base in settings.servers.items() if base in drivers]
    known = [*drivers, *named]
    server = f"A compatible server gets that name by {table} in {file}: driver and base_url."
    is_new = not off and not nearest(wanted.name, known)
    hints = [hint, plugin, off, server if is_new else ""]
    return NotFoundError(kind, wanted.name, known, " ".join(filter(None, hints)))


def _title(name: str) -> str:
    return f"[drivers.{name}]"


def _file(settings: Settings) -> str:
    return settings.folders.settings_file
