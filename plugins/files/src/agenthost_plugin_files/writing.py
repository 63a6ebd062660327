"""Write whole text files and change pieces of them, such that no half-written one is ever seen."""

from __future__ import annotations

import os
import stat
import threading
from contextlib import suppress
from secrets import token_hex

from agenthost_plugin_files.failures import told
from agenthost_plugin_files.folders import Folder
from agenthost_plugin_files.limits import Limits
from agenthost_plugin_files.names import check_new
from agenthost_plugin_files.reading import decoded, read_whole
from agenthost_plugin_files.roots import Place
from agenthost_sdk.errors import ToolError

#: Actions run side by side, and a change must not undo one that was made after it was read.
_one_at_a_time = threading.Lock()


def write_file(place: Place, text: str, limits: Limits) -> str:
    """Make a file, or replace what one holds, and return what was done.

    Raises:
        ToolError: It is no regular file, or may not be written.
    """
    name, data = place.file_name, _encoded(text, place.shown, limits)
    _check_parts(place, limits)
    with _one_at_a_time, told(place.shown), place.parent.opened(make=True) as folder:
        old = _writable(folder, name)
        _put(folder, name, data, old)
    done = "Replaced" if old else "Created"
    return f"{done} {place.shown!r}: {_lines(text)}, {len(data):,} bytes."


def edit_file(place: Place, find: str, replacement: str, limits: Limits) -> str:
    """Replace a piece of a file that stands in it once, and return where it was.

    Raises:
        ToolError: The piece does not stand there once, or the file may not be written.
    """
    name, shown = place.file_name, place.shown
    with _one_at_a_time, told(shown), place.parent.opened() as folder:
        with folder.open(name) as file:
            old = _writable(folder, name)
            text = decoded(read_whole(file, shown, limits.file_bytes), shown)
        find, replacement = _with_its_breaks(text, find, replacement)
        _check_once(text, find, shown)
        data = _encoded(text.replace(find, replacement), shown, limits)
        _put(folder, name, data, old)
    line = text[: text.index(find)].count("\n") + 1
    return f"Replaced the text at line {line} of {shown!r}."


def _check_parts(place: Place, limits: Limits) -> None:
    if len(place.parts) > limits.depth:
        raise ToolError(f"{place.shown!r} was not written: at most {limits.depth} folders deep.")
    for part in place.parts:
        check_new(part, place.shown)


def _encoded(text: str, path: str, limits: Limits) -> bytes:
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError as error:
        words = f"{path!r} was not written: the text has half a character at {error.start}."
        raise ToolError(words) from error
    if len(data) > limits.written:
        raise ToolError(
            f"{path!r} was not written: {len(data):,} bytes are too many; at most"
            f" {limits.written:,}. Write several files."
        )
    return data


def _writable(folder: Folder, name: str) -> os.stat_result | None:
    """Return what is known of a file that may be replaced; None where there is none.

    Raises:
        ToolError: What bears the name is no regular file, or is write-protected.
    """
    old = folder.find(name)
    if old is None:
        return None
    folder.check("file", old, name)
    if not _may_write(old):
        raise ToolError(f"{folder.path_of(name)!r} is write-protected, and was left as it is.")
    return old


def _may_write(status: os.stat_result) -> bool:
    """Return whether this user may write to a file; to replace it, the system asks for less."""
    user = os.geteuid() if hasattr(os, "geteuid") else 0  # Windows has one bit for all
    if not user:
        right = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
    elif status.st_uid == user:
        right = stat.S_IWUSR
    elif status.st_gid in (os.getegid(), *os.getgroups()):
        right = stat.S_IWGRP
    else:
        right = stat.S_IWOTH
    return bool(status.st_mode & right)


def _put(folder: Folder, name: str, data: bytes, old: os.stat_result | None) -> None:
    """Put a file in its place in one step, with the mode of the one that was there.

    A link that took its place meanwhile is replaced, not followed.
    """
    temporary = f".agenthost-{token_hex(8)}.tmp"
    try:
        _write(folder, temporary, data, old)
        _check_unchanged(folder, name, old)
        folder.replace(temporary, name)
    except BaseException:
        with suppress(OSError, ToolError):
            folder.remove(temporary)
        raise


def _write(folder: Folder, name: str, data: bytes, old: os.stat_result | None) -> None:
    with folder.create(name, 0o600 if old else 0o666) as file:
        if old:
            _take_over(file.fileno(), old)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _take_over(descriptor: int, old: os.stat_result) -> None:
    """Give a new file the owner, as far as this user may, and the mode of an old one."""
    if hasattr(os, "fchown"):
        with suppress(PermissionError):
            os.fchown(descriptor, old.st_uid, old.st_gid)
    if hasattr(os, "fchmod"):
        os.fchmod(descriptor, stat.S_IMODE(old.st_mode) & 0o777)


def _check_unchanged(folder: Folder, name: str, old: os.stat_result | None) -> None:
    now = folder.find(name)
    if _state(now) != _state(old):
        path = folder.path_of(name)
        raise ToolError(f"{path!r} was changed by another meanwhile. Read it, and try again.")


def _state(status: os.stat_result | None) -> tuple[int, ...] | None:
    if status is None:
        return None
    return status.st_ino, status.st_mode, status.st_size, status.st_mtime_ns


def _with_its_breaks(text: str, *pieces: str) -> tuple[str, ...]:
    """Return what is to be found, and its replacement, with the line breaks of the text.

    A reader is not shown which they are; a text may have both kinds.
    """
    find = pieces[0]
    has_plain = "\n" in find and find in text
    if has_plain or "\r\n" not in text or any("\r\n" in piece for piece in pieces):
        return pieces
    return tuple(piece.replace("\n", "\r\n") for piece in pieces)


def _check_once(text: str, find: str, path: str) -> None:
    if not find:
        raise ToolError("`find` is empty; name the piece of the file that is to be replaced.")
    count = text.count(find)
    if not count:
        is_there = find.casefold() in text.casefold()
        hint = " It is there in another case." if is_there else " Read the file, and copy it."
        raise ToolError(f"Nothing was changed: {path!r} does not hold that piece.{hint}")
    if count > 1:
        raise ToolError(
            f"Nothing was changed: {path!r} holds that piece {count} times. Give more of what"
            " stands round the one that is meant."
        )


def _lines(text: str) -> str:
    count = len(text.removesuffix("\n").split("\n")) if text else 0
    return f"{count:,} line{'' if count == 1 else 's'}"
