"""The tool that models see: list, read, find, search, write and edit files."""

from __future__ import annotations

from typing import Any, ClassVar

from agenthost_plugin_files import examples
from agenthost_plugin_files.checked import CheckedFolder
from agenthost_plugin_files.held import CAN_HOLD, HeldFolder
from agenthost_plugin_files.limits import Limits
from agenthost_plugin_files.listing import list_folder, list_roots
from agenthost_plugin_files.reading import Span, read_span
from agenthost_plugin_files.roots import OpenRoot, Roots, read_roots
from agenthost_plugin_files.searching import Sought, find_files, search_files
from agenthost_plugin_files.writing import edit_file, write_file
from agenthost_sdk import BaseTool, activity
from agenthost_sdk.errors import ToolError

#: A folder, or a list of them; named here, since `list` is an activity of the tool.
Folders = str | list[str]


class Files(BaseTool):
    """List, read, search and write text files in the folders that were chosen for it."""

    #: The folders that may be touched, with all below them.
    roots: Folders

    limits: ClassVar[Limits] = Limits()
    open_root: ClassVar[OpenRoot] = HeldFolder.at if CAN_HOLD else CheckedFolder.at

    def __post_init__(self) -> None:
        """Look at the folders.

        Raises:
            OptionError: One of them cannot be used.
        """
        self._roots = Roots(read_roots(type(self).__name__, self.roots), type(self).open_root)

    @activity(
        read_only=True,
        idempotent=True,
        open_world=False,
        timeout=30,
        examples=examples.LIST,
    )
    def list(self, path: str = ".") -> dict[str, Any]:
        """List what a folder holds: names, kinds, sizes in bytes, times of the last change.

        Args:
            path: The folder, such as "notes"; "." for the start of all paths.
        """
        if self._roots.is_top(path):
            return list_roots(self._roots.names)
        return list_folder(self._roots.place(path), self.limits)

    @activity(
        read_only=True,
        idempotent=True,
        open_world=False,
        timeout=30,
        examples=examples.READ,
    )
    def read(
        self, path: str, first_line: int = 1, last_line: int | None = None, offset: int = 0
    ) -> str:
        """Read a text file, or some of its lines.

        A long file is cut, and the last line of the answer then says how to go on.

        Args:
            path: The file, such as "notes/todo.txt".
            first_line: The first line to read; the file's first is 1.
            last_line: The last line to read; the end of the file where it is left out.
            offset: How many characters of the first line to leave out, for very long lines.
        """
        if first_line < 1 or offset < 0 or (last_line is not None and last_line < first_line):
            raise ToolError("Lines count from 1, the last is not before the first, offset from 0.")
        place = self._roots.place(path)
        with place.opened_file() as file:
            return read_span(file, place.shown, Span(first_line, last_line, offset), self.limits)

    @activity(
        read_only=True,
        idempotent=True,
        open_world=False,
        timeout=30,
        examples=examples.FIND,
    )
    def find(self, pattern: str, path: str = ".") -> dict[str, Any]:
        """Find files by their names, in a folder and all folders below it.

        Names that begin with a dot are left out.

        Args:
            pattern: What the name looks like, such as "*.txt" or "report-20??.md"; with slashes,
                what the path from the folder looks like, such as "docs/**/*.md".
            path: The folder to look in; "." for all.
        """
        return find_files(self._roots.places(path), pattern, self.limits)

    @activity(
        read_only=True,
        idempotent=True,
        open_world=False,
        timeout=30,
        examples=examples.SEARCH,
    )
    def search(
        self,
        text: str,
        path: str = ".",
        pattern: str = "*",
        regex: bool = False,
        ignore_case: bool = False,
    ) -> dict[str, Any]:
        """Search text files for the lines that hold a text.

        Names that begin with a dot are left out, and files that are very large or no text.

        Args:
            text: What to search for, within one line.
            path: The folder to search, with all below it, or a single file; "." for all.
            pattern: Which files to search by name, such as "*.py".
            regex: Take the text as a regular expression (RE2), such as "error [0-9]+".
            ignore_case: Take capital and small letters as alike.
        """
        sought = Sought(text, regex, ignore_case, pattern)
        return search_files(self._roots.places(path), sought, self.limits)

    @activity(
        read_only=False,
        destructive=True,
        idempotent=True,
        open_world=False,
        timeout=30,
        examples=examples.WRITE,
    )
    def write(self, path: str, text: str) -> str:
        """Write a whole text file; what it held before is lost. Missing folders are made.

        Args:
            path: The file, such as "notes/todo.txt".
            text: All that the file shall hold.
        """
        return write_file(self._roots.place(path), text, self.limits)

    @activity(
        read_only=False,
        destructive=True,
        idempotent=False,
        open_world=False,
        timeout=30,
        examples=examples.EDIT,
    )
    def edit(self, path: str, find: str, replacement: str) -> str:
        """Replace a piece of a text file, and leave the rest as it is.

        Args:
            path: The file, such as "notes/todo.txt".
            find: The piece to replace, exactly as it stands in the file, where it occurs once.
            replacement: What to put in its place; empty to remove it.
        """
        return edit_file(self._roots.place(path), find, replacement, self.limits)
