"""Consult those who decide beside the model: approver, output validators, functions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from inspect import isawaitable
from typing import Any

from agenthost.actions.background import BACKGROUND
from agenthost.actions.permission import Approver, Decision
from agenthost_sdk.actions import ToolAction, ToolSpec
from agenthost_sdk.artifacts import BaseArtifact, error_text
from agenthost_sdk.errors import DefinitionError, PluginError
from agenthost_sdk.threads import in_thread
from agenthost_sdk.validators import BaseOutputValidator, Verdict


def decided(approver: Approver | None, action: ToolAction, spec: ToolSpec) -> Decision:
    """Ask the approver; a bare yes or no is taken too."""
    if approver is None:
        return Decision(False, "Nobody to ask.")
    with _naming_approver():
        answer = called(lambda: approver(action, spec))
    return _decision(answer)


async def adecided(approver: Approver | None, action: ToolAction, spec: ToolSpec) -> Decision:
    """Do what `decided` does, without blocking the event loop; an async one runs on that."""
    if approver is None:
        return Decision(False, "Nobody to ask.")
    with _naming_approver():
        answer = await acalled(lambda: approver(action, spec))
    return _decision(answer)


@contextmanager
def _naming_approver() -> Iterator[None]:
    """Let a broken approver end the run by its name: nobody else can say what may run."""
    try:
        yield
    except (Exception, SystemExit) as error:
        raise DefinitionError(f"The approver raised {error_text(error)}.") from error


def _decision(decision: Any) -> Decision:
    if isinstance(decision, bool):
        return Decision(decision)
    if isinstance(decision, Decision):
        return decision
    raise DefinitionError(f"The approver returned {decision!r}; it must return a Decision.")


def checked(validator: BaseOutputValidator, output: BaseArtifact) -> Verdict:
    """Let a validator decide; one that is broken ends the run, since nothing can pass it."""
    name = validator.name or type(validator).__name__
    try:
        verdict: Any = validator.validate(output)
    except (Exception, SystemExit) as error:
        raise PluginError(f"The output validator {name} raised {error_text(error)}.") from error
    if isinstance(verdict, Verdict):
        reason = str(verdict.reason or "").strip() or f"The output validator {name} refused it."
        return verdict if verdict.accepted else replace(verdict, reason=reason)
    raise PluginError(
        f"The output validator {name} returned {verdict!r};"
        " it must return Verdict.accept(), Verdict.replace(output) or Verdict.refuse(reason)."
    )


def called(function: Callable[[], Any]) -> Any:
    """Call a function of the application's; an async one runs on the host's own loop."""
    result = function()
    return BACKGROUND.submit(_awaited(result)).result() if isawaitable(result) else result


async def acalled(function: Callable[[], Any]) -> Any:
    """Do what `called` does, without blocking the event loop; an async one runs on that."""
    result = await in_thread(function)
    return await result if isawaitable(result) else result


async def _awaited(result: Awaitable[Any]) -> Any:
    return await result
