"""Choose the drivers: the ones that are named, or the best prompt driver that can be used."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeVar

from agenthost.registry.plugins import Registry
from agenthost_sdk.artifacts import error_text
from agenthost_sdk.drivers import BasePromptDriver
from agenthost_sdk.embeddings import BaseEmbeddingDriver
from agenthost_sdk.errors import (
    AgenthostError,
    NoDriverError,
    NotFoundError,
    PluginError,
    SettingsError,
)

Driver = TypeVar("Driver", bound=BasePromptDriver | BaseEmbeddingDriver)

#: The plugin whose driver needs no key.
_KEYLESS = "agenthost-plugin-local"


def chosen_driver(
    registry: Registry, named: str | None = None, environ: Mapping[str, str] = os.environ
) -> BasePromptDriver:
    """Return the driver that was named, or else the best that can be used.

    Without a name: of the drivers whose key is set the one of lowest rank, then of those that
    need no key the one of lowest rank.

    Args:
        registry: What the plugins contribute.
        named: "DRIVER" or "DRIVER:MODEL".
        environ: Where keys are looked up.

    Raises:
        NotFoundError: No driver has that name.
        NoDriverError: Nothing was named, and nothing can be used.
        SettingsError: The name is empty, or the settings give the driver a field that it does
            not have.
    """
    name = named or preferred(registry, environ)
    provider, _, model = name.partition(":")
    if not provider.strip():
        raise SettingsError(f"The model {name!r} names no driver. Write DRIVER or DRIVER:MODEL.")
    options = dict(registry.settings.driver_options.get(provider, {}))
    options |= {"model": model} if model else {}
    return _with_known(_class(registry, provider), options)


def embedding_driver(registry: Registry, named: str) -> BaseEmbeddingDriver:
    """Return the embedding driver "DRIVER" or "DRIVER:MODEL".

    Raises:
        NotFoundError: No embedding driver has that name.
        PluginError: It cannot be made.
    """
    provider, _, model = named.partition(":")
    driver = registry.embedding_class(provider)
    options: dict[str, Any] = {"model": model} if model else {}
    return _made(driver, options, f"embedding driver {provider!r}")


def preferred(registry: Registry, environ: Mapping[str, str] = os.environ) -> str:
    """Return the name of the driver that runs when none is named.

    Raises:
        NoDriverError: No driver can be used.
    """
    drivers = sorted(registry.drivers(), key=lambda driver: (driver.rank, driver.name))
    keyed = [driver for driver in drivers if driver.key_env and environ.get(driver.key_env)]
    free = [driver for driver in drivers if not driver.key_env]
    for driver in (*keyed, *free):
        return driver.name
    raise NoDriverError(_nothing_to_run_on(registry))


def _nothing_to_run_on(registry: Registry) -> str:
    """Return what a person reads when there is nothing to run on."""
    off = registry.off_hint(_KEYLESS.rpartition("-")[2])
    is_there = any(plugin.distribution == _KEYLESS for plugin in registry.catalog.plugins)
    install = "" if is_there else f"Install one that needs no key: pip install {_KEYLESS}."
    key = (
        f"{'Or set' if off or install else 'Set'} the key of a provider whose plugin is installed,"
        " such as OPENAI_API_KEY with agenthost-plugin-openai."
    )
    return " ".join(part for part in ("There is no model to run on.", off, install, key) if part)


def _with_known(driver: type[BasePromptDriver], options: dict[str, Any]) -> BasePromptDriver:
    """Return a driver with options from the settings, which may have any names."""
    known = [field.name for field in fields(driver) if field.init]
    for name in options:
        if name not in known:
            raise SettingsError(
                f"[drivers.{driver.provider}] in the settings has {name!r}, which the driver does"
                f" not take. It takes {', '.join(known)}."
            )
    return _made(driver, options, f"driver {driver.provider!r}")


def _made(driver: type[Driver], options: dict[str, Any], titled: str) -> Driver:
    """Return a driver; what its plugin raises names it."""
    try:
        return driver(**options)
    except AgenthostError:
        raise
    except Exception as error:
        raise PluginError(f"The {titled} cannot be made: {error_text(error)}.") from error


def _class(registry: Registry, provider: str) -> type[BasePromptDriver]:
    try:
        return registry.driver_class(provider)
    except NotFoundError as error:
        off = registry.off_hint(provider)
        ask = "" if off else f" Is its plugin installed? agenthost-plugin-{provider}"
        hint = f"Write DRIVER:MODEL.{ask} {off}".rstrip()
        raise NotFoundError("driver", provider, error.known, hint) from error
