"""Find an installed plugin by its name, and import nothing of it."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from importlib import metadata
from typing import NamedTuple

from agenthost_sdk.errors import nearest, shortened
from agenthost_sdk.hooks import GROUP


class FoundPlugin(NamedTuple):
    """An entry point of the group `agenthost`, and the distribution that has it."""

    name: str
    #: What it names, such as "agenthost_plugin_text".
    value: str
    distribution: str
    version: str
    #: What the distribution requires, such as "agenthost-sdk>=0.1,<0.2".
    requires: tuple[str, ...] = ()

    @property
    def module(self) -> str:
        """The module that the entry point names."""
        return self.value.partition(":")[0].strip()

    @property
    def top(self) -> str:
        """The top-level package of that module."""
        return self.module.partition(".")[0]


def installed_plugins(path: Sequence[str] | None = None) -> list[FoundPlugin]:
    """Return every plugin; of a distribution that is there twice, the first.

    Args:
        path: Where they are looked for; in `sys.path` where it is not given.
    """
    seen: set[str] = set()
    found: list[FoundPlugin] = []
    for distribution in metadata.distributions(path=list(sys.path if path is None else path)):
        points = [point for point in _entry_points(distribution) if point.group == GROUP]
        name = normalized(distribution.name or "") if points else ""
        if name and name not in seen:
            seen.add(name)
            requires = tuple(distribution.requires or ())
            found += (
                FoundPlugin(point.name, point.value, name, distribution.version, requires)
                for point in points
            )
    return sorted(found, key=lambda plugin: (plugin.distribution, plugin.name))


def matching(
    named: str, distribution: str = "", path: Sequence[str] | None = None
) -> list[FoundPlugin]:
    """Return the plugins whose entry point or distribution has that name.

    Args:
        named: The name of an entry point or of a distribution.
        distribution: Only those of this distribution, where it is given.
        path: Where they are looked for; in `sys.path` where it is not given.
    """
    return [
        plugin
        for plugin in installed_plugins(path)
        if (named == plugin.name or normalized(named) == plugin.distribution)
        and (not distribution or normalized(distribution) == plugin.distribution)
    ]


def not_found_words(named: str) -> str:
    """Say that no plugin has that name, and which one may have been meant."""
    known = [name for one in installed_plugins() for name in (one.name, one.distribution)]
    near = nearest(named, known)
    meant = f" Did you mean {' or '.join(map(repr, near))}?" if near else ""
    installed = f" Installed: {shortened(sorted(set(known)))}." if known else ""
    return f"No plugin named {named!r} is installed.{meant}{installed}"


def normalized(name: str) -> str:
    """Return the name of a distribution as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _entry_points(distribution: metadata.Distribution) -> Iterable[metadata.EntryPoint]:
    try:
        return distribution.entry_points
    except Exception:  # damaged metadata of some distribution is not our matter
        return ()
