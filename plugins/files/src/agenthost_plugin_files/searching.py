"""Find files by their names, and lines by what stands in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from agenthost_plugin_files.folders import Folder
from agenthost_plugin_files.limits import Limits
from agenthost_plugin_files.names import is_text, writable
from agenthost_plugin_files.roots import Place
from agenthost_plugin_files.walking import Walk, files_below, matches
from agenthost_sdk.errors import ToolError

if TYPE_CHECKING:
    from re import Pattern

_LONGEST_GLOB = 300
_LONGEST_PATTERN = 1_000

#: Steps of the regular expression's machine between two looks at the time: part of a second.
_STEPS = 10_000_000

#: Parts of that machine. No expression that a person would write has as many.
_LARGEST_PROGRAM = 20_000

#: Lets `^` and `$` stand for the ends of a line.
_EACH_LINE = "(?m)"


class Sought(NamedTuple):
    """What is searched for."""

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
    pattern, search = _compiled(sought), _Search(limits)
    for folder, name, parts in _files(places, search.walk):
        if matches(parts, sought.glob):
            search.look_into(folder, name, pattern)
    return {"matches": search.lines, "files_searched": search.files} | _note(search.walk)


class _Search:
    """The lines that were found so far, and what was read for it."""

    def __init__(self, limits: Limits) -> None:
        self.walk = Walk(limits)
        self.lines: list[dict[str, Any]] = []
        self.files = 0
        self._read = 0

    def look_into(self, folder: Folder, name: str, pattern: Pattern[bytes]) -> None:
        """Search one file."""
        data = self._data(folder, name)
        if data is None:
            return
        self.files += 1
        path = writable(folder.path_of(name))
        for number, line, at in _matching(data, pattern, self.walk):
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
        return data.replace(b"\r\n", b"\n")


def _files(places: Iterable[Place], walk: Walk) -> Iterator[tuple[Folder, str, tuple[str, ...]]]:
    for place in places:
        if walk.may_go_on():
            yield from files_below(place, walk)


def _matching(
    data: bytes, pattern: Pattern[bytes], walk: Walk
) -> Iterator[tuple[int, bytes, int]]:
    """Yield the lines in which a pattern is found: their numbers, and where it is in them."""
    number, counted, at = 1, 0, 0
    while at < len(data) and walk.may_go_on():
        end, following = _piece(data, at, pattern)
        found = pattern.search(data, at, end)
        if found is None:
            at = following
            continue
        start, end = _line(data, found.start())
        number += data.count(b"\n", counted, start)
        yield number, data[start:end], found.start() - start
        counted, at = start, end + 1


def _piece(data: bytes, start: int, pattern: Pattern[bytes]) -> tuple[int, int]:
    """Return where the lines end that are searched at one go, and where the next ones start.

    RE2 may take a step for each character and each part of the pattern; between two pieces the
    time is looked at. A line that is longer than a piece is torn.
    """
    end = start + _STEPS // max(1, pattern.programsize)  # type: ignore[attr-defined]  # RE2's own
    if end >= len(data):
        return len(data.removesuffix(b"\n")), len(data)
    last_break = data.rfind(b"\n", start, end)
    return (end, end) if last_break < 0 else (last_break, last_break + 1)


def _line(data: bytes, at: int) -> tuple[int, int]:
    """Return where the line starts and ends in which a byte is."""
    end = data.find(b"\n", at)
    return data.rfind(b"\n", 0, at) + 1, len(data) if end < 0 else end


def _around(line: bytes, at: int, most: int) -> str:
    """Return a line as text, or what stands about the match in a long one."""
    text = line.decode("utf-8")
    if len(text) <= most:
        return text
    before = len(line[:at].decode("utf-8", "ignore"))
    start = max(0, min(before - most // 4, len(text) - most))
    piece = text[start : start + most]
    return f"{'…' if start else ''}{piece}{'…' if start + most < len(text) else ''}"


def _compiled(sought: Sought) -> Pattern[bytes]:
    """Return a pattern whose search takes no more than the text's length times its own.

    Raises:
        ToolError: It is empty, too long, more than a line, or no regular expression.
    """
    import re2  # type: ignore[import-untyped]  # only a search needs it

    _check_sought(sought)
    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = not sought.ignore_case
    options.never_nl = True  # a match stays in its line
    text = sought.text if sought.is_regex else re2.escape(sought.text)
    try:
        pattern: Pattern[bytes] = re2.compile(_EACH_LINE + text, options)
    except re2.error as error:
        reason = error.args[0].decode("utf-8", "replace").replace(_EACH_LINE, "")
        raise ToolError(_unusable(sought.text, reason)) from error
    finally:
        re2.purge()  # the package would keep the last 128, however large
    if pattern.programsize > _LARGEST_PROGRAM:  # type: ignore[attr-defined]  # RE2's own
        raise ToolError(_unusable(sought.text, "it repeats too much"))
    return pattern


def _unusable(text: str, reason: str) -> str:
    return (
        f"{text!r} is no regular expression that can be used here: {reason}. It must be one of"
        " RE2, without look-around and back-references; or leave `regex` out to search for the"
        " text as it stands."
    )


def _check_sought(sought: Sought) -> None:
    if not sought.text:
        raise ToolError("`text` is empty; say what is searched for, or use `find` for names.")
    if len(sought.text) > _LONGEST_PATTERN:
        raise ToolError(f"`text` is too long; at most {_LONGEST_PATTERN} characters.")
    if "\n" in sought.text or not is_text(sought.text):
        raise ToolError("`text` has a line break, or what is no text; one line is searched for.")


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
