"""Write the files of a new plugin into its folder: all of them, or none."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

#: What may lie in a folder that counts as empty: a repository in which nothing was begun.
_ALLOWED = {".git"}


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    """Write files below a folder, which is made if need be; take back what fails half-way.

    Args:
        folder: Where they go; it is not there yet, or it is empty.
        files: Texts by their paths, with "/" between folders.

    Raises:
        FileExistsError: The folder is none, or holds something.
        OSError: Something cannot be written.
    """
    _check_empty(folder)
    made: list[Path] = []
    try:
        for name, text in files.items():
            path = folder / name
            _make_folder(path.parent, made)
            made.append(path)
            path.write_text(text, encoding="utf-8", newline="\n")
    except BaseException:  # an interrupt leaves nothing behind either
        _remove(made)
        raise


def _check_empty(folder: Path) -> None:
    if not folder.exists():
        return
    if not folder.is_dir():
        raise FileExistsError(f"{folder} is a file.")
    found = sorted({path.name for path in folder.iterdir()} - _ALLOWED)
    if found:
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        raise FileExistsError(f"{folder} is not empty: {found[0]}{more}.")


def _make_folder(folder: Path, made: list[Path]) -> None:
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    for one in reversed(missing):
        one.mkdir()
        made.append(one)


def _remove(made: list[Path]) -> None:
    for path in reversed(made):
        with suppress(OSError):  # it never came to be, or somebody else uses it by now
            if path.is_dir():
                path.rmdir()
            else:
                path.unlink()
