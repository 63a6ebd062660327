"""Folders by their paths, checked before and after each use, where none can be held (Windows)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Self

from agenthost_plugin_files.failures import told
from agenthost_plugin_files.folders import Folder, kind_of
from agenthost_sdk.errors import ToolError

_FLAGS = getattr(os, "O_BINARY", 0) | getattr(os, "O_NOINHERIT", 0) | getattr(os, "O_NOFOLLOW", 0)


class CheckedFolder(Folder):
    """A folder by its path, which is looked at before and after what it holds is used.

    Whoever swaps folders for links again and again may, with luck, come between two looks; a
    descriptor as in `HeldFolder` would not be fooled, but Python has none on Windows.
    """

    def __init__(self, path: str, shown: str) -> None:
        super().__init__(shown)
        self._path = path

    @classmethod
    def at(cls, path: str, shown: str) -> Self:
        """Open a root; the links in its own path were resolved when the tool was made."""
        folder = cls(path, shown)
        with told(shown):
            os.stat(path)  # noqa: PTH116 - it may be gone
            folder._check_way()
        return folder

    def status(self, name: str) -> os.stat_result:
        """Return what the system knows of an entry, without following a link."""
        self._check_way()
        return os.lstat(self._inside(name))

    def make(self, name: str) -> None:
        """Make a folder in this one."""
        self._check_way()
        os.mkdir(self._inside(name))  # noqa: PTH102 - a path's text is all there is here

    def replace(self, source: str, target: str) -> None:
        """Give an entry another name, in the place of what bore it."""
        self._check_way()
        os.replace(self._inside(source), self._inside(target))  # noqa: PTH105 - likewise

    def remove(self, name: str) -> None:
        """Remove a file."""
        self._check_way()
        os.unlink(self._inside(name))  # noqa: PTH108 - likewise

    def close(self) -> None:
        """Do nothing: nothing is held."""

    def _enter(self, name: str) -> Self:
        real = os.path.realpath(self._inside(name))
        if os.path.normcase(os.path.dirname(real)) != os.path.normcase(self._path):  # noqa: PTH120 - likewise
            raise ToolError(f"{self.path_of(name)!r} leads elsewhere; links are not followed.")
        return type(self)(real, self.path_of(name))

    def _open(self, name: str, flags: int, mode: int = 0) -> int:
        self._check_way()
        descriptor = os.open(self._inside(name), flags | _FLAGS, mode)
        try:
            self._check_opened(descriptor, name)
        except BaseException:
            os.close(descriptor)
            raise
        return descriptor

    def _scan(self) -> AbstractContextManager[Iterator[os.DirEntry[str]]]:
        self._check_way()
        return os.scandir(self._path)

    def _check_opened(self, descriptor: int, name: str) -> None:
        """Refuse a file that is not the one which now bears the name in this folder."""
        now = self.status(name)
        if kind_of(now) == "link" or not os.path.samestat(now, os.fstat(descriptor)):
            raise ToolError(f"{self.path_of(name)!r} was exchanged while it was opened.")

    def _check_way(self) -> None:
        """Refuse to go on where a link took the place of a folder on the way here."""
        if os.path.normcase(os.path.realpath(self._path)) != os.path.normcase(self._path):
            raise ToolError(f"{self.shown or '.'!r} is reached by a link; links are not followed.")

    def _inside(self, name: str) -> str:
        return os.path.join(self._path, name)  # noqa: PTH118 - likewise
