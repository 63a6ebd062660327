"""Have a child process ask every plugin what it contributes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from binascii import crc32
from tempfile import TemporaryFile
from typing import IO, Any

from agenthost.registry.entries import PluginRecord
from agenthost.registry.selection import given_here
from agenthost.registry.stamps import Stamp, seen, settled
from agenthost.registry.versions import OURS
from agenthost.settings import Settings
from agenthost_sdk.errors import PluginError

#: The child keeps the time limit itself; this is for one that cannot.
_GRACE = 15.0

#: What starts a child: it takes its request from the standard input, and its `sys.path` from
#: that, so that it sees what its parent sees. What it is to do follows.
START = (
    "import json, sys; request = json.loads(sys.stdin.buffer.read());"
    " sys.path[:] = request['path']; import agenthost.registry.build as build; "
)


def ask_plugins(
    settings: Settings, folders: list[str], *, refresh: bool = False
) -> tuple[dict[str, Stamp], tuple[PluginRecord, ...]]:
    """Return the stamps of what decides the answer, and a record of each plugin.

    Args:
        settings: The settings.
        folders: Where plugins are looked for.
        refresh: Ask also those whose answer is known from earlier.

    Raises:
        PluginError: The child gave no answer, which is no plugin's doing.
    """
    before = seen(folders)
    request = _request(settings, folders, refresh=refresh)
    told = _answer(request, settings.catalog_timeout + _GRACE)
    answer = json.loads(told.rpartition(b"\n")[2])  # before it may stand what plugins wrote there
    watched = {**settled(before), **answer["watched"]}
    return watched, tuple(PluginRecord.from_json(row) for row in answer["plugins"])


def _request(settings: Settings, folders: list[str], *, refresh: bool) -> dict[str, Any]:
    only = settings.only_plugins
    return {
        "path": folders,
        "timeout": settings.catalog_timeout,
        "plugin_timeout": settings.plugin_timeout,
        "disabled": list(settings.disabled_plugins),
        "only": None if only is None else list(only),
        "settings_file": settings.folders.settings_file,
        "options": {name: dict(given) for name, given in settings.tool_options.items()},
        "aliases": dict(settings.tool_aliases),
        "given_here": dict(given_here(settings)),
        "choices": dict(settings.tool_choices),
        "forced": list(settings.forced_plugins),
        "refresh": refresh,
        "answers": os.path.join(settings.folders.cache, f"answers-{_answers_name(folders)}.json"),
        "answers_key": [sys.version, _versions()],
    }


def _answers_name(folders: list[str]) -> str:
    return f"{crc32(json.dumps([sys.version, folders]).encode()):08x}"


def _versions() -> list[str]:
    """Return the versions of our own distributions, whose change may change every answer."""
    from importlib import metadata

    return [metadata.version(name) for name in OURS]


def _answer(request: dict[str, Any], seconds: float) -> bytes:
    try:
        return _child_answer(request, seconds)
    except OSError as error:
        raise PluginError(
            f"The plugins cannot be asked, since no process or temporary file can be made: {error}"
        ) from error


def _child_answer(request: dict[str, Any], seconds: float) -> bytes:
    if not sys.executable:
        raise PluginError("The plugins cannot be asked, since sys.executable names no Python.")
    # Files and no pipes: a process that a plugin started and left behind would hold a pipe open.
    with TemporaryFile() as asked, TemporaryFile() as answered, TemporaryFile() as said:
        asked.write(json.dumps(request, default=str).encode())
        asked.seek(0)
        child = subprocess.Popen(  # noqa: S603 - our own interpreter
            [sys.executable, *interpreter_flags(), "-c", f"{START}build.main(request)"],
            stdin=asked,
            stdout=answered,
            stderr=said,
            start_new_session=True,
        )
        try:
            code = child.wait(seconds)
        except subprocess.TimeoutExpired:
            raise PluginError(
                f"The plugins could not be asked within {seconds:g} seconds. Raise the setting"
                " catalog.timeout, or turn off a slow plugin."
            ) from None
        finally:
            _end(child)
        if code != 0:
            raise PluginError(_unanswered(code, _content(said).decode(errors="replace")))
        return _content(answered)


def _content(file: IO[bytes]) -> bytes:
    file.seek(0)
    return file.read()


def interpreter_flags() -> list[str]:
    """Return what makes the child's interpreter like this one, and free of the current folder."""
    flags = ["-P"]
    if sys.flags.ignore_environment:
        flags.append("-E")
    if sys.flags.no_user_site:
        flags.append("-s")
    return flags


def _end(child: subprocess.Popen[bytes]) -> None:
    if child.poll() is None:
        if hasattr(os, "killpg"):
            os.killpg(child.pid, signal.SIGKILL)
        child.kill()
        child.wait()


def _unanswered(code: int, said: str) -> str:
    lines = [line.strip() for line in said.splitlines() if line.strip()] or ["it said nothing"]
    # A traceback of an exception ends with its cause, that of a stuck process begins with it.
    told = (
        next((line for line in lines if line.startswith("File ")), "") if code < 0 else lines[-1]
    )
    return f"The plugins could not be asked: the child ended with code {code}: {told}"
