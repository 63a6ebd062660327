"""Count the Python calls that one round of the loop takes, by dialect and way of running.

    python tests/benchmarks/loop_cost.py [--rounds 200] [--top N] [--json]

Each run has two listeners, a rule that allows the action, and limits of every kind. All calls of
Python functions count: the scripted driver's, the listeners' and the tool's too, and those in
worker threads. A streamed reply comes in one piece for each of its blocks; what a further piece
takes stands below. Rounds are compared without what only waits for a thread or the event loop,
which differs by a few calls from one round to the next.

Exits with 1 where a goal is missed: 400 calls for a native round, 500 for one in text, 80 for a
further parallel action, the last round within one call of the second, and no schema made and no
template rendered after the first. With `--top`, tells which functions were called most.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from agenthost.dialects import BUILT_IN
from support.call_counts import Calls, place
from support.measured_loop import MeasuredLoop, built, least, mean, steady

NATIVE_GOAL, TEXT_GOAL, ACTION_GOAL = 400, 500, 80

#: How many calls apart the second and the last round may be; of an awaited run a few come and go
#: with who comes first.
SLACK, ASYNC_SLACK = 1, 25

#: One piece for each block of a reply.
WHOLE = 10_000

#: How many rounds are taken together at either end.
WINDOW = 20

#: How many parallel actions the price of one is taken from.
SIDE_BY_SIDE = 9


def main() -> int:
    """Print the tables, or the prices as JSON, and say whether every goal is met."""
    options = _options()
    rounds = {name: Price.of(loop, options.rounds) for name, loop in _loops()}
    actions = dict(_actions())
    if options.json:
        shown = {name: asdict(price) for name, price in rounds.items()}
        print(json.dumps({"rounds": shown, "actions": actions}))
    else:
        _tell_rounds(rounds, options.rounds)
        _tell_actions(actions)
        _tell_pieces()
        _tell_top(options.top)
    missed = [*_missed_rounds(rounds), *_missed_actions(actions)]
    for line in missed:
        print(f"missed: {line}", file=sys.stderr)
    return 1 if missed else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--top", type=int, default=0)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if options.rounds <= WINDOW:
        parser.error(f"--rounds must be more than {WINDOW}")
    return options


@dataclass(frozen=True)
class Price:
    """What the rounds of one loop took.

    Args:
        goal: How many calls a round may take.
        early: Calls of a round, on average over those from the second on.
        late: The same over the last ones.
        second: Calls of the second round, without what only waits.
        last: The same of the last round.
        building: What was called after the first round to make schemas or render templates.
    """

    goal: int
    early: float
    late: float
    second: int
    last: int
    building: list[str]
    slack: int = SLACK

    @classmethod
    def of(cls, loop: MeasuredLoop, number: int) -> Price:
        """Run so many rounds, and read the price off them."""
        later = loop.rounds(number)[1:]
        goal = NATIVE_GOAL if BUILT_IN[loop.dialect].native else TEXT_GOAL
        ends = mean(later[:WINDOW]), mean(later[-WINDOW:])
        made = sorted({name for part in later for name in built(part)})
        slack = ASYNC_SLACK if loop.is_async else SLACK
        return cls(goal, *ends, steady(later[0]), steady(later[-1]), made, slack)

    def missed(self) -> Iterator[str]:
        """Yield what is wrong with it."""
        if max(self.early, self.late) > self.goal:
            yield f"at most {self.goal} calls"
        if abs(self.last - self.second) > self.slack:
            yield f"the last round like the second: {self.second} became {self.last}"
        if self.building:
            yield f"no schema or template work after the first round: {', '.join(self.building)}"


def _loops() -> Iterator[tuple[str, MeasuredLoop]]:
    for dialect in BUILT_IN:
        for is_async in (False, True):
            for piece in (0, WHOLE):
                words = (dialect, "async" if is_async else "", "streamed" if piece else "")
                loop = MeasuredLoop(dialect, _path(is_async), piece=piece, is_async=is_async)
                yield " ".join(filter(None, words)), loop


def _path(is_async: bool) -> str:
    return "acount" if is_async else "count"


def _actions() -> Iterator[tuple[str, float]]:
    """Yield what a further action of the same reply takes, by dialect and way of running."""
    for dialect in BUILT_IN:
        for is_async in (False, True):
            for path in ("count", "acount"):
                loop = MeasuredLoop(dialect, path, is_async=is_async)
                price = _further(loop, replace(loop, actions=SIDE_BY_SIDE), SIDE_BY_SIDE - 1)
                yield f"{dialect}, {path} in {'arun' if is_async else 'run'}", price


def _further(less: MeasuredLoop, more: MeasuredLoop, number: int) -> float:
    """Return what one of so many further things takes, in the round that waited least.

    How often threads wait for one another depends on who comes first, and is nobody's price.
    """
    cheap, dear = (least(loop.rounds(WINDOW)[1:]) for loop in (less, more))
    return (dear - cheap) / number


def _missed_rounds(rounds: dict[str, Price]) -> Iterator[str]:
    for name, price in rounds.items():
        yield from (f"{name}: {what}" for what in price.missed())


def _missed_actions(actions: dict[str, float]) -> Iterator[str]:
    for name, price in actions.items():
        if price > ACTION_GOAL:
            yield f"{name}: at most {ACTION_GOAL} calls"


def _tell_rounds(rounds: dict[str, Price], number: int) -> None:
    last = f"at {number}"
    print(f"calls per round                  at 2  {last:>8}  goal")
    for name, price in rounds.items():
        print(f"  {name:28} {price.early:6.0f}  {price.late:8.0f}  {price.goal:4}")


def _tell_actions(actions: dict[str, float]) -> None:
    print("\ncalls per further parallel action                goal")
    for name, price in actions.items():
        print(f"  {name:37} {price:6.0f}  {ACTION_GOAL:4}")


def _tell_pieces() -> None:
    print("\ncalls per further piece of a streamed reply")
    for dialect in BUILT_IN:
        for is_async in (False, True):
            whole = MeasuredLoop(dialect, _path(is_async), piece=WHOLE, is_async=is_async)
            cut = replace(whole, piece=8)
            price = _further(whole, cut, cut.pieces() - whole.pieces())
            print(f"  {dialect:16} {'arun' if is_async else 'run':20} {price:6.0f}")


def _tell_top(number: int) -> None:
    for dialect in BUILT_IN if number else ():
        rounds = MeasuredLoop(dialect).rounds(WINDOW)[1:]
        total: Calls = sum(rounds, Counter())
        print(f"\nmost called in a round, {dialect}")
        for code, count in total.most_common(number):
            print(f"  {count / len(rounds):6.1f}  {place(code)}")


if __name__ == "__main__":
    sys.exit(main())
