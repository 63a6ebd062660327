"""The folders that a tool may touch, and which of them a path means."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from agenthost_plugin_files.folders import Folder, Kind
from agenthost_plugin_files.names import Split, split, writable
from agenthost_sdk.errors import OptionError, ToolError, shortened

#: How a root is opened: from its path, and the path by which the model knows it.
OpenRoot = Callable[[str, str], Folder]


@dataclass(frozen=True)
class Root:
    """A folder that the tool may touch, with all below it."""

    name: str
    #: Its path, in which no link is left.
    path: str
    #: Its parts as they were given, and as they are.
    spellings: tuple[Split, ...]


@dataclass(frozen=True)
class Place:
    """A file or folder in a root, which may or may not exist."""

    root: Root
    parts: tuple[str, ...]
    #: The root's part of the paths that the model knows.
    prefix: str
    open_root: OpenRoot

    @property
    def shown(self) -> str:
        """The path as the model knows it; "" for the start of each path."""
        return "/".join(part for part in (self.prefix, *self.parts) if part)

    @property
    def file_name(self) -> str:
        """Its name in the folder that holds it.

        Raises:
            ToolError: It is a root.
        """
        if not self.parts:
            raise ToolError(f"{self.shown or '.'!r} is a folder, not a file. Name a file in it.")
        return self.parts[-1]

    @property
    def parent(self) -> Place:
        """The folder that holds it."""
        return self.at(self.parts[:-1])

    def kind(self) -> Kind:
        """Return whether it is a file or a folder.

        Raises:
            ToolError: It is neither, or is reached by a link.
        """
        if not self.parts:
            return "folder"
        with self.parent.opened() as folder:
            return folder.kind(self.parts[-1])

    def at(self, parts: tuple[str, ...]) -> Place:
        """Return another place in the same root."""
        return Place(self.root, parts, self.prefix, self.open_root)

    @contextmanager
    def opened(self, *, make: bool = False) -> Iterator[Folder]:
        """Open it as a folder, from the root down.

        Args:
            make: Make the folders that do not exist.

        Raises:
            ToolError: It is no folder, or is reached by a link.
        """
        folder = self.open_root(self.root.path, self.prefix)
        try:
            for part in self.parts:
                if make and folder.find(part) is None:
                    with suppress(FileExistsError):  # another was faster
                        folder.make(part)
                inner = folder.enter(part)
                folder.close()
                folder = inner
            yield folder
        finally:
            folder.close()

    @contextmanager
    def opened_file(self) -> Iterator[BinaryIO]:
        """Open it as a file to be read.

        Raises:
            ToolError: It is no regular file, or is reached by a link.
        """
        with self.parent.opened() as folder, folder.open(self.file_name) as file:
            yield file


class Roots:
    """All folders that a tool may touch.

    Where there is one, paths are relative to it; where there are several, a path begins with the
    name of one of them.
    """

    def __init__(self, roots: Sequence[Root], open_root: OpenRoot) -> None:
        self._roots = {root.name: root for root in roots}
        self._open_root = open_root

    @property
    def names(self) -> list[str]:
        """The names of the roots."""
        return list(self._roots)

    @property
    def is_one(self) -> bool:
        """Whether there is a single root."""
        return len(self._roots) == 1

    def is_top(self, path: str) -> bool:
        """Return whether a path means what all the roots lie in, which is no folder itself."""
        return not self.is_one and split(path) == ("", ())

    def place(self, path: str) -> Place:
        """Return what a path means.

        Raises:
            ToolError: It lies outside the roots, or is no path.
        """
        found = split(os.path.expanduser(path) if path.startswith("~") else path)  # noqa: PTH111 - a Path takes no NUL
        if found.anchor:
            return self._absolute(found, path)
        if self.is_one:
            return self._in(next(iter(self._roots.values())), found.parts)
        return self._named(found.parts, path)

    def places(self, path: str) -> list[Place]:
        """Return what a path means; every root where it means none in particular."""
        if self.is_top(path):
            return [self._in(root, ()) for root in self._roots.values()]
        return [self.place(path)]

    def _absolute(self, found: Split, path: str) -> Place:
        for root in self._roots.values():
            for spelling in root.spellings:
                if _lies_in(found, spelling):
                    return self._in(root, found.parts[len(spelling.parts) :])
        raise ToolError(f"{path!r} lies outside the folders of this tool. {self._how_to_write()}")

    def _named(self, parts: tuple[str, ...], path: str) -> Place:
        root = self._roots.get(parts[0]) if parts else None
        if root is None:
            raise ToolError(f"{path!r} begins with the name of no root. {self._how_to_write()}")
        return self._in(root, parts[1:])

    def _in(self, root: Root, parts: tuple[str, ...]) -> Place:
        return Place(root, parts, "" if self.is_one else root.name, self._open_root)

    def _how_to_write(self) -> str:
        if self.is_one:
            return "Write a path relative to its folder, such as 'notes.txt'; '.' is the folder."
        example = f"{self.names[0]}/notes.txt"
        return f"Its roots are {shortened(self.names)}; write a path such as {example!r}."


def read_roots(tool: str, given: str | Sequence[str]) -> list[Root]:
    """Return the roots that an option names.

    Args:
        tool: The name of the tool's class.
        given: A folder, or a list of them.

    Raises:
        OptionError: There is none, or one of them cannot be used.
    """
    folders = [given] if isinstance(given, str) else list(given)
    if not folders:
        raise OptionError(tool, "roots", f"The option 'roots' of {tool} names no folder. {_WRITE}")
    roots: list[Root] = []
    for folder in folders:
        problem, path = _checked(folder)
        if problem:
            words = f"The option 'roots' of {tool} has {folder!r}, which {problem}"
            raise OptionError(tool, "roots", words)
        if path not in [root.path for root in roots]:
            roots.append(_root(folder, path, [root.name for root in roots]))
    return roots


_WRITE = 'Write the folders that it may touch, such as roots = ["~/notes"].'


def _checked(folder: str) -> tuple[str, str]:
    """Return what is wrong with a root, or "" and its path without links."""
    try:
        path = Path(folder).expanduser()
        if not path.is_absolute():
            return f"is not absolute. {_WRITE}", ""
        real = path.resolve(strict=True)
        if not real.is_dir():
            return "is no folder. Name the folder that holds it.", ""
        if real == Path(real.anchor):
            return f"is the whole file system. {_WRITE}", ""
        split(str(real))  # it must be such as a path can be held against
        with os.scandir(real):
            return "", str(real)
    except ToolError as error:
        return f"cannot be used: {error}", ""
    except (FileNotFoundError, NotADirectoryError):
        return "does not exist. Make the folder, or name another.", ""
    except (OSError, ValueError, RuntimeError) as error:  # no such user, a NUL, links in a circle
        reason = getattr(error, "strerror", None) or str(error)
        return f"cannot be used: {reason}.", ""


def _root(folder: str, path: str, taken: Sequence[str]) -> Root:
    given = os.path.abspath(Path(folder).expanduser())  # noqa: PTH100 - resolve() would follow links
    spellings = tuple(dict.fromkeys((split(given), split(path))))
    return Root(_free_name(given, taken), path, spellings)


def _free_name(path: str, taken: Sequence[str]) -> str:
    """Return the folder's own name; with a number where another root has that name."""
    name, number = writable(os.path.basename(path)), 2  # noqa: PTH119 - it is a text
    free = name
    while free in taken:
        free, number = f"{name}-{number}", number + 1
    return free


def _lies_in(found: Split, spelling: Split) -> bool:
    depth = len(spelling.parts)
    return _normal(found.anchor, found.parts[:depth]) == _normal(spelling.anchor, spelling.parts)


def _normal(anchor: str, parts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(os.path.normcase(part) for part in (anchor, *parts))
