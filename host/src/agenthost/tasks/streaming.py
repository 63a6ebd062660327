"""Give the events of one run as an iterator, blocking or asynchronous.

The run goes on beside the consumer: in a daemon thread, or as a task of the consumer's own loop.
The way between them is a queue without end, whose last entry comes in a `finally`, so that no
consumer waits for ever. A consumer that leaves early cancels the run at its next event.
"""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import suppress
from queue import SimpleQueue
from types import TracebackType
from typing import Any, Self

from agenthost.records.bus import Listener, RunCancelled
from agenthost.tasks.run import Run
from agenthost_sdk.events import BaseEvent, FinishTaskEvent, StartPromptEvent, TextChunkEvent

#: How long closing waits for a run that is cancelled, in seconds; then it is left to itself.
_PATIENCE = 1.0

#: Makes a run that a further listener hears of.
MakeRun = Callable[[Listener], Run]

#: Carries a run out, to its end.
CarryOut = Callable[[Run], Coroutine[Any, Any, Run]]


class RunStream:
    """The events of a run, from its start to its end.

        with agent.stream("How many units of AB-1200 are left?") as events:
            for event in events:
                print(event.type)
        print(events.run.value)

    The run begins with the first event that is asked for. What it raises, such as an interrupt,
    is raised to whoever iterates. Closing, or forgetting, a stream before its end cancels the run.

    Attributes:
        run: The run; complete once the stream has ended.
    """

    def __init__(self, make_run: MakeRun, carry_out: Callable[[Run], Run]) -> None:
        self._way = _ThreadWay()
        self.run = make_run(self._way.tell)
        self.run.stream = True
        self._carry_out = carry_out
        self._thread: threading.Thread | None = None
        self._is_over = False

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> BaseEvent:
        if self._thread is None and not self._is_over:
            self._thread = self._started()
        try:
            event = None if self._is_over else self._way.next()
        except BaseException:  # a person's interrupt: nobody listens any more
            self.close()
            raise
        if event is not None:
            return event
        self._is_over = True
        if (error := self._way.failure()) is not None:
            raise error
        raise StopIteration

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __del__(self) -> None:
        self._way.close()

    def close(self) -> None:
        """Cancel the run, unless it has ended, and wait a moment for it to end."""
        self._is_over = True
        self._way.close()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(_PATIENCE)

    def text(self) -> Iterator[str]:
        """Yield the model's words as they come, and the answer where it is not among them.

        In a text dialect they are not meant for a person, so that only the answer comes, in one
        piece. Each reply stands in a paragraph of its own. Where a prompt is tried again, its
        words come again from the start.

        Raises:
            AgenthostError: The run failed.
        """
        said = _Said(self.run)
        with self:
            for event in self:
                if text := said.piece(event):
                    yield text
        if text := said.rest():
            yield text

    def _started(self) -> threading.Thread:
        work = contextvars.copy_context().run
        arguments = (_carried_out, self._carry_out, self.run, self._way)
        thread = threading.Thread(target=work, args=arguments, name="agenthost run", daemon=True)
        thread.start()
        return thread


class AsyncRunStream:
    """The events of a run for `async for`; otherwise as `RunStream`.

        async with agent.astream("How many units of AB-1200 are left?") as events:
            async for event in events:
                await show(event)

    The run is a task of the loop that iterates. Where the consumer is cancelled, or closes the
    stream, the run is cancelled too.
    """

    def __init__(self, make_run: MakeRun, carry_out: CarryOut) -> None:
        self._way = _LoopWay()
        self._task: asyncio.Task[None] | None = None
        self.run = make_run(self._way.tell)
        self.run.stream = True
        self._carry_out = carry_out
        self._is_over = False

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> BaseEvent:
        if self._task is None and not self._is_over:
            work = _acarried_out(self._carry_out, self.run, self._way)
            self._task = asyncio.create_task(work)
            self._way.open(self._task)
        try:
            event = None if self._is_over else await self._way.next()
        except asyncio.CancelledError:
            self._cancel()
            raise
        if event is not None:
            return event
        self._is_over = True
        if (error := self._way.failure()) is not None:
            raise error
        raise StopAsyncIteration

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.aclose()

    def __del__(self) -> None:
        self._cancel()

    async def aclose(self) -> None:
        """Cancel the run, unless it has ended, and wait a moment for it to end."""
        self._is_over = True
        self._cancel()
        if self._task is not None and not self._task.done():
            await asyncio.wait({self._task}, timeout=_PATIENCE)

    async def text(self) -> AsyncIterator[str]:
        """Yield the words of the answer, as `RunStream.text` does."""
        said = _Said(self.run)
        async with self:
            async for event in self:
                if text := said.piece(event):
                    yield text
        if text := said.rest():
            yield text

    def _cancel(self) -> None:
        if self._task is not None:
            self._way.cancel(self._task)


class _Way:
    """The way of the events from a run to its consumer, and of what the run raised."""

    def __init__(self) -> None:
        self._failure: BaseException | None = None

    def fail(self, failure: BaseException) -> None:
        """Take what the run raised."""
        self._failure = failure

    def failure(self) -> BaseException | None:
        """Return, once, what the run raised."""
        failure, self._failure = self._failure, None
        return failure


class _ThreadWay(_Way):
    """The way from the thread of a run."""

    def __init__(self) -> None:
        super().__init__()
        self._events: SimpleQueue[BaseEvent | None] = SimpleQueue()
        self._is_closed = False
        self._has_cancelled = False

    def tell(self, event: BaseEvent) -> None:
        """Take an event of the run; cancel the run, once, where nobody listens any more."""
        self._events.put(event)
        is_last = isinstance(event, FinishTaskEvent)
        if self._is_closed and not self._has_cancelled and not is_last:
            self._has_cancelled = True
            raise RunCancelled

    def next(self) -> BaseEvent | None:
        """Wait for the next event; None where the run has ended, however often it is asked."""
        event = self._events.get()
        if event is None:
            self._events.put(None)
        return event

    def end(self) -> None:
        """Take the end of the run."""
        self._events.put(None)

    def close(self) -> None:
        """Listen no more, also where another thread still waits for an event."""
        self._is_closed = True
        self._events.put(None)


class _LoopWay(_Way):
    """The way from the task of a run, on the loop of both."""

    def __init__(self) -> None:
        super().__init__()
        self._events: asyncio.Queue[BaseEvent | None] = asyncio.Queue()
        self._loop: asyncio.AbstractEventLoop | None = None

    def open(self, task: asyncio.Task[None]) -> None:
        """Begin to take the events of a task, and its end, also where it never begins."""
        self._loop = task.get_loop()
        task.add_done_callback(self._end)

    def tell(self, event: BaseEvent) -> None:
        """Take an event of the run, from whatever thread."""
        self._call(self._events.put_nowait, event)

    async def next(self) -> BaseEvent | None:
        """Wait for the next event; None where the run has ended, however often it is asked."""
        event = await self._events.get()
        if event is None:
            self._events.put_nowait(None)
        return event

    def cancel(self, task: asyncio.Task[None]) -> None:
        """Cancel the task of the run, from whatever thread, and listen no more."""
        if not task.done():
            self._call(task.cancel)
            self._call(self._events.put_nowait, None)

    def _end(self, _: asyncio.Task[None]) -> None:
        self._call(self._events.put_nowait, None)  # behind the events that are on their way

    def _call(self, function: Callable[..., Any], *arguments: Any) -> None:
        with suppress(RuntimeError):  # the loop was closed: nobody is there any more
            if self._loop is not None:
                self._loop.call_soon_threadsafe(function, *arguments)


class _Said:
    """What a stream's consumer has been told of the answer, in words."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._is_bare = run.setup.dialect.native
        self._is_meant = False
        self._attempt = "", 0
        self._text = ""

    def piece(self, event: BaseEvent) -> str:
        """Return the words that an event brings to a person."""
        if isinstance(event, StartPromptEvent):
            self._is_meant = self._is_bare and event.step in _SPOKEN
        if not self._is_meant or not isinstance(event, TextChunkEvent):
            return ""
        gap = ""
        if (event.id, event.attempt) != self._attempt:
            gap = "\n\n" if self._text else ""
            self._attempt, self._text = (event.id, event.attempt), ""
        self._text += event.token
        return gap + event.token

    def rest(self) -> str:
        """Return the answer where it was not told yet."""
        output = self._run.raise_for_error().output
        text = "" if output is None else output.to_text()
        if text.strip() == self._text.strip():
            return ""
        return f"\n\n{text}" if self._text else text


#: The steps whose replies are for the person; a plan or a summary is not.
_SPOKEN = ("act", "repair", "answer")


def _carried_out(carry_out: Callable[[Run], Run], run: Run, way: _ThreadWay) -> None:
    try:
        carry_out(run)
    except RunCancelled:
        pass  # the consumer left, and knows
    except BaseException as error:  # it is raised to the consumer
        way.fail(error)
    finally:
        way.end()


async def _acarried_out(carry_out: CarryOut, run: Run, way: _LoopWay) -> None:
    try:
        await carry_out(run)
    except asyncio.CancelledError:
        raise  # as above
    except BaseException as error:  # it is raised to the consumer
        way.fail(error)
