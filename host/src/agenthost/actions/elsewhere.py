"""Run actions in an executor: other threads, other processes, other machines."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, Future
from time import monotonic
from typing import Any

from agenthost.actions.batch import Arrival
from agenthost.actions.guarding import looked_at
from agenthost.actions.validation import Ready
from agenthost_sdk.artifacts import BaseArtifact, ErrorArtifact, error_text, to_artifact


class Elsewhere:
    """The actions of one reply that run in an executor.

    Args:
        executor: What is given `tool.run`, an action and its arguments; where it is another
            process's, these go there as `pickle` writes them.
        deliver: Is called with each result, in whatever thread it comes.
    """

    def __init__(self, executor: Executor, deliver: Callable[[Arrival], Any]) -> None:
        self._executor = executor
        self._deliver = deliver
        self._futures: list[Future[Any]] = []

    def start(self, one: Ready, place: int) -> None:
        """Hand an action to the executor; its result will be delivered."""
        try:
            future = self._executor.submit(one.tool.run, one.action, one.arguments)
        except Exception as error:  # it was shut down, its workers died, its server is away
            self._deliver((place, _unsent(one, error), monotonic()))
            return
        self._futures.append(future)
        future.add_done_callback(lambda done: self._arrive(one, place, done))

    def cancel(self) -> None:
        """Cancel what has not begun; what runs cannot be stopped from here."""
        for future in self._futures:
            future.cancel()

    def _arrive(self, one: Ready, place: int, done: Future[Any]) -> None:
        try:
            output: Any = done.result()
            artifact = output if isinstance(output, BaseArtifact) else to_artifact(output)
        except CancelledError:
            return  # whoever cancelled has answered it
        except BaseException as error:
            artifact = _unsent(one, error)
        self._deliver((place, looked_at(one, artifact), monotonic()))


def _unsent(one: Ready, error: BaseException) -> ErrorArtifact:
    """Return words for what went wrong on the way; what an activity raises is in its artifact."""
    words = f"{one.spec.native} could not be run by the executor: {error_text(error)}."
    return ErrorArtifact(words, code="executor", exception=error)
