"""Keep and tell what comes of the actions of one round, while they run."""

from __future__ import annotations

from collections import deque
from time import monotonic
from typing import Self

from agenthost.records.bus import Bus
from agenthost.requests import Act
from agenthost.tasks.subtasks import ActionsSubtask
from agenthost_sdk.actions import ToolAction
from agenthost_sdk.artifacts import BaseArtifact, ErrorArtifact, error_text
from agenthost_sdk.events import (
    FinishActionEvent,
    FinishActionsSubtaskEvent,
    StartActionEvent,
    StartActionsSubtaskEvent,
)


class Acting:
    """The actions of one round: each result is kept as it comes, so that an interrupt loses none.

    Entering tells the listeners that the round starts; leaving, that it finished, or by which
    exception it was cut short. All of it happens in the thread that carries out the run.
    """

    def __init__(self, bus: Bus, request: Act, subtask: ActionsSubtask) -> None:
        self._bus = bus
        self._request = request
        self._subtask = subtask
        self._id = f"{bus.run_id}-{request.number}"
        self._since = monotonic()
        self._open: dict[str, deque[int]] = {}  # a tag may stand in a reply several times
        for place, action in enumerate(subtask.actions):
            if action.output is None:
                self._open.setdefault(action.tag, deque()).append(place)

    def __enter__(self) -> Self:
        try:
            self._tell_start()
        except BaseException as error:
            self._tell_finish(error)
            raise
        return self

    def __exit__(self, _: object, error: BaseException | None, traceback: object) -> None:
        self._tell_finish(error)

    def begin(self, place: int) -> None:
        """Tell that an action starts."""
        action = self._request.ready[place].action
        self._bus.emit(
            StartActionEvent(run_id=self._bus.run_id, id=f"{self._id}-{place}", action=action)
        )

    def record(self, place: int, output: BaseArtifact, seconds: float) -> None:
        """Keep the result of an action, and tell of it."""
        self._answer(place, self._request.ready[place].action.with_output(output), seconds)

    def _tell_start(self) -> None:
        request = self._request
        actions = (*[one.action for one in request.ready], *request.refused)
        self._bus.emit(
            StartActionsSubtaskEvent(
                run_id=self._bus.run_id,
                id=self._id,
                number=request.number,
                thought=request.thought,
                actions=actions,
            )
        )
        for place, action in enumerate(request.refused, len(request.ready)):
            try:
                self._bus.emit(
                    StartActionEvent(
                        run_id=self._bus.run_id, id=f"{self._id}-{place}", action=action
                    )
                )
            finally:
                self._answer(place, action, 0.0)

    def _answer(self, place: int, action: ToolAction, seconds: float) -> None:
        output = action.output
        assert output is not None
        if places := self._open.get(action.tag):
            kept = list(self._subtask.actions)
            kept[places.popleft()] = action
            self._subtask.actions = tuple(kept)
        self._bus.emit(
            FinishActionEvent(
                run_id=self._bus.run_id,
                id=f"{self._id}-{place}",
                action=action,
                output=output,
                seconds=seconds,
                error=output.value if isinstance(output, ErrorArtifact) else None,
            )
        )

    def _tell_finish(self, error: BaseException | None) -> None:
        self._bus.emit(
            FinishActionsSubtaskEvent(
                run_id=self._bus.run_id,
                id=self._id,
                number=self._request.number,
                actions=self._subtask.actions,
                seconds=monotonic() - self._since,
                error=None if error is None else error_text(error),
            )
        )
