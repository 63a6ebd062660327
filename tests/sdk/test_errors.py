"""What errors say to their readers."""

from __future__ import annotations

import inspect
import pickle
import re
from copy import copy, deepcopy

import pytest

from agenthost_sdk import errors
from agenthost_sdk.errors import (
    AgenthostError,
    DriverError,
    DriverRateLimitError,
    InvalidInput,
    LimitError,
    NotFoundError,
    OptionError,
)


def test_the_tree_in_the_docstring_names_every_exception() -> None:
    drawn = set(re.findall(r"\w+(?:Error|Input)\b", errors.__doc__ or ""))
    defined = {
        name
        for name, found in vars(errors).items()
        if inspect.isclass(found) and issubclass(found, AgenthostError)
    }

    assert drawn == defined


def test_a_missing_name_says_what_was_asked_what_is_there_and_what_to_do() -> None:
    error = NotFoundError("tool", "calcultor", ["datetime", "calculator"], "See `tools list`.")

    assert str(error) == (
        "No tool named 'calcultor'. Did you mean 'calculator'? Known: calculator, datetime."
        " See `tools list`."
    )


def test_a_long_list_of_known_names_is_cut_with_a_count() -> None:
    error = NotFoundError("tool", "zzz", [f"tool{number:02}" for number in range(25)])

    assert str(error).endswith("tool19 and 5 more.")


def test_an_invalid_input_has_a_line_for_each_problem() -> None:
    error = InvalidInput(["/a: one", "/b: two"])

    assert str(error) == "/a: one\n/b: two"
    assert error.problems == ["/a: one", "/b: two"]


def test_a_driver_error_names_provider_model_status_and_request() -> None:
    error = DriverError(
        "Too many requests", provider="openai", model="gpt", status=429, request_id="r1"
    )

    assert str(error) == "openai:gpt: Too many requests (status 429, request r1)"
    assert str(DriverError("lost")) == "lost"


@pytest.mark.parametrize(
    "error",
    [
        DriverRateLimitError("Slow", provider="p", model="m", status=429, retry_after=3.0),
        InvalidInput(["/a: one", "/b: two"]),
        LimitError("Enough.", limit="max_seconds"),
        NotFoundError("tool", "calcultor", ["calculator"], "See `tools list`."),
        OptionError("Inventory", "warehous", "There is none.", is_known=False),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_that_is_copied_or_goes_to_another_process_stays_what_it_is(
    error: AgenthostError,
) -> None:
    for other in (copy(error), deepcopy(error), pickle.loads(pickle.dumps(error))):
        assert (type(other), str(other)) == (type(error), str(error))
        assert vars(other) == vars(error)
