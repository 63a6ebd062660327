"""Run actions in either way, and record what is told of each."""

from __future__ import annotations

import asyncio
import threading

from agenthost.actions.execution import arun_actions, run_actions
from agenthost.actions.validation import Ready
from agenthost_sdk.artifacts import BaseArtifact


class Record:
    """What was told of each action, from whatever thread."""

    def __init__(self) -> None:
        self.begun: list[int] = []
        self.told: dict[int, list[BaseArtifact]] = {}
        self.seconds: dict[int, float] = {}
        self._lock = threading.Lock()

    def begin(self, place: int) -> None:
        with self._lock:
            self.begun.append(place)

    def record(self, place: int, output: BaseArtifact, seconds: float) -> None:
        with self._lock:
            self.told.setdefault(place, []).append(output)
            self.seconds[place] = seconds


def carried_out(actions: list[Ready], record: Record, is_async: bool) -> list[BaseArtifact]:
    """Return the results of actions, in their order."""
    if is_async:
        return asyncio.run(arun_actions(actions, record.begin, record.record))
    return run_actions(actions, record.begin, record.record)
