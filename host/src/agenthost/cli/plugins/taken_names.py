"""Say which names of a plugin another installed plugin, or `agenthost` itself, has already."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from agenthost.registry.catalog import Catalog
from agenthost.registry.entries import PluginRecord
from agenthost.registry.host_commands import HOST_COMMANDS


def taken_names(
    names: Iterable[tuple[str, str]], distribution: str, catalog: Catalog
) -> Iterator[str]:
    """Yield a line for each name that is not free.

    Args:
        names: The kind and the name of each thing that a plugin contributes under a name.
        distribution: The plugin's own, whose names are no obstacle.
        catalog: What the installed plugins contribute; of those that are off nothing is known.
    """
    owners = {("command", name): "agenthost itself" for name in HOST_COMMANDS}
    for plugin in catalog.plugins:
        if plugin.distribution != distribution:
            for kind, name in _names(plugin):
                owners.setdefault((kind, name), f"{plugin.distribution} {plugin.version}")
    for kind, name in dict.fromkeys(names):
        if (kind, name) in owners:
            yield f"The {kind} {name!r} belongs to {owners[kind, name]}."


def _names(plugin: PluginRecord) -> Iterator[tuple[str, str]]:
    """Yield what a plugin contributes, by the kinds that `agenthost_sdk.testing` knows."""
    yield "plugin", plugin.name
    for tool in plugin.tools:
        yield "tool", tool.name
        yield from (("native name", activity.native) for activity in tool.activities)
    kinds: Mapping[str, Sequence[Any]] = {
        "prompt driver": plugin.drivers,
        "embedding driver": plugin.embeddings,
        "drivers config": plugin.drivers_configs,
        "output validator": plugin.validators,
        "dialect": plugin.dialects,
        "command": plugin.commands,
        "executor": plugin.executors,
    }
    for kind, rows in kinds.items():
        yield from ((kind, row.name) for row in rows)
