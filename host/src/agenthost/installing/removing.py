"""Remove distributions without an installer, where none can start any more."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from agenthost.installing.distributions import files_of


def remove_by_hand(names: Iterable[str]) -> None:
    """Remove the files that the metadata of distributions name, as far as this environment goes.

    What cannot be removed stays; whether it did is seen by asking what is installed.
    """
    files = [path for path in files_of(names) if path.is_relative_to(sys.prefix)]
    for path in files:
        with suppress(OSError):
            path.unlink()
        remove_compiled(path)
    for path in files:
        with suppress(OSError):  # it holds something else
            _remove_empty(path.parent)


def remove_compiled(path: Path) -> None:
    """Remove what Python has compiled of a module.

    It tells by second and size whether that still holds, and two versions can be alike in both.
    """
    compiled = path.parent.glob(f"__pycache__/{path.stem}.*.pyc") if path.suffix == ".py" else ()
    for one in compiled:
        with suppress(OSError):
            one.unlink()


def _remove_empty(folder: Path) -> None:
    """Remove a folder of modules with the folders above it, until one holds something."""
    with suppress(OSError):
        (folder / "__pycache__").rmdir()
    while folder != Path(sys.prefix):
        folder.rmdir()
        folder = folder.parent
