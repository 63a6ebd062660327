"""Tell by `stat` alone whether files and folders are still the same."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

#: When something was changed last, and its size; None for what is not there.
Stamp = list[int] | None


def stamps(paths: Iterable[str]) -> dict[str, Stamp]:
    """Return the stamp of each path."""
    return {path: _stamp(path) for path in paths}


def still_hold(known: Mapping[str, Stamp]) -> bool:
    """Return whether every path still has its stamp."""
    return all(_stamp(path) == stamp for path, stamp in known.items())


def _stamp(path: str) -> Stamp:
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return [found.st_mtime_ns, found.st_size]
