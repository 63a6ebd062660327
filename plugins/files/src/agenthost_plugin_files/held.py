"""Folders held open, so that nothing is looked up by a path that may change (Linux, macOS)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Self

from agenthost_plugin_files.failures import told
from agenthost_plugin_files.folders import Folder

#: Windows has neither, and none of its folders is opened here.
_FOLDER = getattr(os, "O_DIRECTORY", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)

#: Whether the system does by an open folder all that is done here.
CAN_HOLD = (
    bool(_FOLDER and _NO_LINK)
    and {os.open, os.stat, os.mkdir, os.rename, os.unlink} <= os.supports_dir_fd
    and os.scandir in os.supports_fd
)


class HeldFolder(Folder):
    """A folder by its descriptor: what is opened in it is found from there, and is no link."""

    def __init__(self, descriptor: int, shown: str) -> None:
        super().__init__(shown)
        self._descriptor = descriptor

    @classmethod
    def at(cls, path: str, shown: str) -> Self:
        """Open a root; the links in its own path were resolved when the tool was made."""
        with told(shown):
            return cls(os.open(path, os.O_RDONLY | _FOLDER | _NO_LINK), shown)

    def status(self, name: str) -> os.stat_result:
        """Return what the system knows of an entry, without following a link."""
        return os.stat(name, dir_fd=self._descriptor, follow_symlinks=False)

    def make(self, name: str) -> None:
        """Make a folder in this one."""
        os.mkdir(name, dir_fd=self._descriptor)

    def replace(self, source: str, target: str) -> None:
        """Give an entry another name, in the place of what bore it."""
        here = self._descriptor
        os.replace(source, target, src_dir_fd=here, dst_dir_fd=here)

    def remove(self, name: str) -> None:
        """Remove a file."""
        os.unlink(name, dir_fd=self._descriptor)

    def close(self) -> None:
        """Close the descriptor."""
        os.close(self._descriptor)

    def _enter(self, name: str) -> Self:
        return type(self)(self._open(name, os.O_RDONLY | _FOLDER), self.path_of(name))

    def _open(self, name: str, flags: int, mode: int = 0) -> int:
        return os.open(name, flags | _NO_LINK, mode, dir_fd=self._descriptor)

    def _scan(self) -> AbstractContextManager[Iterator[os.DirEntry[str]]]:
        return os.scandir(self._descriptor)
