"""What a round of the loop costs, in calls of Python functions: little, and always the same."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agenthost.dialects import BUILT_IN
from support.measured_loop import MeasuredLoop, built, mean, steady

NATIVE, TEXT, ACTION = 400, 500, 80

#: How many rounds the long runs have.
ROUNDS = 60


@pytest.fixture(params=sorted(BUILT_IN))
def loop(request: pytest.FixtureRequest, is_async: bool) -> MeasuredLoop:
    """Return a loop of each dialect, blocking and async."""
    path = "acount" if is_async else "count"
    return MeasuredLoop(request.param, path, is_async=is_async)


def test_a_round_late_in_a_run_costs_what_an_early_one_does(loop: MeasuredLoop) -> None:
    rounds = loop.rounds(ROUNDS)

    assert steady(rounds[-1]) == pytest.approx(steady(rounds[1]), abs=1)


def test_a_round_with_listeners_permissions_and_limits_keeps_to_its_price(
    loop: MeasuredLoop,
) -> None:
    rounds = loop.rounds(ROUNDS)

    assert mean(rounds[1:]) <= (NATIVE if BUILT_IN[loop.dialect].native else TEXT)


@pytest.mark.parametrize("path", ["count", "acount"])
def test_a_further_parallel_action_keeps_to_its_price(loop: MeasuredLoop, path: str) -> None:
    one, nine = replace(loop, path=path), replace(loop, path=path, actions=9)

    further = mean(nine.rounds(10)[1:]) - mean(one.rounds(10)[1:])

    assert further / 8 <= ACTION


def test_no_schema_is_made_and_no_template_rendered_after_the_first_round(
    loop: MeasuredLoop,
) -> None:
    rounds = loop.rounds(3)

    assert [name for part in rounds[1:] for name in built(part)] == []
