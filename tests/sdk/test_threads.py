"""Blocking work in daemon threads, and async work from blocking code."""

from __future__ import annotations

import asyncio
import contextvars
import functools
import subprocess
import sys
import threading

import pytest

from agenthost_sdk.threads import _IDLE, MOST_IDLE, in_thread, run_coroutine, start_thread

WHO = contextvars.ContextVar("WHO", default="nobody")


async def doubled(number: int) -> int:
    await asyncio.sleep(0)
    return 2 * number


async def failing() -> None:
    raise ValueError("bad")


def test_blocking_work_runs_in_a_daemon_thread_of_its_own() -> None:
    thread = asyncio.run(in_thread(threading.current_thread))

    assert thread is not threading.current_thread()
    assert thread.daemon


def test_a_thread_sees_the_callers_context() -> None:
    async def ask() -> str:
        WHO.set("ann")
        return await in_thread(WHO.get)

    assert asyncio.run(ask()) == "ann"


def test_a_partial_or_a_callable_object_may_be_run() -> None:
    class Adder:
        def __call__(self, number: int) -> int:
            return number + 1

    assert asyncio.run(in_thread(functools.partial(max, 1), 2)) == 2
    assert asyncio.run(in_thread(Adder(), 2)) == 3


@pytest.mark.parametrize("error", [ValueError("bad"), SystemExit(3)], ids=repr)
def test_what_the_work_raises_reaches_whoever_awaits_it(error: BaseException) -> None:
    def work() -> None:
        raise error

    async def ask() -> str:
        try:
            await in_thread(work)
        except BaseException as caught:
            return repr(caught)
        return ""

    assert asyncio.run(ask()) == repr(error)


def test_a_stop_iteration_reaches_the_awaiter_as_an_error() -> None:
    with pytest.raises(RuntimeError, match="StopIteration"):
        asyncio.run(in_thread(next, iter([])))


def test_sixty_four_workers_meet_at_one_barrier() -> None:
    barrier = threading.Barrier(64)

    async def meet() -> list[int]:
        return await asyncio.gather(*(in_thread(barrier.wait, 30) for _ in range(64)))

    assert sorted(asyncio.run(meet())) == list(range(64))


def test_work_that_outlives_the_loop_disturbs_nobody() -> None:
    may_end, has_ended = threading.Event(), threading.Event()

    def work() -> None:
        may_end.wait(30)
        has_ended.set()

    async def give_up() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(in_thread(work), 0.01)

    asyncio.run(give_up())
    may_end.set()

    assert has_ended.wait(30)
    assert asyncio.run(in_thread(WHO.get)) == "nobody"


def test_a_thread_that_is_free_is_used_again() -> None:
    first = start_thread(threading.current_thread).result(30)

    second = start_thread(threading.current_thread).result(30)

    assert first is second


def test_a_thread_that_hangs_is_in_nobodys_way() -> None:
    gate = threading.Event()
    hanging = [start_thread(gate.wait) for _ in range(200)]

    assert start_thread(lambda: "here").result(30) == "here"
    gate.set()
    assert all(future.result(30) for future in hanging)


def test_no_more_threads_wait_for_work_than_are_allowed() -> None:
    gate = threading.Event()
    futures = [start_thread(gate.wait) for _ in range(MOST_IDLE + 50)]

    gate.set()

    assert all(future.result(30) for future in futures)
    assert len(_IDLE) <= MOST_IDLE


def test_what_a_function_raises_is_the_futures() -> None:
    future = start_thread(lambda: 1 // 0)

    with pytest.raises(ZeroDivisionError):
        future.result(30)


def test_a_fork_starts_threads_of_its_own() -> None:
    done = subprocess.run(
        [sys.executable, "-c", FORKS], capture_output=True, text=True, timeout=60, check=True
    )

    assert done.stdout.splitlines() == ["parent", "child"]


FORKS = """
import os
from agenthost_sdk.threads import start_thread

print(start_thread(lambda: "parent").result(30), flush=True)
child = os.fork() if hasattr(os, "fork") else 0
if child == 0:
    print(start_thread(lambda: "child").result(30), flush=True)
    os._exit(0)
os.waitpid(child, 0)
"""


def test_a_coroutine_runs_from_blocking_code() -> None:
    assert run_coroutine(doubled(2)) == 4
    with pytest.raises(ValueError, match="bad"):
        run_coroutine(failing())


def test_a_coroutine_runs_inside_a_running_loop_too() -> None:
    async def outer() -> int:
        with pytest.raises(ValueError, match="bad"):
            run_coroutine(failing())
        return run_coroutine(doubled(3))

    assert asyncio.run(outer()) == 6
