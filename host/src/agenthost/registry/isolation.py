"""Run a piece of work in a process of its own, so that nothing it does stays.

Where the system can fork, a fork costs a few milliseconds; elsewhere it is a new interpreter.
"""

from __future__ import annotations

import contextlib
import faulthandler
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from typing import IO, Any, NamedTuple

from agenthost_sdk.hook_reading import words
from agenthost_sdk.redaction import without_keys

#: Tells the waiting process what is done next.
Tell = Callable[[str], None]

#: Does the work in the other process; what it returns is JSON.
Work = Callable[[Tell], dict[str, Any]]

#: Plugins patch `json`; this encoder is the one that was there before any of them.
encode = json.JSONEncoder(allow_nan=False).encode

CAN_FORK = hasattr(os, "fork") and hasattr(os, "killpg")


#: How much longer than it may a fork lives, should nobody be left to end it.
_GRACE = 5.0

#: Opens each line that is ours, where a plugin can write to the same stream.
_MARK = "\x1eagenthost "

#: How much of what was printed is kept.
_SHOWN = 200


class Outcome(NamedTuple):
    """What came of the work: its result, or words for how it ended without one."""

    result: dict[str, Any] | None
    #: What was told last.
    phase: str = ""
    ending: str = ""
    #: What was written to the standard output.
    printed: str = ""
    #: The traceback of what ended it.
    detail: str = ""


def in_fork(work: Work, seconds: float) -> Outcome:
    """Run the work in a fork of this process, for as long as is allowed.

    The fork's standard output is caught; its other output is dropped. When this returns, the
    fork and whatever it started are gone.
    """
    with tempfile.TemporaryFile() as caught:
        reading, writing = os.pipe()
        fork = os.fork()
        if fork == 0:  # pragma: no cover - the coverage of a fork is not collected
            os.close(reading)
            _work_and_exit(work, writing, caught, seconds)
        os.close(writing)
        deadline = time.monotonic() + seconds
        try:
            lines, answered = _lines(reading, deadline)
        finally:
            os.close(reading)
            status = _end(fork, deadline if not answered else 0)
        return _outcome(lines, _printed(caught), status, seconds)


def in_interpreter(command: list[str], request: dict[str, Any], seconds: float) -> Outcome:
    """Run a command that answers as `answer` does, for as long as is allowed."""
    with tempfile.TemporaryFile() as caught:
        process = subprocess.Popen(  # noqa: S603 - the command is our own
            command, stdin=subprocess.PIPE, stdout=caught, stderr=subprocess.DEVNULL
        )
        try:
            process.communicate(encode(request).encode(), timeout=seconds)
            status: int | None = process.returncode
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            status = None
        lines = _printed(caught, most=-1).split("\n")
        ours = [line.removeprefix(_MARK) for line in lines if line.startswith(_MARK)]
        theirs = "\n".join(line for line in lines if not line.startswith(_MARK)).strip()
        return _outcome(ours, theirs[:_SHOWN], status, seconds)


def answer(work: Work) -> None:
    """Do the work and write what is told of it, and its result, to the standard output."""
    _work(work, os.dup(1), _MARK)


def _work_and_exit(work: Work, writing: int, caught: IO[bytes], seconds: float) -> None:
    code = 1
    try:
        os.setpgid(0, 0)
        os.dup2(caught.fileno(), 1)
        with open(os.devnull, "r+b") as nothing:
            os.dup2(nothing.fileno(), 0)
            os.dup2(nothing.fileno(), 2)
        # Whoever would end this one may have been ended itself, by an interrupt.
        faulthandler.dump_traceback_later(seconds + _GRACE, exit=True, file=2)
        _work(work, writing)
        code = 0
    finally:
        os._exit(code)


def _work(work: Work, writing: int, mark: str = "") -> None:
    def say(message: dict[str, Any]) -> None:
        data = f"{mark}{encode(message)}\n".encode()
        while data:
            data = data[os.write(writing, data) :]

    try:
        result = work(lambda phase: say({"phase": phase}))
    except BaseException as error:  # an interrupt here is no person's
        say({"raised": words(error), "detail": _traceback(error)})
        raise
    for stream in (sys.stdout, sys.__stdout__):
        with contextlib.suppress(Exception):  # a plugin may have put anything there
            stream.flush()  # type: ignore[union-attr]
    say({"result": result})


def _traceback(error: BaseException) -> str:
    return without_keys("".join(traceback.format_exception(error)))


def _lines(reading: int, deadline: float) -> tuple[list[str], bool]:
    """Return the lines that came in time, and whether the result is among them."""
    data = b""
    while (left := deadline - time.monotonic()) > 0:
        if not select.select([reading], [], [], left)[0]:
            break
        piece = os.read(reading, 1 << 16)
        data += piece
        if not piece or (piece.endswith(b"\n") and b'{"result"' in data):
            break
    return data.decode().splitlines(), data.endswith(b"\n") and b'{"result"' in data


def _end(fork: int, deadline: float) -> int | None:
    """Return how a fork ended by the deadline, or None; kill what is left of it."""
    ended, status = os.waitpid(fork, os.WNOHANG)
    while not ended and time.monotonic() < deadline:
        time.sleep(0.005)
        ended, status = os.waitpid(fork, os.WNOHANG)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(fork, signal.SIGKILL)
    if not ended:
        with contextlib.suppress(ProcessLookupError):
            os.kill(fork, signal.SIGKILL)
        os.waitpid(fork, 0)
    return os.waitstatus_to_exitcode(status) if ended else None


def _printed(caught: IO[bytes], most: int = _SHOWN) -> str:
    caught.seek(0)
    return caught.read(most).decode(errors="replace")


def _outcome(lines: list[str], printed: str, status: int | None, seconds: float) -> Outcome:
    phase = ""
    for line in lines:
        with contextlib.suppress(ValueError, TypeError, LookupError):  # a plugin wrote it
            message = dict(json.loads(line))
            if "result" in message:
                return Outcome(message["result"], phase, "", printed)
            if "raised" in message:
                ending = f"raised {message['raised']}"
                return Outcome(None, phase, ending, printed, message["detail"])
            phase = message["phase"]
    if status is None:
        return Outcome(None, phase, f"did not finish within {seconds:.3g} s", printed)
    return Outcome(None, phase, _ending(status), printed)


def _ending(status: int) -> str:
    if status >= 0:
        return f"ended the process with exit code {status}"
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = str(-status)
    return f"crashed the interpreter (signal {name})"
