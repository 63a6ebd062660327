"""What a round costs beside the provider's SDK, in calls: little, and as much late as early."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from support.driven_loops import WAYS, ReadReplies, Way
from support.turns import QUESTION

PROVIDER_OVERHEAD = Path(__file__).parents[1] / "benchmarks" / "provider_overhead.py"

#: Calls of functions in Python and in C that a round may take.
MOST = 2000

#: How many calls apart an early and a late round may be; of an awaited run a few come and go with
#: who comes first, the event loop or a thread.
SLACK, ASYNC_SLACK = 5, 25

Counts = dict[str, dict[str, list[int]]]

ways = pytest.mark.parametrize("way", WAYS, ids=str)


@pytest.fixture(scope="module")
def counts() -> Counts:
    """Count in a process of its own, whose threads are all within hearing."""
    command = [sys.executable, str(PROVIDER_OVERHEAD), "--counts"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    assert done.stdout, done.stderr
    counts: Counts = json.loads(done.stdout)
    return counts


@ways
def test_a_round_keeps_to_its_price_beside_the_sdk(counts: Counts, way: Way) -> None:
    assert max(counts[str(way)]["calls"]) <= MOST


@ways
def test_the_last_of_40_rounds_costs_what_the_second_does(counts: Counts, way: Way) -> None:
    second, *_, last = counts[str(way)]["calls"]

    assert last == pytest.approx(second, abs=ASYNC_SLACK if way.is_async else SLACK)


@ways
def test_every_round_writes_the_new_messages_only(counts: Counts, way: Way) -> None:
    written = counts[str(way)]["written"]

    assert written == [2] * 39  # what the model said, and what came of its call


def sent_in(way: Way, rounds: int) -> list[bytes]:
    """Return the bodies of the requests of a run."""
    replies = ReadReplies.of(way, rounds)
    loop = replies.loop(way, rounds)
    answer = asyncio.run(loop.arun(QUESTION)) if way.is_async else loop.run(QUESTION)
    assert answer
    return replies.sent


@ways
def test_each_request_begins_with_the_messages_of_the_one_before(way: Way) -> None:
    sent: list[Any] = [json.loads(body)["messages"] for body in sent_in(way, rounds=5)]

    assert len(sent) == 6
    for before, after in pairwise(sent):
        assert after[: len(before)] == before
        assert len(after) == len(before) + 2
