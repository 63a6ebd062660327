"""Measure the host's own part of a loop: what is left when the provider's SDK costs nothing."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass
from statistics import fmean

from support.all_calls import WAITING, all_calls
from support.driven_loops import ReadReplies, Way
from support.turns import runs_of, seconds_per_run

#: How many rounds are measured.
ROUNDS = 40


@dataclass(frozen=True)
class Calls:
    """The calls of functions in each round but the first, from one request to the next.

    Args:
        rounds: How many there were, by function.
        sent: The bodies of the requests, that of the first round too.
    """

    rounds: list[Counter[str]]
    sent: list[bytes]

    @classmethod
    def of(cls, way: Way, calls: int = 1) -> Calls:
        """Count a run; the run before it is not counted, since it makes what is made once."""
        replies = ReadReplies.of(way, ROUNDS, calls)
        loop = replies.loop(way, ROUNDS)
        with asyncio.Runner() as runner:
            run = runs_of(loop, way, runner)
            run()
            replies.sent.clear()
            with all_calls() as log:
                replies.asked = log.mark
                run()
        parts = log.parts(WAITING if way.is_async else ())
        return cls(parts[1:], replies.sent)

    @property
    def per_round(self) -> float:
        """The calls of a round on average."""
        return fmean(part.total() for part in self.rounds)

    def written(self) -> list[int]:
        """Return how many messages were written in each round."""
        return [
            sum(number for name, number in part.items() if _writes(name)) for part in self.rounds
        ]


def own_milliseconds(way: Way, turns: int) -> float:
    """Return the CPU time of a round: the least of all turns, since it stands by itself.

    Other work on the machine makes it dearer, never cheaper.
    """
    replies = ReadReplies.of(way, ROUNDS)
    loop = replies.loop(way, ROUNDS)
    with asyncio.Runner() as runner:
        [seconds] = seconds_per_run([runs_of(loop, way, runner)], turns, [1])
    return min(seconds) * 1000 / (ROUNDS + 1)


def _writes(name: str) -> bool:
    return name.startswith("agenthost_plugin_") and name.endswith(".take")
