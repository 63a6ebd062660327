"""Let one process at a time change what is installed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from agenthost.folders import Folders
from agenthost.installing.processes import InstallerFailedError, Tell
from agenthost_sdk.errors import SettingsError

if TYPE_CHECKING:
    from filelock import FileLock

#: How many seconds another process has to end its change.
_PATIENCE = 600.0


class Alone:
    """A lock that all of this person's processes heed; it may be entered within itself.

    Without it, one that undoes its change would take for a part of it what another has just
    installed.

    Args:
        folders: The lock lies in the folder of the state.
        tell: Takes what a person should know while they wait.
    """

    def __init__(self, folders: Folders, tell: Tell) -> None:
        self._folder = folders.state
        self._tell = tell

    @contextmanager
    def __call__(self) -> Iterator[None]:
        """Wait until no other process changes anything, and keep others from it meanwhile.

        Raises:
            InstallerFailedError: Another one takes too long.
            SettingsError: The folder of the state cannot be written.
        """
        self._acquire()
        try:
            yield
        finally:
            self._lock.release()

    @cached_property
    def _lock(self) -> FileLock:
        import filelock  # only those who change something need it

        path = os.path.join(self._folder, "installing.lock")  # noqa: PTH118 - folders are texts
        return filelock.FileLock(path)

    def _acquire(self) -> None:
        import filelock

        try:
            os.makedirs(self._folder, mode=0o700, exist_ok=True)  # noqa: PTH103 - the same
            if not self._is_free():
                self._tell("Another agenthost changes what is installed; this one waits for it.")
                self._lock.acquire(timeout=_PATIENCE)
        except filelock.Timeout:
            raise InstallerFailedError(
                f"Another agenthost has been changing what is installed for {_PATIENCE:g} seconds."
                " Nothing was changed. Try again when it has ended."
            ) from None
        except OSError as error:
            raise SettingsError(
                f"{self._folder} cannot be written: {error.strerror or error}. Nothing was"
                " changed."
            ) from error

    def _is_free(self) -> bool:
        import filelock

        try:
            self._lock.acquire(timeout=0)
        except filelock.Timeout:
            return False
        return True
