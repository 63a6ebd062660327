"""Run an installer: what it says is passed on line by line, and its end is kept."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import NamedTuple

from agenthost.installing.installers import shown, without_secrets
from agenthost_sdk.errors import AgenthostError

#: How many of an installer's lines are kept, and how many a message has of them.
_KEPT, _TOLD = 200, 15

#: How many seconds an installer has to end when it is interrupted.
_PATIENCE = 10.0


_NONE: Mapping[str, str] = MappingProxyType({})

#: What a person may have set for their own use of pip, and what would lead it to other places,
#: to other things, or to do nothing; or would make errors of its warnings.
_LEFT_OUT = {
    *(f"PIP_{word}" for word in ("DRY_RUN", "EDITABLE", "PREFIX", "PYTHON", "REQUIREMENT")),
    *(f"PIP_{word}" for word in ("REQUIREMENTS", "ROOT", "TARGET", "USER")),
    "PYTHONWARNINGS",
}

#: Takes a line of what happens meanwhile.
Tell = Callable[[str], None]


class InstallerFailedError(AgenthostError):
    """An installer failed; the message has its own words, and what it was asked."""


class Ran(NamedTuple):
    """How a command ended."""

    command: Sequence[str]
    code: int
    #: The last lines of what it said, without secrets.
    said: tuple[str, ...]

    @property
    def tail(self) -> str:
        """The end of what it said, for a message."""
        return "\n".join(f"  {line}" for line in self.said[-_TOLD:])


class Process:
    """Runs commands, and passes on what they say.

    Args:
        tell: Takes each line; without it, the message of a failure has the last of them.
    """

    def __init__(self, tell: Tell | None = None) -> None:
        self._tell = tell

    def tell(self, line: str) -> None:
        """Pass on a line."""
        if self._tell is not None:
            self._tell(line)

    def run(self, command: Sequence[str], variables: Mapping[str, str] = _NONE) -> Ran:
        """Run a command to its end; no shell reads it, and nothing can be typed into it.

        Args:
            command: A program and its arguments.
            variables: Further environment variables.
        """
        try:
            process = _started(command, variables)
        except OSError as error:
            said = f"{command[0]} cannot be started: {error.strerror or error}"
            self.tell(said)
            return Ran(command, 127, (said,))
        with process:
            try:
                return Ran(command, *self._heard(process))
            except BaseException:  # an interrupt reached the installer too, which cleans up
                wait_or_kill(process)
                raise

    def run_or_fail(
        self,
        command: Sequence[str],
        explain: Callable[[Sequence[str]], str] = lambda _: "",
        variables: Mapping[str, str] = _NONE,
    ) -> None:
        """Run a command to its end.

        Args:
            command: A program and its arguments.
            explain: Says in a sentence what a failure means, by what the program said.
            variables: Further environment variables.

        Raises:
            InstallerFailedError: It failed.
        """
        ran = self.run(command, variables)
        if ran.code != 0:
            ended = f"The installer ended with code {ran.code}: `{shown(command)}`."
            said = "Its own words stand above." if self._tell else f"It said:\n{ran.tail}\n"
            words = (explain(ran.said), ended, said)
            raise InstallerFailedError(" ".join(word for word in words if word))

    def _heard(self, process: subprocess.Popen[str]) -> tuple[int, tuple[str, ...]]:
        said: deque[str] = deque(maxlen=_KEPT)
        for line in process.stdout or ():
            said.append(without_secrets(line.rstrip()))
            self.tell(said[-1])
        return process.wait(), tuple(said)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Let no interrupt of a person reach this process, nor those that it starts meanwhile."""
    if threading.current_thread() is not threading.main_thread():  # none reaches the others
        yield
        return
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)


def _started(command: Sequence[str], variables: Mapping[str, str]) -> subprocess.Popen[str]:
    return subprocess.Popen(  # noqa: S603 - a list of arguments that no shell reads
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**_environ(), "PYTHONIOENCODING": "utf-8", **variables},
        encoding="utf-8",
        errors="replace",
    )


def _environ() -> dict[str, str]:
    return {name: text for name, text in os.environ.items() if name not in _LEFT_OUT}


def wait_or_kill(process: subprocess.Popen[str]) -> None:
    """Give a process that was interrupted the time to clean up, and no more."""
    try:
        process.wait(_PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
