"""Hand each event to every listener, so that none of them can disturb the run."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from agenthost_sdk.events import BaseEvent

#: Called with each event of a run, one at a time.
Listener = Callable[[BaseEvent], Any]

_log = logging.getLogger("agenthost")


class Bus:
    """The listeners of one run. What one of them raises is logged and changes nothing."""

    def __init__(self, run_id: str, listeners: Iterable[Listener] = ()) -> None:
        self._run_id = run_id
        self._listeners = tuple(listeners)
        self._lock = threading.RLock()

    def emit(self, event: BaseEvent) -> None:
        """Tell the listeners, from whatever thread; one event is told after the other."""
        if not self._listeners:
            return
        marked = replace(event, run_id=self._run_id)
        with self._lock:
            for listener in self._listeners:
                _tell(listener, marked)


def _tell(listener: Listener, event: BaseEvent) -> None:
    try:
        listener(event)
    except (Exception, SystemExit):
        _log.exception("A listener raised at %s; the run goes on.", event.type)
