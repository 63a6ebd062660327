"""Load one plugin by itself, so that whatever is wrong with it stays with it."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from typing import Any, Literal, TypeVar

import pluggy

from agenthost.registry.entries import Fault
from agenthost_sdk.hook_reading import (
    PLUGIN_FAILURES,
    WrongResult,
    as_list,
    as_mapping,
    hook_manager,
    implemented,
    import_words,
    imported,
    misspelt,
    no_hook_words,
    signature_words,
    words,
)
from agenthost_sdk.redaction import without_keys

__all__ = ["PLUGIN_FAILURES", "LoadedPlugin", "words"]

T = TypeVar("T")

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
        self._value = value
        self.faults: list[Fault] = []
        self.seconds = 0.0
        self._tell = tell
        self._quiet = quiet
        self._manager = hook_manager()
        self._load(value)

    @property
    def hooks(self) -> tuple[str, ...]:
        """The hooks that it implements rightly."""
        return implemented(self._manager)

    def listed(self, hook: str) -> list[Any]:
        """Return the rows that the plugin's implementation of a hook gave."""
        return self._call(hook, as_list) or []

    def mapped(self, hook: str) -> dict[str, Any]:
        """Return the names and values that the plugin's implementation of a hook gave."""
        return self._call(hook, as_mapping) or {}

    def fail(self, text: str, error: BaseException | None = None, name: str = "") -> None:
        """Record that something in the plugin does not work.

        Args:
            text: What is wrong.
            error: What was raised.
            name: The contribution, by the name that a person would ask for.
        """
        detail = "".join(traceback.format_exception(error)) if error is not None else ""
        advice = f" Mend it, or turn the plugin off: `agenthost plugins disable {self.name}`."
        text, detail = without_keys(text) + advice, without_keys(detail)
        self.faults.append(Fault("failed", text, detail, name=name))

    def fail_by_setting(
        self, text: str, tool: str, kind: Literal["setting", "unset"] = "setting"
    ) -> None:
        """Record that a setting stops a tool, or that one lacks; the plugin is not to blame."""
        self.faults.append(Fault(kind, text, tool=tool))

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
        except WrongResult as error:
            self.fail(f"{hook} {error}.")
        except PLUGIN_FAILURES as error:
            self.fail(f"{hook} raised {words(error)}.", error)
        return None

    def _load(self, value: str) -> None:
        self._tell("import")
        started = time.perf_counter()
        try:
            with self._output():
                plugin = imported(value)
        except PLUGIN_FAILURES as error:
            self.fail(import_words(value, error), error)
        else:
            self._register(plugin)
        self.seconds = round(time.perf_counter() - started, 4)

    def _register(self, plugin: Any) -> None:
        try:
            wrong_names = list(misspelt(self._manager, plugin))
            self._manager.register(plugin, self.name)
        except pluggy.PluginValidationError as error:
            self.fail(signature_words(error), error)
        except PLUGIN_FAILURES as error:
            self.fail(f"its hooks cannot be read: {words(error)}.", error)
        else:
            for text in wrong_names:
                self.fail(text)
            if not self.hooks and not wrong_names:
                self.fail(f"it {no_hook_words(self._value)}")
