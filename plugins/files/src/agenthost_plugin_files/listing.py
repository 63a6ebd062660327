"""Tell what a folder holds."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import islice
from typing import Any

from agenthost_plugin_files.folders import Entry
from agenthost_plugin_files.limits import Limits
from agenthost_plugin_files.names import writable
from agenthost_plugin_files.roots import Place

#: The years that a time stamp is shown for; file systems hold others too.
_TIMES = (-62_135_596_800, 253_402_300_799)


def list_folder(place: Place, limits: Limits) -> dict[str, Any]:
    """Return the entries of a folder by name, and a note where that is not all.

    Raises:
        ToolError: It is no folder, or is reached by a link.
    """
    with place.opened() as folder:
        met = list(islice(folder.entries(), limits.looked_at + 1))
    shown = sorted(met[: limits.looked_at], key=lambda entry: entry.name)[: limits.listed]
    listed: dict[str, Any] = {"path": place.shown or ".", "entries": [_row(one) for one in shown]}
    if len(met) > len(shown):
        more = f"more than {limits.looked_at}" if len(met) > limits.looked_at else f"{len(met)}"
        listed["note"] = f"{len(shown)} of {more} entries are shown; `find` finds others by name."
    return listed


def list_roots(names: list[str]) -> dict[str, Any]:
    """Return the roots as a folder's entries."""
    return {"path": ".", "entries": [{"name": name, "kind": "folder"} for name in names]}


def _row(entry: Entry) -> dict[str, Any]:
    row: dict[str, Any] = {"name": writable(entry.name), "kind": entry.kind}
    if entry.kind == "file":
        row["size"] = entry.size
    return row | {"modified": _time(entry.modified)}


def _time(stamp: float) -> str:
    bounded = min(max(stamp, _TIMES[0]), _TIMES[1])
    return datetime.fromtimestamp(bounded, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
