"""Complete the names of tools, plugins, drivers, validators, dialects and settings.

They come from the catalog on the disk, and no plugin is imported. Where that catalog does not
hold, another process makes it anew, and the shell waits for it a moment only.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from agenthost.cli.session import Session
from agenthost.registry.catalog import Catalog, kept_catalog
from agenthost.registry.entries import HOST, DriverEntry, EmbeddingEntry, PluginRecord
from agenthost.registry.selection import enabled_tools
from agenthost.settings import SETTINGS, Settings

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

#: A name, and a line about it.
Row = tuple[str, str]

#: What click asks for the values of an argument or an option (`shell_complete`).
Completer = Callable[[click.Context, click.Parameter, str], "list[CompletionItem[str]]"]

#: How long a person waits at most for a catalog that has to be made anew.
_MOST_SECONDS = 2.0

# What a shell takes as it stands. A name is put into a person's line, where anything else might be
# run as a command.
_SAFE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.@%+/-]*")


class _Names:
    """The names that there are, by what they are the names of."""

    def __init__(self, settings: Settings, catalog: Catalog) -> None:
        self._settings = settings
        self._catalog = catalog

    def tools(self) -> Iterator[Row]:
        """Yield the tools that are on, and what they offer."""
        for owned, _ in enabled_tools(self._catalog, self._settings):
            yield owned.tool.name, owned.tool.description
        yield from self.activities()

    def activities(self) -> Iterator[Row]:
        """Yield the native names that are on."""
        for owned, paths in enabled_tools(self._catalog, self._settings):
            for one in owned.tool.activities:
                if one.path in paths:
                    yield one.native, one.description

    def plugins(self) -> Iterator[Row]:
        """Yield all plugins."""
        return map(_plugin_row, self._catalog.plugins)

    def plugins_of_others(self) -> Iterator[Row]:
        """Yield the plugins that come and go, which the host's own does not."""
        plugins = self._catalog.plugins
        return (_plugin_row(one) for one in plugins if one.distribution != HOST)

    def plugins_on(self) -> Iterator[Row]:
        """Yield the plugins that may be turned off."""
        plugins = (one for one in self._catalog.plugins if one.distribution != HOST)
        return (_plugin_row(one) for one in plugins if not one.disabled)

    def plugins_off(self) -> Iterator[Row]:
        """Yield the plugins that may be turned on."""
        return (_plugin_row(one) for one in self._catalog.plugins if one.disabled)

    def models(self) -> Iterator[Row]:
        """Yield what `-m` takes."""
        for name, (row, _) in self._catalog.drivers.items():
            yield name, row.description
        for name, driver in self._settings.servers.items():
            yield name, f"{driver}, by a name of the settings"

    def drivers(self) -> Iterator[Row]:
        """Yield the drivers of all kinds."""
        yield from self.models()
        for name, (row, _) in self._catalog.embeddings.items():
            yield name, row.description

    def keyed(self) -> Iterator[Row]:
        """Yield the drivers that need a key, and the names of the keys."""
        rows: list[DriverEntry | EmbeddingEntry] = [
            *(row for row, _ in self._catalog.drivers.values()),
            *(row for row, _ in self._catalog.embeddings.values()),
        ]
        for row in rows:
            if row.key_env:
                yield row.name, row.key_env
                yield row.key_env, f"the key of {row.name}"

    def validators(self) -> Iterator[Row]:
        """Yield the output validators."""
        for name, (row, _) in self._catalog.validators.items():
            yield name, f"{row.usage}  {row.description}"

    def dialects(self) -> Iterator[Row]:
        """Yield the reply formats."""
        for name, (row, _) in self._catalog.dialects.items():
            yield name, row.description

    def executors(self) -> Iterator[Row]:
        """Yield where activities may run."""
        for name, (row, _) in self._catalog.executors.items():
            yield name, row.description

    def settings(self) -> Iterator[Row]:
        """Yield the keys of the settings, the options of tools among them."""
        for setting in SETTINGS:
            yield setting.key, setting.meaning
        for plugin in self._catalog.plugins:
            for option in plugin.options:
                yield f"tools.{option.tool}.{option.name}", option.description or option.type


def _completer(rows: Callable[[_Names], Iterable[Row]]) -> Completer:
    def complete(
        ctx: click.Context,
        param: click.Parameter,  # noqa: ARG001 - click's signature
        incomplete: str,
    ) -> list[CompletionItem[str]]:
        options = ctx.find_root().params
        settings = Session.of(options).settings
        catalog = kept_catalog(settings) or _made_meanwhile(settings, options)
        given = {word for value in ctx.params.values() for word in _words(value)}
        found = dict(rows(_Names(settings, catalog)))
        return _items(((name, found[name]) for name in found if name not in given), incomplete)

    return complete


tool_names = _completer(_Names.tools)
activity_names = _completer(_Names.activities)
plugin_names = _completer(_Names.plugins)
setting_keys = _completer(_Names.settings)
plugins_of_others = _completer(_Names.plugins_of_others)
plugins_on = _completer(_Names.plugins_on)
plugins_off = _completer(_Names.plugins_off)
model_names = _completer(_Names.models)
driver_names = _completer(_Names.drivers)
key_names = _completer(_Names.keyed)
validator_names = _completer(_Names.validators)
dialect_names = _completer(_Names.dialects)
executor_names = _completer(_Names.executors)

_VALUES = {
    "model": model_names,
    "dialect": dialect_names,
    "executor": executor_names,
    "tools.disabled": tool_names,
    "plugins.disabled": plugin_names,
    "plugins.only": plugin_names,
    "permissions.allow": activity_names,
    "permissions.deny": activity_names,
}


def setting_values(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem[str]]:
    """Complete the names that the setting takes whose key was given before."""
    completer = _VALUES.get(ctx.params.get("key") or "")
    return completer(ctx, param, incomplete) if completer else []


def kept_keys(
    ctx: click.Context,  # noqa: ARG001 - click's signature
    param: click.Parameter,  # noqa: ARG001 - as above
    incomplete: str,
) -> list[CompletionItem[str]]:
    """Complete the names of the keys that are kept; no keyring is opened for it."""
    from agenthost.folders import find_folders  # seldom needed, like the next
    from agenthost.keys import KeyStore

    return _items(KeyStore(find_folders()).places().items(), incomplete)


def file_names(
    ctx: click.Context,  # noqa: ARG001 - click's signature
    param: click.Parameter,  # noqa: ARG001 - as above
    incomplete: str,
) -> list[CompletionItem[str]]:
    """Leave it to the shell, which knows the files."""
    from click.shell_completion import CompletionItem  # only a shell that completes needs it

    return [CompletionItem(incomplete, type="file")]


def _plugin_row(plugin: PluginRecord) -> Row:
    return plugin.name, f"{plugin.distribution} {plugin.version}"


def _words(value: object) -> Iterator[str]:
    """Yield the words that an argument or an option was given already."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        yield from (word for word in value if isinstance(word, str))


def _items(rows: Iterable[Row], incomplete: str) -> list[CompletionItem[str]]:
    from click.shell_completion import CompletionItem  # only a shell that completes needs it

    return [
        CompletionItem(name, help=_line(about))
        for name, about in rows
        if name.startswith(incomplete) and _SAFE.fullmatch(name)
    ]


def _line(text: str) -> str:
    """Return the first line of a text, without anything in it that moves a cursor."""
    first = text.strip().partition("\n")[0]
    return "".join(letter for letter in first if letter.isprintable())


def _made_meanwhile(settings: Settings, options: Mapping[str, Any]) -> Catalog:
    """Have another process make the catalog, and return it, or none where that takes long.

    The process goes on then, so that the names are there when the person presses the key again.

    Args:
        settings: Say where the catalog is.
        options: Those of `agenthost` itself, which choose the plugins.
    """
    import os  # seldom needed, like the others
    import subprocess
    import sys

    from agenthost.cli.completing import ASKED
    from agenthost.registry.rebuild import interpreter_flags

    chosen = [f"-p{one}" for one in options.get("plugins") or ()]
    chosen += [f"--functions={one}" for one in options.get("functions") or ()]
    made = subprocess.Popen(  # noqa: S603 - our own interpreter
        [sys.executable, *interpreter_flags(), "-m", "agenthost", *chosen, "tools", "list"],
        env={name: value for name, value in os.environ.items() if name != ASKED},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    with contextlib.suppress(subprocess.TimeoutExpired):
        made.wait(_MOST_SECONDS)
    return kept_catalog(settings) or Catalog(())
