"""Run a file as a module of its own, and say what stops it."""

from __future__ import annotations

import hashlib
import os
import sys
import threading
import traceback
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import CodeType, ModuleType

from agenthost_sdk.artifacts import error_text
from agenthost_sdk.errors import AgenthostError

#: Two threads that make the tool at once run a file once.
_LOADING = threading.Lock()


class UnusableFileError(AgenthostError):
    """A file cannot be used; the message names it, the line, and what to do."""


def load(path: Path) -> ModuleType:
    """Return the module of a file; one that has not changed since is not run again.

    The module has a name that no other has, by which pickle and the annotations of its functions
    find it. Nothing is written beside the file.

    Raises:
        UnusableFileError: It is missing, is no Python, or raises when it is run.
    """
    source = _source(path)
    name = f"agenthost_functions_{_digest(path, source)}"
    with _LOADING:
        return sys.modules.get(name) or _run(name, path, source)


class _Loader(SourceFileLoader):
    """Compile what was read; Python's own loader would keep it in a folder beside the file."""

    def __init__(self, name: str, path: Path, source: bytes) -> None:
        super().__init__(name, str(path))
        self._source = source

    def get_code(self, fullname: str) -> CodeType:  # noqa: ARG002 - the import system gives it
        return self.source_to_code(self._source, self.path)


def _source(path: Path) -> bytes:
    if path.is_dir():
        raise UnusableFileError(f"{path} is a folder. Name a file of Python functions in it.")
    if path.exists() and not path.is_file():
        raise UnusableFileError(f"{path} is not an ordinary file, so it is not read.")
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        raise UnusableFileError(
            f"There is no file {path}. See how its name is written."
        ) from error
    except (OSError, ValueError) as error:
        raise UnusableFileError(f"{path} cannot be read: {error}.") from error


def _digest(path: Path, source: bytes) -> str:
    return hashlib.sha256(os.fsencode(path) + b"\0" + source).hexdigest()[:16]


def _run(name: str, path: Path, source: bytes) -> ModuleType:
    loader = _Loader(name, path, source)
    spec = spec_from_loader(name, loader)
    assert spec is not None  # a loader of files has one
    module = module_from_spec(spec)
    sys.modules[name] = module
    try:
        loader.exec_module(module)
    except KeyboardInterrupt:
        del sys.modules[name]
        raise
    except BaseException as error:  # it is foreign code, and may end Python
        del sys.modules[name]
        raise UnusableFileError(_words(path, error)) from error
    return module


def _words(path: Path, error: BaseException) -> str:
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return f"{path}, line {error.lineno}, is no Python: {error.msg}."
    place = f"{path}{_line(path, error)}"
    if isinstance(error, SystemExit):
        return (
            f"{place}: it ended Python when it was run (SystemExit: {error.code}). Put what is no"
            ' definition under `if __name__ == "__main__":`.'
        )
    return f"{place}: {error_text(error).rstrip('.')}.{_hint(path, error)}"


def _line(path: Path, error: BaseException) -> str:
    """Return the last line of the file that ran; "" where none did."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(path)]
    return f", line {lines[-1]}" if lines else ""


def _hint(path: Path, error: BaseException) -> str:
    if not isinstance(error, ImportError):
        return ""
    top = (error.name or "").partition(".")[0]
    is_beside = bool(top) and any(path.with_name(name).exists() for name in (f"{top}.py", top))
    if is_beside or "relative import" in str(error):
        return (
            " A file of functions stands alone and imports nothing beside it: put what it needs"
            " into the file, or install it as a package."
        )
    if isinstance(error, ModuleNotFoundError):
        return f" Install {top} where agenthost is installed."
    return ""
