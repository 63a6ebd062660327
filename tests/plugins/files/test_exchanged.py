"""What takes the place of a file or folder after it was looked at is not followed either."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, ClassVar

import pytest

from agenthost_plugin_files.checked import CheckedFolder
from agenthost_plugin_files.folders import Folder
from agenthost_plugin_files.held import CAN_HOLD, HeldFolder
from agenthost_plugin_files.tool import Files
from agenthost_sdk import ToolAction, ToolError

SECRET = "the word is mandrake"

Intrude = Callable[[], object]
Intruded = Callable[..., Files]


@pytest.fixture(params=[HeldFolder, CheckedFolder] if CAN_HOLD else [CheckedFolder])
def intruded(request: pytest.FixtureRequest, root: Path) -> Intruded:
    """Return what makes a tool into whose steps another program comes."""

    def make(
        looked: tuple[str, Intrude] = ("", int),
        created: Intrude = int,
        replaced: Intrude = int,
    ) -> Files:
        way: Any = request.param
        pending = [looked]

        class Open(way):  # type: ignore[misc]  # one of the two
            def status(self, name: str) -> os.stat_result:
                found: os.stat_result = super().status(name)
                if pending and name == pending[0][0]:
                    pending.pop()[1]()
                return found

            def create(self, name: str, mode: int) -> BinaryIO:
                created()
                file: BinaryIO = super().create(name, mode)
                return file

            def replace(self, source: str, target: str) -> None:
                replaced()
                super().replace(source, target)

        class Tool(Files):
            open_root: ClassVar[Callable[[str, str], Folder]] = Open.at

        return Tool(roots=str(root))

    return make


def link(path: Path, target: Path) -> None:
    """Put a link in the place of a file or folder."""
    path.rename(path.with_name("aside"))
    path.symlink_to(target, target_is_directory=target.is_dir())


def said(files: Files, name: str, **given: str) -> str:
    return files.run(ToolAction("1", "Files", name, given)).to_text()


ACTIONS: dict[str, dict[str, str]] = {
    "read": {},
    "search": {"text": "word"},
    "edit": {"find": "word", "replacement": "x"},
    "write": {"text": "overwritten"},
}


@pytest.mark.parametrize("name", ACTIONS)
def test_a_link_in_the_place_of_a_folder_is_refused(
    intruded: Intruded, root: Path, outside: Path, name: str
) -> None:
    (root / "swap").mkdir()
    files = intruded(("swap", lambda: link(root / "swap", outside)))

    words = said(files, name, path="swap/secret.txt", **ACTIONS[name])

    assert "link" in words or "swap" in words
    assert "the word is" not in words
    assert [path.name for path in outside.iterdir()] == ["secret.txt"]
    assert (outside / "secret.txt").read_text() == SECRET


@pytest.mark.parametrize("name", ["read", "search", "edit"])
def test_a_link_in_the_place_of_a_file_is_refused(
    intruded: Intruded, root: Path, outside: Path, name: str
) -> None:
    files = intruded(("hello.txt", lambda: link(root / "hello.txt", outside / "secret.txt")))

    words = said(files, name, path="hello.txt", **ACTIONS[name])

    assert "the word is" not in words
    assert (outside / "secret.txt").read_text() == SECRET


def test_a_link_that_is_met_while_a_folder_is_searched_is_left_out(
    intruded: Intruded, root: Path, outside: Path
) -> None:
    files = intruded(("hello.txt", lambda: link(root / "hello.txt", outside / "secret.txt")))

    words = said(files, "search", text="word")

    assert "the word is" not in words
    assert "1 files that cannot be opened" in words


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no such files.")
def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(intruded: Intruded, root: Path) -> None:
    def exchange() -> None:
        (root / "hello.txt").unlink()
        os.mkfifo(root / "hello.txt")

    with pytest.raises(ToolError, match="is a device, a pipe or a socket"):
        intruded(("hello.txt", exchange)).read("hello.txt")


@pytest.mark.parametrize("looked_at", ["2025", "trip.md"])
@pytest.mark.parametrize("name", ACTIONS)
def test_a_link_in_the_place_of_a_folder_passed_already_leads_nowhere(
    intruded: Intruded, root: Path, outside: Path, name: str, looked_at: str
) -> None:
    (outside / "2025").mkdir()
    (outside / "2025" / "trip.md").write_text(SECRET)
    files = intruded((looked_at, lambda: link(root / "notes", outside)))

    words = said(files, name, path="notes/2025/trip.md", **ACTIONS[name])

    assert "the word is" not in words
    assert (outside / "2025" / "trip.md").read_text() == SECRET


def test_what_another_wrote_meanwhile_is_not_written_over(intruded: Intruded, root: Path) -> None:
    files = intruded(created=lambda: (root / "hello.txt").write_text("by another"))

    with pytest.raises(ToolError, match="changed by another meanwhile"):
        files.edit("hello.txt", "hello", "goodbye")
    assert (root / "hello.txt").read_text() == "by another"
    assert not list(root.rglob("*.tmp"))


def test_a_link_in_the_place_of_a_file_to_be_written_is_replaced_not_followed(
    intruded: Intruded, root: Path, outside: Path
) -> None:
    files = intruded(replaced=lambda: link(root / "hello.txt", outside / "secret.txt"))

    files.write("hello.txt", "mine")

    assert (root / "hello.txt").read_text() == "mine"
    assert not (root / "hello.txt").is_symlink()
    assert (outside / "secret.txt").read_text() == SECRET


@pytest.mark.parametrize("is_put_back", [False, True], ids=["left", "put back"])
def test_a_checked_folder_sees_what_came_between_its_look_and_the_opening(
    root: Path, outside: Path, is_put_back: bool
) -> None:
    (outside / "hello.txt").write_text(SECRET)
    aside = root.with_name("aside")

    class Open(CheckedFolder):
        def _inside(self, name: str) -> str:
            asked.append(name)
            if len(asked) == 2:  # the first time is for the look, the second for the opening
                link(root, outside)
            return super()._inside(name)

        def _check_opened(self, descriptor: int, name: str) -> None:
            if is_put_back:
                root.unlink()
                aside.rename(root)
            super()._check_opened(descriptor, name)

    asked: list[str] = []
    with Open.at(str(root), "") as folder, pytest.raises(ToolError, match=r"link|exchanged"):
        folder.open("hello.txt")
