"""Workflows that cannot run: each is refused when it is made."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from agenthost import FromInput, FromStep, WorkflowStep
from agenthost_sdk.errors import DefinitionError, NotFoundError
from support.shop import COUNT, SELL, SHOP, Shop, made


def no_steps() -> None:
    made()


def one_name_twice() -> None:
    made(COUNT, COUNT)


def a_later_step() -> None:
    made(SELL, COUNT)


def an_unknown_input() -> None:
    made(WorkflowStep(SHOP, "count", {"sku": FromInput("article")}))


def a_number_too_high() -> None:
    made(COUNT, WorkflowStep(SHOP, "sell", {"units": [FromStep(1)]}))


def no_tool() -> None:
    WorkflowStep(Shop, "count")  # type: ignore[arg-type]


def no_step() -> None:
    made((SHOP, "count"))  # type: ignore[arg-type]


def a_name_that_is_none() -> None:
    made(COUNT, inputs={"stock keeping unit": str})


def an_odd_return() -> None:
    made(COUNT, returns="first")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (no_steps, "has no steps"),
        (one_name_twice, "named 'count'"),
        (a_later_step, "what came of step 'count'. Earlier steps: none"),
        (an_unknown_input, "takes the input 'article'. The inputs: sku"),
        (a_number_too_high, "Earlier steps: count"),
        (no_tool, r"Write Shop\(\) to make one"),
        (no_step, r"write WorkflowStep\("),
        (a_name_that_is_none, "inputs of the workflow 'Sale'"),
        (an_odd_return, "'last' or 'all'"),
    ],
)
def test_a_workflow_that_cannot_run_is_refused_when_it_is_made(
    make: Callable[[], None], words: str
) -> None:
    with pytest.raises(DefinitionError, match=words):
        make()


def test_an_unknown_activity_is_refused_with_the_nearest_names() -> None:
    with pytest.raises(NotFoundError, match="Did you mean 'count'"):
        WorkflowStep(SHOP, "cuont")
