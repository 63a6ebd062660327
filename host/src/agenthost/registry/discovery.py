"""Find the installed plugins by their entry points; import none of them.

The order is fixed: the host's own first, then by distribution, then by entry point. Who comes
first keeps a name that two plugins want.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from importlib.util import find_spec
from typing import Any, NamedTuple

import importlib_metadata

from agenthost.registry.entries import HOST
from agenthost.registry.versions import OURS
from agenthost_sdk.hooks import GROUP

#: What the sources of an editable install are watched for, at most.
_MOST_SOURCES = 400


#: How the names of files end that a package is made of, and of data that it reads.
_DECIDING = (".py", ".json", ".toml", ".yaml", ".yml")


class FoundPlugin(NamedTuple):
    """An entry point of the group `agenthost`, not loaded."""

    name: str
    distribution: str
    version: str
    value: str
    #: The file that names the entry point; "" where it has none.
    metadata: str = ""
    editable: bool = False
    #: What its distribution asks of ours, such as "agenthost-sdk>=0.1,<0.2".
    requires: tuple[str, ...] = ()
    #: The metadata of what else it asks for; a plugin that works without it today may not later.
    needs: tuple[str, ...] = ()


def find_plugins() -> list[FoundPlugin]:
    """Return every plugin on `sys.path`, each once, in the documented order."""
    found = {(p.distribution, p.name, p.value): p for p in _all_plugins(_installed())}
    return sorted(found.values(), key=lambda p: (p.distribution != HOST, p.distribution, p.name))


def sources_of(value: str, editable: bool) -> Iterator[str]:
    """Yield the files that decide what a plugin contributes, as far as they can be told.

    An editable install is looked at file by file, and folder by folder for what comes and goes;
    of others only the module that the entry point names, since an installer's work shows in the
    folder that it installs into.

    Args:
        value: The entry point's value.
        editable: Whether the plugin is installed in editable form.
    """
    top = value.partition(":")[0].partition(".")[0].strip()
    try:
        spec = find_spec(top) if top else None
    except (ImportError, ValueError, AttributeError):  # a broken module in its place
        return
    if spec is None:
        return
    folders = list(spec.submodule_search_locations or ()) if editable else []
    if not folders and spec.origin and os.path.isfile(spec.origin):
        yield spec.origin
    for count, path in enumerate(_inside(folders)):
        if count == _MOST_SOURCES:
            return
        yield path


def _installed() -> dict[str, Any]:
    """Return every distribution by its name; of two, the first on the path, which is imported."""
    found: dict[str, Any] = {}
    for distribution in importlib_metadata.distributions():
        with contextlib.suppress(Exception):  # damaged metadata is not our matter
            if _is_installed(distribution):
                found.setdefault(_normalized(_name(distribution)), distribution)
    return found


def _is_installed(distribution: Any) -> bool:
    """Return whether it is no remnant: pip puts a "~" before what it could not take away."""
    if os.path.basename(_metadata_folder(distribution)).startswith("~"):
        return False
    try:
        return distribution.metadata is not None
    except FileNotFoundError:  # a folder that is left of an older version, or of a plugin
        return bool(distribution.entry_points)
    except Exception:  # the plugin can still be loaded
        return True


def _all_plugins(installed: Mapping[str, Any]) -> Iterator[FoundPlugin]:
    for name, distribution in installed.items():
        with contextlib.suppress(Exception):  # as above
            for plugin in _plugins_of(name, distribution):
                yield plugin._replace(needs=tuple(_needs(distribution, installed)))


def _needs(distribution: Any, installed: Mapping[str, Any]) -> Iterator[str]:
    """Yield the metadata of what a distribution asks for, as far as it is there."""
    for name, _ in _requirements(distribution):
        if name in installed and name not in OURS:
            folder = _metadata_folder(installed[name])
            if folder:
                yield os.path.join(folder, "METADATA")


def _plugins_of(name: str, distribution: Any) -> Iterator[FoundPlugin]:
    points = list(distribution.entry_points.select(group=GROUP))
    if not points:
        return
    version = _version(distribution)
    folder = _metadata_folder(distribution)
    metadata = os.path.join(folder, "entry_points.txt") if folder else ""
    editable = _is_editable(distribution)
    requires = tuple(text for needed, text in _requirements(distribution) if needed in OURS)
    for point in points:
        yield FoundPlugin(point.name, name, version, point.value, metadata, editable, requires)


def _name(distribution: Any) -> str:
    with contextlib.suppress(Exception):  # without METADATA its folder names it
        if distribution.name:
            return str(distribution.name)
    return os.path.basename(_metadata_folder(distribution)).partition("-")[0]


def _metadata_folder(distribution: Any) -> str:
    # Nothing public tells where the metadata lies.
    return str(getattr(distribution, "_path", ""))


def _normalized(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _version(distribution: importlib_metadata.Distribution) -> str:
    try:
        return distribution.version or "?"
    except Exception:  # without METADATA the plugin can still be loaded
        return "?"


def _requirements(
    distribution: importlib_metadata.Distribution,
) -> Iterator[tuple[str, str]]:
    """Yield what a distribution asks for: the name, and the whole requirement."""
    try:
        requirements = distribution.requires or ()
    except Exception:  # without METADATA nobody knows what it asks for
        return
    for requirement in requirements:
        name = re.match(r"[\w.-]+", requirement)
        if name:
            yield _normalized(name[0]), requirement


def _is_editable(distribution: importlib_metadata.Distribution) -> bool:
    try:
        origin = json.loads(distribution.read_text("direct_url.json") or "{}")
        return bool(origin.get("dir_info", {}).get("editable"))
    except (ValueError, AttributeError):
        return False


def _inside(folders: Iterable[str]) -> Iterator[str]:
    for folder in folders:
        for parent, below, files in os.walk(folder):
            below[:] = sorted(name for name in below if name != "__pycache__")
            yield parent
            deciding = (name for name in sorted(files) if name.endswith(_DECIDING))
            yield from (os.path.join(parent, name) for name in deciding)
