"""Run something in an interpreter of its own, with a time limit, and leave nothing behind."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

#: Takes the request from the standard input, and `sys.path` from that, so that the child sees
#: what its parent sees; calls the function that the request names with it. It ends without
#: waiting for the threads that a plugin left running, and also where its parent is no more that
#: would end it.
_START = """\
import contextlib, faulthandler, importlib, json, os, sys
request = json.loads(sys.stdin.buffer.read())
faulthandler.dump_traceback_later(request["seconds"] + 10, exit=True)
sys.path[:] = request["path"]
module, _, function = request["call"].partition(":")
getattr(importlib.import_module(module), function)(request)
for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
    with contextlib.suppress(Exception):
        stream.flush()
os._exit(0)
"""


#: Plugins patch `json`; this encoder is the one that was there before any of them.
_encode = json.JSONEncoder().encode


class Ended(NamedTuple):
    """How a child ended, and what it left."""

    #: "" where it ended by itself and well, else words such as "did not finish within 60 s".
    ending: str
    #: What it wrote into the file `request["report"]`, line by line.
    report: list[Any]
    #: What was printed on the standard output, and on the standard error.
    printed: str
    complained: str


def call_in_child(call: str, request: Mapping[str, Any], seconds: float) -> Ended:
    """Call a function in a new interpreter, and wait for its end.

    Args:
        call: The function, as "module:name". It takes the request, to which `report` was added,
            the file for its answer: a JSON value on each line.
        request: What it is to do, in JSON values; `path` takes the place of its `sys.path`.
        seconds: How long it may take; then it is ended.
    """
    # Files and no pipes: a process that a plugin started and left behind would hold a pipe open.
    with TemporaryDirectory(prefix="agenthost-", ignore_cleanup_errors=True) as folder:
        place = Path(folder)
        ours = {"call": call, "report": str(place / "report"), "seconds": seconds}
        asked = {"path": sys.path, **request, **ours}
        (place / "request").write_text(json.dumps(asked), encoding="ascii")
        (place / "report").touch()
        ending = _run(place, seconds)
        return Ended(ending, _report(place), _text(place / "printed"), _text(place / "complained"))


def write_report(request: Mapping[str, Any], value: Any) -> None:
    """Add a line to the report that the parent reads, whatever becomes of this process."""
    with open(request["report"], "a", encoding="ascii") as report:  # noqa: PTH123 - no pathlib in the child
        report.write(f"{_encode(value)}\n")


def _run(place: Path, seconds: float) -> str:
    with (
        (place / "request").open("rb") as asked,
        (place / "printed").open("wb") as printed,
        (place / "complained").open("wb") as complained,
    ):
        child = subprocess.Popen(  # noqa: S603 - this very interpreter, with words of our own
            [sys.executable, "-P", "-c", _START],
            stdin=asked,
            stdout=printed,
            stderr=complained,
            env={**os.environ, "PYTHONIOENCODING": "utf-8"},  # as what it prints is read
            start_new_session=True,
        )
        try:
            return _ending(child.wait(seconds))
        except subprocess.TimeoutExpired:
            return f"did not finish within {seconds:g} s"
        finally:
            _end(child)


def _end(child: subprocess.Popen[bytes]) -> None:
    """End the child, and what it started and left behind."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
    child.kill()
    child.wait()


def _ending(code: int) -> str:
    if code == 0:
        return ""
    if code > 0:
        return f"ended the process with exit code {code}"
    try:
        return f"crashed the interpreter (signal {signal.Signals(-code).name})"
    except ValueError:
        return f"crashed the interpreter (signal {-code})"


def _report(place: Path) -> list[Any]:
    lines = []
    for line in _text(place / "report").splitlines():
        with contextlib.suppress(ValueError):  # one that was cut off by the end of the child
            lines.append(json.loads(line))
    return lines


def _text(file: Path) -> str:
    return file.read_bytes().decode(errors="replace") if file.exists() else ""
