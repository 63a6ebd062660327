"""One record for each thing that can happen in a run."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from agenthost_sdk.actions import ToolAction
from agenthost_sdk.artifacts import BaseArtifact
from agenthost_sdk.messages import Message, PromptStack, Usage


@dataclass(frozen=True, kw_only=True)
class BaseEvent:
    """Something happened; `run_id` says in which run, `timestamp` when (seconds, UTC epoch)."""

    run_id: str = ""
    timestamp: float = field(default_factory=time.time)

    @property
    def type(self) -> str:
        """The event's name, such as "StartPromptEvent"."""
        return type(self).__name__


@dataclass(frozen=True, kw_only=True)
class StartTaskEvent(BaseEvent):
    """A run begins."""

    input: BaseArtifact


@dataclass(frozen=True, kw_only=True)
class FinishTaskEvent(BaseEvent):
    """A run ended; `error` says why where it failed."""

    output: BaseArtifact | None = None
    usage: Usage = Usage()
    stopped_by: str = ""
    error: str | None = None


@dataclass(frozen=True, kw_only=True)
class StartPromptEvent(BaseEvent):
    """A driver is about to ask its model."""

    provider: str
    model: str
    stack: PromptStack


@dataclass(frozen=True, kw_only=True)
class FinishPromptEvent(BaseEvent):
    """The model replied; or, where `error` is set, it did not."""

    provider: str
    model: str
    message: Message | None = None
    usage: Usage = Usage()
    error: str | None = None


@dataclass(frozen=True, kw_only=True)
class TextChunkEvent(BaseEvent):
    """A piece of a text block arrived."""

    token: str
    index: int = 0


@dataclass(frozen=True, kw_only=True)
class ActionChunkEvent(BaseEvent):
    """A piece of a call arrived."""

    partial_input: str
    id: str = ""
    native: str = ""
    index: int = 0


@dataclass(frozen=True, kw_only=True)
class StartActionsSubtaskEvent(BaseEvent):
    """The actions of one reply are about to run."""

    number: int
    thought: str
    actions: tuple[ToolAction, ...]


@dataclass(frozen=True, kw_only=True)
class FinishActionsSubtaskEvent(BaseEvent):
    """The actions of one reply are all answered; or, where `error` is set, they were cut short."""

    number: int
    actions: tuple[ToolAction, ...] = ()
    error: str | None = None


@dataclass(frozen=True, kw_only=True)
class StartActionEvent(BaseEvent):
    """One action starts."""

    action: ToolAction


@dataclass(frozen=True, kw_only=True)
class FinishActionEvent(BaseEvent):
    """One action was answered; `seconds` says how long it took."""

    action: ToolAction
    output: BaseArtifact
    seconds: float = 0.0


#: What takes an event as it happens.
Emit = Callable[[BaseEvent], Any]


def silent(event: BaseEvent) -> None:
    """Take an event and do nothing with it."""
