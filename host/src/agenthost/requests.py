"""The requests by which the loop asks for what it cannot do itself."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from agenthost.actions.permission import Decision
from agenthost.actions.validation import Ready
from agenthost_sdk.actions import ToolAction, ToolSpec
from agenthost_sdk.artifacts import BaseArtifact
from agenthost_sdk.messages import Message, PromptStack
from agenthost_sdk.validators import BaseOutputValidator, Verdict

R = TypeVar("R")

#: What a prompt is for; a task may name another driver for each.
Step = Literal["act", "repair", "plan", "reflect", "judge", "summarise", "answer"]


class Request(Generic[R]):
    """Something to be carried out; what comes of it is sent into the generator."""


#: What the loop and its runners are: they yield requests, are sent results, and return R.
Steps = Generator[Request[Any], Any, R]


@dataclass(frozen=True)
class Prompt(Request[Message]):
    """Ask the model; `step` says what for."""

    stack: PromptStack
    step: Step = "act"


@dataclass(frozen=True)
class Approve(Request[Decision]):
    """Ask a person whether an action may run."""

    action: ToolAction
    spec: ToolSpec


@dataclass(frozen=True)
class Act(Request[list[BaseArtifact]]):
    """Run actions side by side; the results of `ready` come in the same order.

    `refused` are the actions of the same reply that bear their error already; they come along so
    that whoever listens hears of them too.
    """

    number: int
    thought: str
    ready: tuple[Ready, ...]
    refused: tuple[ToolAction, ...] = ()


@dataclass(frozen=True)
class Check(Request[Verdict]):
    """Let an output validator look at an answer."""

    validator: BaseOutputValidator
    output: BaseArtifact


@dataclass(frozen=True)
class Embed(Request[list[list[float]]]):
    """Turn texts into vectors, with the task's embedding driver."""

    texts: Sequence[str]


@dataclass(frozen=True)
class Count(Request[int]):
    """Count the tokens of messages, as the driver of the task counts them."""

    messages: Sequence[Message]


@dataclass(frozen=True)
class Call(Request[Any]):
    """Call a function of the application's, which may take its time or be async."""

    function: Callable[[], Any]


def ask(request: Request[R]) -> Steps[R]:
    """Yield a request and return what came of it, with its type."""
    result: R = yield request
    return result
