"""Find the file of the catalog and read its first line, which is all that the help needs.

The first line holds what the catalog depends on, and what the help tells; the second the plugins.
"""

from __future__ import annotations

import json
import os
import sys
from binascii import crc32
from collections.abc import Sequence
from typing import Any, NamedTuple

from agenthost.registry.stamps import still_hold
from agenthost.settings import Settings

#: Counts the changes of the file's form; a file of another form is made anew.
FORM = 7

#: What a file raises that is damaged, of another form, or no file at all.
UNREADABLE = (OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError)


class Help(NamedTuple):
    """What the help of the command line tells of the plugins."""

    #: Name, summary and plugin of each command that is not hidden.
    commands: Sequence[Sequence[str]]
    problems: Sequence[str]


def kept_help(settings: Settings) -> Help | None:
    """Return what the help tells of the plugins, and None where the catalog does not hold."""
    key = key_of(settings)
    try:
        with open(path_of(settings, key), "rb") as file:
            head = json.loads(file.readline())
        if head["key"] == key and still_hold(head["watched"]):
            return Help(**head["help"])
    except UNREADABLE:
        pass  # it is to be made anew
    return None


def plugin_folders() -> list[str]:
    """Return the folders of `sys.path` in which plugins are looked for.

    The folder of the running program, which Python puts first, is none of them: what lies
    beside a script, or where a person happens to stand, is not installed.
    """
    folders = list(sys.path)
    if folders and not sys.flags.safe_path and folders[0] in _started_in():
        del folders[0]
    return list(dict.fromkeys(filter(None, map(_absolute, folders))))


def _started_in() -> tuple[str, ...]:
    return (
        "",
        _absolute(""),
        os.path.dirname(_absolute(sys.argv[0] if sys.argv else "", real=True)),
    )


def _absolute(path: str, *, real: bool = False) -> str:
    """Return a path as it is wherever one stands; "" where one stands in a folder that is gone."""
    try:
        return os.path.realpath(path) if real else os.path.abspath(path)
    except OSError:
        return ""


def key_of(settings: Settings) -> dict[str, Any]:
    """Return all that the catalog depends on and that is known without looking at a file."""
    only = settings.only_plugins
    return {
        "form": FORM,
        "python": sys.version,
        "path": plugin_folders(),
        "disabled": sorted(settings.disabled_plugins),
        "only": None if only is None else sorted(only),
        "limits": [settings.catalog_timeout, settings.plugin_timeout],
        "file": settings.folders.settings_file,
        "options": json.loads(json.dumps(dict(settings.tool_options), default=str)),
        "aliases": dict(settings.tool_aliases),
        "choices": dict(settings.tool_choices),
        "forced": sorted(settings.forced_plugins),
    }


def path_of(settings: Settings, key: dict[str, Any]) -> str:
    """Return the file of the catalog with that key."""
    number = crc32(json.dumps(key).encode())
    return os.path.join(settings.folders.cache, f"catalog-{number:08x}.jsonl")


def write(path: str, text: str) -> None:
    """Write the catalog, where somebody may, and remove those that nobody asks for any more."""
    from agenthost.folders import write_whole

    try:
        write_whole(path, text)
    except OSError:
        return  # nobody can write there: each command asks the plugins anew, and all else works
    _prune(os.path.dirname(path), path)


#: Catalogs of environments that are long gone are removed after so many seconds: ninety days.
_KEPT = 90 * 24 * 3600


def _prune(folder: str, current: str) -> None:
    import time
    from contextlib import suppress

    oldest = time.time() - _KEPT
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        if name.startswith(("catalog-", "answers-", ".agenthost-")) and path != current:
            with suppress(OSError):  # another process was quicker, or it is somebody else's
                if os.stat(path).st_mtime < oldest:
                    os.unlink(path)
