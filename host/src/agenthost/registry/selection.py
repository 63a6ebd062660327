"""Choose tools of the catalog by name: a tool, a plugin, or a single activity."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from agenthost.registry.catalog import Catalog, OwnedTool
from agenthost.registry.entries import PluginRecord
from agenthost.settings import Settings
from agenthost_sdk.errors import NotFoundError, PluginError, SettingsError

#: How many plugins that are off a message names.
_MOST_OFF = 5


class Wanted(NamedTuple):
    """A tool of the selection, and which of its activities are on offer."""

    owned: OwnedTool
    paths: tuple[str, ...]


def select(
    catalog: Catalog, settings: Settings, names: Sequence[str] | None = None
) -> list[Wanted]:
    """Return the tools that the names stand for, each once; all enabled ones without names.

    Raises:
        NotFoundError: A name that nothing bears, or that settings turned off.
        PluginError: The name of a plugin that failed and contributes no tool.
    """
    enabled = list(enabled_tools(catalog, settings))
    found = enabled if names is None else _named(catalog, settings, enabled, names)
    chosen: dict[str, Wanted] = {}
    for owned, paths in found:
        earlier = chosen[owned.tool.name].paths if owned.tool.name in chosen else ()
        chosen[owned.tool.name] = Wanted(owned, _in_order(owned, {*earlier, *paths}))
    return list(chosen.values())


def select_activity(catalog: Catalog, settings: Settings, native: str) -> Wanted:
    """Return the tool that an activity belongs to, with that activity alone.

    Raises:
        NotFoundError: No activity that settings leave on has that native name.
    """
    found = {
        activity.native: Wanted(owned, (activity.path,))
        for owned, paths in enabled_tools(catalog, settings)
        for activity in owned.tool.activities
        if activity.path in paths
    }
    if native not in found:
        raise NotFoundError("activity", native, found, _hint(catalog, settings, native))
    return found[native]


def enabled_tools(catalog: Catalog, settings: Settings) -> Iterator[Wanted]:
    """Yield every tool that settings leave on, with the activities that they leave on."""
    disabled = set(settings.disabled_tools)
    for owned in catalog.tools:
        if disabled.isdisjoint((owned.tool.name, owned.tool.key)):
            left = [a.path for a in owned.tool.activities if a.native not in disabled]
            if left:
                yield Wanted(owned, tuple(left))


def off_hint(catalog: Catalog, settings: Settings, name: str) -> str:
    """Return which plugins are turned off that may have what bears a name; "" where none is.

    What a plugin that is off contributes is not known, since it is not imported. One whose own
    name is like the one asked for is named alone.
    """
    off = [plugin for plugin in catalog.plugins if plugin.disabled]
    alike = [plugin for plugin in off if name.casefold().startswith(plugin.name.casefold())]
    return " ".join(off_words(plugin, settings) for plugin in (alike or off)[:_MOST_OFF])


def off_words(plugin: PluginRecord, settings: Settings) -> str:
    """Say that a plugin is turned off, and how to turn it on."""
    if {plugin.name, plugin.distribution}.isdisjoint(settings.disabled_plugins):
        where = settings.sources.get("plugins.only", "the settings")
        return f"The plugin {plugin.name} is left out by plugins.only in {where}."
    where = settings.sources.get("plugins.disabled", "")
    if where == "-p" or where.isupper():  # an option or a variable, which go before the file
        return f"The plugin {plugin.name} is turned off by {where}."
    enable = f"agenthost plugins enable {plugin.name}"
    return f"The plugin {plugin.name} is turned off: `{enable}`."


def given_here(settings: Settings) -> Iterator[tuple[str, str]]:
    """Yield the tools whose options come from an option of this call, and that option."""
    for key, where in settings.sources.items():
        table, _, tool = key.partition(".")
        if table == "tools" and tool in settings.tool_options and where.startswith("-"):
            yield tool, where


def unmatched_settings(catalog: Catalog, settings: Settings) -> Iterator[str]:
    """Yield a line for each setting that is about a plugin or a tool that is not there."""
    yield from _unmatched_plugins(catalog, settings)
    yield from _unmatched_options(catalog, settings)
    yield from _unmatched_names(catalog, settings)


def _unmatched_plugins(catalog: Catalog, settings: Settings) -> Iterator[str]:
    known = sorted({name for plugin in catalog.plugins for name in _both(plugin)})
    for key, named in (
        ("plugins.only", settings.only_plugins or ()),
        ("plugins.disabled", settings.disabled_plugins),
    ):
        where = settings.sources.get(key, "the settings")
        for name in named:
            # One that is off may well be gone; but this call means one that is there, and so
            # does who writes a distribution's name in another way.
            is_meant = key == "plugins.only" or where == "-p" or _hyphened(name) in known
            if name not in known and is_meant:
                yield f"{NotFoundError('plugin', name, known)} It is named by {where}."


def _hyphened(name: str) -> str:
    return name.replace("_", "-").lower()


def _unmatched_options(catalog: Catalog, settings: Settings) -> Iterator[str]:
    """Yield a line for each table of tool options that belongs to no tool.

    Where a plugin is off or failed, the options may be its own, and nothing is said.
    """
    if all(plugin.state in ("ok", "conflict", "unset") for plugin in catalog.plugins):
        known = catalog.tool_keys
        for key, given in settings.tool_options.items():
            if given and key not in known:
                error = NotFoundError("tool", key, known)
                yield (
                    f"{settings.folders.settings_file} has options for [tools.{key}]. {error}"
                    f" Take them out: `agenthost config set tools.{key} --unset`."
                )


def _unmatched_names(catalog: Catalog, settings: Settings) -> Iterator[str]:
    """Yield a line for each choice and each alias that comes to nothing."""
    owned = {(name, tool.name) for tool, plugin in catalog.tools for name in _both(plugin)}
    for tool, plugin in settings.tool_choices.items():
        if (plugin, tool) not in owned:
            yield from _unmatched_name(catalog, settings, ("choose", tool), (plugin, tool))
    for alias, target in settings.tool_aliases.items():
        if alias not in catalog.tool_keys:
            plugin, _, tool = target.rpartition(":")
            yield from _unmatched_name(catalog, settings, ("alias", alias), (plugin, tool))


def _unmatched_name(
    catalog: Catalog, settings: Settings, key: tuple[str, str], wanted: tuple[str, str]
) -> Iterator[str]:
    table, name = key
    plugin, tool = wanted
    bearing = [one for one in catalog.plugins if plugin in _both(one)]
    if not plugin:
        wrong = "It must be PLUGIN:TOOL."
    elif not bearing:
        wrong = str(NotFoundError("plugin", plugin, (one.name for one in catalog.plugins)))
    elif any(one.disabled or one.is_defect or repr(name) in one.error for one in bearing):
        return  # what it has is not known, or was told already
    else:
        names = (each.key if table == "alias" else each.name for each in bearing[0].tools)
        keys = [each for each in names if each not in settings.tool_aliases]
        wrong = str(NotFoundError(f"tool of {plugin}", tool, keys))
    given = settings.tool_choices if table == "choose" else settings.tool_aliases
    yield (
        f"{settings.folders.settings_file}: tools.{table}.{name} is {given[name]!r}. {wrong}"
        f" Take it out: `agenthost config set tools.{table}.{name} --unset`."
    )


def _both(plugin: PluginRecord) -> tuple[str, str]:
    return plugin.name, plugin.distribution


def _named(
    catalog: Catalog, settings: Settings, enabled: list[Wanted], names: Sequence[str]
) -> Iterator[Wanted]:
    for name in names:
        matching = list(_matching(enabled, name))
        if not matching:
            _refuse(catalog, settings, enabled, name)
        yield from matching


def _matching(enabled: list[Wanted], name: str) -> Iterator[Wanted]:
    for wanted in enabled:
        tool, plugin = wanted.owned
        if name == tool.name:
            yield wanted
            return
    for wanted in enabled:
        tool, plugin = wanted.owned
        natives = {activity.native: activity.path for activity in tool.activities}
        if natives.get(name) in wanted.paths:
            yield Wanted(wanted.owned, (natives[name],))
        elif name in (plugin.name, plugin.distribution):
            yield wanted


def _refuse(catalog: Catalog, settings: Settings, enabled: list[Wanted], name: str) -> None:
    stopped = catalog.stopped_by_setting(name)
    if stopped:
        raise SettingsError(stopped)
    for plugin in catalog.plugins:
        if name in (plugin.name, plugin.distribution) and plugin.faults:
            if not plugin.is_defect:
                raise SettingsError(next(iter(plugin.problems())))
            raise PluginError(next(iter(plugin.problems())))
    known = sorted(_names(enabled))
    if broken := catalog.broken(name):
        raise PluginError(broken)
    raise NotFoundError("tool", name, known, _hint(catalog, settings, name))


def _names(enabled: list[Wanted]) -> Iterator[str]:
    for wanted in enabled:
        tool, plugin = wanted.owned
        yield tool.name
        yield plugin.name
        yield from (a.native for a in tool.activities if a.path in wanted.paths)


def _hint(catalog: Catalog, settings: Settings, name: str) -> str:
    for plugin in catalog.plugins:
        if plugin.disabled and name in (plugin.name, plugin.distribution):
            return off_words(plugin, settings)
    for tool, _ in catalog.tools:
        natives = [activity.native for activity in tool.activities]
        if name in (tool.name, *natives):
            where = settings.sources.get("tools.disabled", "the settings")
            return f"It is turned off by tools.disabled in {where}."
    return off_hint(catalog, settings, name)


def _in_order(owned: OwnedTool, paths: set[str]) -> tuple[str, ...]:
    return tuple(a.path for a in owned.tool.activities if a.path in paths)
