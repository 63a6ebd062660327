"""One record for each thing that can happen in a run.

What takes time has a start and a finish that share an `id`: the task, each prompt, each round of
actions (an actions subtask), each action. Every start is followed by exactly one finish, whatever
is raised in between; a failure is a finish whose `error` says what went wrong. In between come
the chunks of a streamed reply, each with the `id` of its prompt and the attempt that it belongs
to: where a `RestartPromptEvent` follows, the chunks of the earlier attempts are void.
"""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from agenthost_sdk.actions import ToolAction
from agenthost_sdk.artifacts import BaseArtifact
from agenthost_sdk.errors import DefinitionError
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
class BaseStartEvent(BaseEvent):
    """Something begins; its finish bears the same `id`."""

    id: str = ""


@dataclass(frozen=True, kw_only=True)
class BaseFinishEvent(BaseEvent):
    """What began under this `id` has ended.

    `seconds` is how long it took, by a clock that never jumps; `error` says what went wrong, and
    is None where nothing did.
    """

    id: str = ""
    seconds: float = 0.0
    error: str | None = None


@dataclass(frozen=True, kw_only=True)
class BaseChunkEvent(BaseEvent):
    """A piece of a streamed reply arrived.

    `id` is that of the prompt, `attempt` counts from 1 and says which try of it the piece belongs
    to, `index` is the place of the piece's block in the reply.
    """

    id: str = ""
    attempt: int = 1
    index: int = 0


@dataclass(frozen=True, kw_only=True)
class StartTaskEvent(BaseStartEvent):
    """A run begins; `id` is the run's."""

    input: BaseArtifact


@dataclass(frozen=True, kw_only=True)
class FinishTaskEvent(BaseFinishEvent):
    """A run ended; `stopped_by` says why, `usage` counts the tokens of all its replies."""

    output: BaseArtifact | None = None
    usage: Usage = Usage()
    stopped_by: str = ""


@dataclass(frozen=True, kw_only=True)
class StartPromptEvent(BaseStartEvent):
    """A driver is about to ask its model; `step` says what for, such as "act" or "repair"."""

    provider: str
    model: str
    stack: PromptStack
    step: str = "act"


@dataclass(frozen=True, kw_only=True)
class RestartPromptEvent(BaseEvent):
    """The model is asked again: what was streamed for this prompt so far is void.

    `error` says why the last attempt failed; provider and model are those of the new one, which
    may be other ones.
    """

    id: str = ""
    attempt: int
    error: str
    provider: str
    model: str


@dataclass(frozen=True, kw_only=True)
class FinishPromptEvent(BaseFinishEvent):
    """The model replied; or, where `error` is set, it did not.

    `usage` counts the tokens of all attempts, as far as they were counted.
    """

    provider: str
    model: str
    message: Message | None = None
    usage: Usage = Usage()
    step: str = "act"
    #: How many attempts there were.
    attempt: int = 1


@dataclass(frozen=True, kw_only=True)
class TextChunkEvent(BaseChunkEvent):
    """A piece of a text block arrived."""

    token: str


@dataclass(frozen=True, kw_only=True)
class ReasoningChunkEvent(BaseChunkEvent):
    """A piece of what the model thinks before it speaks arrived."""

    token: str


@dataclass(frozen=True, kw_only=True)
class ActionChunkEvent(BaseChunkEvent):
    """A piece of a call arrived; `tag` is the model's id for the call, where it came along."""

    partial_input: str
    tag: str = ""
    native: str = ""


@dataclass(frozen=True, kw_only=True)
class AudioChunkEvent(BaseChunkEvent):
    """A piece of sound arrived; `format` is its media subtype, such as "wav"."""

    data: bytes
    format: str = "wav"


@dataclass(frozen=True, kw_only=True)
class StartActionsSubtaskEvent(BaseStartEvent):
    """The actions of one reply are about to run."""

    number: int
    thought: str
    actions: tuple[ToolAction, ...]


@dataclass(frozen=True, kw_only=True)
class FinishActionsSubtaskEvent(BaseFinishEvent):
    """The actions of one reply are all answered; or, where `error` is set, they were cut short."""

    number: int
    actions: tuple[ToolAction, ...] = ()


@dataclass(frozen=True, kw_only=True)
class StartActionEvent(BaseStartEvent):
    """One action starts.

    `id` is unique in the run, also where the model uses a tag again in a later reply.
    """

    action: ToolAction


@dataclass(frozen=True, kw_only=True)
class FinishActionEvent(BaseFinishEvent):
    """One action was answered; `error` is the text of an `ErrorArtifact`."""

    action: ToolAction
    output: BaseArtifact


#: What takes an event as it happens.
Emit = Callable[[BaseEvent], Any]


def silent(event: BaseEvent) -> None:
    """Take an event and do nothing with it."""


class EventListener:
    """A listener that hears of some kinds of events only.

        EventListener(show, event_types=[TextChunkEvent, FinishTaskEvent])

    Args:
        on_event: Is called with each event of these kinds.
        event_types: The kinds, with all that derive from them; every kind where none is given.

    Raises:
        DefinitionError: `on_event` is a coroutine function, or a kind is none.
    """

    def __init__(self, on_event: Emit, event_types: Sequence[type[BaseEvent]] = ()) -> None:
        check_listener(on_event)
        self.on_event = on_event
        self.event_types = tuple(event_types)
        for kind in self.event_types:
            if not (isinstance(kind, type) and issubclass(kind, BaseEvent)):
                raise DefinitionError(f"{kind!r} in event_types is no kind of event.")

    def __call__(self, event: BaseEvent) -> Any:
        """Hear of an event."""
        if not self.event_types or isinstance(event, self.event_types):
            return self.on_event(event)
        return None


def check_listener(listener: Any) -> None:
    """Refuse what cannot listen to events.

    Raises:
        DefinitionError: It cannot be called, or it is a coroutine function, for which nobody
            would wait.
    """
    if not callable(listener):
        raise DefinitionError(f"The listener {listener!r} is no function that takes an event.")
    called = getattr(listener, "func", listener)  # what a `functools.partial` holds
    if inspect.iscoroutinefunction(called) or inspect.iscoroutinefunction(
        getattr(called, "__call__", None)  # noqa: B004 - the method itself is looked at
    ):
        raise DefinitionError(
            f"The listener {listener!r} is asynchronous. A listener is a plain function; to await"
            " something at each event, write `async for event in task.astream(question)`."
        )
