"""Tell of one prompt: its start, the pieces of its reply, each further attempt, its finish."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from agenthost_sdk.artifacts import error_text
from agenthost_sdk.errors import DriverError
from agenthost_sdk.events import (
    ActionChunkEvent,
    AudioChunkEvent,
    BaseEvent,
    Emit,
    FinishPromptEvent,
    ReasoningChunkEvent,
    RestartPromptEvent,
    StartPromptEvent,
    TextChunkEvent,
    silent,
)
from agenthost_sdk.messages import (
    ActionCallDeltaMessageContent,
    AudioDeltaMessageContent,
    DeltaMessage,
    Message,
    PromptStack,
    ReasoningDeltaMessageContent,
    TextDeltaMessageContent,
    Usage,
)

#: The fields of an event by name.
Fields = dict[str, Any]


class PromptEvents:
    """The events of one prompt, however often it is tried, and by whichever driver.

    A driver makes one for each `run`. Who tries a prompt again makes it around all attempts and
    hands it to `run` in the place of `emit`; the first attempt is then told as the start, each
    further one as a restart, and the finish comes with the end of the `with` block:

        with PromptEvents(emit) as events:
            try:
                message = driver.run(stack, events)
            except DriverError:
                message = another.run(stack, events)

    A driver that goes on after that, in a thread that nobody waits for, is told so by a
    `DriverError` at its next event.

    Args:
        emit: Is called with each event; what it raises ends the attempt.
        run_id: The run that the prompt belongs to.
        step: What the prompt is for.
        stream: Whether the reply is to come in pieces; as the driver has it where None.
    """

    def __init__(
        self,
        emit: Emit = silent,
        *,
        run_id: str = "",
        step: str = "act",
        stream: bool | None = None,
    ) -> None:
        self.id = os.urandom(8).hex()
        self.stream = stream
        self.attempt = 0
        #: The tokens of all that came of the prompt, of attempts that were given up too.
        self.usage = Usage()
        self._emit = emit
        self._run_id = run_id
        self._step = step
        self._since = 0.0
        self._provider = self._model = self._error = ""
        self._message: Message | None = None
        self._is_over = False
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        with self._lock:
            self._is_over = True
            if self.attempt and self._emit is not silent:
                self._emit(self._finish(error))

    def __call__(self, event: BaseEvent) -> None:
        """Tell of an event, also of one that is the driver's own."""
        with self._lock:
            if self._is_over:
                raise DriverError("Nobody waits for this reply any longer.")
            self._emit(event)

    def begin(self, provider: str, model: str, stack: PromptStack) -> None:
        """Tell that an attempt begins: the first as the start, a further one as a restart."""
        self.attempt += 1
        self._provider, self._model, self._message = provider, model, None
        if self._emit is silent and not self._is_over:
            return
        if self.attempt == 1:
            self._since = time.monotonic()
            self(
                StartPromptEvent(
                    run_id=self._run_id,
                    id=self.id,
                    step=self._step,
                    provider=provider,
                    model=model,
                    stack=stack,
                )
            )
        else:
            self(
                RestartPromptEvent(
                    run_id=self._run_id,
                    id=self.id,
                    attempt=self.attempt,
                    error=self._error,
                    provider=provider,
                    model=model,
                )
            )

    def piece(self, delta: DeltaMessage) -> None:
        """Tell of a piece of the reply."""
        content = delta.content
        if content is None:
            return
        if self._emit is silent and not self._is_over:  # a reply has hundreds of pieces
            return
        if (told := _TOLD.get(type(content))) is not None:
            kind, fields = told
            if (said := fields(content)) is not None:
                at: Fields = {"run_id": self._run_id, "id": self.id, "attempt": self.attempt}
                self(kind(**at, **said))

    def spend(self, usage: Usage) -> None:
        """Count the tokens of a reply, or of as much of one as has come."""
        self.usage += usage

    def answered(self, message: Message) -> Message:
        """Note the reply of this attempt for the finish, and return it."""
        self._message = message
        if message.finish == "incomplete":
            self._error = "The reply broke off."
        return message

    def failed(self, error: BaseException) -> None:
        """Note why this attempt failed, for the restart or the finish."""
        self._error = error_text(error)

    def _finish(self, error: BaseException | None) -> FinishPromptEvent:
        message = self._message if error is None else None
        if error is not None:
            self.failed(error)
        return FinishPromptEvent(
            run_id=self._run_id,
            id=self.id,
            step=self._step,
            provider=self._provider,
            model=self._model,
            message=message,
            usage=self.usage,
            seconds=time.monotonic() - self._since,
            attempt=self.attempt,
            error=None if message else self._error,
        )


def _of_text(piece: TextDeltaMessageContent) -> Fields:
    return {"index": piece.index, "token": piece.text}


def _of_reasoning(piece: ReasoningDeltaMessageContent) -> Fields | None:
    return {"index": piece.index, "token": piece.text} if piece.text else None


def _of_call(piece: ActionCallDeltaMessageContent) -> Fields:
    return {
        "index": piece.index or 0,
        "partial_input": piece.arguments,
        "tag": piece.id,
        "native": piece.native,
    }


def _of_audio(piece: AudioDeltaMessageContent) -> Fields:
    return {"index": piece.index, "data": piece.data, "format": piece.format or "wav"}


#: The event that tells of a piece of each kind, and its own fields; None where there is nothing
#: to tell. Of blocks that come whole, the finish tells.
_TOLD: dict[type, tuple[type[BaseEvent], Callable[[Any], Fields | None]]] = {
    TextDeltaMessageContent: (TextChunkEvent, _of_text),
    ReasoningDeltaMessageContent: (ReasoningChunkEvent, _of_reasoning),
    ActionCallDeltaMessageContent: (ActionChunkEvent, _of_call),
    AudioDeltaMessageContent: (AudioChunkEvent, _of_audio),
}
