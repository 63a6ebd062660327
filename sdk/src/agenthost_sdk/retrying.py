"""Ask again after a failure that may pass, with growing waits, until attempts or time run out."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, cast

from agenthost_sdk.errors import DriverError
from agenthost_sdk.messages import Message

if TYPE_CHECKING:
    from tenacity import RetryCallState

#: How much longer than stated a wait may be, so that those who failed together do not come back
#: together.
JITTER = 0.25

#: How many times longer each wait is than the one before.
GROWTH = 2.0

# More would not fit a number; the longest wait is reached long before.
MOST_DOUBLINGS = 100

#: What is asked for: a reply, or something that never breaks off, such as vectors.
R = TypeVar("R")


class Patience(Protocol):
    """How long, and after what, is asked again; the fields of a driver."""

    max_attempts: int
    min_retry_delay: float
    max_retry_delay: float
    max_retry_seconds: float
    ignored_exception_types: tuple[type[BaseException], ...]


def persistently(patience: Patience, ask: Callable[[], R]) -> R:
    """Return what `ask` returns, or raise what it raises last.

    Asked again is after a `DriverError` that is retryable, unless it or what caused it is among
    the ignored types, and after a reply that broke off; the last reply stands as it is then.
    """
    since = time.monotonic()
    try:
        reply = ask()
    except DriverError as error:
        if not _may_pass(patience, error):
            raise
        first = _First[R](error=error)
    else:
        if not _broke_off(patience, reply):
            return reply
        first = _First(reply)
    # Only what did not go well at once pays for the package, and for its import.
    from tenacity import Retrying

    last: R = Retrying(**_rules(patience, since))(lambda: first.take() if first.is_due else ask())
    return last


async def apersistently(patience: Patience, ask: Callable[[], Awaitable[R]]) -> R:
    """Do what `persistently` does, without blocking the event loop."""
    since = time.monotonic()
    try:
        reply = await ask()
    except DriverError as error:
        if not _may_pass(patience, error):
            raise
        first = _First[R](error=error)
    else:
        if not _broke_off(patience, reply):
            return reply
        first = _First(reply)
    from tenacity import AsyncRetrying

    async def asked() -> R:  # tenacity awaits only what is written as a coroutine
        return first.take() if first.is_due else await ask()

    last: R = await AsyncRetrying(**_rules(patience, since))(asked)
    return last


class _First(Generic[R]):
    """What came of the first attempt, as a reply or as an error; it is handed on once."""

    def __init__(self, reply: R | None = None, error: DriverError | None = None) -> None:
        self.is_due = True
        self._reply = reply
        self._error = error

    def take(self) -> R:
        """Return the reply, or raise the error."""
        self.is_due = False
        if self._error is not None:
            raise self._error
        return cast("R", self._reply)


def _rules(patience: Patience, since: float) -> dict[str, Any]:
    from tenacity import (
        retry_if_exception,
        retry_if_result,
        stop_after_attempt,
        stop_before_delay,
    )

    left = patience.max_retry_seconds - (time.monotonic() - since)
    return {
        "stop": stop_after_attempt(patience.max_attempts) | stop_before_delay(left),
        "wait": lambda state: _wait(patience, state),
        "retry": retry_if_exception(lambda error: _may_pass(patience, error))
        | retry_if_result(lambda reply: _broke_off(patience, reply)),
        "retry_error_callback": _last,
    }


def _wait(patience: Patience, state: RetryCallState) -> float:
    """Return the seconds until the next attempt: what the provider asks for, or a growing time."""
    import random  # only a failure needs it

    error = state.outcome.exception() if state.outcome else None
    asked = error.retry_after if isinstance(error, DriverError) else None
    doublings = min(state.attempt_number - 1, MOST_DOUBLINGS)
    grown = patience.min_retry_delay * GROWTH**doublings
    least = max(min(grown, patience.max_retry_delay), 0.0) if asked is None else asked
    spread = min(least, max(patience.max_retry_delay, 0.0)) * JITTER
    return least + random.uniform(0.0, spread)  # noqa: S311 - no secret depends on it


def _may_pass(patience: Patience, error: BaseException) -> bool:
    if patience.max_attempts <= 1:
        return False
    if not isinstance(error, DriverError) or not error.is_retryable:
        return False
    ignored = patience.ignored_exception_types
    return not isinstance(error, ignored) and not isinstance(error.__cause__, ignored)


def _broke_off(patience: Patience, reply: Any) -> bool:
    if patience.max_attempts <= 1:
        return False
    return isinstance(reply, Message) and reply.finish == "incomplete"


def _last(state: RetryCallState) -> Any:
    assert state.outcome is not None
    return state.outcome.result()  # raises what was raised
