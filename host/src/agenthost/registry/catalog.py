"""Keep on disk what the plugins contribute, and read it back without importing any of them.

There is one file for each set of folders on `sys.path` and of settings that matter. Whether it
still holds is seen from `stat` alone: of those folders, and of the files that decide what a
plugin contributes. A file that is old, wrong, damaged or missing is made anew, by a child process.
"""

from __future__ import annotations

import json
import os
import sys
from binascii import crc32
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

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

#: Counts the changes of the file's form; a file of another form is made anew.
FORM = 7


class OwnedTool(NamedTuple):
    """A tool of the catalog, and the plugin that contributes it."""

    tool: ToolEntry
    plugin: PluginRecord


class Help(NamedTuple):
    """What the help of the command line tells of the plugins."""

    #: Name, summary and plugin of each command that is not hidden.
    commands: Sequence[Sequence[str]]
    problems: Sequence[str]


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
    key = _key(settings)
    plugins = _read(_path(settings, key), key)
    return None if plugins is None else Catalog(plugins)


def rebuild_catalog(settings: Settings, *, refresh: bool = False) -> Catalog:
    """Ask the plugins what they contribute, write it down, and return it.

    Those that failed or changed are asked, and the others only with `refresh`.

    Raises:
        PluginError: The plugins could not be asked at all.
    """
    from agenthost.registry.rebuild import ask_plugins  # a listing from the disk needs it not

    key = _key(settings)
    watched, plugins = ask_plugins(settings, key["path"], refresh=refresh)
    catalog = Catalog(plugins)
    body = json.dumps([plugin.to_json() for plugin in plugins])
    told = {"key": key, "watched": watched, "crc": crc32(body.encode())}
    head = json.dumps({**told, "help": catalog.help()._asdict()})
    _write(_path(settings, key), f"{head}\n{body}\n")
    return catalog


def load_help(settings: Settings) -> Help:
    """Return what the help tells of the plugins, from the first line of the catalog alone.

    Raises:
        PluginError: The plugins could not be asked at all.
    """
    kept = kept_help(settings)
    return rebuild_catalog(settings).help() if kept is None else kept


def kept_help(settings: Settings) -> Help | None:
    """Return what the help tells of the plugins, and None where the catalog does not hold."""
    key = _key(settings)
    try:
        with open(_path(settings, key), "rb") as file:
            head = json.loads(file.readline())
        if head["key"] == key and still_hold(head["watched"]):
            return Help(**head["help"])
    except (OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
        pass  # it is to be made anew
    return None


def plugin_folders() -> list[str]:
    """Return the folders of `sys.path` in which plugins are looked for.

    The folder of the running program, which Python puts first, is none of them: what lies
    beside a script, or where a person happens to stand, is not installed.
    """
    folders = list(sys.path)
    if folders and not sys.flags.safe_path and folders[0] in _started_in():
        del folders[0]
    return list(dict.fromkeys(filter(None, map(_absolute, folders))))


def _started_in() -> tuple[str, ...]:
    return (
        "",
        _absolute(""),
        os.path.dirname(_absolute(sys.argv[0] if sys.argv else "", real=True)),
    )


def _absolute(path: str, *, real: bool = False) -> str:
    """Return a path as it is wherever one stands; "" where one stands in a folder that is gone."""
    try:
        return os.path.realpath(path) if real else os.path.abspath(path)
    except OSError:
        return ""


def _key(settings: Settings) -> dict[str, Any]:
    """Return all that the catalog depends on and that is known without looking at a file."""
    only = settings.only_plugins
    return {
        "form": FORM,
        "python": sys.version,
        "path": plugin_folders(),
        "disabled": sorted(settings.disabled_plugins),
        "only": None if only is None else sorted(only),
        "limits": [settings.catalog_timeout, settings.plugin_timeout],
        "file": settings.folders.settings_file,
        "options": json.loads(json.dumps(dict(settings.tool_options), default=str)),
        "aliases": dict(settings.tool_aliases),
        "choices": dict(settings.tool_choices),
        "forced": sorted(settings.forced_plugins),
    }


def _path(settings: Settings, key: dict[str, Any]) -> str:
    number = crc32(json.dumps(key).encode())
    return os.path.join(settings.folders.cache, f"catalog-{number:08x}.jsonl")


def _read(path: str, key: dict[str, Any]) -> tuple[PluginRecord, ...] | None:
    """Return the plugins in a file that holds; None for one that does not."""
    try:
        with open(path, "rb") as file:
            head, body = json.loads(file.readline()), file.readline().rstrip(b"\n")
        if head["key"] != key or head["crc"] != crc32(body) or not still_hold(head["watched"]):
            return None
        return tuple(PluginRecord.from_json(row) for row in json.loads(body))
    except (OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return None


def _write(path: str, text: str) -> None:
    from agenthost.folders import write_whole

    try:
        write_whole(path, text)
    except OSError:
        return  # nobody can write there: each command asks the plugins anew, and all else works
    _prune(os.path.dirname(path), path)


#: Catalogs of environments that are long gone are removed after so many seconds: ninety days.
_KEPT = 90 * 24 * 3600


def _prune(folder: str, current: str) -> None:
    import time
    from contextlib import suppress

    oldest = time.time() - _KEPT
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        if name.startswith(("catalog-", "answers-", ".agenthost-")) and path != current:
            with suppress(OSError):  # another process was quicker, or it is somebody else's
                if os.stat(path).st_mtime < oldest:
                    os.unlink(path)
