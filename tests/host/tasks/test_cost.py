"""What a round of the loop costs, in calls of Python functions: little, and always the same."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from agenthost.dialects import BUILT_IN

LOOP_COST = Path(__file__).parents[2] / "benchmarks" / "loop_cost.py"

#: The kinds of loop that are measured, and the kinds of parallel actions.
LOOPS = [
    f"{dialect}{how}"
    for dialect in sorted(BUILT_IN)
    for how in ("", " streamed", " async", " async streamed")
]
ACTIONS = [
    f"{dialect}, {path} in {how}"
    for dialect in sorted(BUILT_IN)
    for path in ("count", "acount")
    for how in ("run", "arun")
]

#: The most that a further parallel action may take.
MOST = 80


@pytest.fixture(scope="module")
def prices() -> dict[str, dict[str, Any]]:
    """Measure all of it in a process of its own, whose threads are all within hearing."""
    command = [sys.executable, str(LOOP_COST), "--rounds", "60", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout, done.stderr
    prices: dict[str, dict[str, Any]] = json.loads(done.stdout)
    return prices


@pytest.mark.parametrize("loop", LOOPS)
def test_a_round_late_in_a_run_costs_what_an_early_one_does(
    prices: dict[str, dict[str, Any]], loop: str
) -> None:
    price = prices["rounds"][loop]

    assert price["last"] == pytest.approx(price["second"], abs=price["slack"])


@pytest.mark.parametrize("loop", LOOPS)
def test_a_round_with_listeners_permissions_and_limits_keeps_to_its_price(
    prices: dict[str, dict[str, Any]], loop: str
) -> None:
    price = prices["rounds"][loop]

    assert max(price["early"], price["late"]) <= (400 if loop.startswith("native") else 500)


@pytest.mark.parametrize("loop", LOOPS)
def test_no_schema_is_made_and_no_template_rendered_after_the_first_round(
    prices: dict[str, dict[str, Any]], loop: str
) -> None:
    assert prices["rounds"][loop]["building"] == []


@pytest.mark.parametrize("action", ACTIONS)
def test_a_further_parallel_action_keeps_to_its_price(
    prices: dict[str, dict[str, Any]], action: str
) -> None:
    assert prices["actions"][action] <= MOST
