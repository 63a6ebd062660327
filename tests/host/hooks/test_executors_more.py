"""Whatever becomes of an executor, each action has its answer, and only that one suffers."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from typing import Any

import pytest

from agenthost import PromptTask
from agenthost.tasks.run import Run
from agenthost_sdk import BaseActionGuard
from agenthost_sdk.testing import ScriptedDriver, calls
from support.elsewhere import BEGUN, HELD, Bench


class Lenient(BaseActionGuard):
    """Let everything pass."""


class Nothing(Executor):
    """Give no future."""

    def submit(self, *_: Any, **__: Any) -> Any:
        return None


class Queueing(ThreadPoolExecutor):
    """Tell when two actions were given to its one thread."""

    def __init__(self) -> None:
        super().__init__(1)
        self.full = threading.Semaphore(0)

    def submit(self, *given: Any, **named: Any) -> Any:
        future = super().submit(*given, **named)
        self.full.release()
        return future


class Leaving(Executor):
    """Leave instead."""

    def submit(self, *_: Any, **__: Any) -> Any:
        raise SystemExit(3)


@pytest.fixture(scope="module")
def processes() -> Iterator[Executor]:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
        yield executor


def done(executor: Executor, *wanted: str, awaited: bool = False, **options: Any) -> list[str]:
    driver = ScriptedDriver([calls(*((f"Bench_{name}", {}) for name in wanted)), "Done."])
    task = PromptTask("?", tools=[Bench()], prompt_driver=driver, executor=executor, **options)
    run: Run = asyncio.run(task.arun()) if awaited else task.run()
    return [str(action.output) for action in run.subtasks[0].actions]


def test_an_exception_that_cannot_be_sent_leaves_the_pool_whole(processes: Executor) -> None:
    assert done(processes, "fail", "saw") == ["TwoWords: no luck", "sawn"]
    assert done(processes, "saw") == ["sawn"]


def test_what_an_activity_runs_in_another_process_is_refused_where_guards_stand(
    processes: Executor,
) -> None:
    [guarded] = done(processes, "delegate", guards=[Lenient()])

    assert "the guards that are to look at it are in another process" in guarded
    assert done(processes, "delegate") == ["sawn"]


@pytest.mark.parametrize("awaited", [False, True])
def test_an_executor_that_is_shut_down_while_it_runs_answers_what_it_never_began(
    awaited: bool,
) -> None:
    HELD.clear()
    BEGUN.clear()
    executor = Queueing()

    def shut_down() -> None:
        BEGUN.wait(20)
        for _ in range(2):
            executor.full.acquire(timeout=20)
        executor.shutdown(wait=False, cancel_futures=True)
        HELD.set()

    closing = threading.Thread(target=shut_down)
    closing.start()
    held, waited = done(executor, "hold", "saw", awaited=awaited)
    closing.join()

    assert held == "held"
    assert "Bench_saw could not be run by the executor: CancelledError" in waited


@pytest.mark.parametrize("awaited", [False, True])
@pytest.mark.parametrize(
    ("executor", "error"), [(Nothing(), "AttributeError"), (Leaving(), "SystemExit")]
)
def test_an_executor_that_gives_no_future_is_an_error_of_the_action(
    executor: Executor, error: str, awaited: bool
) -> None:
    [told] = done(executor, "saw", awaited=awaited)

    assert f"Bench_saw could not be run by the executor: {error}" in told
