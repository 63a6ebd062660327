"""Let a project that nobody installed look as if it were: write what an installer would write."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from urllib.request import url2pathname

from agenthost_sdk.errors import DefinitionError, NotFoundError
from agenthost_sdk.hooks import GROUP
from agenthost_sdk.testing.plugins.found import FoundPlugin, normalized


class Project(NamedTuple):
    """A folder with a pyproject.toml that makes a plugin."""

    plugins: tuple[FoundPlugin, ...]
    #: Where its packages lie; none where it was installed in editable form.
    folders: tuple[str, ...] = ()


def read_project(folder: Path) -> Project:
    """Return the plugins of a project, as its pyproject.toml names them.

    Where that leaves it to the build what they are, it must be installed in editable form.

    Raises:
        NotFoundError: There is no pyproject.toml.
        DefinitionError: It cannot be read, or names no plugin.
    """
    folder = folder.resolve()
    file = folder / "pyproject.toml"
    if not file.is_file():
        hint = f"{folder} has none. Name a project's folder, or an installed plugin."
        raise NotFoundError("file", file.name, hint=hint)
    try:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
        stated = document.get("project", {})
        points = stated.get("entry-points", {}).get(GROUP, {})
        dynamic = {"dependencies", "entry-points"} & {*stated.get("dynamic", ())}
        if dynamic or "name" not in stated:
            return _installed_from(folder, file)
        found = tuple(_plugin(stated, name, value) for name, value in points.items())
    except (ValueError, AttributeError, TypeError) as error:
        raise DefinitionError(f"{file} cannot be read: {error}") from error
    if not found:
        raise DefinitionError(
            f"{file} names no plugin. Write [project.entry-points.{GROUP}] and, under it,"
            ' NAME = "MODULE".'
        )
    return Project(found, tuple(_folders(folder, document, {plugin.top for plugin in found})))


@contextmanager
def as_if_installed(project: Project) -> Iterator[list[str]]:
    """Yield the folders that make a project's plugins be found and imported; for a `with` block.

    They come first in `sys.path`, so that an older version that is installed does not count.
    """
    if not project.folders:
        yield []
        return
    with TemporaryDirectory(prefix="agenthost-", ignore_cleanup_errors=True) as place:
        write_metadata(Path(place), project.plugins)
        yield [place, *project.folders]


def write_metadata(place: Path, plugins: tuple[FoundPlugin, ...]) -> Path:
    """Write the metadata of the distribution that has these plugins, as an installer does.

    Args:
        place: A folder that is in `sys.path`, or will be.
        plugins: One or several, of one distribution.
    """
    one = plugins[0]
    folder = place / f"{one.distribution.replace('-', '_')}-{one.version}.dist-info"
    folder.mkdir(parents=True)
    lines = ["Metadata-Version: 2.1", f"Name: {one.distribution}", f"Version: {one.version}"]
    lines += [f"Requires-Dist: {requirement}" for requirement in one.requires]
    points = [f"[{GROUP}]", *(f"{plugin.name} = {plugin.value}" for plugin in plugins)]
    (folder / "METADATA").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "entry_points.txt").write_text("\n".join(points) + "\n", encoding="utf-8")
    return folder


def _plugin(stated: Mapping[str, Any], name: str, value: str) -> FoundPlugin:
    return FoundPlugin(
        name=name,
        value=value,
        distribution=normalized(stated["name"]),
        version=str(stated.get("version", "0")),  # the build may find it out
        requires=tuple(stated.get("dependencies", ())),
    )


def _folders(folder: Path, document: Mapping[str, Any], tops: set[str]) -> Iterator[str]:
    """Yield the folders that hold the packages of entry points."""
    packages = document.get("tool", {}).get("hatch", {}).get("build", {}).get("targets", {})
    built = [folder / one for one in packages.get("wheel", {}).get("packages", ())]
    candidates = dict.fromkeys(
        [folder / "src", *(one.parent for one in built), folder, *_further(folder)]
    )
    holding = [
        str(place)
        for place in candidates
        if any((place / top).is_dir() or (place / f"{top}.py").is_file() for top in tops)
    ]
    yield from holding or [str(folder)]


def _further(folder: Path) -> Iterator[Path]:
    """Yield the folders of a project that may hold packages; each build says it in its way."""
    for one in sorted(folder.iterdir()):
        if one.is_dir() and not one.name.startswith((".", "_")) and one.name not in _NOT_SOURCES:
            yield one


#: Folders of a project that hold what was built, or what is not distributed.
_NOT_SOURCES = {"build", "dist", "docs", "tests"}


def _installed_from(folder: Path, file: Path) -> Project:
    """Return the plugins of the distribution that was installed from a folder."""
    for distribution in metadata.distributions():
        points = [point for point in distribution.entry_points if point.group == GROUP]
        if points and _origin(distribution) == folder:
            name, requires = normalized(distribution.name), tuple(distribution.requires or ())
            version = distribution.version
            found = (FoundPlugin(p.name, p.value, name, version, requires) for p in points)
            return Project(tuple(found))
    raise DefinitionError(
        f"{file} leaves its name, dependencies or entry points to the build. Install it, `pip"
        f" install -e {folder}`, and check it again."
    )


def _origin(distribution: metadata.Distribution) -> Path | None:
    """Return the folder that a distribution was installed from in editable form."""
    try:
        said = json.loads(distribution.read_text("direct_url.json") or "{}")
        if not said.get("dir_info", {}).get("editable"):
            return None
        return Path(url2pathname(urlsplit(said["url"]).path)).resolve()
    except (ValueError, KeyError, AttributeError):
        return None
