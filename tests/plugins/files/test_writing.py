"""Files are written whole or not at all, and never through a link."""

from __future__ import annotations

import os
import stat
import tempfile
import threading
from pathlib import Path

import pytest

from agenthost_plugin_files.tool import Files
from agenthost_sdk import ToolError

HAS_MODES = pytest.mark.skipif(os.name == "nt", reason="Windows has no permission bits.")


def left_behind(root: Path) -> list[Path]:
    return list(root.rglob("*.tmp"))


def test_a_file_is_created_with_the_folders_it_lies_in(files: Files, root: Path) -> None:
    said = files.write("new/deep/plan.md", "# Plan\nrest\n")

    assert said == "Created 'new/deep/plan.md': 2 lines, 12 bytes."
    assert (root / "new/deep/plan.md").read_bytes() == b"# Plan\nrest\n"
    assert left_behind(root) == []


def test_a_file_is_replaced_with_just_what_is_given(files: Files, root: Path) -> None:
    said = files.write("hello.txt", "grüß\r\ndich")

    assert said == "Replaced 'hello.txt': 2 lines, 12 bytes."
    assert (root / "hello.txt").read_bytes() == "grüß\r\ndich".encode()
    assert files.write("hello.txt", "") == "Replaced 'hello.txt': 0 lines, 0 bytes."


@HAS_MODES
def test_the_mode_of_the_old_file_is_kept(files: Files, root: Path) -> None:
    (root / "hello.txt").chmod(0o640)
    (root / "src/main.py").chmod(0o4755)

    files.write("hello.txt", "x")
    files.write("src/main.py", "x")
    files.write("new.txt", "x")

    modes = [stat.S_IMODE((root / name).stat().st_mode) for name in ("hello.txt", "src/main.py")]
    assert modes == [0o640, 0o755]
    assert not (root / "new.txt").stat().st_mode & 0o111


@HAS_MODES
def test_the_owner_of_the_old_file_is_kept_where_this_user_may(files: Files, root: Path) -> None:
    owner = 65534 if os.geteuid() == 0 else os.geteuid()
    os.chown(root / "hello.txt", owner, -1)

    files.write("hello.txt", "x")

    assert (root / "hello.txt").stat().st_uid == owner


def test_a_hard_link_outside_keeps_what_it_had(files: Files, root: Path, outside: Path) -> None:
    os.link(outside / "secret.txt", root / "hard.txt")

    files.write("hard.txt", "changed")

    assert (root / "hard.txt").read_text() == "changed"
    assert "mandrake" in (outside / "secret.txt").read_text()


def test_a_write_protected_file_is_left_alone(files: Files, root: Path) -> None:
    (root / "hello.txt").chmod(0o444)

    with pytest.raises(ToolError, match=r"'hello\.txt' is write-protected"):
        files.write("hello.txt", "x")
    with pytest.raises(ToolError, match=r"'hello\.txt' is write-protected"):
        files.edit("hello.txt", "hello", "x")
    assert (root / "hello.txt").read_text() == "hello\n"


@pytest.mark.parametrize(
    ("path", "said"),
    [
        (".", "is a folder, not a file"),
        ("notes", "'notes' is a folder, not a file"),
        ("hello.txt/x", "'hello.txt' is a file, not a folder"),
        ("bad\nname.txt", "a control character"),
        ("bad\x1b[31m/x.txt", "a control character"),
        (" x.txt", "begins or ends with a space"),
        ("x" * 300, "too long"),
        ("d/" * 70 + "x", "at most 60 folders deep"),
    ],
)
def test_what_cannot_be_written_is_told(files: Files, root: Path, path: str, said: str) -> None:
    before = sorted(root.rglob("*"))

    with pytest.raises(ToolError, match=said):
        files.write(path, "x")
    assert sorted(root.rglob("*")) == before


@pytest.mark.parametrize("text", ["half \ud83d", "x" * 2_000_001], ids=["surrogate", "large"])
def test_a_text_that_cannot_be_written_leaves_the_file_as_it_was(
    files: Files, root: Path, text: str
) -> None:
    with pytest.raises(ToolError, match=r"'hello\.txt' was not written"):
        files.write("hello.txt", text)

    assert (root / "hello.txt").read_text() == "hello\n"
    assert left_behind(root) == []


@HAS_MODES
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="A full disk is a device of Linux.")
def test_a_write_that_fails_half_way_leaves_the_file_as_it_was(root: Path) -> None:
    import resource
    import signal

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, before[1]))
    try:
        with pytest.raises(ToolError, match=r"'hello\.txt' cannot be used: File too large"):
            Files(roots=str(root)).write("hello.txt", "x" * 5_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)

    assert (root / "hello.txt").read_text() == "hello\n"
    assert left_behind(root) == []


def test_a_reader_never_sees_half_of_a_file(files: Files, root: Path) -> None:
    texts = {letter * 200_000 for letter in "ab"}
    files.write("big.txt", "a" * 200_000)
    seen: set[str] = set()
    is_over = threading.Event()

    def look() -> None:
        while not is_over.is_set():
            seen.add((root / "big.txt").read_text())

    reader = threading.Thread(target=look)
    reader.start()
    for _ in range(15):
        for text in texts:
            files.write("big.txt", text)
    is_over.set()
    reader.join()

    assert seen <= texts


def test_a_piece_is_replaced_once(files: Files, root: Path) -> None:
    said = files.edit("notes/todo.txt", "call Ann\n", "call Bob\ncall Cy\n")

    assert said == "Replaced the text at line 2 of 'notes/todo.txt'."
    assert (root / "notes/todo.txt").read_text() == "buy Milk on Tuesday\ncall Bob\ncall Cy\n"


def test_an_edit_keeps_the_line_breaks_and_the_mark_of_a_file(files: Files, root: Path) -> None:
    (root / "dos.txt").write_bytes("\ufeffone\r\ntwo\r\nthree\r\n".encode())

    files.edit("dos.txt", "one\ntwo\n", "1\n2\n")

    assert (root / "dos.txt").read_bytes() == "\ufeff1\r\n2\r\nthree\r\n".encode()


@pytest.mark.parametrize(
    ("path", "find", "said"),
    [
        ("hello.txt", "", "`find` is empty"),
        ("hello.txt", "bye", "does not hold that piece. Read the file"),
        ("hello.txt", "Hello", "It is there in another case"),
        ("src/main.py", "os", "holds that piece 2 times"),
        ("nothing.txt", "x", "There is no file or folder 'nothing.txt'"),
        ("binary", "x", "is a binary file"),
        ("large", "x", "more than 2,000,000 bytes"),
    ],
)
def test_an_edit_that_cannot_be_made_changes_nothing(
    files: Files, root: Path, path: str, find: str, said: str
) -> None:
    (root / "binary").write_bytes(b"x\0")
    (root / "large").write_bytes(b"x" * 2_000_001)

    with pytest.raises(ToolError, match=said):
        files.edit(path, find, "new")
    assert (root / "hello.txt").read_text() == "hello\n"


def test_edits_at_the_same_time_are_all_kept(files: Files, root: Path) -> None:
    (root / "many.txt").write_text("".join(f"<{number}>\n" for number in range(12)))
    edits = [
        threading.Thread(target=files.edit, args=("many.txt", f"<{number}>", f"[{number}]"))
        for number in range(12)
    ]

    for edit in edits:
        edit.start()
    for edit in edits:
        edit.join()

    expected = "".join(f"[{number}]\n" for number in range(12))
    assert (root / "many.txt").read_text() == expected


@pytest.mark.parametrize(
    ("find", "replacement", "expected"),
    [
        ("b\nc", "B\nC", b"a\r\nB\nC\nd\r\n"),
        ("a\nb", "A\nB", b"A\r\nB\nc\nd\r\n"),
        ("d", "d\ne", b"a\r\nb\nc\nd\r\ne\r\n"),
        ("a\r\nb", "A\nB", b"A\nB\nc\nd\r\n"),
    ],
)
def test_a_piece_is_found_whichever_breaks_its_lines_have(
    files: Files, root: Path, find: str, replacement: str, expected: bytes
) -> None:
    (root / "both").write_bytes(b"a\r\nb\nc\nd\r\n")

    files.edit("both", find, replacement)

    assert (root / "both").read_bytes() == expected


def test_a_file_that_this_user_may_not_write_is_not_replaced(unprivileged: None) -> None:
    with tempfile.TemporaryDirectory() as folder:  # a folder of its own, which the user can reach
        file = Path(folder, "for_the_group.txt")
        file.write_text("theirs")
        file.chmod(0o464)

        with pytest.raises(ToolError, match="is write-protected"):
            Files(roots=folder).write(file.name, "mine")
        assert file.read_text() == "theirs"
