"""A driver's clients: shared as far as they can be, and closed when nobody holds them."""

from __future__ import annotations

import asyncio
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from copy import deepcopy
from textwrap import dedent
from typing import Any

import pytest

from agenthost_sdk.clients import MOST_ENDPOINTS, Clients


class Line:
    """A client; what it closes is noted where its copies note it too."""

    def __init__(self, endpoint: str) -> None:
        self.endpoint = endpoint
        self.closed: list[str] = []

    def close(self) -> None:
        self.closed.append(self.endpoint)


class LoopLine(Line):
    """A client of an event loop."""

    async def close(self) -> None:  # type: ignore[override]  # as both SDKs have it
        super().close()


def new_clients() -> Clients[str, Line, LoopLine]:
    return Clients(Line, LoopLine, list)


#: Endpoints by which a client is let go.
OTHERS = [f"other {number}" for number in range(MOST_ENDPOINTS)]


def test_endpoints_that_take_turns_keep_their_clients() -> None:
    clients = new_clients()
    first, second = clients.blocking("first"), clients.blocking("second")

    assert first is not second
    assert [clients.blocking("first"), clients.blocking("second")] == [first, second]


def test_endpoints_that_take_turns_keep_their_clients_on_a_loop() -> None:
    async def taking_turns() -> list[LoopLine]:
        return [await clients.on_running_loop(one) for one in ("first", "second", "first")]

    clients = new_clients()
    first, second, again = asyncio.run(taking_turns())

    assert again is first
    assert second is not first


def test_a_client_in_use_is_closed_no_earlier_than_its_call_ends() -> None:
    clients = new_clients()
    in_use = clients.blocking("first")
    closed = in_use.closed

    for endpoint in OTHERS:
        clients.blocking(endpoint)
    assert closed == []
    del in_use

    assert closed == ["first"]


def test_a_client_in_use_on_a_loop_is_closed_no_earlier_than_its_call_ends() -> None:
    async def calling() -> None:
        in_use = await clients.on_running_loop("first")
        closed = in_use.closed
        for endpoint in OTHERS:
            await clients.on_running_loop(endpoint)
        await asyncio.sleep(0)
        assert closed == []
        del in_use
        while not closed:  # the loop closes it in a task
            await asyncio.sleep(0)
        assert closed == ["first"]

    clients = new_clients()
    asyncio.run(calling())


def test_the_clients_of_a_loop_are_closed_when_it_ends() -> None:
    clients = new_clients()

    lines = [asyncio.run(clients.on_running_loop("first")) for _ in range(3)]

    assert [line.closed for line in lines] == [["first"]] * 3


def test_clients_are_closed_with_their_driver() -> None:
    clients = new_clients()
    closed = clients.blocking("first").closed

    del clients

    assert closed == ["first"]


@pytest.mark.parametrize(
    "copied", [deepcopy, lambda one: pickle.loads(pickle.dumps(one))], ids=["copied", "pickled"]
)
def test_a_copy_makes_clients_of_its_own(copied: Callable[[Any], Any]) -> None:
    clients = new_clients()

    assert copied(clients).blocking("first") is not clients.blocking("first")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_process_makes_clients_of_its_own_and_closes_none_of_its_parents() -> None:
    code = """
        import os
        from agenthost_sdk.clients import Clients

        class Line:
            def __init__(self, endpoint):
                self.closed = []

            def close(self):
                self.closed.append(os.getpid())

        clients = Clients(Line, Line, list)
        line = clients.blocking("first")
        clients._lock.acquire()  # as a thread of the parent may hold it meanwhile
        child = os.fork()
        if not child:
            other = clients.blocking("first")
            os._exit(0 if other is not line and line.closed == [] else 1)
        clients._lock.release()
        status = os.waitpid(child, 0)[1]
        assert clients.blocking("first") is line
        raise SystemExit(status)
    """

    done = subprocess.run([sys.executable, "-c", dedent(code)], timeout=60)

    assert done.returncode == 0
