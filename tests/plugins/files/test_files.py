"""The tool for files as a model and as Python code use it: what changes nothing."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path
from typing import Any, ClassVar

import pytest

from agenthost_plugin_files.limits import Limits
from agenthost_plugin_files.tool import Files
from agenthost_sdk import BaseTool, ErrorArtifact, JsonArtifact, ToolAction, ToolError
from agenthost_sdk.testing import ToolConformance


class TestFilesConform(ToolConformance):
    """The tool does what hosts expect of one."""

    @pytest.fixture(autouse=True)
    def _root(self, root: Path) -> None:
        self.root = root

    def make_tool(self) -> BaseTool:
        return Files(roots=str(self.root))


def limited(root: Path, **limits_given: Any) -> Files:
    class Limited(Files):
        limits: ClassVar[Limits] = dataclasses.replace(Limits(), **limits_given)

    return Limited(roots=str(root))


def names(listed: dict[str, Any]) -> list[str]:
    return [entry["name"] for entry in listed["entries"]]


def found(searched: dict[str, Any]) -> list[tuple[str, int]]:
    return [(match["path"], match["line"]) for match in searched["matches"]]


def test_a_folder_is_listed_by_name_with_kinds_sizes_and_times(files: Files, root: Path) -> None:
    (root / "link").symlink_to("notes")
    for path in root.iterdir():
        os.utime(path, (0, 0), follow_symlinks=False)

    assert files.list() == {
        "path": ".",
        "entries": [
            {"name": "README.md", "kind": "file", "size": 44, "modified": "1970-01-01T00:00:00Z"},
            {"name": "hello.txt", "kind": "file", "size": 6, "modified": "1970-01-01T00:00:00Z"},
            {"name": "link", "kind": "link", "modified": "1970-01-01T00:00:00Z"},
            {"name": "notes", "kind": "folder", "modified": "1970-01-01T00:00:00Z"},
            {"name": "src", "kind": "folder", "modified": "1970-01-01T00:00:00Z"},
        ],
    }


def test_a_long_folder_is_cut_with_a_note(root: Path) -> None:
    for number in range(9):
        (root / "notes" / f"{number}.txt").touch()

    some = limited(root, listed=5).list("notes")
    few = limited(root, looked_at=3).list("notes")

    assert names(some) == ["0.txt", "1.txt", "2.txt", "2025", "3.txt"]
    assert some["note"] == "5 of 11 entries are shown; `find` finds others by name."
    assert few["note"].startswith("3 of more than 3 entries")


def test_a_file_is_read_as_it_is(files: Files) -> None:
    assert files.read("notes/todo.txt") == "buy Milk on Tuesday\ncall Ann\n"
    assert files.read("./notes//todo.txt") == files.read("notes/todo.txt")


@pytest.mark.parametrize(
    ("span", "expected"),
    [
        ({"first_line": 2}, "two\nthree"),
        ({"first_line": 2, "last_line": 2}, "two\n"),
        ({"last_line": 1}, "one\n"),
        ({"first_line": 3, "last_line": 9}, "three"),
        ({"first_line": 3, "offset": 2}, "ree"),
        ({"first_line": 3, "offset": 5}, ""),
    ],
)
def test_some_lines_of_a_file_are_read(
    files: Files, root: Path, span: dict[str, int], expected: str
) -> None:
    (root / "numbers").write_bytes(b"one\r\ntwo\nthree")

    assert files.read("numbers", **span) == expected


@pytest.mark.parametrize(
    ("span", "said"),
    [
        ({"first_line": 4}, "'numbers' has no line 4; its last is 3."),
        ({"first_line": 9}, "'numbers' has no line 9; its last is 3."),
        ({"first_line": 2, "offset": 4}, "Line 2 of 'numbers' has no 4 characters."),
        ({"first_line": 0}, "Lines count from 1"),
        ({"first_line": 3, "last_line": 2}, "the last is not before the first"),
    ],
)
def test_lines_that_are_not_there_are_told(
    files: Files, root: Path, span: dict[str, int], said: str
) -> None:
    (root / "numbers").write_text("one\ntwo\nthree\n")

    with pytest.raises(ToolError, match=said.replace(".", r"\.")):
        files.read("numbers", **span)


def test_a_long_file_is_cut_and_read_on_to_its_end(root: Path) -> None:
    text = "first\nsecond\n" + "x" * 25 + "\nlast"
    (root / "long").write_text(text)
    tool = limited(root, shown=10)

    pieces = [
        tool.read("long"),
        tool.read("long", first_line=2),
        tool.read("long", first_line=3),
        tool.read("long", first_line=3, offset=10),
        tool.read("long", first_line=3, offset=20),
    ]

    assert pieces == [
        "first\n[More follows; go on with first_line=2.]",
        "second\n[More follows; go on with first_line=3.]",
        "xxxxxxxxxx\n[More follows; go on with first_line=3, offset=10.]",
        "xxxxxxxxxx\n[More follows; go on with first_line=3, offset=20.]",
        "xxxxx\nlast",
    ]


def test_a_line_too_far_down_is_told(root: Path) -> None:
    (root / "long").write_text("x\n" * 100)

    with pytest.raises(ToolError, match="Line 90 is too far down in 'long'"):
        limited(root, passed=50).read("long", first_line=90)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\x89PNG\0\0", "'odd' is a binary file, not text."),
        (b"x" * 10_000 + b"\0", "'odd' is a binary file, not text."),
        ("é".encode("latin-1"), "'odd' is not text in UTF-8"),
        ("a".encode("utf-16"), "'odd' is text in UTF-16"),
    ],
    ids=["binary", "binary further on", "latin-1", "utf-16"],
)
def test_what_is_no_text_is_refused_in_words(
    files: Files, root: Path, data: bytes, said: str
) -> None:
    (root / "odd").write_bytes(data)

    with pytest.raises(ToolError, match=said):
        files.read("odd")
    assert files.search("a", "odd")["note"] == "Left out: 1 files that are no text in UTF-8."


def test_a_byte_order_mark_is_not_shown(files: Files, root: Path) -> None:
    (root / "marked").write_bytes("\ufeffé".encode())
    (root / "empty").write_bytes("\ufeff".encode())

    assert files.read("marked") == "é"
    assert files.read("empty") == "[The file is empty.]"


def test_a_missing_file_is_told_with_the_nearest_name(files: Files) -> None:
    output = files.run(ToolAction("1", "Files", "read", {"path": "notes/todo.md"}))

    assert isinstance(output, ErrorArtifact)
    assert output.code == "tool-error"
    assert output.to_text() == (
        "There is no file or folder 'notes/todo.md'. Did you mean 'notes/todo.txt'?"
    )


def test_a_file_is_no_folder_and_a_folder_no_file(files: Files) -> None:
    with pytest.raises(ToolError, match=r"'hello\.txt' is a file, not a folder"):
        files.list("hello.txt")
    with pytest.raises(ToolError, match=r"'hello\.txt' is a file, not a folder"):
        files.read("hello.txt/x")
    with pytest.raises(ToolError, match=r"'notes' is a folder, not a file"):
        files.read("notes")
    with pytest.raises(ToolError, match=r"'\.' is a folder, not a file"):
        files.read(".")


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("*.md", ".", ["README.md", "notes/2025/trip.md"]),
        ("*.md", "notes", ["notes/2025/trip.md"]),
        ("t*", ".", ["notes/todo.txt", "notes/2025/trip.md"]),
        ("notes/*", ".", ["notes/todo.txt"]),
        ("notes/**", ".", ["notes/todo.txt", "notes/2025/trip.md"]),
        ("**/20??/*.md", ".", ["notes/2025/trip.md"]),
        ("**/*.py", "src", ["src/main.py"]),
        ("./src/*", ".", ["src/main.py"]),
        ("[!a-z]*", ".", ["README.md"]),
        ("todo.txt", "notes/todo.txt", ["notes/todo.txt"]),
        ("nothing", ".", []),
    ],
)
def test_files_are_found_by_name(
    files: Files, pattern: str, path: str, expected: list[str]
) -> None:
    assert files.find(pattern, path) == {"paths": expected}


def test_a_pattern_of_many_stars_is_soon_done(files: Files, root: Path) -> None:
    folder = root
    for _ in range(12):
        folder = folder / "a"
    folder.mkdir(parents=True)
    (folder / ("a" * 200)).touch()

    assert files.find("**/a/" * 50 + "b") == {"paths": []}
    assert files.find("*a" * 100 + "b") == {"paths": []}


def test_a_text_is_found_in_its_lines(files: Files) -> None:
    output = files.run(ToolAction("1", "Files", "search", {"text": "TODO"}))

    assert isinstance(output, JsonArtifact)
    assert output.value == {
        "matches": [{"path": "src/main.py", "line": 5, "text": "    return os.name  # TODO"}],
        "files_searched": 5,
    }


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"text": "milk"}, []),
        ({"text": "milk", "ignore_case": True}, [("notes/todo.txt", 1)]),
        ({"text": "o", "path": "notes/todo.txt"}, [("notes/todo.txt", 1)]),
        ({"text": "."}, [("README.md", 3), ("notes/2025/trip.md", 1), ("src/main.py", 5)]),
        ({"text": ".", "pattern": "*.py"}, [("src/main.py", 5)]),
        ({"text": "^call", "regex": True}, [("notes/todo.txt", 2)]),
        ({"text": "ann$", "regex": True, "ignore_case": True}, [("notes/todo.txt", 2)]),
        ({"text": r"\b\d{4}\b", "regex": True}, [("notes/2025/trip.md", 1)]),
        ({"text": "(?s)import.*def", "regex": True}, []),
        ({"text": "^", "path": "notes", "regex": True, "pattern": "*.txt"}, 2),
    ],
)
def test_lines_are_found(files: Files, given: dict[str, Any], expected: Any) -> None:
    lines = found(files.search(**given))

    assert lines == expected or len(lines) == expected


def test_lines_are_counted_over_every_break(files: Files, root: Path) -> None:
    (root / "breaks").write_bytes(b"x\r\n\nx\n\r\n\r\nx\r\nfoo\r\n")

    assert found(files.search("x", "breaks")) == [("breaks", 1), ("breaks", 3), ("breaks", 6)]
    assert found(files.search("foo$", "breaks", regex=True)) == [("breaks", 7)]


def test_a_long_line_is_shown_about_what_was_found(root: Path) -> None:
    (root / "long").write_text("é" * 500 + "needle" + "ö" * 500)

    [match] = limited(root, line=40).search("needle", "long")["matches"]

    assert match["text"] == "…" + "é" * 10 + "needle" + "ö" * 24 + "…"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"text": ""}, "`text` is empty"),
        ({"text": "a\nb"}, "one line is searched for"),
        ({"text": "x" * 1_001}, "at most 1000 characters"),
        ({"text": "(a", "regex": True}, r"'\(a' is no regular expression.*missing \): \(a\."),
        ({"text": "(?<=a)b", "regex": True}, "without look-around"),
        ({"text": "((a{999}){999}){999}", "regex": True}, "is no regular expression"),
        ({"text": "a", "pattern": ""}, "The pattern for names is empty"),
        ({"text": "a", "pattern": "*" * 301}, "or longer than 300"),
        ({"text": "a", "path": "nowhere"}, "There is no file or folder 'nowhere'"),
    ],
)
def test_what_cannot_be_searched_for_is_told(
    files: Files, given: dict[str, Any], said: str
) -> None:
    with pytest.raises(ToolError, match=said):
        files.search(**given)


@pytest.mark.parametrize("pattern", ["(x+x+)+[yz]", "(x|x)*[yz]", "^(x+)+$", "(x?){500}x{500}y"])
def test_a_hostile_expression_takes_time_by_the_text_alone(
    files: Files, root: Path, pattern: str
) -> None:
    (root / "hostile").write_text("x" * 15_000 + "!")

    assert found(files.search(pattern, "hostile", regex=True)) == []


def test_a_search_ends_when_its_time_is_up(root: Path) -> None:
    searched = limited(root, seconds=0.0).search("a")

    assert searched["matches"] == []
    assert searched["note"].startswith("Stopped early: 0 seconds were over.")


def test_a_search_ends_in_time_within_one_long_line_too(root: Path) -> None:
    (root / "hostile").write_text("x" * 2_000_000)

    searched = limited(root, seconds=0.2).search("(x?){500}x{500}y", "hostile", regex=True)

    assert searched["note"].startswith("Stopped early: 0.2 seconds were over.")


def test_a_match_is_found_beyond_what_is_searched_at_one_go(files: Files, root: Path) -> None:
    (root / "large").write_text("some words\n" * 150_000 + "needle\n")

    [match] = files.search("(?:x?){100}needle", "large", regex=True)["matches"]

    assert match == {"path": "large", "line": 150_001, "text": "needle"}


def test_a_search_is_bounded_in_all_that_it_does(root: Path) -> None:
    (root / "large").write_text("o" * 100)

    assert "1 files of more than 60 bytes" in limited(root, file_bytes=60).search("o")["note"]
    assert "2 lines were found" in limited(root, found=2).search("o")["note"]
    assert "50 bytes were read" in limited(root, all_bytes=50).search("o")["note"]
    assert "4 files and folders were met" in limited(root, walked=4).search("o")["note"]
    assert "1 folders that lie too deep" in limited(root, depth=1).search("o")["note"]
    assert limited(root, found=1).find("*")["note"].startswith("Stopped early: 1 files were")


def test_names_with_a_dot_are_left_out_unless_the_path_leads_there(
    files: Files, root: Path
) -> None:
    (root / ".git").mkdir()
    (root / ".git" / "config").write_text("needle\n")
    (root / ".env").write_text("needle\n")

    assert found(files.search("needle")) == []
    assert found(files.search("needle", ".git")) == [(".git/config", 1)]
    assert ".env" in names(files.list())


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names.")
def test_odd_names_are_told_in_characters_that_can_be_shown(files: Files, root: Path) -> None:
    (root / "notes" / "two\nlines").write_text("needle")
    try:
        Path(os.fsdecode(bytes(root / "notes") + b"/caf\xe9")).write_text("needle")
    except OSError:
        pytest.skip("The file system takes Unicode only.")

    assert names(files.list("notes")) == ["2025", "caf\\udce9", "todo.txt", "two\nlines"]
    assert files.find("caf*") == {"paths": ["notes/caf\\udce9"]}
    assert files.read("notes/two\nlines") == "needle"
    with pytest.raises(ToolError, match="no text"):
        files.read("notes/caf\udce9")


def test_a_character_that_is_too_far_down_is_not_searched_for(root: Path) -> None:
    (root / "endless").write_bytes(b"a" * 10_000)
    os.truncate(root / "endless", 1_000_000)
    files = limited(root, passed=100_000)

    with pytest.raises(ToolError, match="Character 1,000,000,000 of a line is too far down"):
        files.read("endless", offset=10**9)


def test_lines_have_the_same_numbers_wherever_they_are_told(files: Files, root: Path) -> None:
    (root / "returns").write_bytes(b"one\rstill one\r\ntwo\rstill two\n")

    assert found(files.search("two", "returns")) == [("returns", 2)]
    assert files.read("returns", first_line=2) == "two\rstill two\n"
    assert files.read("returns", last_line=1) == "one\rstill one\n"


def test_a_byte_order_mark_is_no_part_of_the_first_line(files: Files, root: Path) -> None:
    (root / "marked").write_bytes("\ufeffmarked\nx".encode())

    assert files.search("^marked$", "marked", regex=True)["matches"] == [
        {"path": "marked", "line": 1, "text": "marked"}
    ]
