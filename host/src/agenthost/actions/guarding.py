"""Let guards look at actions before they run, and at what came of them.

A guard that raises refuses: what it could not look at does not pass. The words name it, since
the person who installed it is to know.
"""

from __future__ import annotations

import copy
import threading
from collections.abc import Iterable, Sequence
from contextvars import ContextVar
from dataclasses import replace
from typing import Any

from agenthost.actions.validation import Ready, validated
from agenthost_sdk.actions import ToolAction, ToolSpec
from agenthost_sdk.artifacts import BaseArtifact, ErrorArtifact, error_text
from agenthost_sdk.errors import DefinitionError, DeniedError, how_to_make
from agenthost_sdk.guards import BaseActionGuard

#: The guards of the action that runs; they stand before what it runs in its turn, too.
STANDING: ContextVar[tuple[BaseActionGuard, ...]] = ContextVar("STANDING", default=())


def with_standing(guards: Sequence[BaseActionGuard]) -> tuple[BaseActionGuard, ...]:
    """Return the guards of the action within which this runs, and further ones, each once."""
    return tuple(dict.fromkeys((*STANDING.get(), *guards)))


class GuardedElsewhere(BaseActionGuard):
    """Stand for guards that are in another process: what an action runs here is refused."""

    def before(self, action: ToolAction, spec: ToolSpec) -> ToolAction:  # noqa: ARG002 - whatever it is
        """Refuse."""
        raise DeniedError(
            f"{action.native} did not run: the guards that are to look at it are in another"
            " process. An activity that runs others belongs in none but the host's own."
        )


def checked_guards(given: Iterable[BaseActionGuard]) -> tuple[BaseActionGuard, ...]:
    """Return the guards that a task was given.

    Raises:
        DefinitionError: They are no list, or one is no guard.
    """
    if isinstance(given, str | BaseActionGuard) or not isinstance(given, Iterable):
        raise DefinitionError(f"guards is {given!r:.80}; it must be a list of guards.")
    guards = tuple(given)
    for one in guards:
        if not isinstance(one, BaseActionGuard):
            raise DefinitionError(f"{one!r:.80} is no guard.{how_to_make(one)}")
    return guards


def passed(one: Ready, guards: Sequence[BaseActionGuard]) -> Ready | ToolAction:
    """Return an action as the guards let it pass, or answered by why one of them did not."""
    for guard in guards:
        # A copy: what a guard writes into it is a change too, and is validated as one.
        shown = replace(one.action, input=copy.deepcopy(one.action.input))
        try:
            given: Any = guard.before(shown, one.spec)
            changed = _changed(one.action, given)
        except DeniedError as error:
            return _refused(one.action, str(error) or _unsaid(guard))
        except BaseException as error:  # a panic of native code is no `Exception`
            if _is_a_persons(error):
                raise
            words = f"{one.action.native} did not run, since {_failed(guard, error)}"
            return _refused(one.action, words)
        if changed is not one.action:
            try:
                one = validated(changed, one.tool, one.spec)
            except (Exception, SystemExit) as error:  # the code of the author's types runs in it
                words = f"the guard {_title(guard)} gave it an input that is refused: {error}"
                return _refused(one.action, f"{one.action.native} did not run: {words}")
    return replace(one, guards=tuple(guards)) if guards else one


def looked_at(one: Ready, output: BaseArtifact) -> BaseArtifact:
    """Return what the guards of an action make of what came of it; the last one looks first."""
    for guard in reversed(one.guards):
        try:
            given: Any = guard.after(one.action, output)
            if not isinstance(given, BaseArtifact):
                raise TypeError(f"it returned {type(given).__name__}, and must return an artifact")
        except DeniedError as error:
            return ErrorArtifact(str(error) or _unsaid(guard), code="denied")
        except BaseException as error:  # as above; nobody else would answer the action
            if _is_a_persons(error):
                raise
            words = f"{one.action.native} ran, and what came of it is withheld, since"
            return ErrorArtifact(f"{words} {_failed(guard, error)}", code="denied")
        output = given
    return output


def _changed(action: ToolAction, given: object) -> ToolAction:
    """Return the action with the input that a guard gave it."""
    if not isinstance(given, ToolAction):
        raise TypeError(f"it returned {type(given).__name__}, and must return the action")
    if (given.tag, given.name, given.path) != (action.tag, action.name, action.path):
        raise ValueError(f"it made another action of it, {given.native}")
    same: bool = given.input == action.input
    return action if same else replace(action, input=given.input)


def _is_a_persons(error: BaseException) -> bool:
    """Return whether a person interrupts, which reaches the main thread alone."""
    is_main = threading.current_thread() is threading.main_thread()
    return is_main and isinstance(error, KeyboardInterrupt)


def _refused(action: ToolAction, words: str) -> ToolAction:
    return action.with_output(ErrorArtifact(words, code="denied"))


def _failed(guard: BaseActionGuard, error: BaseException) -> str:
    return f"the guard {_title(guard)} could not look at it ({error_text(error)})."


def _unsaid(guard: BaseActionGuard) -> str:
    return f"The guard {_title(guard)} refused it."


def _title(guard: BaseActionGuard) -> str:
    return type(guard).__name__
