"""`Registry`: the plugins of a run, each imported when something of it is used."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from agenthost.registry.catalog import Catalog, OwnedTool, load_catalog
from agenthost.registry.describing import event_listeners, make_guard
from agenthost.registry.entries import DriverEntry, PluginRecord
from agenthost.registry.loading import PLUGIN_FAILURES, LoadedPlugin, words
from agenthost.registry.making import Options, ToolMaker, source_name, tool_makers
from agenthost.registry.selection import (
    Wanted,
    given_here,
    off_hint,
    select,
    select_activity,
)
from agenthost.registry.validators import make_validator, parted
from agenthost.settings import Settings
from agenthost_sdk.dialects import BaseDialect
from agenthost_sdk.drivers import BasePromptDriver
from agenthost_sdk.drivers_config import DriversConfig
from agenthost_sdk.embeddings import BaseEmbeddingDriver
from agenthost_sdk.errors import AgenthostError, NotFoundError, PluginError, SettingsError
from agenthost_sdk.guards import BaseActionGuard
from agenthost_sdk.tools import BaseTool
from agenthost_sdk.validators import BaseOutputValidator

if TYPE_CHECKING:
    import click


class LoadedTool(NamedTuple):
    """A tool that was made, and where it comes from."""

    tool: BaseTool
    #: The distribution, such as "agenthost-plugin-calculator".
    origin: str
    #: The entry point's name, such as "calculator".
    plugin: str


class Registry:
    """What the installed plugins contribute. Names come from the catalog; a plugin is imported
    once, when something of it is first used. One registry serves many threads.

    A plugin that fails when it is imported is reported by `problems` and left out, unless
    something of it was asked for by name.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._lock = threading.RLock()
        self._loaded: dict[tuple[str, str, str], tuple[PluginRecord, LoadedPlugin]] = {}
        self._makers: dict[LoadedPlugin, list[ToolMaker]] = {}
        self._problems: list[str] = []

    @cached_property
    def catalog(self) -> Catalog:
        """What the plugins contribute, known without importing them.

        Raises:
            PluginError: The plugins could not be asked at all.
        """
        return load_catalog(self.settings)

    def problems(self) -> list[str]:
        """Return a line for each thing that is wrong with a plugin, as far as is known."""
        met = [line for record, plugin in self._loaded.values() for line in _told(record, plugin)]
        return list(dict.fromkeys([*self.catalog.problems(), *met, *self._problems]))

    def off_hint(self, name: str) -> str:
        """Return which plugins are turned off that may have what bears a name."""
        return off_hint(self.catalog, self.settings, name)

    def lacking(self, kind: str, name: str, known: Iterable[str]) -> AgenthostError:
        """Return the error for a name that nothing bears, or only what a plugin failed to give."""
        broken = self.catalog.broken(name)
        return (
            PluginError(broken)
            if broken
            else NotFoundError(kind, name, known, self.off_hint(name))
        )

    def tools(self, selection: Sequence[str] | None = None) -> list[LoadedTool]:
        """Make the tools of a selection, with their options from the settings.

        Args:
            selection: Names of tools, of plugins, or of single activities by native name. All
                enabled tools where it is None.

        Raises:
            NotFoundError: A name that nothing bears, or that settings turned off.
            PluginError: Something that was asked for by name cannot be had from its plugin.
        """
        wanted = select(self.catalog, self.settings, selection)
        made = [self._made(want, asked=selection is not None) for want in wanted]
        return [tool for tool in made if tool is not None]

    def tool_of(self, native: str) -> LoadedTool:
        """Make the tool of one activity, with that activity alone on offer.

        Raises:
            NotFoundError: No activity that settings leave on has that native name.
            PluginError: It cannot be had from its plugin.
        """
        return self._make(select_activity(self.catalog, self.settings, native))

    def drivers(self) -> list[DriverEntry]:
        """Return what is known of each prompt driver; none is imported."""
        return [row for row, _ in self.catalog.drivers.values()]

    def driver_class(self, name: str) -> type[BasePromptDriver]:
        """Import a prompt driver.

        Raises:
            NotFoundError: No driver has that name.
            PluginError: Its plugin cannot be imported any more.
        """
        found = self._named("driver", name, self.catalog.drivers, "agenthost_prompt_drivers")
        driver: type[BasePromptDriver] = found
        return driver

    def embedding_class(self, name: str) -> type[BaseEmbeddingDriver]:
        """Import an embedding driver.

        Raises:
            NotFoundError: No embedding driver has that name.
            PluginError: Its plugin cannot be imported any more.
        """
        hook = "agenthost_embedding_drivers"
        found = self._named("embedding driver", name, self.catalog.embeddings, hook)
        driver: type[BaseEmbeddingDriver] = found
        return driver

    def drivers_config_class(self, name: str) -> type[DriversConfig]:
        """Import a drivers config.

        Raises:
            NotFoundError: No drivers config has that name.
            PluginError: Its plugin cannot be imported any more.
        """
        hook = "agenthost_drivers_configs"
        found = self._named("drivers config", name, self.catalog.drivers_configs, hook)
        config: type[DriversConfig] = found
        return config

    def validator(self, name: str) -> Callable[..., BaseOutputValidator]:
        """Import an output validator; the caller makes it.

        Raises:
            NotFoundError: No validator has that name.
            PluginError: Its plugin cannot be imported any more.
        """
        hook = "agenthost_output_validators"
        found = self._named("output validator", name, self.catalog.validators, hook)
        validator: Callable[..., BaseOutputValidator] = found
        return validator

    def make_validator(self, named: str) -> BaseOutputValidator:
        """Make the output validator "NAME" or "NAME:PARAMETERS".

        Raises:
            NotFoundError: No validator has that name.
            PluginError: It cannot be had from its plugin.
            SettingsError: It needs parameters, takes none, or cannot read these.
        """
        name, parameters = parted(named)
        factory = self.validator(name)
        entry, record = self.catalog.validators[name]
        return make_validator(entry, record, factory, parameters)

    def dialects(self) -> dict[str, type[BaseDialect]]:
        """Import all dialects, and return them by name."""
        found: dict[str, type[BaseDialect]] = {}
        for name, (_, record) in self.catalog.dialects.items():
            for dialect in self._plugin(record).listed("agenthost_dialects"):
                if getattr(dialect, "name", "") == name:
                    found[name] = dialect
        return found

    def listeners(self) -> list[Callable[[Any], Any]]:
        """Import the plugins that listen to events, and return their listeners."""
        hook = "agenthost_event_listeners"
        listening = [record for record in self.catalog.plugins if hook in record.hooks]
        return [one for record in listening for one in event_listeners(self._plugin(record))]

    def guards(self) -> list[BaseActionGuard]:
        """Import the plugins that guard actions, and make their guards in the documented order.

        One that could not be made when its plugin was asked is a problem of that, and left out.

        Raises:
            PluginError: One that could be made then cannot be now; nothing runs without it unseen.
        """
        hook = "agenthost_action_guards"
        guarding = [record for record in self.catalog.plugins if hook in record.hooks]
        return [guard for record in guarding for guard in self._guards(record)]

    def _guards(self, record: PluginRecord) -> list[BaseActionGuard]:
        plugin = self._plugin(record)
        made = list(_made_guards(plugin))
        names = {type(guard).__name__ for guard in made}
        for row in record.guards:
            if row.name not in names:
                raise PluginError(self._missing(record, plugin, f"guard {row.name!r}"))
        return made

    def command(self, name: str) -> click.Command:
        """Import a command.

        Raises:
            NotFoundError: No plugin has a command of that name.
            PluginError: Its plugin cannot be imported any more.
        """
        known = self.catalog.commands
        if name not in known:
            raise self.lacking("command", name, known)
        _, record = known[name]
        plugin = self._plugin(record)
        for command in plugin.listed("agenthost_commands"):
            if getattr(command, "name", None) == name:
                found: click.Command = command
                return found
        raise PluginError(self._missing(record, plugin, f"command {name!r}"))

    def executor(self, name: str) -> Executor:
        """Make an executor; whoever asks for it shuts it down.

        Raises:
            NotFoundError: No executor has that name.
            PluginError: It cannot be made.
        """
        make = self._named("executor", name, self.catalog.executors, "agenthost_executors")
        try:
            made = make()
            if not isinstance(made, Executor):
                raise TypeError(f"it gave {type(made).__name__}, which is no Executor")
        except PLUGIN_FAILURES as error:
            _, record = self.catalog.executors[name]
            title = f"Plugin {record.title}: executor {name!r}"
            raise PluginError(f"{title} cannot be made: {words(error)}.") from error
        return made

    def _named(self, kind: str, name: str, known: dict[str, Any], hook: str) -> Any:
        if name not in known:
            raise self.lacking(kind, name, known)
        _, record = known[name]
        plugin = self._plugin(record)
        found = plugin.mapped(hook)
        if name not in found:
            raise PluginError(self._missing(record, plugin, f"{kind} {name!r}"))
        return found[name]

    def _made(self, wanted: Wanted, *, asked: bool) -> LoadedTool | None:
        try:
            return self._make(wanted)
        except (PluginError, SettingsError) as error:
            if asked:
                raise
            self._problems.append(str(error))
            return None

    def _make(self, wanted: Wanted) -> LoadedTool:
        owned = wanted.owned
        plugin = self._plugin(owned.plugin)
        try:
            tool = self._maker(owned, plugin).make(self._options)
            _narrow(tool, wanted.paths)
        except PLUGIN_FAILURES as error:
            if isinstance(error, PluginError | SettingsError):
                raise
            title = f"Plugin {owned.plugin.title}: tool {owned.tool.name!r}"
            raise PluginError(f"{title} cannot be made: {words(error)}.") from error
        return LoadedTool(tool, owned.plugin.distribution, owned.plugin.name)

    @property
    def _options(self) -> Options:
        settings = self.settings
        file = settings.folders.settings_file
        here = dict(given_here(settings))
        return Options(settings.tool_options, file, settings.tool_aliases, here)

    def _maker(self, owned: OwnedTool, plugin: LoadedPlugin) -> ToolMaker:
        sought = (owned.tool.key, owned.tool.place)
        with self._lock:
            if plugin not in self._makers:
                aliases = self.settings.tool_aliases
                made = tool_makers(plugin, owned.plugin.distribution, aliases)
                self._makers[plugin] = made
        for maker in self._makers[plugin]:
            if (maker.key, maker.place) == sought:
                return maker
        raise PluginError(self._missing(owned.plugin, plugin, f"tool {owned.tool.name!r}"))

    def _plugin(self, record: PluginRecord) -> LoadedPlugin:
        key = (record.distribution, record.name, record.value)
        with self._lock:
            if key not in self._loaded:
                self._loaded[key] = (record, LoadedPlugin(record.name, record.value))
            return self._loaded[key][1]

    def _missing(self, record: PluginRecord, plugin: LoadedPlugin, what: str) -> str:
        for line in _told(record, plugin):
            return line
        return f"Plugin {record.title} has no {what} any more; it had when it was asked last."


def _told(record: PluginRecord, plugin: LoadedPlugin) -> Iterator[str]:
    """Yield a line for each thing that went wrong with a plugin in this process."""
    yield from record._replace(faults=tuple(plugin.faults)).problems()


def _made_guards(plugin: LoadedPlugin) -> Iterator[BaseActionGuard]:
    for source in plugin.listed("agenthost_action_guards"):
        try:
            yield make_guard(source)
        except PLUGIN_FAILURES as error:
            plugin.fail(f"guard {source_name(source)} cannot be used: {words(error)}.", error)


def _narrow(tool: BaseTool, paths: Sequence[str]) -> None:
    """Leave only these activities on offer, at dispatch too."""
    if list(tool.activities) != list(paths):
        tool.allowlist = list(paths)
        for cached in ("activities", "inputs"):
            vars(tool).pop(cached, None)
