"""Folders with files in them, a secret beside them, and tools that may touch the folders."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pytest

from agenthost_plugin_files.checked import CheckedFolder
from agenthost_plugin_files.held import CAN_HOLD
from agenthost_plugin_files.roots import OpenRoot
from agenthost_plugin_files.tool import Files

SECRET = "the word is mandrake"

TEXTS = {
    "README.md": "# Garden\n\nYou will recieve seeds in spring.\n",
    "hello.txt": "hello\n",
    "notes/todo.txt": "buy Milk on Tuesday\ncall Ann\n",
    "notes/2025/trip.md": "In May 2025 we went to Lisbon.\n",
    "src/main.py": "import os\n\n\ndef greet() -> str:\n    return os.name  # TODO\n",
}


class CheckedFiles(Files):
    """The tool as it works where folders cannot be held open."""

    open_root: ClassVar[OpenRoot] = CheckedFolder.at


WAYS = [Files, CheckedFiles] if CAN_HOLD else [Files]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a folder with a few files; a secret lies outside of it."""
    folder = tmp_path / "garden"
    for path, text in TEXTS.items():
        write(folder / path, text)
    write(tmp_path / "outside" / "secret.txt", SECRET)
    return folder


@pytest.fixture
def outside(root: Path) -> Path:
    """Return the folder with the secret."""
    return root.parent / "outside"


@pytest.fixture(params=WAYS, ids=lambda way: way.__name__)
def files(request: pytest.FixtureRequest, root: Path) -> Files:
    """Return the tool with one root, in each of the ways to open folders."""
    tool: type[Files] = request.param
    return tool(roots=str(root))


@pytest.fixture
def unprivileged() -> Iterator[None]:
    """Let the test run as a user to whom permissions apply."""
    if not hasattr(os, "geteuid"):
        pytest.skip("Windows has no permission bits.")
    user = os.geteuid()
    if user:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(user)


def write(path: Path, text: str) -> None:
    """Write a file, and make the folders that it lies in."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
