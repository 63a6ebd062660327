"""Measure what a loop of calls costs its client, beside one written by hand on the bare SDK.

    python tests/benchmarks/provider_overhead.py [--quick] [--json] [--counts] [--top N]

Three loops take turns, against a server in another process whose replies are made beforehand:
ours (a `PromptTask` with one tool, our driver, nobody listening, no limit within reach), one by
hand on the SDK's `create`, and one that only posts bodies made beforehand through the SDK, which
reads the replies into its types: about the least that a driver on this SDK costs. CPU time of all
the client's threads is counted, a request of a run on average, and the median of all turns
stands: on a machine that is busy the figures grow, their ratios hardly do.

The host's own part is measured and counted with the SDK's client replaced by one that hands over
replies which the SDK has read before: encoding, the loop, decoding, validation and dispatch
remain, on either side of the SDK's `post`. Of its CPU time the least of all turns stands. Calls
are those of Python functions and of functions in C, a round on average; of awaited runs those are
left out by which an event loop and threads wait, since their number depends on who comes first.

Goals: of the hand-written loop's CPU at most 1.0 at one round, 0.5 at 10, 0.25 at 40; a request
at 40 rounds at most 1.2 times one at 10; the own part at most 0.5 ms and 2,000 calls; 16 parallel
calls at most 1.5 times what they cost by hand, in a pool of threads. Exits with 1 where a goal is
missed. One that not even ready bodies are within is told of, but is no miss.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.bare_anthropic import BareAnthropic
from support.bare_openai import BareOpenAi
from support.canned_provider import CannedProvider
from support.driven_loops import WAYS, Driven, ReadReplies, Way, driver
from support.own_part import Calls, own_milliseconds
from support.ready_bodies import ReadyBodies
from support.turns import Run, runs_of, seconds_per_run

#: How many rounds there are, and how many calls in each.
Size = tuple[int, int]

#: What part of the hand-written loop's CPU ours may take, by the number of rounds.
RATIOS = {1: 1.0, 10: 0.5, 40: 0.25}

#: How many times dearer a request may be at 40 rounds than at 10.
GROWTH = 1.2

OWN_MILLISECONDS, OWN_CALLS = 0.5, 2000

#: How many calls run side by side, and how many times dearer they may be than by hand.
SIDE_BY_SIDE, PARALLEL = 16, 1.5

#: How many requests a turn has at least, and how many turns each loop takes.
REQUESTS, TURNS, QUICK_TURNS = 40, 7, 3


def main() -> int:
    """Print the tables, or all figures as JSON, and say whether every goal is met."""
    options = _options()
    if options.counts:
        print(json.dumps(_counts()))
        return 0
    found = Figures.measured(QUICK_TURNS if options.quick else TURNS)
    if options.json:
        print(json.dumps(asdict(found) | {"missed": found.missed(), "beyond": found.beyond()}))
    else:
        found.tell()
        _tell_top(options.top)
    for line in found.beyond():
        print(f"beyond the SDK: {line}", file=sys.stderr)
    for line in found.missed():
        print(f"missed: {line}", file=sys.stderr)
    return 1 if found.missed() else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="take fewer turns")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--counts", action="store_true", help="count calls only, as JSON")
    parser.add_argument("--top", type=int, default=0, help="tell what is called most")
    return parser.parse_args()


@dataclass(frozen=True)
class Cost:
    """The CPU time of a request in milliseconds: ours, by hand, and of bodies that are ready."""

    ours: float
    bare: float
    ready: float

    @property
    def ratio(self) -> float:
        """What part of the hand-written loop's time is ours."""
        return self.ours / self.bare

    @property
    def least(self) -> float:
        """What part of it the ready bodies take."""
        return self.ready / self.bare

    @classmethod
    def of(cls, way: Way, provider: CannedProvider, turns: int, sizes: list[Size]) -> list[Cost]:
        """Let the three loops take turns, at every size together."""
        numbers = [rounds + 1 for rounds, _ in sizes for _ in fields(cls)]
        with asyncio.Runner() as runner, ExitStack() as stack:
            loops = [
                stack.enter_context(_three_loops(way, provider, *size, runner)) for size in sizes
            ]
            times = [max(1, REQUESTS // number) for number in numbers]
            taken = seconds_per_run([run for three in loops for run in three], turns, times)
        each = [median(s) * 1000 / number for s, number in zip(taken, numbers, strict=True)]
        return [cls(*each[start : start + 3]) for start in range(0, len(each), 3)]


@dataclass(frozen=True)
class Figures:
    """All that was measured, by way and number of rounds or parallel calls."""

    rounds: dict[str, dict[int, Cost]]
    parallel: dict[str, dict[int, Cost]]
    own_milliseconds: dict[str, float]
    own_calls: dict[str, float]

    @classmethod
    def measured(cls, turns: int) -> Figures:
        """Measure everything."""
        with CannedProvider() as provider:
            rounds = {
                str(way): _by(RATIOS, Cost.of(way, provider, turns, [(n, 1) for n in RATIOS]))
                for way in WAYS
            }
            numbers = (1, SIDE_BY_SIDE)
            parallel = {
                str(way): _by(numbers, Cost.of(way, provider, turns, [(1, n) for n in numbers]))
                for way in WAYS
                if not way.stream
            }
        return cls(
            rounds,
            parallel,
            {str(way): own_milliseconds(way, 3 * turns) for way in WAYS},
            {str(way): Calls.of(way).per_round for way in WAYS},
        )

    def missed(self) -> list[str]:
        """Return the goals that were missed."""
        over = [line for line, least, goal in self._over() if least <= goal]
        return [*over, *self._grown(), *self._dear()]

    def beyond(self) -> list[str]:
        """Return the goals that ready bodies miss as well."""
        return [
            f"{line}; ready bodies take {least:.2f}"
            for line, least, goal in self._over()
            if least > goal
        ]

    def tell(self) -> None:
        """Print the tables."""
        print("ms of CPU a request       rounds   ours   hand  ready   ratio  goal")
        for way, costs in self.rounds.items():
            for number, cost in costs.items():
                print(f"  {way:24} {number:5}  {_line(cost)}  {RATIOS[number]:4}")
        print("\nparallel calls             calls")
        for way, costs in self.parallel.items():
            for number, cost in costs.items():
                goal = PARALLEL if number > 1 else ""
                print(f"  {way:24} {number:5}  {_line(cost)}  {goal:4}")
        print("\nthe host's own part           ms  goal   calls  goal")
        for way, own in self.own_milliseconds.items():
            calls = self.own_calls[way]
            print(f"  {way:24} {own:7.3f}  {OWN_MILLISECONDS:4}  {calls:6.0f}  {OWN_CALLS:4}")

    def _over(self) -> Iterator[tuple[str, float, float]]:
        """Yield what is dearer than it should be, what ready bodies take, and the goal."""
        for way, costs in self.rounds.items():
            for number, goal in RATIOS.items():
                cost = costs[number]
                if cost.ratio > goal:
                    line = f"{way}, {number} rounds: {cost.ratio:.2f} of the loop by hand"
                    yield f"{line}, at most {goal}", cost.least, goal

    def _grown(self) -> Iterator[str]:
        for way, costs in self.rounds.items():
            growth = costs[40].ours / costs[10].ours
            if growth > GROWTH:
                yield f"{way}: a request is {growth:.2f} times dearer at 40, at most {GROWTH}"

    def _dear(self) -> Iterator[str]:
        for way, costs in self.parallel.items():
            ratio = costs[SIDE_BY_SIDE].ratio
            if ratio > PARALLEL:
                yield f"{way}: {SIDE_BY_SIDE} calls cost {ratio:.2f}, at most {PARALLEL}"
        for way, own in self.own_milliseconds.items():
            if own > OWN_MILLISECONDS:
                yield f"{way}: {own:.3f} ms of the host's own, at most {OWN_MILLISECONDS}"
        for way, calls in self.own_calls.items():
            if calls > OWN_CALLS:
                yield f"{way}: {calls:.0f} calls of the host's own, at most {OWN_CALLS}"


@contextmanager
def _three_loops(
    way: Way, provider: CannedProvider, rounds: int, calls: int, runner: asyncio.Runner
) -> Iterator[list[Run]]:
    """Yield what runs our loop, the one by hand, and the ready bodies."""
    url = way.url(provider, rounds, calls)
    bare = (BareOpenAi if way.api == "openai" else BareAnthropic)(url, stream=way.stream)
    ready = ReadyBodies(way, url, _bodies(way, rounds, calls, runner))
    loops = [Driven(driver(way, url), rounds), bare, ready]
    yield [runs_of(loop, way, runner) for loop in loops]
    for made in (bare, ready):
        made.close()
        runner.run(made.aclose())


def _bodies(way: Way, rounds: int, calls: int, runner: asyncio.Runner) -> list[bytes]:
    """Return what our driver sends in a run."""
    replies = ReadReplies.of(way, rounds, calls)
    runs_of(replies.loop(way, rounds), way, runner)()
    return replies.sent


def _by(sizes: Iterable[int], costs: Iterable[Cost]) -> dict[int, Cost]:
    return dict(zip(sizes, costs, strict=True))


def _line(cost: Cost) -> str:
    return f"{cost.ours:5.2f}  {cost.bare:5.2f}  {cost.ready:5.2f}   {cost.ratio:5.2f}"


def _counts() -> dict[str, Any]:
    """Return the calls of each round, and how many messages it wrote, by way."""
    found = {str(way): Calls.of(way) for way in WAYS}
    return {
        way: {"calls": [part.total() for part in one.rounds], "written": one.written()}
        for way, one in found.items()
    }


def _tell_top(number: int) -> None:
    for way in WAYS if number else ():
        rounds = Calls.of(way).rounds
        print(f"\nmost called in a round, {way}")
        for name, count in rounds[-1].most_common(number):
            print(f"  {count:5}  {name}")


if __name__ == "__main__":
    sys.exit(main())
