"""Nothing outside the roots is read, told of or changed, whatever path a model gives."""

from __future__ import annotations

import os
import socket
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from agenthost_plugin_files.held import CAN_HOLD
from agenthost_plugin_files.tool import Files
from agenthost_sdk import ErrorArtifact, ToolAction, ToolError

SECRET = "mandrake"

ROUNDS = 100

DESCRIPTORS = Path("/proc/self/fd")

TELLS_DESCRIPTORS = pytest.mark.skipif(not DESCRIPTORS.exists(), reason="Linux tells them.")


def outputs(files: Files, path: str) -> dict[str, Any]:
    """Return what each activity gives for a path, by its name."""
    actions: dict[str, dict[str, Any]] = {
        "read": {"path": path},
        "list": {"path": path},
        "find": {"pattern": "*", "path": path},
        "search": {"text": SECRET, "path": path},
        "edit": {"path": path, "find": SECRET, "replacement": "x"},
        "write": {"path": path, "text": "overwritten"},
    }
    return {name: files.run(ToolAction("1", "Files", name, actions[name])) for name in actions}


def descriptors() -> int:
    return len(list(DESCRIPTORS.iterdir()))


def snapshot(folder: Path) -> dict[str, Any]:
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


def assert_all_refuse(files: Files, path: str) -> None:
    for name, output in outputs(files, path).items():
        assert isinstance(output, ErrorArtifact), f"{name} gave {output.to_text()}"
        assert output.code in ("tool-error", "invalid-input"), output.to_text()
        assert SECRET not in output.to_text()


@pytest.mark.parametrize(
    "path",
    [
        "../outside/secret.txt",
        "notes/../../outside/secret.txt",
        "notes/..",
        "..",
        "./..",
        "/etc/passwd",
        "//etc/passwd",
        "/",
        "~/secret.txt",
        "~root/secret.txt",
        "notes/\0",
        "\0",
        "a" * 300,
        "a/" * 3_000,
        "\ud800",
    ],
)
def test_paths_that_lead_out_are_refused_by_every_activity(
    files: Files, outside: Path, path: str
) -> None:
    before = snapshot(outside)

    assert_all_refuse(files, path)
    assert snapshot(outside) == before


def test_an_absolute_path_serves_inside_a_root_alone(
    files: Files, root: Path, outside: Path
) -> None:
    sibling = root.with_name("garden2")
    sibling.mkdir()
    (sibling / "secret.txt").write_text(SECRET)

    assert files.read(str(root / "hello.txt")) == "hello\n"
    assert_all_refuse(files, str(sibling / "secret.txt"))
    assert_all_refuse(files, str(outside / "secret.txt"))
    assert_all_refuse(files, f"{root}/../outside/secret.txt")
    assert_all_refuse(files, str(root.parent))


def test_an_error_tells_nothing_of_what_lies_outside(files: Files, outside: Path) -> None:
    there, missing = outside / "secret.txt", outside / "nothing.txt"

    told = [outputs(files, str(path))["read"].to_text() for path in (there, missing)]

    assert told[0].replace("secret", "nothing") == told[1]


@pytest.mark.parametrize("target", ["outside", "inside", "itself", "nothing"])
def test_a_link_is_never_followed(files: Files, root: Path, outside: Path, target: str) -> None:
    aims = {
        "outside": (outside, outside / "secret.txt"),
        "inside": (root / "notes", root / "hello.txt"),
        "itself": (root / "folder", root / "file"),
        "nothing": (outside / "nothing", outside / "nothing.txt"),
    }
    (root / "folder").symlink_to(aims[target][0], target_is_directory=True)
    (root / "file").symlink_to(aims[target][1])
    before = snapshot(outside)

    for path in ("folder", "file", "folder/secret.txt", "folder/todo.txt", "folder/new.txt"):
        assert_all_refuse(files, path)
    assert {"folder": "link", "file": "link"}.items() <= {
        entry["name"]: entry["kind"] for entry in files.list()["entries"]
    }.items()
    assert files.search(SECRET)["matches"] == []
    assert not [path for path in files.find("*")["paths"] if "f" in path.split("/")[0][:1]]
    assert snapshot(outside) == before


def test_a_loop_of_links_does_not_keep_a_search_going(files: Files, root: Path) -> None:
    (root / "notes" / "up").symlink_to(root, target_is_directory=True)

    assert files.find("todo.txt") == {"paths": ["notes/todo.txt"]}


def test_a_root_may_itself_be_a_link(files: Files, root: Path) -> None:
    (root.parent / "link").symlink_to(root, target_is_directory=True)
    tool = type(files)(roots=str(root.parent / "link"))

    assert tool.read("hello.txt") == "hello\n"
    assert tool.read(str(root.parent / "link" / "hello.txt")) == "hello\n"
    assert tool.read(str(root / "hello.txt")) == "hello\n"


def test_a_root_that_is_replaced_by_a_link_leads_nowhere(
    files: Files, root: Path, outside: Path
) -> None:
    root.rename(root.with_name("moved"))
    root.symlink_to(outside, target_is_directory=True)

    assert_all_refuse(files, "secret.txt")


def test_a_root_that_is_gone_is_told(files: Files, root: Path) -> None:
    root.rename(root.with_name("moved"))

    with pytest.raises(ToolError, match="There is no file or folder"):
        files.list()


@TELLS_DESCRIPTORS
def test_what_is_no_regular_file_is_neither_opened_nor_waited_for(
    files: Files, root: Path
) -> None:
    os.mkfifo(root / "pipe")
    here = os.open(root, os.O_RDONLY)
    server = socket.socket(socket.AF_UNIX)
    try:
        server.bind(f"{DESCRIPTORS}/{here}/socket")
        for path in ("pipe", "socket"):
            assert_all_refuse(files, path)
    finally:
        server.close()
        os.close(here)

    kinds = {entry["name"]: entry["kind"] for entry in files.list()["entries"]}
    assert (kinds["pipe"], kinds["socket"]) == ("other", "other")
    assert files.search("hello")["files_searched"] == 5


@pytest.mark.usefixtures("unprivileged")
def test_what_this_user_may_not_open_is_told_and_left_out_of_a_search() -> None:
    with tempfile.TemporaryDirectory() as folder:
        shut, file = Path(folder) / "shut", Path(folder) / "file"
        shut.mkdir()
        (shut / "inside").write_text("hello")
        file.write_text("hello")
        files = Files(roots=folder)
        shut.chmod(0)
        file.chmod(0)
        try:
            note = files.search("hello")["note"]
            refused = [outputs(files, path)["read"].to_text() for path in ("shut/inside", "file")]
        finally:
            shut.chmod(0o700)

    assert "1 folders that cannot be opened" in note
    assert "1 files that cannot be opened" in note
    assert all("may not be opened" in words for words in refused)


@TELLS_DESCRIPTORS
def test_a_deep_tree_is_walked_without_a_descriptor_for_each_folder(
    files: Files, root: Path
) -> None:
    folder = root / "/".join("d" * 55)
    folder.mkdir(parents=True)
    (folder / "deep.txt").write_text("needle\n")
    held = descriptors()

    [match] = files.search("needle")["matches"]

    assert match["path"].endswith("d/deep.txt")
    assert files.read(match["path"]) == "needle\n"
    assert descriptors() == held


@TELLS_DESCRIPTORS
def test_no_descriptor_is_left_open_by_what_fails(files: Files, root: Path) -> None:
    (root / "link").symlink_to("notes")
    (root / "binary").write_bytes(b"\0")
    held = descriptors()

    for path in ("link", "binary", "nothing", "notes/nothing/x", "hello.txt/x", ".."):
        outputs(files, path)

    assert descriptors() == held


@contextmanager
def swapped(one: Path, other: Path) -> Iterator[None]:
    """Exchange a path for a link to another, over and over, while the block runs."""
    is_over = threading.Event()

    def swap() -> None:
        for number in count():
            if is_over.is_set():
                return
            aside = one.with_name(f"aside-{number}")
            with suppress(OSError):  # here and below: the tool made it anew meanwhile
                one.rename(aside)
            with suppress(OSError):
                one.symlink_to(other)
            if one.is_symlink():
                one.unlink()
            with suppress(OSError):
                aside.rename(one)

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


@pytest.mark.skipif(
    not CAN_HOLD, reason="The README says what holds where folders cannot be held."
)
@pytest.mark.parametrize("part", ["folder", "file"])
def test_a_link_swapped_in_between_two_steps_leads_nowhere(
    root: Path, outside: Path, part: str
) -> None:
    (root / "swap").mkdir()
    (root / "swap" / "secret.txt").write_text("harmless\n")
    files = Files(roots=str(root))
    aims = {
        "folder": (root / "swap", outside),
        "file": (root / "swap" / "secret.txt", outside / "secret.txt"),
    }
    before, said = snapshot(outside), []

    with swapped(*aims[part]):
        for _ in range(ROUNDS):
            said += [one.to_text() for one in outputs(files, "swap/secret.txt").values()]

    assert not [words for words in said if "the word is" in words]
    assert snapshot(outside) == before


PIECES = st.sampled_from(
    [
        *("..", ".", "", "/", "\\", "~", "\0", "link", "file-link", "notes", "outside"),
        *("secret.txt", "hello.txt", "hard", "C:", "CON", "a:b", "...", " ", "\n", "é", "OUTSIDE"),
        *("{absolute}", "{root}", "proc", "self", "cwd", "fd", "%2e%2e", "．．", "．．/"),
    ]
)

PATHS = st.one_of(
    st.lists(PIECES, max_size=6).map("/".join),
    st.lists(PIECES, max_size=6).map("".join),
    st.text(max_size=20),
)


@given(path=PATHS)
@example(path="link/secret.txt")
@example(path="{absolute}/secret.txt")
@example(path="{root}/../outside/secret.txt")
@settings(
    deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_no_path_at_all_leads_out(files: Files, root: Path, outside: Path, path: str) -> None:
    for link, target in (("link", outside), ("file-link", outside / "secret.txt")):
        if not (root / link).is_symlink():
            (root / link).symlink_to(target)
    before = snapshot(outside)
    path = path.replace("{absolute}", str(outside)).replace("{root}", str(root))

    said = outputs(files, path)

    assert "the word is" not in " ".join(output.to_text() for output in said.values())
    assert snapshot(outside) == before
    assert sorted(path.name for path in root.parent.iterdir()) == ["garden", "outside"]
