"""Carry out what the loop asks for, in blocking code or on an event loop."""

from __future__ import annotations

import asyncio
import time
from typing import Any, Self

from agenthost.actions.execution import arun_actions, run_actions
from agenthost.records.bus import Bus
from agenthost.requests import Act, Approve, Call, Check, Count, Embed, Prompt, Request, Steps
from agenthost.tasks.acting import Acting
from agenthost.tasks.consulting import acalled, adecided, called, checked, decided
from agenthost.tasks.deadlines import seconds_left
from agenthost.tasks.prompting import Prompting
from agenthost.tasks.run import Run
from agenthost_sdk.artifacts import ErrorArtifact, error_text
from agenthost_sdk.embeddings import BaseEmbeddingDriver
from agenthost_sdk.errors import AgenthostError, DriverError, LimitError, SettingsError
from agenthost_sdk.events import FinishTaskEvent, StartTaskEvent
from agenthost_sdk.threads import in_thread


def perform(run: Run, steps: Steps[None]) -> Run:
    """Carry out the requests of a loop until it ends; what goes wrong becomes the run's output.

    An interrupt (`KeyboardInterrupt`, `SystemExit`) is recorded on the run and raised.
    """
    with _Performer(run, steps) as performer:
        while (request := performer.next_request()) is not None:
            try:
                performer.result = performer.carry_out(request)
            except Exception as error:  # the loop decides what that means
                performer.failure = error
    return run


async def aperform(run: Run, steps: Steps[None]) -> Run:
    """Do what `perform` does, without blocking the event loop."""
    with _Performer(run, steps) as performer:
        while (request := performer.next_request()) is not None:
            try:
                performer.result = await performer.acarry_out(request)
            except Exception as error:  # the loop decides what that means
                performer.failure = error
    return run


class _Performer:
    """The hands of one run: driver, tools, validators, approver, listeners, clock."""

    def __init__(self, run: Run, steps: Steps[None]) -> None:
        self._run = run
        self._steps = steps
        self._setup = run.setup
        self._bus = Bus(run.id, run.setup.listeners, run.stream)
        self._prompting = Prompting(run, self._bus)
        self._begun = time.monotonic()
        #: When the run would have begun, had it never been broken off.
        self._since = self._begun - run.seconds
        #: What came of the last request.
        self.result: Any = None
        #: What it raised.
        self.failure: Exception | None = None

    def __enter__(self) -> Self:
        run = self._run
        try:
            self._bus.emit(StartTaskEvent(run_id=run.id, id=run.id, input=run.input))
        except BaseException as error:
            self.__exit__(None, error, None)
            raise
        return self

    def __exit__(self, _: object, error: BaseException | None, traceback: object) -> bool:
        if error is not None:
            self._record(error)
        try:
            self._steps.close()
        finally:
            self._end()
        return isinstance(error, Exception)

    def next_request(self) -> Request[Any] | None:
        """Tell the loop what came of its last request, and return its next; None at its end."""
        result, failure = self.result, self.failure
        self.result = self.failure = None
        self._run.seconds = time.monotonic() - self._since
        try:
            if failure is not None:
                return self._steps.throw(failure)
            return self._steps.send(result)
        except StopIteration:
            return None

    def carry_out(self, request: Request[Any]) -> Any:
        match request:
            case Prompt():
                return self._prompting.ask(request)
            case Act():
                with self._acting(request) as acting:
                    left = seconds_left(self._run)
                    executor = self._setup.executor
                    return run_actions(request.ready, acting.begin, acting.record, left, executor)
            case Approve(action, spec):
                return decided(self._setup.permissions.approver, action, spec)
            case Check(validator, output):
                return checked(validator, output)
            case Embed(texts):
                return self._embedding_driver().embed(texts)
            case Count(messages):
                return self._setup.driver.count_tokens(messages)
            case Call(function):
                return called(function)
            case _:
                raise TypeError(f"The performer knows no {type(request).__name__} request.")

    async def acarry_out(self, request: Request[Any]) -> Any:
        match request:
            case Prompt():
                return await self._prompting.aask(request)
            case Act():
                with self._acting(request) as acting:
                    left = seconds_left(self._run)
                    executor = self._setup.executor
                    return await arun_actions(
                        request.ready, acting.begin, acting.record, left, executor
                    )
            case Approve(action, spec):
                return await adecided(self._setup.permissions.approver, action, spec)
            case Embed(texts):
                return await self._embedding_driver().aembed(texts)
            case Call(function):
                return await acalled(function)
            case _:
                return await in_thread(self.carry_out, request)

    def _embedding_driver(self) -> BaseEmbeddingDriver:
        driver = self._setup.embedding_driver
        if driver is None:
            raise SettingsError(
                "This task has no embedding driver; give it one: embedding_driver=…"
            )
        return driver

    def _acting(self, request: Act) -> Acting:
        return Acting(self._bus, request, self._run.subtasks[request.number])

    def _record(self, error: BaseException) -> None:
        by = _name(error)
        self._run.stop(by, ErrorArtifact(_words(error), code=_code(error), exception=error))

    def _end(self) -> None:
        run = self._run
        run.seconds = time.monotonic() - self._since
        error = run.output.value if isinstance(run.output, ErrorArtifact) else None
        self._bus.emit(
            FinishTaskEvent(
                run_id=run.id,
                id=run.id,
                output=run.output,
                usage=run.usage,
                stopped_by=run.stopped_by,
                seconds=time.monotonic() - self._begun,
                error=error,
            )
        )


def _name(error: BaseException) -> str:
    """Return what `run.stopped_by` says of an exception."""
    if isinstance(error, LimitError):
        return error.limit or "error"
    if isinstance(error, asyncio.CancelledError):
        return "cancelled"
    return "error" if isinstance(error, Exception) else type(error).__name__


def _words(error: BaseException) -> str:
    if isinstance(error, asyncio.CancelledError):
        return "The run was cancelled."
    return str(error) if isinstance(error, AgenthostError) else error_text(error)


def _code(error: BaseException) -> str:
    if isinstance(error, asyncio.CancelledError):
        return "cancelled"
    if isinstance(error, LimitError):
        return "limit"
    return "driver" if isinstance(error, DriverError) else "error"
