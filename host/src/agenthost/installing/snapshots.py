"""Remember what an environment holds, and bring it back to that."""

from __future__ import annotations

import filecmp
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from agenthost.installing.distributions import (
    Installed,
    files_of,
    installed,
    needed_by,
    plugin_distributions,
)
from agenthost.installing.installers import Installer
from agenthost.installing.processes import Process
from agenthost.installing.removing import remove_by_hand, remove_compiled
from agenthost.registry.entries import HOST

#: How many overwritten files a message names.
_MOST_TOLD = 3


class Changed(NamedTuple):
    """A distribution that is not what it was; one of the two is None where it came or went."""

    name: str
    before: Installed | None
    after: Installed | None

    @property
    def words(self) -> str:
        """What happened to it."""
        if self.before is None and self.after is not None:
            return f"{self.name} {self.after.version} is new"
        if self.before is not None and self.after is None:
            return f"{self.name} {self.before.version} is gone"
        assert self.before
        assert self.after
        if self.before.version == self.after.version:
            return f"{self.name} {self.after.version} is from {self.after.origin} now"
        return f"{self.name} {self.before.version} is {self.after.version} now"


class Snapshot(NamedTuple):
    """What was installed, with copies of those files that no installer is to be trusted with.

    These are the files of the host and of all that it needs, since an installer that finds the
    host broken may have nothing to install it from.
    """

    distributions: dict[str, Installed]
    #: The versions of the host and of what it needs.
    host: dict[str, str]
    folder: Path
    #: The copy of each file, and whose file it is.
    copies: dict[Path, tuple[Path, str]]

    def changes(self) -> list[Changed]:
        """Return what is not as it was."""
        now = installed()
        names = sorted({*self.distributions, *now})
        pairs = [Changed(name, self.distributions.get(name), now.get(name)) for name in names]
        return [pair for pair in pairs if pair.before != pair.after]

    def forget_compiled(self) -> None:
        """Have Python compile anew what is not as it was."""
        for path in files_of(one.name for one in self.changes()):
            remove_compiled(path)

    def damage(self) -> list[str]:
        """Return what was done to the host, in words; nothing where all is as it was."""
        changed = [one for one in self.changes() if one.name in self.host]
        if changed:
            return [one.words for one in changed]
        spoilt = [
            f"{path} of {owner} is overwritten"
            for path, (_, owner) in self.copies.items()
            if owner in self.host and _is_code(path) and not self._is_whole(path)
        ]
        return spoilt[:_MOST_TOLD]

    def restore(self, installer: Installer, process: Process) -> list[str]:
        """Bring everything back to what it was; return what was done, in words."""
        changes = self.changes()
        there = [one.name for one in changes if one.after is not None]
        if there:
            process.run(installer.uninstall(there))
            # What keeps every Python from starting keeps an installer from it, too.
            remove_by_hand(name for name in there if name in installed())
        owners = {owner for _, owner in self.copies.values()}
        lost = [one.before for one in changes if one.before and one.name not in owners]
        if lost:
            process.run(installer.put_back(text for one in lost for text in one.exactly))
        for path in files_of(one.name for one in changes):
            remove_compiled(path)
        mended = self.mend()
        return [*_told(changes, self.changes()), *mended]

    def mend(self) -> list[str]:
        """Bring back those files that are copied; return what was done, in words."""
        spoilt = self._spoilt()
        try:
            for path in spoilt:
                _put_back(self.copies[path][0], path)
        except OSError as error:
            return [f"Files could not be brought back: {error}."]
        owners = sorted({self.copies[path][1] for path in spoilt if _is_code(path)})
        return [f"The files of {', '.join(owners)} are as they were."] if owners else []

    def _spoilt(self) -> list[Path]:
        return [path for path in self.copies if not self._is_whole(path)]

    def _is_whole(self, path: Path) -> bool:
        try:
            return filecmp.cmp(path, self.copies[path][0])
        except OSError:
            return False


@contextmanager
def snapshot(names: Iterable[str] = (), *, going: Iterable[str] = ()) -> Iterator[Snapshot]:
    """Remember what is installed; the copies are there as long as the context lasts.

    Args:
        names: The distributions of which copies are made, beside the host and all plugins.
        going: The distributions that are to be removed, of which none are made.
    """
    known, host, leaving = installed(), needed_by(HOST), set(going)
    copied = [one for one in (*plugin_distributions(), *names, *host) if one not in leaving]
    with tempfile.TemporaryDirectory(prefix="agenthost-") as folder:
        copies = _copied(files_of(copied), Path(folder))
        yield Snapshot(known, host, Path(folder), copies)


def _copied(files: dict[Path, str], folder: Path) -> dict[Path, tuple[Path, str]]:
    copies: dict[Path, tuple[Path, str]] = {}
    for number, (path, owner) in enumerate(files.items()):
        copy = folder / str(number)
        shutil.copy2(path, copy)
        copies[path] = (copy, owner)
    return copies


def _put_back(copy: Path, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    # What is there may be a link into the cache of uv, which other environments share.
    beside = path.with_name(f".agenthost-{path.name}")
    shutil.copy2(copy, beside)
    beside.replace(path)
    remove_compiled(path)


def _is_code(path: Path) -> bool:
    """Return whether a file is of a package, and none that each installer writes in its way."""
    return path.parent.suffix != ".dist-info" and path.suffix in (".py", ".so", ".pyd")


def _told(before: list[Changed], left: list[Changed]) -> Iterator[str]:
    still = {one.name for one in left}
    undone = [one for one in before if one.name not in still]
    removed = [one.name for one in undone if one.before is None]
    returned = [f"{one.name} {one.before.version}" for one in undone if one.before]
    if removed:
        yield f"{_listed(removed)} removed again."
    if returned:
        yield f"{_listed(returned)} put back."
    if left:
        yield f"This could not be undone: {'; '.join(one.words for one in left)}."
    elif not before:
        yield "Nothing was changed."


def _listed(names: list[str]) -> str:
    return f"{', '.join(names)} {'was' if len(names) == 1 else 'were'}"
