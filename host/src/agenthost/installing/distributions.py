"""Read from the metadata of installed distributions what is there; import none of them."""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from urllib.request import url2pathname

import importlib_metadata
from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from agenthost.installing.asked import Asked, without_credentials
from agenthost_sdk.hooks import GROUP


class Installed(NamedTuple):
    """A distribution that is installed."""

    name: str
    version: str
    #: The address that it came from, without credentials; "" where it came from an index.
    url: str = ""
    editable: bool = False
    #: The commit or the digest of what came from an address.
    stamp: str = ""

    @property
    def path(self) -> str:
        """The path that it came from; "" where it came from elsewhere."""
        parts = urlsplit(self.url)
        return url2pathname(parts.path) if parts.scheme == "file" else ""

    @property
    def origin(self) -> str:
        """Where it came from, in words."""
        return (self.url or "an index") + (" (editable)" if self.editable else "")

    @property
    def asked(self) -> Asked:
        """How it is asked for, to be had from where it came from."""
        if self.path:
            return Asked(self.name, self.path, self.path, self.editable)
        return Asked(self.name, f"{self.name} @ {self.url}" if self.url else self.name)

    @property
    def exactly(self) -> list[str]:
        """What an installer takes to bring back this version."""
        if self.url:
            return self.asked.arguments
        return [f"{self.name}=={self.version}"]


def installed() -> dict[str, Installed]:
    """Return every distribution by its name; those whose metadata are damaged are left out."""
    return {name: _row(name, one) for name, one in _distributions().items()}


def needed_by(name: str) -> dict[str, str]:
    """Return the versions of a distribution and of all that it needs and that is installed.

    Of its own extras, what is installed belongs to it; of those of others, what it asks for.
    """
    known = _distributions()
    if name not in known:
        return {}
    left = [(name, frozenset(known[name].said.get_all("Provides-Extra") or ()))]
    seen = set(left)
    while left:
        one, extras = left.pop()
        for wanted in _required(known[one], extras):
            if wanted[0] in known and wanted not in seen:
                seen.add(wanted)
                left.append(wanted)
    return {one: known[one].version for one, _ in seen}


def constraints_of(name: str) -> list[str]:
    """Return the lines that hold a distribution, and all that it needs, to what is installed."""
    return sorted(f"{one}=={version}" for one, version in needed_by(name).items())


def plugin_distributions() -> list[str]:
    """Return the names of the distributions that have an entry point for a plugin."""
    return [name for name, one in _distributions().items() if _is_plugin(one)]


def files_of(names: Iterable[str]) -> dict[Path, str]:
    """Return the files of some distributions, and the name of the distribution of each."""
    known = _distributions()
    return {path: name for name in names if name in known for path in _files(known[name])}


def requirements_of(name: str) -> list[str]:
    """Return what a distribution requires, as its metadata say it."""
    found = _distributions().get(name)
    return _requires(found) if found else []


def facts_of(name: str) -> dict[str, str]:
    """Return what the metadata of a distribution say of it, and where it lies."""
    found = _distributions().get(name)
    if found is None:
        return {}
    said = found.said
    stated = {field: str(said[key] or "") for field, key in _FACTS.items() if key in said}
    return {**stated, "location": str(found.distribution.locate_file(""))}


_FACTS = {"summary": "Summary", "license": "License-Expression", "home": "Home-page"}


class _Found(NamedTuple):
    """A distribution with its metadata, which are read anew whenever it is asked for them."""

    distribution: Any
    said: Any

    @property
    def version(self) -> str:
        return str(self.said["Version"])


def _distributions() -> dict[str, _Found]:
    importlib.invalidate_caches()
    found: dict[str, _Found] = {}
    for one in importlib_metadata.distributions():
        try:
            said = one.metadata
            name = canonicalize_name(said["Name"])
        except Exception:  # noqa: S112 - damaged metadata of some distribution is not our matter
            continue
        if name and said["Version"]:
            # The first on the path is the one that is imported.
            found.setdefault(name, _Found(one, said))
    return found


def _row(name: str, one: _Found) -> Installed:
    try:
        origin = json.loads(one.distribution.read_text("direct_url.json") or "{}")
        url = without_credentials(str(origin.get("url") or ""))
        folder = origin.get("dir_info") or {}
        vcs = origin.get("vcs_info") or {}
        if vcs:
            url = f"{vcs.get('vcs', 'git')}+{url}"
        stamp = str(vcs.get("commit_id") or (origin.get("archive_info") or {}).get("hash") or "")
        return Installed(name, one.version, url, bool(folder.get("editable")), stamp)
    except (ValueError, AttributeError):
        return Installed(name, one.version)


def _is_plugin(one: _Found) -> bool:
    try:
        return any(point.group == GROUP for point in one.distribution.entry_points)
    except Exception:  # damaged metadata of some distribution is not our matter
        return False


def _required(one: _Found, extras: frozenset[str]) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the names of what a distribution requires here, and the extras that it asks for."""
    for text in _requires(one):
        try:
            requirement = Requirement(text)
        except InvalidRequirement:  # what no installer can read binds nobody
            continue
        marker = requirement.marker
        if marker is None or any(marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            yield canonicalize_name(requirement.name), frozenset(requirement.extras)


def _requires(one: _Found) -> list[str]:
    return list(one.said.get_all("Requires-Dist") or ())


def _files(one: _Found) -> Iterator[Path]:
    for file in one.distribution.files or ():
        # A link is one of the environment's files; what it leads to may be in the cache of uv.
        path = Path(os.path.abspath(str(one.distribution.locate_file(file))))  # noqa: PTH100
        if path.suffix != ".pyc" and path.is_file():
            yield path
