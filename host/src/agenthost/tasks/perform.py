"""Carry out what the loop asks for, in blocking code or on an event loop."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import Any

from agenthost.actions.execution import arun_actions, run_actions
from agenthost.actions.permission import Approver, Decision
from agenthost.actions.validation import Ready
from agenthost.records.bus import Bus
from agenthost.tasks.requests import Act, Approve, Check, Prompt, Request, Steps
from agenthost.tasks.run import Run
from agenthost.tasks.subtasks import ActionsSubtask
from agenthost_sdk.actions import ToolAction, ToolSpec
from agenthost_sdk.artifacts import BaseArtifact, ErrorArtifact, error_text
from agenthost_sdk.errors import AgenthostError, DefinitionError, DriverError
from agenthost_sdk.events import (
    FinishActionEvent,
    FinishActionsSubtaskEvent,
    FinishTaskEvent,
    StartActionEvent,
    StartActionsSubtaskEvent,
    StartTaskEvent,
)
from agenthost_sdk.threads import in_thread
from agenthost_sdk.validators import BaseOutputValidator, Verdict


def perform(run: Run, steps: Steps[None]) -> Run:
    """Carry out the requests of a loop until it ends; what goes wrong becomes the run's output.

    An interrupt (`KeyboardInterrupt`, `SystemExit`) is recorded on the run and raised.
    """
    performer = _Performer(run)
    performer.begin()
    result: Any = None
    failure: Exception | None = None
    try:
        while True:
            try:
                request = steps.throw(failure) if failure else steps.send(result)
            except StopIteration:
                break
            result = failure = None
            try:
                result = performer.carry_out(request)
            except Exception as error:  # the loop decides what a failed request means
                failure = error
    except BaseException as error:
        performer.fail(error)
    finally:
        steps.close()
        performer.end()
    return run


async def aperform(run: Run, steps: Steps[None]) -> Run:
    """Do what `perform` does, without blocking the event loop."""
    performer = _Performer(run)
    performer.begin()
    result: Any = None
    failure: Exception | None = None
    try:
        while True:
            try:
                request = steps.throw(failure) if failure else steps.send(result)
            except StopIteration:
                break
            result = failure = None
            try:
                result = await performer.acarry_out(request)
            except Exception as error:  # the loop decides what a failed request means
                failure = error
    except BaseException as error:
        performer.fail(error)
    finally:
        steps.close()
        performer.end()
    return run


class _Performer:
    """The hands of one run: driver, tools, validators, approver, listeners, clock."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._plan = run.plan
        self._bus = Bus(run.id, run.plan.listeners)
        self._since = time.monotonic()

    def begin(self) -> None:
        self._bus.emit(StartTaskEvent(input=self._run.input))

    def fail(self, error: BaseException) -> None:
        """Record what ended the run; raise it again where it is an interrupt."""
        interrupt = not isinstance(error, Exception)
        words = str(error) if isinstance(error, AgenthostError) else error_text(error)
        output = ErrorArtifact(words, code=_code(error), exception=error)
        self._run.stop(type(error).__name__ if interrupt else "error", output)
        if interrupt:
            raise error

    def end(self) -> None:
        run = self._run
        run.seconds += time.monotonic() - self._since
        error = run.output.value if isinstance(run.output, ErrorArtifact) else None
        self._bus.emit(
            FinishTaskEvent(
                output=run.output, usage=run.usage, stopped_by=run.stopped_by, error=error
            )
        )

    def carry_out(self, request: Request[Any]) -> Any:
        match request:
            case Prompt(stack):
                return self._plan.driver.run(stack, self._bus.emit)
            case Act(ready=ready):
                acting = self._acting(request)
                try:
                    outputs = run_actions(ready, acting.begin, acting.record)
                except BaseException as error:
                    acting.fail(error)
                    raise
                return acting.finish(outputs)
            case Approve(action, spec):
                return _decided(self._plan.permissions.approver, action, spec)
            case Check(validator, output):
                return _checked(validator, output)
            case _:
                raise TypeError(f"The performer knows no {type(request).__name__} request.")

    async def acarry_out(self, request: Request[Any]) -> Any:
        match request:
            case Prompt(stack):
                return await self._plan.driver.arun(stack, self._bus.emit)
            case Act(ready=ready):
                acting = self._acting(request)
                try:
                    outputs = await arun_actions(ready, acting.begin, acting.record)
                except BaseException as error:
                    acting.fail(error)
                    raise
                return acting.finish(outputs)
            case _:
                return await in_thread(self.carry_out, request)

    def _acting(self, request: Act) -> _Acting:
        return _Acting(self._bus, request, self._run.subtasks[request.number])


class _Acting:
    """Keeps each result of a round as it comes, so that an interrupt loses none; tells of it."""

    def __init__(self, bus: Bus, request: Act, subtask: ActionsSubtask) -> None:
        self._bus = bus
        self._subtask = subtask
        self._lock = threading.Lock()
        self._number = request.number
        self._ready: Sequence[Ready] = request.ready
        self._refused = request.refused
        actions = (*(one.action for one in request.ready), *request.refused)
        bus.emit(
            StartActionsSubtaskEvent(
                number=request.number, thought=request.thought, actions=actions
            )
        )
        for action in request.refused:
            self._tell_refused(action)

    def begin(self, place: int) -> None:
        self._bus.emit(StartActionEvent(action=self._ready[place].action))

    def record(self, place: int, output: BaseArtifact, seconds: float) -> None:
        action = self._ready[place].action
        with self._lock:
            self._subtask.keep(action.with_output(output))
        self._bus.emit(FinishActionEvent(action=action, output=output, seconds=seconds))

    def finish(self, outputs: list[BaseArtifact]) -> list[BaseArtifact]:
        ran = tuple(
            one.action.with_output(output)
            for one, output in zip(self._ready, outputs, strict=True)
        )
        actions = (*ran, *self._refused)
        self._bus.emit(FinishActionsSubtaskEvent(number=self._number, actions=actions))
        return outputs

    def _tell_refused(self, action: ToolAction) -> None:
        if action.output is not None:
            self._bus.emit(StartActionEvent(action=action))
            self._bus.emit(FinishActionEvent(action=action, output=action.output))

    def fail(self, error: BaseException) -> None:
        self._bus.emit(FinishActionsSubtaskEvent(number=self._number, error=error_text(error)))


def _decided(approver: Approver | None, action: ToolAction, spec: ToolSpec) -> Decision:
    """Ask the approver; a bare yes or no is taken too."""
    decision: Any = approver(action, spec) if approver else Decision(False, "Nobody to ask.")
    if isinstance(decision, bool):
        return Decision(decision)
    if isinstance(decision, Decision):
        return decision
    raise DefinitionError(f"The approver returned {decision!r}; it must return a Decision.")


def _checked(validator: BaseOutputValidator, output: BaseArtifact) -> Verdict:
    """Let a validator decide; what it raises refuses the answer, in the exception's words."""
    try:
        verdict: Any = validator.validate(output)
    except (Exception, SystemExit) as error:
        return Verdict.refuse(error_text(error))
    if isinstance(verdict, Verdict):
        return verdict
    raise DefinitionError(
        f"The output validator {validator.name or type(validator).__name__} returned {verdict!r};"
        " it must return Verdict.accept(), Verdict.replace(output) or Verdict.refuse(reason)."
    )


def _code(error: BaseException) -> str:
    return "driver" if isinstance(error, DriverError) else "error"
