"""Find files by their names, and lines by what stands in them."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from agenthost_plugin_files.expressions import Expression, compiled, lines_with
from agenthost_plugin_files.folders import Folder
from agenthost_plugin_files.limits import Limits
from agenthost_plugin_files.names import writable
from agenthost_plugin_files.roots import Place
from agenthost_plugin_files.walking import Walk, files_below, matches
from agenthost_sdk.errors import ToolError

_LONGEST_GLOB = 300


class Sought(NamedTuple):
    """What is searched for, and in which files."""

    text: str
    is_regex: bool = False
    ignore_case: bool = False
    glob: str = "*"


def find_files(places: Iterable[Place], glob: str, limits: Limits) -> dict[str, Any]:
    """Return the paths of the files that fit a glob, and a note where that is not all.

    Raises:
        ToolError: The glob is empty or too long, or a place does not exist.
    """
    _check_glob(glob)
    walk, paths = Walk(limits), []
    for folder, name, parts in _files(places, walk):
        if matches(parts, glob):
            paths.append(writable(folder.path_of(name)))
        if len(paths) == limits.found:
            walk.stopped = f"{limits.found} files were found"
    return {"paths": paths} | _note(walk)


def search_files(places: Iterable[Place], sought: Sought, limits: Limits) -> dict[str, Any]:
    """Return the lines in which something stands, and a note where that may not be all.

    Raises:
        ToolError: What is sought cannot be searched for, or a place does not exist.
    """
    _check_glob(sought.glob)
    expression = compiled(sought.text, is_regex=sought.is_regex, ignore_case=sought.ignore_case)
    search = _Search(limits)
    for folder, name, parts in _files(places, search.walk):
        if matches(parts, sought.glob):
            search.look_into(folder, name, expression)
    return {"matches": search.lines, "files_searched": search.files} | _note(search.walk)


class _Search:
    """The lines that were found so far, and what was read for it."""

    def __init__(self, limits: Limits) -> None:
        self.walk = Walk(limits)
        self.lines: list[dict[str, Any]] = []
        self.files = 0
        self._read = 0

    def look_into(self, folder: Folder, name: str, expression: Expression) -> None:
        """Search one file."""
        data = self._data(folder, name)
        if data is None:
            return
        self.files += 1
        path = writable(folder.path_of(name))
        for number, line, at in lines_with(expression, data, self.walk.may_go_on):
            shown = _around(line, at, self.walk.limits.line)
            self.lines.append({"path": path, "line": number, "text": shown})
            if len(self.lines) == self.walk.limits.found:
                self.walk.stopped = f"{len(self.lines)} lines were found"
                return

    def _data(self, folder: Folder, name: str) -> bytes | None:
        """Return the bytes of a file; None where it is left out."""
        limits = self.walk.limits
        if self._read > limits.all_bytes:
            self.walk.stopped = f"{limits.all_bytes:,} bytes were read"
            return None
        try:
            with folder.open(name) as file:
                data = file.read(limits.file_bytes + 1)
        except (ToolError, OSError):
            self.walk.leave_out("files that cannot be opened")
            return None
        self._read += len(data)
        unfit = _unfit(data, limits)
        if unfit:
            self.walk.leave_out(unfit)
            return None
        return data.removeprefix(BOM_UTF8).replace(b"\r\n", b"\n")


def _files(places: Iterable[Place], walk: Walk) -> Iterator[tuple[Folder, str, tuple[str, ...]]]:
    for place in places:
        if walk.may_go_on():
            yield from files_below(place, walk)


def _around(line: bytes, at: int, most: int) -> str:
    """Return a line as text, or what stands about the match in a long one."""
    text = line.decode("utf-8")
    if len(text) <= most:
        return text
    before = len(line[:at].decode("utf-8", "ignore"))
    start = max(0, min(before - most // 4, len(text) - most))
    piece = text[start : start + most]
    return f"{'…' if start else ''}{piece}{'…' if start + most < len(text) else ''}"


def _check_glob(glob: str) -> None:
    if not glob.strip("/.") or len(glob) > _LONGEST_GLOB:
        raise ToolError(
            f"The pattern for names is empty, or longer than {_LONGEST_GLOB} characters. Write"
            " one such as '*.txt' or 'docs/**/*.md'."
        )


def _unfit(data: bytes, limits: Limits) -> str:
    """Return what files as this one are, if they are not searched; "" if they are."""
    if len(data) > limits.file_bytes:
        return f"files of more than {limits.file_bytes:,} bytes"
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return "files that are no text in UTF-8"
    return "files that are no text in UTF-8" if b"\0" in data else ""


def _note(walk: Walk) -> dict[str, str]:
    return {"note": walk.note} if walk.note else {}
