"""Tell by `stat` alone whether files and folders are still the same."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import NamedTuple

#: When something was changed last, and its size; None for what is not there.
Stamp = list[int] | None


def stamps(paths: Iterable[str]) -> dict[str, Stamp]:
    """Return the stamp of each path."""
    return {path: _stamp(path) for path in paths}


def still_hold(known: Mapping[str, Stamp]) -> bool:
    """Return whether every path still has its stamp."""
    return all(_stamp(path) == stamp for path, stamp in known.items())


class Seen(NamedTuple):
    """What a path was like at one moment."""

    stamp: Stamp
    #: Whether it is a folder that holds compiled modules.
    compiled: bool


def seen(paths: Iterable[str]) -> dict[str, Seen]:
    """Look at each path."""
    return {
        path: Seen(stamp, os.path.isdir(os.path.join(path, "__pycache__")))
        for path, stamp in stamps(paths).items()
    }


def settled(before: Mapping[str, Seen]) -> dict[str, Stamp]:
    """Return the stamps that the next reader is to find, of what was looked at before.

    Those from before the plugins were asked, so that a change in the meantime is seen; but where
    their import made the folder of compiled modules, those of now.
    """
    now = seen(before)
    return {
        path: now[path].stamp if now[path].compiled and not known.compiled else known.stamp
        for path, known in before.items()
    }


def _stamp(path: str) -> Stamp:
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return [found.st_mtime_ns, found.st_size]
