"""End a run from its observations, once somebody judges that they are the answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from inspect import isawaitable
from typing import Any

from agenthost.requests import Call, Steps, ask
from agenthost.tasks.answers import settle
from agenthost.tasks.asides import ask_aside, labelled
from agenthost.tasks.run import Run
from agenthost.tasks.subtasks import ActionsSubtask
from agenthost_sdk.artifacts import BaseArtifact, ListArtifact, error_text, to_artifact
from agenthost_sdk.errors import DefinitionError
from agenthost_sdk.validators import Verdict

#: How the model is asked whether it is done.
JUDGE_WORDS = (
    "Do not act now. Judge whether what the actions gave is enough to answer the question. If it"
    " is, reply with DONE: and the answer in full. If it is not, reply with GO ON."
)

#: Decides whether a run is done: the answer (a text, an artifact, a `Verdict` with an output),
#: true or `Verdict.accept()` where the last results are the answer themselves; None, false or
#: `Verdict.refuse(…)` where the run goes on. It may be async.
Decide = Callable[[Run], Any]


@dataclass(frozen=True)
class Judge:
    """Ask a function after each round of actions whether the run is done; a subtask runner.

        def found(run: Run) -> str | None:
            outputs = [action.output for action in run.subtasks[-1].actions]
            return next((str(one) for one in outputs if "AB-1200" in str(one)), None)

        PromptTask(…, subtask_runners=[*DEFAULT_RUNNERS, Judge(found)])

    Its answer passes the output schema and the output validators like the model's own; where
    they refuse it, the run goes on. It stands anywhere behind `run_actions`.

    Args:
        decide: The function; it may block, and must not change the run.
    """

    decide: Decide

    def __post_init__(self) -> None:
        if not callable(self.decide):
            raise DefinitionError(
                f"A Judge takes a function of the run; it was given {self.decide!r:.80}."
            )

    def __call__(self, run: Run, subtask: ActionsSubtask) -> Steps[None]:
        """End the run, where the function has an answer."""
        if not _ran_actions(subtask):
            return
        decided = yield from ask(Call(lambda: self._decided(run)))
        answer = self._answer(decided, subtask)
        if answer is not None:
            yield from settle(run, subtask, answer, by="judge")

    def _decided(self, run: Run) -> Any:
        with self._named():
            decided = self.decide(run)
        return self._awaited(decided) if isawaitable(decided) else decided

    async def _awaited(self, decided: Awaitable[Any]) -> Any:
        with self._named():
            return await decided

    @contextmanager
    def _named(self) -> Iterator[None]:
        try:
            yield
        except (Exception, SystemExit) as error:
            raise DefinitionError(f"The judge {self._name} raised {error_text(error)}.") from error

    def _answer(self, decided: Any, subtask: ActionsSubtask) -> BaseArtifact | None:
        if decided is None or decided is False:
            return None
        if decided is True:
            return _observations(subtask)
        if isinstance(decided, Verdict):
            if not decided.accepted:
                return None
            return _observations(subtask) if decided.output is None else decided.output
        if isinstance(decided, str | BaseArtifact):
            return to_artifact(decided)
        raise DefinitionError(
            f"The judge {self._name} returned {decided!r}; it must return the answer as a text or"
            " an artifact, a Verdict, true where the last results are the answer, or None."
        )

    @property
    def _name(self) -> str:
        return str(getattr(self.decide, "__qualname__", type(self.decide).__name__))


@dataclass(frozen=True)
class ModelJudge:
    """Ask the model after each round of actions whether the run is done; a subtask runner.

    It ends a run as `Judge` does. A reply that says neither lets the run go on.

    Args:
        words: How the model is asked.
    """

    words: str = JUDGE_WORDS

    def __call__(self, run: Run, subtask: ActionsSubtask) -> Steps[None]:
        """End the run, where the model has an answer."""
        if run.limit or not _ran_actions(subtask):
            return
        answer = _done((yield from ask_aside(run, "judge", self.words)))
        if answer:
            yield from settle(run, subtask, to_artifact(answer), by="judge")


def _ran_actions(subtask: ActionsSubtask) -> bool:
    return subtask.finished and bool(subtask.actions)


def _observations(subtask: ActionsSubtask) -> BaseArtifact | None:
    """Return the results of a round, without its errors; None where there is nothing else."""
    outputs = [one.output for one in subtask.actions if one.output and not one.failed]
    if not outputs:
        return None
    return outputs[0] if len(outputs) == 1 else ListArtifact(outputs)


def _done(reply: str) -> str:
    """Return the answer in a reply; "" where the run goes on."""
    answer = labelled(reply, "done|finished")
    going = labelled(reply, "go on|continue|not done|not yet")
    if not answer or (going is not None and len(going) > len(answer)):  # it came first
        return ""
    return answer
