"""Find the plugins that are to be checked, run their tests, and see if their names are free."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from agenthost.cli.plugins.taken_names import taken_names
from agenthost.registry.catalog import Catalog, load_catalog
from agenthost.registry.catalog_file import plugin_folders
from agenthost.settings import Settings, parse_value
from agenthost_sdk.errors import NotFoundError, PluginError, SettingsError
from agenthost_sdk.testing.checks import CheckResult, PluginCheck, check_plugin
from agenthost_sdk.testing.conformance.faults import unseen_words
from agenthost_sdk.testing.plugins.found import FoundPlugin, installed_plugins, matching
from agenthost_sdk.testing.plugins.projects import as_if_installed, read_project


def with_options(settings: Settings, given: Sequence[str]) -> Settings:
    """Return the settings with further options of tools.

    Args:
        settings: The person's.
        given: Each as "TOOL.OPTION=VALUE".

    Raises:
        SettingsError: One is of another form.
    """
    options = {tool: dict(table) for tool, table in settings.tool_options.items()}
    for one in given:
        name, equals, text = one.partition("=")
        tool, dot, option = name.partition(".")
        if not (equals and dot and tool and option):
            raise SettingsError(f"{one!r} is no option of a tool. Write TOOL.OPTION=VALUE.")
        options.setdefault(tool, {})[option] = parse_value(f"tools.{name}", text)
    return settings._replace(tool_options=options)


def checked_plugins(
    settings: Settings, named: str, seconds: float
) -> list[tuple[FoundPlugin, PluginCheck]]:
    """Return the plugins that a name or a path means, and what came of their tests.

    Args:
        settings: The person's, with the options of tools.
        named: An installed plugin, its distribution, or the folder of a project.
        seconds: How long the tests of each may take.

    Raises:
        NotFoundError: There is no such plugin, nor such a folder.
        DefinitionError: The folder's project is no plugin, or cannot be read.
    """
    with _plugins(named) as (found, path):
        return [(one, _checked(settings, one, path, seconds)) for one in found]


@contextmanager
def _plugins(named: str) -> Iterator[tuple[Sequence[FoundPlugin], list[str]]]:
    """Yield the plugins that are meant, and the `sys.path` on which they are found."""
    path = plugin_folders()
    found = [] if _is_path(named) else matching(named, path=path)
    if found:
        yield found, path
        return
    if not os.path.isdir(named):
        words = {word for one in installed_plugins(path) for word in (one.name, one.distribution)}
        raise NotFoundError("plugin or folder", named, words)
    project = read_project(Path(named))
    with as_if_installed(project) as folders:
        yield project.plugins, [*folders, *path]


def _is_path(named: str) -> bool:
    separators = {os.sep, os.altsep or os.sep}
    return named in (os.curdir, os.pardir) or bool(separators & set(named))


def _checked(
    settings: Settings, plugin: FoundPlugin, path: list[str], seconds: float
) -> PluginCheck:
    options = settings.tool_options
    done = check_plugin(plugin, path=path, tool_options=options, seconds=seconds)
    return done._replace(results=(*done.results, _freedom(settings, plugin, done)))


def _freedom(settings: Settings, plugin: FoundPlugin, done: PluginCheck) -> CheckResult:
    result = CheckResult(f"plugin {plugin.name}", "its names are free", "passed")
    try:
        catalog = _catalog_of_others(settings, plugin.distribution)
    except PluginError as error:
        return result._replace(state="left out", message=str(error))
    names = [("plugin", plugin.name), *done.names]
    taken = list(taken_names(names, plugin.distribution, catalog))
    if taken:
        advice = (
            "Choose names of your own: who has a name first keeps it, and the other is left out."
        )
        return result._replace(state="failed", message="\n".join(taken), advice=advice)
    if done.unnamed:
        return result._replace(state="left out", message=unseen_words(done.unnamed))
    return result


def _catalog_of_others(settings: Settings, distribution: str) -> Catalog:
    """Return what is installed beside a distribution, as if that were off.

    While it is on, what it has taken from others is not listed as theirs.
    """
    catalog = load_catalog(settings)
    if not any(one.distribution == distribution for one in catalog.plugins):
        return catalog
    off = (*settings.disabled_plugins, distribution)
    return load_catalog(settings._replace(disabled_plugins=off))
