"""Run actions in an executor: other threads, other processes, other machines."""

from __future__ import annotations

import contextvars
from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, Future
from time import monotonic
from typing import Any

from agenthost.actions.batch import Arrival
from agenthost.actions.guarding import STANDING, GuardedElsewhere, looked_at
from agenthost.actions.validation import Ready
from agenthost_sdk.artifacts import BaseArtifact, ErrorArtifact, error_text, to_artifact
from agenthost_sdk.sending import SentCall, result_of
from agenthost_sdk.tools import BaseTool


class Elsewhere:
    """The actions of one reply that run in an executor.

    Args:
        executor: What is given a call of a tool's `run`; where it is for another process, tool,
            action and arguments go there as `pickle` writes them.
        deliver: Is called with each result, in whatever thread it comes.
    """

    def __init__(self, executor: Executor, deliver: Callable[[Arrival], Any]) -> None:
        self._executor = executor
        self._deliver = deliver
        self._futures: list[Future[Any]] = []
        self._is_cancelled = False

    def start(self, one: Ready, place: int) -> None:
        """Hand an action to the executor; its result will be delivered."""
        try:
            future = self._executor.submit(_Run(one))
            future.add_done_callback(lambda done: self._arrive(one, place, done))
        except (
            Exception,
            SystemExit,
        ) as error:  # it was shut down, its workers died, its server is away
            self._deliver((place, _unsent(one, error), monotonic()))
            return
        self._futures.append(future)

    def cancel(self) -> None:
        """Cancel what has not begun; what runs cannot be stopped from here."""
        self._is_cancelled = True
        for future in self._futures:
            future.cancel()

    def _arrive(self, one: Ready, place: int, done: Future[Any]) -> None:
        try:
            output: Any = result_of(done.result())
            artifact = output if isinstance(output, BaseArtifact) else to_artifact(output)
        except CancelledError as error:
            if self._is_cancelled:
                return  # who cancelled has answered it
            artifact = _unsent(one, error)  # the executor was shut down with what it still had
        except BaseException as error:
            artifact = _unsent(one, error)
        self._deliver((place, looked_at(one, artifact), monotonic()))


class _Run:
    """A tool's `run` in another thread, as if it were called here: guards and waiting agents hold.

    In another process it is the tool's own `run`, since neither can go there.
    """

    def __init__(self, one: Ready) -> None:
        self._one = one
        self._context = contextvars.copy_context()
        if one.guards:
            self._context.run(STANDING.set, one.guards)

    def __call__(self) -> BaseArtifact:
        return self._context.run(self._one.tool.run, self._one.action, self._one.arguments)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        tool = self._one.tool
        run = _RunAway(tool) if self._one.guards else tool.run
        return SentCall, (SentCall.of(run, self._one.action, self._one.arguments).data,)


class _RunAway:
    """A tool's `run` in another process, where what it runs in its turn is refused."""

    def __init__(self, tool: BaseTool) -> None:
        self._tool = tool

    def __call__(self, *given: Any) -> BaseArtifact:
        context = contextvars.copy_context()
        context.run(STANDING.set, (GuardedElsewhere(),))
        return context.run(self._tool.run, *given)


def _unsent(one: Ready, error: BaseException) -> ErrorArtifact:
    """Return words for what went wrong on the way; what an activity raises is in its artifact."""
    words = f"{one.spec.native} could not be run by the executor: {error_text(error).rstrip('.')}."
    return ErrorArtifact(words, code="executor", exception=error)
