"""Carry out what the loop asks for, in blocking code or on an event loop."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Self

from agenthost.actions.execution import arun_actions, run_actions
from agenthost.actions.permission import Approver, Decision
from agenthost.records.bus import Bus
from agenthost.requests import Act, Approve, Check, Prompt, Request, Steps
from agenthost.tasks.acting import Acting
from agenthost.tasks.run import Run
from agenthost_sdk.actions import ToolAction, ToolSpec
from agenthost_sdk.artifacts import BaseArtifact, ErrorArtifact, error_text
from agenthost_sdk.errors import AgenthostError, DefinitionError, DriverError, PluginError
from agenthost_sdk.events import FinishTaskEvent, StartTaskEvent
from agenthost_sdk.threads import in_thread
from agenthost_sdk.validators import BaseOutputValidator, Verdict


def perform(run: Run, steps: Steps[None]) -> Run:
    """Carry out the requests of a loop until it ends; what goes wrong becomes the run's output.

    An interrupt (`KeyboardInterrupt`, `SystemExit`) is recorded on the run and raised.
    """
    with _Performer(run, steps) as performer:
        while (request := performer.next_request()) is not None:
            with performer.keeping_failure():
                performer.result = performer.carry_out(request)
    return run


async def aperform(run: Run, steps: Steps[None]) -> Run:
    """Do what `perform` does, without blocking the event loop."""
    with _Performer(run, steps) as performer:
        while (request := performer.next_request()) is not None:
            with performer.keeping_failure():
                performer.result = await performer.acarry_out(request)
    return run


class _Performer:
    """The hands of one run: driver, tools, validators, approver, listeners, clock."""

    def __init__(self, run: Run, steps: Steps[None]) -> None:
        self._run = run
        self._steps = steps
        self._setup = run.setup
        self._bus = Bus(run.id, run.setup.listeners)
        self._since = time.monotonic()
        #: What came of the last request.
        self.result: Any = None
        self._failure: Exception | None = None

    def __enter__(self) -> Self:
        self._bus.emit(StartTaskEvent(input=self._run.input))
        return self

    def __exit__(self, _: object, error: BaseException | None, traceback: object) -> bool:
        if error is not None:
            self._record(error)
        self._steps.close()
        self._end()
        return isinstance(error, Exception)

    def next_request(self) -> Request[Any] | None:
        """Tell the loop what came of its last request, and return its next; None at its end."""
        result, failure = self.result, self._failure
        self.result = self._failure = None
        try:
            return self._steps.throw(failure) if failure else self._steps.send(result)
        except StopIteration:
            return None

    @contextmanager
    def keeping_failure(self) -> Iterator[None]:
        """Keep what a request raises for the loop, which decides what that means."""
        try:
            yield
        except Exception as error:
            self._failure = error

    def carry_out(self, request: Request[Any]) -> Any:
        match request:
            case Prompt(stack):
                return self._setup.driver.run(stack, self._bus.emit)
            case Act(ready=ready):
                with self._acting(request) as acting:
                    return acting.finish(run_actions(ready, acting.begin, acting.record))
            case Approve(action, spec):
                return _decided(self._setup.permissions.approver, action, spec)
            case Check(validator, output):
                return _checked(validator, output)
            case _:
                raise TypeError(f"The performer knows no {type(request).__name__} request.")

    async def acarry_out(self, request: Request[Any]) -> Any:
        match request:
            case Prompt(stack):
                return await self._setup.driver.arun(stack, self._bus.emit)
            case Act(ready=ready):
                with self._acting(request) as acting:
                    return acting.finish(await arun_actions(ready, acting.begin, acting.record))
            case _:
                return await in_thread(self.carry_out, request)

    def _acting(self, request: Act) -> Acting:
        return Acting(self._bus, request, self._run.subtasks[request.number])

    def _record(self, error: BaseException) -> None:
        by = "error" if isinstance(error, Exception) else type(error).__name__
        words = str(error) if isinstance(error, AgenthostError) else error_text(error)
        self._run.stop(by, ErrorArtifact(words, code=_code(error), exception=error))

    def _end(self) -> None:
        run = self._run
        run.seconds += time.monotonic() - self._since
        error = run.output.value if isinstance(run.output, ErrorArtifact) else None
        self._bus.emit(
            FinishTaskEvent(
                output=run.output, usage=run.usage, stopped_by=run.stopped_by, error=error
            )
        )


def _decided(approver: Approver | None, action: ToolAction, spec: ToolSpec) -> Decision:
    """Ask the approver; a bare yes or no is taken too."""
    decision: Any = approver(action, spec) if approver else Decision(False, "Nobody to ask.")
    if isinstance(decision, bool):
        return Decision(decision)
    if isinstance(decision, Decision):
        return decision
    raise DefinitionError(f"The approver returned {decision!r}; it must return a Decision.")


def _checked(validator: BaseOutputValidator, output: BaseArtifact) -> Verdict:
    """Let a validator decide; one that is broken ends the run, since nothing can pass it."""
    name = validator.name or type(validator).__name__
    try:
        verdict: Any = validator.validate(output)
    except (Exception, SystemExit) as error:
        raise PluginError(f"The output validator {name} raised {error_text(error)}.") from error
    if isinstance(verdict, Verdict):
        return verdict
    raise PluginError(
        f"The output validator {name} returned {verdict!r};"
        " it must return Verdict.accept(), Verdict.replace(output) or Verdict.refuse(reason)."
    )


def _code(error: BaseException) -> str:
    return "driver" if isinstance(error, DriverError) else "error"
