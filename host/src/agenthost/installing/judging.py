"""Judge what a change did to the plugins: those that it brought, and those that were there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from agenthost.registry.catalog import load_catalog
from agenthost.registry.entries import PluginRecord
from agenthost.settings import Settings
from agenthost_sdk.errors import AgenthostError
from agenthost_sdk.hooks import GROUP


def known_plugins(settings: Settings) -> tuple[PluginRecord, ...]:
    """Return what is known of the plugins; nothing where they cannot be asked."""
    try:
        return load_catalog(settings).plugins
    except AgenthostError:
        return ()


class Judge:
    """Knows how the plugins were before.

    Args:
        before: What was known of them.
    """

    def __init__(self, before: Iterable[PluginRecord]) -> None:
        self._before = {(plugin.distribution, plugin.name): plugin for plugin in before}

    def defects(self, names: Sequence[str], plugins: Sequence[PluginRecord]) -> list[str]:
        """Return in words what does not work.

        Args:
            names: The distributions that were asked for.
            plugins: What came of asking every plugin.
        """
        return [
            *(_no_plugin(name) for name in names if not _of(name, plugins)),
            *(f"{p.title} does not work: {_fault(p)}" for p in _failed(names, plugins)),
            *self.spoilt(names, plugins),
        ]

    def losses(self, plugins: Iterable[PluginRecord]) -> Iterator[str]:
        """Yield a line for each new conflict over a name."""
        for plugin in plugins:
            before = self._before.get((plugin.distribution, plugin.name))
            known = {fault.text for fault in before.faults} if before else set()
            for fault in plugin.faults:
                if fault.kind == "conflict" and fault.text not in known:
                    yield f"Plugin {plugin.title}: {fault.text}"

    def spoilt(self, names: Sequence[str], plugins: Iterable[PluginRecord]) -> Iterator[str]:
        """Yield a line for each plugin that worked before; those of these distributions apart."""
        for plugin in plugins:
            before = self._before.get((plugin.distribution, plugin.name))
            worked = before is not None and not before.is_defect and not before.disabled
            if worked and plugin.is_defect and plugin.distribution not in names:
                yield f"{plugin.title} worked before, and now: {_fault(plugin)}"


def _of(name: str, plugins: Iterable[PluginRecord]) -> list[PluginRecord]:
    return [plugin for plugin in plugins if plugin.distribution == name]


def _failed(names: Sequence[str], plugins: Iterable[PluginRecord]) -> list[PluginRecord]:
    return [plugin for plugin in plugins if plugin.distribution in names and plugin.is_defect]


def _fault(plugin: PluginRecord) -> str:
    """Return what is wrong, without the advice to turn off what is removed in any case."""
    said = " ".join(fault.text for fault in plugin.faults if fault.kind in ("failed", "version"))
    return re.sub(r"(?<=[.!?]) [^.!?]*`agenthost plugins disable [^`]*`\.", "", said)


def _no_plugin(name: str) -> str:
    return (
        f"{name} has no entry point in the group {GROUP!r}, so it is no plugin, or its author"
        f" forgot the table [project.entry-points.{GROUP}] in its pyproject.toml."
    )
