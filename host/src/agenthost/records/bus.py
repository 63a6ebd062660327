"""Hand each event to every listener, so that none of them can disturb the run."""

from __future__ import annotations

import asyncio
import inspect
import logging
import threading
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from agenthost_sdk.events import BaseEvent, silent
from agenthost_sdk.prompt_events import PromptEvents

#: Called with each event of a run, one at a time.
Listener = Callable[[BaseEvent], Any]

_log = logging.getLogger("agenthost")


class RunCancelled(asyncio.CancelledError):
    """Raised by a listener, it ends the run; all else that a listener raises changes nothing."""


class Bus:
    """The listeners of one run. What one of them raises is logged and changes nothing.

    Two things do pass: a person's interrupt, and `RunCancelled`.

    Args:
        run_id: The run; each event bears it.
        listeners: Who hears of the events.
        stream: Whether the model's replies are to come in pieces; as the driver has it where None.
    """

    def __init__(
        self, run_id: str, listeners: Iterable[Listener] = (), stream: bool | None = None
    ) -> None:
        self.run_id = run_id
        self._listeners = tuple(listeners)
        self._stream = stream
        self._lock = threading.RLock()

    def emit(self, event: BaseEvent) -> None:
        """Tell the listeners, from whatever thread; one event is told after the other."""
        if not self._listeners:
            return
        if event.run_id != self.run_id:  # an event of a plugin's own making
            event = replace(event, run_id=self.run_id)
        with self._lock:
            for listener in self._listeners:
                try:
                    told = listener(event)
                except (KeyboardInterrupt, RunCancelled):
                    raise
                except BaseException:
                    _log.exception("A listener raised at %s; the run goes on.", event.type)
                else:
                    if told is not None:
                        _drop(told)

    def prompt(self, step: str = "act") -> PromptEvents:
        """Return the events of a prompt of this run, for the driver that is asked."""
        emit = self.emit if self._listeners else silent
        return PromptEvents(emit, run_id=self.run_id, step=step, stream=self._stream)


def _drop(told: Any) -> None:
    """Close what a listener hides that is asynchronous; nobody would ever await it."""
    if inspect.iscoroutine(told):
        told.close()
        _log.error("A listener returned a coroutine, which is not awaited: %r.", told)
