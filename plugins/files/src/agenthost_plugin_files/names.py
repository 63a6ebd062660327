"""Take a path apart, and refuse what could mean something other than a name below a folder."""

from __future__ import annotations

import ntpath
import os
import re
from types import ModuleType
from typing import NamedTuple

from agenthost_sdk.errors import ToolError

#: Longer paths are refused before the system sees them.
_LONGEST = 4_000

#: Names that Windows takes for devices, whatever extension follows.
_DEVICE = re.compile(
    r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])\s*(?:\..*)?", re.IGNORECASE
)

#: Signs that no name on Windows has; the colon would open an alternate data stream.
_WINDOWS_SIGNS = re.compile(r'[<>:"|?*\x00-\x1f]')

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


class Split(NamedTuple):
    """A path in parts."""

    #: What an absolute path starts at, such as "/" or "C:\\"; "" for a relative one.
    anchor: str
    parts: tuple[str, ...]


def split(path: str, flavour: ModuleType = os.path) -> Split:
    """Return the parts of a path, all of them plain names.

    Args:
        path: As a model or a person wrote it.
        flavour: `posixpath` or `ntpath`, whose rules hold.

    Raises:
        ToolError: It is too long, has `..` in it, or a name that no file can have.
    """
    if len(path) > _LONGEST:
        raise ToolError(f"A path of {len(path)} characters is too long; at most {_LONGEST}.")
    anchor, rest = _anchored(path, flavour)
    parts = tuple(part for part in rest.split("/") if part not in ("", "."))
    for part in parts:
        _check(part, path, is_windows=flavour is ntpath)
    return Split(anchor, parts)


def check_new(name: str, path: str) -> None:
    """Refuse to make a file or folder whose name would be a nuisance.

    Raises:
        ToolError: It would.
    """
    if _CONTROL.search(name):
        raise ToolError(f"{path!r} was not written: a name in it has a control character.")
    if name != name.strip():
        raise ToolError(f"{path!r} was not written: a name in it begins or ends with a space.")


def writable(name: str) -> str:
    """Return a name of the file system in characters that every output can carry."""
    return name.encode("utf-8", "backslashreplace").decode("utf-8")


def is_text(given: str) -> bool:
    """Return whether a text is whole, and can be written in UTF-8."""
    try:
        given.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _anchored(path: str, flavour: ModuleType) -> tuple[str, str]:
    """Return where an absolute path starts, and the rest with `/` between its names."""
    if flavour is not ntpath:
        return ("/" if path.startswith("/") else ""), path
    drive, rest = ntpath.splitdrive(path.replace("/", "\\"))
    slash = "\\" if rest.startswith("\\") else ""
    return drive + slash, rest.replace("\\", "/")


def _check(part: str, path: str, *, is_windows: bool) -> None:
    if part == "..":
        raise ToolError(f"The path {path!r} has '..' in it. Write the path without it.")
    if "\0" in part:
        raise ToolError("The path has a NUL character in it, which no name can have.")
    if not is_text(part):
        raise ToolError("The path has a character in it that is no text.")
    if is_windows and _is_odd_on_windows(part):
        raise ToolError(f"The path {path!r} has {part!r} in it, which is no file's name here.")


def _is_odd_on_windows(part: str) -> bool:
    """Return whether Windows would read a name as another one, a device or a stream."""
    if _WINDOWS_SIGNS.search(part) or _DEVICE.fullmatch(part):
        return True
    return part != part.rstrip(". ")
