"""Which folders are roots, what they are called, and which of them a path means."""

from __future__ import annotations

import ntpath
import os
import posixpath
from pathlib import Path
from typing import Any

import pytest

from agenthost_plugin_files.names import split
from agenthost_plugin_files.tool import Files
from agenthost_sdk.errors import OptionError, ToolError


@pytest.fixture
def both(root: Path) -> Files:
    """Return a tool with two roots of one name."""
    other = root.parent / "other" / "garden"
    other.mkdir(parents=True)
    (other / "herbs.txt").write_text("thyme\n")
    return Files(roots=[str(root), str(other)])


def test_a_tool_without_roots_is_not_made() -> None:
    with pytest.raises(OptionError, match="Files needs the option 'roots'"):
        Files()  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("roots", "said"),
    [
        ([], "names no folder"),
        ("", "is not absolute"),
        ("garden", "'garden', which is not absolute"),
        (["{tmp}/garden", "{tmp}/nothing"], "nothing', which does not exist"),
        ("{tmp}/garden/hello.txt", "is no folder"),
        ("{tmp}/garden/hello.txt/x", "does not exist"),
        ("{tmp}/loop", "cannot be used"),
        (Path(os.sep).resolve().anchor, "is the whole file system"),
        ("~no-such-user-here/x", "which "),
        ("{tmp}/\0", "cannot be used"),
        (7, "does not fit"),
    ],
)
def test_a_bad_root_is_told_when_the_tool_is_made(
    root: Path, tmp_path: Path, roots: Any, said: str
) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(OptionError, match=said):
        Files(roots=filled(roots, str(tmp_path)))


def filled(roots: Any, folder: str) -> Any:
    if isinstance(roots, list):
        return [filled(root, folder) for root in roots]
    return roots.replace("{tmp}", folder) if isinstance(roots, str) else roots


def test_a_root_may_begin_at_home(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    files = Files(roots="~/garden")

    assert files.read("hello.txt") == "hello\n"
    assert files.read("~/garden/hello.txt") == "hello\n"
    with pytest.raises(ToolError, match="outside"):
        files.read("~/outside/secret.txt")


def test_several_roots_are_told_apart_by_their_names(both: Files) -> None:
    listed = both.list()

    assert listed["entries"] == [
        {"name": "garden", "kind": "folder"},
        {"name": "garden-2", "kind": "folder"},
    ]
    assert both.read("garden/hello.txt") == "hello\n"
    assert both.read("garden-2/herbs.txt") == "thyme\n"


def test_all_roots_are_searched_where_none_is_named(both: Files) -> None:
    assert both.find("he*.txt") == {"paths": ["garden/hello.txt", "garden-2/herbs.txt"]}
    assert both.search("thyme")["matches"] == [
        {"path": "garden-2/herbs.txt", "line": 1, "text": "thyme"}
    ]
    assert both.find("*", "garden-2") == {"paths": ["garden-2/herbs.txt"]}


@pytest.mark.parametrize("path", [".", "", "hello.txt", "outside/secret.txt"])
def test_a_path_without_the_name_of_a_root_is_told_the_names(both: Files, path: str) -> None:
    with pytest.raises(ToolError, match="Its roots are garden, garden-2; write a path such as"):
        both.read(path)
    with pytest.raises(ToolError, match="Its roots are garden, garden-2"):
        both.write(path, "x")


def test_a_root_given_twice_counts_once(root: Path) -> None:
    files = Files(roots=[str(root), f"{root}{os.sep}", str(root / "notes" / "..")])

    assert files.read("hello.txt") == "hello\n"


@pytest.mark.parametrize(
    ("path", "anchor", "parts"),
    [
        ("a/./b//c/", "", ("a", "b", "c")),
        ("/a/b", "/", ("a", "b")),
        ("a\\b", "", ("a\\b",)),
        ("CON", "", ("CON",)),
        ("C:/a", "", ("C:", "a")),
        (".", "", ()),
    ],
)
def test_a_path_is_taken_apart_on_linux_and_macos(
    path: str, anchor: str, parts: tuple[str, ...]
) -> None:
    assert split(path, posixpath) == (anchor, parts)


@pytest.mark.parametrize(
    ("path", "anchor", "parts"),
    [
        ("a/b\\c", "", ("a", "b", "c")),
        ("C:\\a\\b", "C:\\", ("a", "b")),
        ("C:/a", "C:\\", ("a",)),
        ("C:a", "C:", ("a",)),
        ("a:$DATA", "a:", ("$DATA",)),
        ("\\a", "\\", ("a",)),
        ("\\\\server\\share\\a", "\\\\server\\share\\", ("a",)),
        ("console.txt", "", ("console.txt",)),
        ("COM10", "", ("COM10",)),
    ],
)
def test_a_path_is_taken_apart_on_windows(path: str, anchor: str, parts: tuple[str, ...]) -> None:
    assert split(path, ntpath) == (anchor, parts)


@pytest.mark.parametrize(
    "path",
    [
        *("CON", "nul", "a/Aux.txt", "com1", "LPT9.tar.gz", "COM¹", "conin$", "NUL .txt", "prn"),
        *("a.txt:stream", "a.txt::$DATA", "ab/c:d"),
        *("name.", "name ", "a /b", "...", "..\\a", "a\\..\\b", "a?", "a*", "a|b", "<a>", 'a"b'),
        *("a\x1fb", "\\\\?\\C:\\..\\a", "\\\\.\\pipe\\x\\.. \\y"),
    ],
)
def test_names_that_mean_something_else_on_windows_are_refused(path: str) -> None:
    with pytest.raises(ToolError):
        split(path, ntpath)
