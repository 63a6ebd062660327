"""Say of each driver what is known without importing it, and whether its key is set."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from agenthost.cli.session import Session
from agenthost.keys import KeyStore
from agenthost.registry.catalog import Catalog
from agenthost.registry.entries import DriverEntry, EmbeddingEntry, PluginRecord
from agenthost.settings import Settings
from agenthost_sdk.errors import NotFoundError

#: The keys that a person may have set, in words, by where they come from.
_WHERE = {
    "environment": "in the environment",
    "file": "in the file of keys",
    "keyring": "in the system keyring",
    "settings": "in the settings",
}


def session_rows(session: Session) -> list[dict[str, Any]]:
    """Return the rows of this person's drivers.

    Raises:
        SettingsError: The settings or the file of keys cannot be read.
    """
    kept = KeyStore(session.settings.folders).places()
    return driver_rows(session.catalog, session.settings, kept)


def driver_rows(
    catalog: Catalog, settings: Settings, kept: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Return a row for each driver; of its key no more than whether and where it is set.

    First the prompt drivers, then the servers that have a name of their own in the settings, then
    the embedding drivers.

    Args:
        catalog: What the plugins contribute.
        settings: The fields of drivers are read from them.
        kept: Where each key is kept, as `KeyStore.places` says it.
    """
    return [
        *(
            _row(name, base, "prompt", catalog.drivers[base], settings, kept)
            if base in catalog.drivers
            else _unusable(name, base, catalog, settings)
            for name, base in _prompt_names(catalog, settings)
        ),
        *(
            _row(name, name, "embedding", owned, settings, kept)
            for name, owned in catalog.embeddings.items()
        ),
    ]


def key_source(name: str, kept: Mapping[str, str]) -> str:
    """Return where a key is set: "environment", "file" or "keyring"; "" where it is not.

    Args:
        name: The variable that the key is looked up under.
        kept: Where each key is kept, as `KeyStore.places` says it.
    """
    return "environment" if os.environ.get(name, "").strip() else kept.get(name, "")


def where_words(source: str) -> str:
    """Return where a key is set, in words."""
    return _WHERE[source]


def key_words(row: Mapping[str, Any]) -> str:
    """Return a few words about the key of a driver."""
    if row["key_source"] == "settings":
        return "its key is set in the settings"
    if not row["key_env"]:
        return "no key needed"
    where = f"set, {where_words(row['key_source'])}" if row["key_set"] else "not set"
    return f"{row['key_env']} is {where}"


def _prompt_names(catalog: Catalog, settings: Settings) -> Iterator[tuple[str, str]]:
    """Yield the name of each prompt driver, and the driver behind it."""
    for name in dict.fromkeys([*catalog.drivers, *settings.driver_options]):
        base = settings.driver_options.get(name, {}).get("driver")
        if base is not None or name in catalog.drivers:
            yield name, str(name if base is None else base)


def _row(
    name: str,
    base: str,
    kind: str,
    owned: tuple[DriverEntry | EmbeddingEntry, PluginRecord],
    settings: Settings,
    kept: Mapping[str, str],
) -> dict[str, Any]:
    entry, plugin = owned
    options = settings.driver_options.get(name, {})
    named = options.get("key_env") or options.get("key_name") or entry.key_env
    key_env = None if named is None else str(named)
    source = "settings" if options.get("api_key") else key_source(key_env or "", kept)
    return {
        **entry._asdict(),
        "name": name,
        "kind": kind,
        "driver": base,
        # The model that a table names is the one that answers.
        "model": str((options.get("model") if kind == "prompt" else "") or entry.model),
        "key_env": key_env,
        "key_set": bool(source),
        "key_source": source or None,
        "plugin": plugin.name,
        "distribution": plugin.distribution,
        "version": plugin.version,
        "problem": "",
    }


def _unusable(name: str, base: str, catalog: Catalog, settings: Settings) -> dict[str, Any]:
    """Return the row of a server whose driver is not there."""
    options = settings.driver_options[name]
    fault = NotFoundError("driver", base, catalog.drivers)
    return {
        "name": name,
        "description": "",
        "model": str(options.get("model", "")),
        "key_env": options.get("key_env"),
        "kind": "prompt",
        "driver": base,
        "key_set": False,
        "key_source": None,
        "plugin": "",
        "distribution": "",
        "version": "",
        "problem": f"[drivers.{name}] in the settings cannot be used. {fault}",
    }
