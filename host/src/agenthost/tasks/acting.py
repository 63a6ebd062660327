"""Keep and tell what comes of the actions of one round, while they run."""

from __future__ import annotations

import threading
from typing import Self

from agenthost.records.bus import Bus
from agenthost.requests import Act
from agenthost.tasks.subtasks import ActionsSubtask
from agenthost_sdk.actions import ToolAction
from agenthost_sdk.artifacts import BaseArtifact, error_text
from agenthost_sdk.events import (
    FinishActionEvent,
    FinishActionsSubtaskEvent,
    StartActionEvent,
    StartActionsSubtaskEvent,
)


class Acting:
    """The actions of one round: each result is kept as it comes, so that an interrupt loses none.

    Entering tells the listeners that the round starts; leaving by an exception, that it failed.
    """

    def __init__(self, bus: Bus, request: Act, subtask: ActionsSubtask) -> None:
        self._bus = bus
        self._request = request
        self._subtask = subtask
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        request = self._request
        actions = (*(one.action for one in request.ready), *request.refused)
        self._bus.emit(
            StartActionsSubtaskEvent(
                number=request.number, thought=request.thought, actions=actions
            )
        )
        for action in request.refused:
            self._tell_refused(action)
        return self

    def __exit__(self, _: object, error: BaseException | None, traceback: object) -> None:
        if error is not None:
            number = self._request.number
            self._bus.emit(FinishActionsSubtaskEvent(number=number, error=error_text(error)))

    def begin(self, place: int) -> None:
        """Tell that an action starts."""
        self._bus.emit(StartActionEvent(action=self._action(place)))

    def record(self, place: int, output: BaseArtifact, seconds: float) -> None:
        """Keep the result of an action, and tell of it."""
        action = self._action(place)
        with self._lock:
            self._subtask.keep(action.with_output(output))
        self._bus.emit(FinishActionEvent(action=action, output=output, seconds=seconds))

    def finish(self, outputs: list[BaseArtifact]) -> list[BaseArtifact]:
        """Tell that all actions are answered, and return the results."""
        request = self._request
        answered = zip(request.ready, outputs, strict=True)
        ran = tuple(one.action.with_output(output) for one, output in answered)
        actions = (*ran, *request.refused)
        self._bus.emit(FinishActionsSubtaskEvent(number=request.number, actions=actions))
        return outputs

    def _action(self, place: int) -> ToolAction:
        return self._request.ready[place].action

    def _tell_refused(self, action: ToolAction) -> None:
        if action.output is not None:
            self._bus.emit(StartActionEvent(action=action))
            self._bus.emit(FinishActionEvent(action=action, output=action.output))
