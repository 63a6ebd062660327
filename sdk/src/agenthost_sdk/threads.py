"""Run blocking work in daemon threads, and async work from blocking code."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


async def in_thread(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Run a blocking function in a daemon thread of its own and await its result.

    The thread sees the caller's context variables, takes no place in the event loop's pool, and
    does not delay the interpreter's exit when the caller gives up waiting.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[R] = loop.create_future()
    context = contextvars.copy_context()

    def work() -> None:
        try:
            result = context.run(function, *args, **kwargs)
        except BaseException as error:  # the thread's failure belongs to whoever awaits it
            _deliver(loop, future, error=error)
        else:
            _deliver(loop, future, result=result)

    threading.Thread(target=work, name=f"agenthost {_name(function)}", daemon=True).start()
    return await future


def run_coroutine(coroutine: Coroutine[Any, Any, R]) -> R:
    """Run a coroutine to its end from blocking code, also inside a running event loop."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(coroutine)
    return _in_new_thread(coroutine)


def _in_new_thread(coroutine: Coroutine[Any, Any, R]) -> R:
    outcome: list[R] = []
    failure: list[BaseException] = []

    def work() -> None:
        try:
            outcome.append(asyncio.run(coroutine))
        except BaseException as error:  # raised again below, in the caller's thread
            failure.append(error)

    thread = threading.Thread(target=work, name="agenthost coroutine", daemon=True)
    thread.start()
    thread.join()
    if failure:
        raise failure[0]
    return outcome[0]


def _deliver(
    loop: asyncio.AbstractEventLoop,
    future: asyncio.Future[R],
    *,
    result: R | None = None,
    error: BaseException | None = None,
) -> None:
    def settle() -> None:
        if future.done():
            return
        if error is None:
            future.set_result(result)  # type: ignore[arg-type]  # None is a result too
        elif isinstance(error, StopIteration):
            future.set_exception(RuntimeError(f"StopIteration raised: {error}"))
        else:
            future.set_exception(error)

    with suppress(RuntimeError):  # the loop was closed: nobody waits any more
        loop.call_soon_threadsafe(settle)


def _name(function: Callable[..., Any]) -> str:
    return getattr(function, "__qualname__", type(function).__name__)
