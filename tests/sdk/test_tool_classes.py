"""What an author can get wrong in the class of a tool, and the words that are found for it."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from agenthost_sdk import BaseTool, activity
from agenthost_sdk.errors import DefinitionError, SchemaError


def logged(function: Any) -> Any:
    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return wrapper


class Shop(BaseTool):
    """Buy and
    sell.

    Not on Sundays.
    """

    @activity
    def buy(self, what: str) -> str:
        """Buy something."""
        return f"bought {what}"


@pytest.mark.parametrize("name", ["run", "specs", "inputs", "description", "name"])
def test_an_activity_does_not_take_the_place_of_what_the_host_calls(name: str) -> None:
    @activity
    def act(self: Any) -> None:
        """Act."""

    with pytest.raises(DefinitionError, match=rf"Shell\.{name} would take the place of BaseTool"):
        type("Shell", (BaseTool,), {name: act})


def test_an_activity_may_bear_such_a_name_all_the_same() -> None:
    class Shell(BaseTool):
        """Run commands."""

        @activity(name="run")
        def execute(self, command: str) -> str:
            """Run a command."""
            return command

    assert [spec.native for spec in Shell().specs()] == ["Shell_run"]


def test_an_option_does_not_take_the_place_of_what_the_host_calls() -> None:
    with pytest.raises(DefinitionError, match="option 'inputs' of Form would take the place"):

        class Form(BaseTool):
            """Fill in."""

            inputs: list[str] = []  # type: ignore[assignment]  # noqa: RUF012 - an option


@pytest.mark.parametrize("decorator", [logged, staticmethod, property, functools.cached_property])
def test_a_decorator_above_an_activity_is_refused(decorator: Callable[[Any], Any]) -> None:
    hidden = decorator(Shop.buy)

    with pytest.raises(DefinitionError, match="Put @activity on top"):
        type("Hidden", (BaseTool,), {"buy": hidden})


@pytest.mark.parametrize("decorator", [staticmethod, classmethod])
def test_an_activity_is_a_method_with_self(decorator: Callable[[Any], Any]) -> None:
    with pytest.raises(DefinitionError, match=f"Leave @{decorator.__name__} out"):
        activity(decorator(lambda what: what))


def test_an_activity_without_self_is_refused() -> None:
    class Lonely(BaseTool):
        """Be alone."""

        @activity  # type: ignore[arg-type]
        def act() -> None:
            """Act."""

    with pytest.raises(SchemaError, match=r"Lonely\.act: .* a method takes self"):
        Lonely().specs()


@pytest.mark.parametrize("wrong", ["Look.", {"description": "Look."}, 3, int], ids=str)
def test_what_is_no_method_is_refused_with_the_way_to_say_it(wrong: Any) -> None:
    with pytest.raises(DefinitionError, match=r"as in @activity\(description="):
        activity(wrong)


def test_a_partial_becomes_an_activity_of_the_name_it_is_given() -> None:
    class Bound(BaseTool):
        """Say."""

        say = activity(functools.partial(lambda self, word: word, word="hello"))

    assert [*Bound().activities] == ["say"]


def test_an_activity_that_is_overridden_stays_one_or_is_taken_away() -> None:
    with pytest.raises(DefinitionError, match=r"Write @activity above it, or buy = None"):

        class Forgetful(Shop):
            def buy(self, what: str) -> str:
                return what

    class Closed(Shop):
        buy = None  # type: ignore[assignment]

    assert Closed().activities == {}


def test_a_tool_inherits_its_description() -> None:
    class Market(Shop):
        pass

    assert Market().description == "Buy and sell."
    assert type("Bare", (BaseTool,), {})().description == ""


def test_a_tool_with_an_init_of_its_own_has_its_name() -> None:
    class Own(Shop):
        """Have an own init."""

        def __init__(self, till: int) -> None:
            self.till = till

    assert [spec.native for spec in Own(3).specs()] == ["Own_buy"]


def test_a_dataclass_is_refused() -> None:
    @dataclass
    class Till(Shop):
        """Count money."""

        money: int = 3

    with pytest.raises(DefinitionError, match="Leave @dataclass out"):
        Till()


def test_a_field_is_no_default() -> None:
    class Till(Shop):
        """Count money."""

        coins: list[int] = field(default_factory=list)

    with pytest.raises(DefinitionError, match="Write the default itself"):
        Till()


def test_a_default_is_copied_to_its_depth_and_a_lock_is_shared() -> None:
    class Till(Shop):
        """Count money."""

        coins: dict[str, list[int]] = {"one": []}  # noqa: RUF012 - each tool gets its own
        lock: Any = threading.Lock()

    one, other = Till(), Till()
    one.coins["one"].append(1)

    assert other.coins == {"one": []}
    assert one.lock is other.lock


@pytest.mark.parametrize("label", ["allowlist", "denylist"])
def test_a_list_that_is_a_text_is_refused(label: str) -> None:
    with pytest.raises(DefinitionError, match=rf"The {label} of Shop is the text 'buy'; write"):
        Shop(**{label: "buy"})


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        (lambda: {"type": "object"}, "was called with the tool and raised TypeError"),
        (lambda tool: {"a": 1}[tool.name], "was called with the tool and raised KeyError"),
        (lambda _: None, "returned None"),
    ],
    ids=["takes nothing", "raises", "returns nothing"],
)
def test_a_schema_function_that_fails_is_told_by_the_activity(schema: Any, words: str) -> None:
    class Form(BaseTool):
        """Fill in."""

        @activity(schema=schema)
        def fill(self, values: dict[str, Any]) -> None:
            """Fill in."""

    with pytest.raises(SchemaError, match=rf"Activity Form\.fill: .*{words}"):
        Form().specs()
