"""Keep on disk what the plugins contribute, and read it back without importing any of them.

There is one file for each set of folders on `sys.path` and of settings that matter. Whether it
still holds is seen from `stat` alone: of those folders, and of the files that decide what a
plugin contributes. A file that is old, wrong, damaged or missing is made anew, by a child process.
"""

from __future__ import annotations

import json
from binascii import crc32
from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

from agenthost.registry.catalog_file import UNREADABLE, Help, key_of, path_of, write
from agenthost.registry.entries import (
    CommandEntry,
    DialectEntry,
    DriverEntry,
    DriversConfigEntry,
    EmbeddingEntry,
    NamedEntry,
    PluginRecord,
    ToolEntry,
    ValidatorEntry,
)
from agenthost.registry.stamps import still_hold
from agenthost.settings import Settings


class OwnedTool(NamedTuple):
    """A tool of the catalog, and the plugin that contributes it."""

    tool: ToolEntry
    plugin: PluginRecord


class Catalog:
    """What every installed plugin contributes, in the documented order."""

    def __init__(self, plugins: tuple[PluginRecord, ...]) -> None:
        self.plugins = plugins

    @cached_property
    def tools(self) -> tuple[OwnedTool, ...]:
        """The tools of all plugins."""
        return tuple(OwnedTool(tool, plugin) for plugin in self.plugins for tool in plugin.tools)

    @cached_property
    def tool_keys(self) -> set[str]:
        """What settings may call a tool, whether or not it can be used as they stand."""
        stopped = {fault.tool for plugin in self.plugins for fault in plugin.faults if fault.tool}
        return stopped | {owned.tool.key for owned in self.tools}

    @cached_property
    def drivers(self) -> dict[str, tuple[DriverEntry, PluginRecord]]:
        """The prompt drivers by name."""
        return {row.name: (row, plugin) for plugin in self.plugins for row in plugin.drivers}

    @cached_property
    def embeddings(self) -> dict[str, tuple[EmbeddingEntry, PluginRecord]]:
        """The embedding drivers by name."""
        return {row.name: (row, plugin) for plugin in self.plugins for row in plugin.embeddings}

    @cached_property
    def drivers_configs(self) -> dict[str, tuple[DriversConfigEntry, PluginRecord]]:
        """The drivers configs by name."""
        return {
            row.name: (row, plugin) for plugin in self.plugins for row in plugin.drivers_configs
        }

    @cached_property
    def validators(self) -> dict[str, tuple[ValidatorEntry, PluginRecord]]:
        """The output validators by name."""
        return {row.name: (row, plugin) for plugin in self.plugins for row in plugin.validators}

    @cached_property
    def dialects(self) -> dict[str, tuple[DialectEntry, PluginRecord]]:
        """The dialects by name."""
        return {row.name: (row, plugin) for plugin in self.plugins for row in plugin.dialects}

    @cached_property
    def commands(self) -> dict[str, tuple[CommandEntry, PluginRecord]]:
        """The commands of plugins by name."""
        return {row.name: (row, plugin) for plugin in self.plugins for row in plugin.commands}

    @cached_property
    def executors(self) -> dict[str, tuple[NamedEntry, PluginRecord]]:
        """The executors by name."""
        return {row.name: (row, plugin) for plugin in self.plugins for row in plugin.executors}

    def help(self) -> Help:
        """Return what the help tells of the plugins."""
        shown = [
            (row.name, row.description, plugin.name)
            for row, plugin in self.commands.values()
            if not row.hidden
        ]
        return Help(shown, tuple(self.problems()))

    def stopped_by_setting(self, name: str) -> str:
        """Return what a setting does to the tool or activity of that name; "" where nothing."""
        for fault in (fault for plugin in self.plugins for fault in plugin.faults):
            if fault.tool and f"{name}_".replace(".", "_").startswith(f"{fault.tool}_"):
                return fault.text
        return ""

    def broken(self, name: str) -> str:
        """Return what is wrong with the contribution of that name; "" where nothing is."""
        for plugin in self.plugins:
            for fault in plugin.faults:
                if name and fault.name == name:
                    return next(plugin._replace(faults=(fault,)).problems())
        return ""

    def problems(self) -> Iterator[str]:
        """Yield a line for each thing that is wrong with a plugin."""
        for plugin in self.plugins:
            yield from plugin.problems()


def load_catalog(settings: Settings) -> Catalog:
    """Return the catalog from the disk, or made anew where that one does not hold.

    Raises:
        PluginError: The plugins could not be asked at all.
    """
    kept = kept_catalog(settings)
    return rebuild_catalog(settings) if kept is None else kept


def kept_catalog(settings: Settings) -> Catalog | None:
    """Return the catalog from the disk, and None where that one does not hold."""
    key = key_of(settings)
    plugins = _read(path_of(settings, key), key)
    return None if plugins is None else Catalog(plugins)


def rebuild_catalog(settings: Settings, *, refresh: bool = False) -> Catalog:
    """Ask the plugins what they contribute, write it down, and return it.

    Those that failed or changed are asked, and the others only with `refresh`.

    Raises:
        PluginError: The plugins could not be asked at all.
    """
    from agenthost.registry.rebuild import ask_plugins  # a listing from the disk needs it not

    key = key_of(settings)
    watched, plugins = ask_plugins(settings, key["path"], refresh=refresh)
    catalog = Catalog(plugins)
    body = json.dumps([plugin.to_json() for plugin in plugins])
    told = {"key": key, "watched": watched, "crc": crc32(body.encode())}
    head = json.dumps({**told, "help": catalog.help()._asdict()})
    write(path_of(settings, key), f"{head}\n{body}\n")
    return catalog


def _read(path: str, key: dict[str, Any]) -> tuple[PluginRecord, ...] | None:
    """Return the plugins in a file that holds; None for one that does not."""
    try:
        with open(path, "rb") as file:
            head, body = json.loads(file.readline()), file.readline().rstrip(b"\n")
        if head["key"] != key or head["crc"] != crc32(body) or not still_hold(head["watched"]):
            return None
        return tuple(PluginRecord.from_json(row) for row in json.loads(body))
    except UNREADABLE:
        return None
