"""Import a plugin in this interpreter and ask its hooks, and watch what that does, in a child.

Whatever is done belongs to the module that is executed at the time: a package that the plugin
imports, and that opens a socket, is not taken for the plugin.
"""

from __future__ import annotations

import builtins
import contextlib
import inspect
import json
import locale
import logging
import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from agenthost_sdk.hook_reading import (
    PLUGIN_FAILURES,
    implemented,
    import_words,
    imported,
)
from agenthost_sdk.testing.plugins.child import write_report
from agenthost_sdk.testing.plugins.sound_hooks import sound_hooks

#: What an audit event means, where it means work; `{}` is its first argument.
_WORK = {
    "os.system": "runs the command {}",
    "os.exec": "runs the program {}",
    "os.posix_spawn": "runs the program {}",
    "os.spawn": "runs a program",
    "os.startfile": "opens {}",
    "os.fork": "forks the process",
    "os.forkpty": "forks the process",
    "os.kill": "sends a signal",
    "subprocess.Popen": "runs the program {}",
    "socket.connect": "opens a connection",
    "socket.bind": "binds a socket",
    "socket.sendto": "sends over the network",
    "socket.getaddrinfo": "looks up the address {}",
    "socket.gethostbyname": "looks up the address {}",
    "sqlite3.connect": "opens the database {}",
    "os.chdir": "changes the working directory",
    "os.putenv": "changes the environment variable {}",
    "os.unsetenv": "changes the environment variable {}",
    "os.remove": "removes the file {}",
    "os.rename": "renames the file {}",
    "os.mkdir": "makes the folder {}",
    "os.rmdir": "removes the folder {}",
    "os.truncate": "truncates the file {}",
    "os.link": "makes a link",
    "os.symlink": "makes a link",
    "os.chmod": "changes the mode of {}",
}

_WRITING = os.O_WRONLY | os.O_RDWR


def main(request: Mapping[str, Any]) -> None:
    """Import what `request["value"]` names, call its hooks, and report what each did."""
    value = request["value"]
    watch = _Watch(value.partition(":")[0].partition(".")[0].strip())
    before = set(sys.modules)
    started = time.perf_counter()
    plugin, error = watch.run(lambda: imported(value))
    seconds = time.perf_counter() - started
    write_report(
        request,
        {
            "seconds": round(seconds, 4),
            "modules": sorted(set(sys.modules) - before),
            "error": import_words(value, error) if error else "",
            "is_missing": isinstance(error, ModuleNotFoundError)
            and f"{value.partition(':')[0].strip()}.".startswith(f"{error.name}."),
            "work": watch.work,
        },
    )
    if error is None:
        unasked, _ = watch.run(lambda: _call_hooks(plugin))
        write_report(request, {"work": watch.work, "unasked": unasked or []})


def _call_hooks(plugin: Any) -> list[str]:
    """Call every hook that can be, and return the others.

    What is wrong with one is for other checks to say.
    """
    manager, wrong = sound_hooks(plugin)
    for hook in implemented(manager):
        with contextlib.suppress(*PLUGIN_FAILURES):
            for result in getattr(manager.hook, hook)():
                if inspect.iscoroutine(result):
                    result.close()  # nobody awaits it, which Python would complain of
                else:
                    list(result)
    return list(wrong)


class _Watch:
    """What is done while a plugin is imported, by the name of the module that does it."""

    def __init__(self, top: str) -> None:
        self.work: dict[str, list[str]] = {}
        self._running = [top]
        #: What of the process's state was changed by modules that the running ones imported.
        self._changed: list[set[str]] = [set()]
        self._on = False
        sys.addaudithook(self._hear)
        sys.meta_path.insert(0, _Finder(self._execute))

    def run(self, work: Callable[[], Any]) -> tuple[Any, BaseException | None]:
        """Do the work under watch, and return what it gave, and what it raised."""
        self._on = True
        try:
            return self._noting_changes(work), None
        except PLUGIN_FAILURES as error:
            return None, error
        finally:
            self._on = False

    def _execute(self, name: str, work: Callable[[], Any]) -> None:
        self._running.append(name)
        self._changed.append(set())
        try:
            self._noting_changes(work)
        finally:
            self._running.pop()
            changed = self._changed.pop()
            self._changed[-1] |= changed

    def _noting_changes(self, work: Callable[[], Any]) -> Any:
        before = _state()
        try:
            return work()
        finally:
            after = _state()
            changed = {what for what in before if _differs(before[what], after[what])}
            for what in sorted(changed - self._changed[-1]):
                self._note(what)
            self._changed[-1] |= changed

    def _hear(self, event: str, given: tuple[Any, ...]) -> None:
        if not self._on:
            return
        what = _opened(given) if event == "open" else _WORK.get(event, "")
        about = _shown(given[0]) if given else ""
        if what and "__pycache__" not in about:
            self._note(what.format(about))

    def _note(self, what: str) -> None:
        place = self._place()
        told = self.work.setdefault(self._running[-1], [])
        if f"{what}{place}" not in told:
            told.append(f"{what}{place}")

    def _place(self) -> str:
        """Return the line of the running module that is at work."""
        frame = sys._getframe()
        while frame is not None:
            if frame.f_globals.get("__name__") == self._running[-1]:
                return f" ({self._running[-1]}, line {frame.f_lineno})"
            if frame.f_back is None:
                break
            frame = frame.f_back
        return f" ({self._running[-1]})"


class _Finder:
    """Lets modules be found as ever, and executed by `execute`."""

    def __init__(self, execute: Callable[[str, Callable[[], Any]], None]) -> None:
        self._execute = execute

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of the finder that knows the module."""
        for finder in sys.meta_path:
            find = getattr(finder, "find_spec", None)
            spec: ModuleSpec | None = (
                find(name, path, target) if find is not None and finder is not self else None
            )
            if spec is not None:
                self._wrap(spec)
                return spec
        return None

    def _wrap(self, spec: ModuleSpec) -> None:
        loader: Any = spec.loader
        execute = getattr(loader, "exec_module", None)
        if execute is None or isinstance(loader, type) or not hasattr(loader, "__dict__"):
            return

        def exec_module(module: ModuleType) -> None:
            self._execute(spec.name, lambda: execute(module))

        loader.exec_module = exec_module


def _opened(given: tuple[Any, ...]) -> str:
    """Return words where a file is opened to be written."""
    path, mode, flags = (*given, None, None, None)[:3]
    writes = isinstance(flags, int) and bool(flags & _WRITING)
    writes = writes or (isinstance(mode, str) and bool(set(mode) & set("wax+")))
    # What has a number in place of a name was opened before.
    return "writes the file {}" if writes and _shown(path) not in ("", os.devnull) else ""


def _shown(given: Any) -> str:
    if isinstance(given, bytes):
        return os.fsdecode(given)
    return str(given) if isinstance(given, str | os.PathLike) else ""


def _state() -> dict[str, Any]:
    """Return what of a process's state a module may have changed, by words for the change."""
    root = logging.getLogger()
    return {
        "patches builtins": {name: id(value) for name, value in vars(builtins).items()},
        "patches json": [id(getattr(json, name, None)) for name in json.__all__],
        "replaces a standard stream": (id(sys.stdin), id(sys.stdout), id(sys.stderr)),
        "replaces sys.excepthook": id(sys.excepthook),
        "changes sys.path": tuple(sys.path),
        "handles a signal": [signal.getsignal(number) for number in _SIGNALS],
        "configures the root logger": (root.level, [id(one) for one in root.handlers]),
        "changes the warnings filters": tuple(map(str, warnings.filters)),
        "leaves a thread running": frozenset(one.ident for one in threading.enumerate()),
        "changes the locale": locale.setlocale(locale.LC_ALL),
        "changes the recursion limit": sys.getrecursionlimit(),
    }


def _differs(before: Any, after: Any) -> bool:
    # A thread that another module began may end meanwhile.
    return bool(after - before) if isinstance(after, frozenset) else bool(before != after)


#: Those that programs handle; asking for all would take longer than most imports.
_SIGNALS = [
    getattr(signal, f"SIG{name}")
    for name in ("ABRT", "ALRM", "BREAK", "CHLD", "HUP", "INT", "PIPE", "TERM", "USR1", "USR2")
    if hasattr(signal, f"SIG{name}")
]
