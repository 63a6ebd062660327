"""Load one plugin by itself, so that whatever is wrong with it stays with it."""

from __future__ import annotations

import contextlib
import inspect
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from typing import Any, TypeVar

import pluggy

from agenthost.registry.entries import Fault
from agenthost_sdk import hookspecs
from agenthost_sdk.errors import nearest
from agenthost_sdk.hooks import GROUP
from agenthost_sdk.redaction import without_keys

T = TypeVar("T")

#: Every hook that a plugin can implement.
HOOKS = tuple(name for name in vars(hookspecs) if name.startswith(f"{GROUP}_"))

#: What plugin code may raise and the host survives; an interrupt is the person's.
PLUGIN_FAILURES = (Exception, SystemExit)


_REDIRECTING = threading.RLock()


def _silent(phase: str) -> None:
    """Tell nobody."""


class LoadedPlugin:
    """A plugin that was imported, with a hook caller of its own.

    Whatever goes wrong is added to `faults` and not raised.

    Args:
        name: The entry point's name.
        value: The entry point's value, such as "agenthost_plugin_text" or "module:object".
        tell: Is told what is done next, such as "import".
        quiet: What the plugin prints goes to the standard error.
    """

    def __init__(
        self,
        name: str,
        value: str,
        tell: Callable[[str], None] = _silent,
        *,
        quiet: bool = True,
    ) -> None:
        self.name = name
        self.faults: list[Fault] = []
        self.seconds = 0.0
        self._tell = tell
        self._quiet = quiet
        self._manager = pluggy.PluginManager(GROUP)
        self._manager.add_hookspecs(hookspecs)
        self._load(value)

    @property
    def hooks(self) -> tuple[str, ...]:
        """The hooks that it implements rightly."""
        return tuple(name for name in HOOKS if getattr(self._manager.hook, name).get_hookimpls())

    def listed(self, hook: str) -> list[Any]:
        """Return the rows that the plugin's implementation of a hook gave."""
        return self._call(hook, _as_list) or []

    def mapped(self, hook: str) -> dict[str, Any]:
        """Return the names and values that the plugin's implementation of a hook gave."""
        return self._call(hook, _as_mapping) or {}

    def fail(self, text: str, error: BaseException | None = None) -> None:
        """Record that something in the plugin does not work."""
        detail = "".join(traceback.format_exception(error)) if error is not None else ""
        advice = f" Mend it, or turn the plugin off: `agenthost plugins disable {self.name}`."
        self.faults.append(Fault("failed", without_keys(text) + advice, without_keys(detail)))

    def fail_by_setting(self, text: str, tool: str) -> None:
        """Record that a setting stops a tool; the plugin is not to blame."""
        self.faults.append(Fault("setting", text, tool=tool))

    @contextlib.contextmanager
    def _output(self) -> Iterator[None]:
        """Keep what the plugin prints out of the output."""
        if not self._quiet:
            yield
            return
        # One at a time: two threads that put the stream back crosswise would lose it.
        with _REDIRECTING, contextlib.redirect_stdout(sys.stderr):
            yield

    def _call(self, hook: str, shape: Callable[[Any], T]) -> T | None:
        if hook not in self.hooks:
            return None
        self._tell(hook)
        try:
            with self._output():
                results = getattr(self._manager.hook, hook)()
                return shape(results[0]) if results else None
        except _WrongResult as error:
            self.fail(f"{hook} {error}.")
        except PLUGIN_FAILURES as error:
            self.fail(f"{hook} raised {words(error)}.", error)
        return None

    def _load(self, value: str) -> None:
        self._tell("import")
        started = time.perf_counter()
        try:
            with self._output():
                plugin = _imported(value)
        except PLUGIN_FAILURES as error:
            self.fail(_import_words(value, error), error)
        else:
            self._register(plugin)
        self.seconds = round(time.perf_counter() - started, 4)

    def _register(self, plugin: Any) -> None:
        try:
            misspelt = list(_misspelt(self._manager, plugin))
            self._manager.register(plugin, self.name)
        except pluggy.PluginValidationError as error:
            self.fail(_signature_words(error), error)
        except PLUGIN_FAILURES as error:
            self.fail(f"its hooks cannot be read: {words(error)}.", error)
        else:
            for text in misspelt:
                self.fail(text)
            if not self.hooks and not misspelt:
                self.fail(f"it implements no hook of {GROUP}, such as @hookimpl agenthost_tools.")


def words(error: BaseException) -> str:
    """Return an exception in one line, whatever its author made of it."""
    try:
        said = without_keys(" ".join(str(error).split()))
    except Exception:  # an exception whose text cannot be had is still an exception
        said = ""
    shown = said if len(said) <= 300 else f"{said[:300]}…"
    return f"{type(error).__name__}: {shown.rstrip('.')}" if shown else type(error).__name__


class _WrongResult(Exception):  # noqa: N818 - it never leaves this module
    """A hook gave something of another shape than its specification says."""


def _as_list(result: Any) -> list[Any]:
    if inspect.iscoroutine(result):
        result.close()
        raise _WrongResult("is async; write it with a plain def")
    if isinstance(result, str | bytes | Mapping) or not isinstance(result, Iterable):
        raise _WrongResult(f"returned {_shown(result)}; it must return a list")
    return list(result)


def _as_mapping(result: Any) -> dict[str, Any]:
    if inspect.iscoroutine(result):
        result.close()
        raise _WrongResult("is async; write it with a plain def")
    if not isinstance(result, Mapping):
        raise _WrongResult(f"returned {_shown(result)}; it must return a mapping")
    return {str(name): value for name, value in result.items()}


def _shown(result: Any) -> str:
    return (
        f"{result!r:.60}"
        if isinstance(result, str | bytes | int | None)
        else type(result).__name__
    )


def _imported(value: str) -> Any:
    module, _, attributes = value.partition(":")
    found: Any = import_module(module.strip())
    for attribute in attributes.split("[")[0].strip().split("."):
        if attribute:
            found = getattr(found, attribute)
    return found() if isinstance(found, type) else found


def _import_words(value: str, error: BaseException) -> str:
    module = value.partition(":")[0].strip()
    if isinstance(error, SystemExit):
        return f"it ends the process while it is imported ({words(error)})."
    if isinstance(error, SyntaxError) and error.filename:
        return f"it cannot be imported: {error.msg} in {error.filename}, line {error.lineno}."
    if isinstance(error, ModuleNotFoundError) and error.name:
        if f"{module}.".startswith(f"{error.name}."):
            return f"its entry point names {value!r}, and there is no module {error.name!r}."
        return f"it cannot be imported: it needs the module {error.name!r}. Install that."
    return f"it cannot be imported: {words(error)}."


def _signature_words(error: pluggy.PluginValidationError) -> str:
    lines = [line.strip() for line in str(error).splitlines()]
    told = [line for line in lines if line and not line.startswith("Plugin ")]
    hook = next((name for name in HOOKS if repr(name) in lines[0]), "")
    return f"{hook or 'a hook'} has the wrong signature: {'; '.join(told)}."


def _misspelt(manager: pluggy.PluginManager, plugin: Any) -> list[str]:
    """Return words for each hook that is misspelt, or lacks its marker."""
    faults = []
    for name in dir(plugin):
        options = manager.parse_hookimpl_opts(plugin, name)
        if options is None:
            if name in HOOKS and inspect.isroutine(inspect.getattr_static(plugin, name)):
                faults.append(f"{name} lacks the marker @hookimpl.")
            continue
        hook = options.get("specname") or name
        if hook not in HOOKS and not options.get("optionalhook"):
            near = nearest(hook, HOOKS, most=1)
            meant = f" Did you mean {near[0]}?" if near else ""
            faults.append(f"it implements {hook}, which is no hook.{meant}")
    return faults
