"""What a folder inside a root does: enter, list, open and change, one plain name at a time."""

from __future__ import annotations

import os
import stat
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import islice
from typing import BinaryIO, Literal, Self

from agenthost_plugin_files.failures import told
from agenthost_sdk.errors import ToolError, nearest

Kind = Literal["file", "folder", "link", "other"]

#: A fifo that took a file's place must not keep the opener waiting.
_WITHOUT_WAITING = getattr(os, "O_NONBLOCK", 0)

#: Names that are compared with one that does not exist.
_NAMES = 1_000

#: Set in the tag of a reparse point that stands for another name: a link or a junction.
_NAME_SURROGATE = 0x2000_0000


@dataclass(frozen=True)
class Entry:
    """What a folder holds under one name; a link is not followed."""

    name: str
    kind: Kind
    size: int
    modified: float


class Folder(ABC):
    """An open folder inside a root.

    Each name is a single part of a path. What bears it is never followed if it is a link: not
    even where the link takes the place of a file or folder after it was looked at.

    Args:
        shown: The folder's path as the model knows it; "" where that is the start of each path.
    """

    def __init__(self, shown: str) -> None:
        self.shown = shown

    def path_of(self, name: str) -> str:
        """Return the path of what the folder holds, as the model knows it."""
        return f"{self.shown}/{name}" if self.shown else name

    def enter(self, name: str) -> Folder:
        """Open a folder in this one.

        Raises:
            ToolError: It is no folder, or may not be opened.
        """
        with told(self.path_of(name)):
            self.check("folder", self._look_up(name), name)
            return self._enter(name)

    def open(self, name: str) -> BinaryIO:
        """Open a file of this folder to be read.

        Raises:
            ToolError: It is no regular file, or may not be opened.
        """
        with told(self.path_of(name)):
            self.check("file", self._look_up(name), name)  # to open a device may do something
            descriptor = self._open(name, os.O_RDONLY | _WITHOUT_WAITING)
            file = os.fdopen(descriptor, "rb")
        try:
            self.check("file", os.fstat(descriptor), name)
        except BaseException:
            file.close()
            raise
        return file

    def create(self, name: str, mode: int) -> BinaryIO:
        """Make a new file to be written; an `OSError` says that there is one already."""
        descriptor = self._open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        return os.fdopen(descriptor, "wb")

    def entries(self) -> Iterator[Entry]:
        """Yield what the folder holds, in the system's order."""
        with told(self.shown), self._scan() as found:
            for one in found:
                try:
                    status = one.stat(follow_symlinks=False)
                except OSError:  # it is gone, or this user may not look at it
                    continue
                yield Entry(one.name, kind_of(status), status.st_size, status.st_mtime)

    def kind(self, name: str) -> Kind:
        """Return whether a file or a folder bears a name.

        Raises:
            ToolError: Neither does.
        """
        with told(self.path_of(name)):
            kind = kind_of(self._look_up(name))
        if kind in ("link", "other"):
            raise ToolError(_not_a("file", kind, self.path_of(name)))
        return kind

    def check(self, wanted: Kind, status: os.stat_result, name: str) -> None:
        """Refuse what is of another kind than was asked for.

        Raises:
            ToolError: It is.
        """
        found = kind_of(status)
        if found != wanted:
            raise ToolError(_not_a(wanted, found, self.path_of(name)))

    def find(self, name: str) -> os.stat_result | None:
        """Return what is known of an entry; None where there is none of that name."""
        with told(self.path_of(name)):
            try:
                return self.status(name)
            except FileNotFoundError:
                return None

    @abstractmethod
    def status(self, name: str) -> os.stat_result:
        """Return what the system knows of an entry, without following a link."""

    @abstractmethod
    def make(self, name: str) -> None:
        """Make a folder in this one."""

    @abstractmethod
    def replace(self, source: str, target: str) -> None:
        """Give an entry another name, in the place of what bore it."""

    @abstractmethod
    def remove(self, name: str) -> None:
        """Remove a file."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the folder."""

    @abstractmethod
    def _enter(self, name: str) -> Folder: ...

    @abstractmethod
    def _open(self, name: str, flags: int, mode: int = 0) -> int: ...

    @abstractmethod
    def _scan(self) -> AbstractContextManager[Iterator[os.DirEntry[str]]]: ...

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _look_up(self, name: str) -> os.stat_result:
        try:
            return self.status(name)
        except FileNotFoundError as error:
            names = [entry.name for entry in islice(self.entries(), _NAMES)]
            near = [self.path_of(one) for one in nearest(name, names)]
            meant = f" Did you mean {' or '.join(map(repr, near))}?" if near else ""
            words = f"There is no file or folder {self.path_of(name)!r}.{meant}"
            raise ToolError(words) from error


def kind_of(status: os.stat_result) -> Kind:
    """Return what a status tells of: a device, a fifo or a socket is "other"."""
    is_surrogate = getattr(status, "st_reparse_tag", 0) & _NAME_SURROGATE
    if stat.S_ISLNK(status.st_mode) or is_surrogate:
        return "link"
    if stat.S_ISDIR(status.st_mode):
        return "folder"
    return "file" if stat.S_ISREG(status.st_mode) else "other"


def _not_a(wanted: Kind, found: Kind, path: str) -> str:
    """Return words for what is of another kind than the one that was asked for."""
    if found == "link":
        return f"{path!r} is a link; links are not followed, wherever they lead."
    if found == "other":
        return f"{path!r} is a device, a pipe or a socket, not a {wanted}."
    return f"{path!r} is a {found}, not a {wanted}."
