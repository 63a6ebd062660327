"""The conformance classes pass what is right and find each fault."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, ClassVar
from unittest import SkipTest

import pydantic
import pytest

from agenthost_sdk.actions import NativeNames, ToolAction
from agenthost_sdk.activities import activity
from agenthost_sdk.artifacts import BaseArtifact, TextArtifact
from agenthost_sdk.dialects import BaseDialect, Offer, Reply
from agenthost_sdk.drivers import BasePromptDriver
from agenthost_sdk.messages import (
    ActionCallMessageContent,
    ActionResultMessageContent,
    DeltaMessage,
    Message,
    PromptStack,
)
from agenthost_sdk.testing import (
    ActionGuardConformance,
    DialectConformance,
    DriverConformance,
    DriversConfigConformance,
    EmbeddingDriverConformance,
    OutputValidatorConformance,
    PluginConformance,
    ScriptedDriver,
    ToolConformance,
    VectorStoreDriverConformance,
)
from agenthost_sdk.testing.checks import run_tests
from agenthost_sdk.tools import BaseTool
from agenthost_sdk.validators import BaseOutputValidator, Verdict
from support.parameters import shown


class Stock(BaseTool):
    """Look up and reserve stock."""

    warehouse: str = "main"

    @activity(read_only=True, examples=[("How many bolts?", {"sku": "bolt", "sizes": [3]})])
    def count(
        self,
        sku: str,
        sizes: Annotated[list[int] | None, pydantic.Field(description="Which.")] = None,
        exact: bool = False,
    ) -> int:
        """Count the units on hand.

        Args:
            sku: Stock keeping unit.
            exact: Count again.
        """
        return len(sku) + len(sizes or [])

    @activity(destructive=True, examples=[("Reserve two.", {"units": 2})])
    async def reserve(self, units: int) -> None:
        """Reserve units.

        Args:
            units: How many.
        """
        raise AssertionError("an activity that changes something is not run by the kit")


class TestStock(ToolConformance):
    tool = Stock


class TestNorthernStock(ToolConformance):
    tool = Stock(warehouse="north")


class Short(BaseOutputValidator):
    """Refuse long answers."""

    def validate(self, output: BaseArtifact) -> Verdict:
        return Verdict.refuse("Too long.") if len(output.to_text()) > 9 else Verdict.accept()


class TestShort(OutputValidatorConformance):
    validator = Short
    accepted = ("yes", TextArtifact("no"))
    refused = ("by all means",)


class Plain(BaseDialect):
    """Carry calls as the provider's own blocks."""

    name: ClassVar[str] = "plain"
    native: ClassVar[bool] = True

    def offer(self, table: NativeNames) -> Offer:
        return Offer(tools=tuple(table.specs.values()))

    def read(self, message: Message, table: NativeNames) -> Reply:
        actions = [self.action(place, call, table) for place, call in enumerate(message.calls)]
        if any(action is None for action in actions):
            return Reply(problem="An action cannot be read.")
        read = tuple(action for action in actions if action)
        return Reply(actions=read) if read else Reply(answer=message.to_artifact())

    def action(
        self, place: int, call: ActionCallMessageContent, table: NativeNames
    ) -> ToolAction | None:
        spec = table.specs.get(call.native)
        try:
            given = json.loads(call.arguments)
        except (ValueError, RecursionError):
            return None
        if spec is None or not isinstance(given, dict):
            return None
        return ToolAction(str(place), spec.name, spec.path, given)

    def answer(self, reply: Reply, actions: Sequence[ToolAction]) -> tuple[Message, ...]:
        asked = [
            ActionCallMessageContent(action.tag, action.native, json.dumps(dict(action.input)))
            for action in actions
        ]
        return (Message("assistant", tuple(asked)), Message("user", tuple(self.results(actions))))

    def results(self, actions: Sequence[ToolAction]) -> Iterator[ActionResultMessageContent]:
        for action in actions:
            output = action.output or TextArtifact("")
            yield ActionResultMessageContent(action.tag, action.native, output, action.failed)


class TestPlain(DialectConformance):
    dialect = Plain


class TestScripted(DriverConformance):
    driver = ScriptedDriver
    options: ClassVar[dict[str, Any]] = {"replies": ["a"]}
    provider_packages = ("pytest", "httpx", "openai")


def failing(check: type, **attributes: Any) -> Iterator[str]:
    """Yield the tests of a conformance class that fail with these attributes."""
    case = type("Case", (check,), attributes)()
    for name in dir(case):
        if name.startswith("test_"):
            try:
                getattr(case, name)()
            except SkipTest:
                continue
            except Exception:
                yield name


def tool_with(**written: Any) -> type[BaseTool]:
    """Return a tool of one activity with one thing done otherwise than it should be."""
    stated = {"read_only": True, "examples": [("Look!", {"far": 1})]}
    function = written.pop("function", look)
    made = activity(**{**stated, **written.pop("activity", {})})(function)
    return type("Odd", (BaseTool,), {"__doc__": "Look.", "look": made, **written})


def look(self: Any, far: int) -> int:
    """Look into the distance.

    Args:
        far: How far.
    """
    return far


def undescribed(self: Any, far: int) -> int:
    return far


def undescribed_argument(self: Any, far: int) -> int:
    """Look into the distance."""
    return far


def broken(self: Any, far: int) -> int:
    """Look into the distance.

    Args:
        far: How far.
    """
    raise ValueError("fog")


OPEN = {
    "type": "object",
    "properties": {"far": {"type": "integer", "description": "How far."}},
    "required": ["far"],
}


def raising(self: BaseTool, action: ToolAction, arguments: object = None) -> BaseArtifact:
    raise OSError("no run")


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ({}, set()),
        ({"__doc__": None}, {"test_the_tool_is_described"}),
        ({"look": None}, {"test_the_tool_has_activities"}),
        (
            {"function": undescribed},
            {"test_each_activity_is_described", "test_each_argument_is_described"},
        ),
        ({"activity": {"description": "x" * 2000}}, {"test_each_activity_is_described"}),
        ({"function": undescribed_argument}, {"test_each_argument_is_described"}),
        (
            {"activity": {"schema": OPEN, "description": "Look."}},
            {"test_each_schema_is_valid_and_closed"},
        ),
        ({"activity": {"read_only": None}}, {"test_annotations_are_stated"}),
        ({"activity": {"read_only": False}}, {"test_annotations_are_stated"}),
        ({"activity": {"read_only": None, "destructive": False}}, set()),
        ({"activity": {"examples": []}}, {"test_each_activity_has_an_example"}),
        (
            {"activity": {"examples": [("Look!", {"far": "away"})]}},
            {"test_every_example_is_accepted"},
        ),
        ({"function": broken}, {"test_examples_of_what_changes_nothing_run"}),
        ({"function": broken, "activity": {"open_world": True}}, set()),
        (
            {"run": raising},
            {"test_run_never_raises", "test_examples_of_what_changes_nothing_run"},
        ),
    ],
    ids=shown,
)
def test_each_fault_of_a_tool_is_found_and_nothing_else(
    written: dict[str, Any], expected: set[str]
) -> None:
    assert set(failing(ToolConformance, tool=tool_with(**written))) == expected


def test_an_example_that_is_refused_is_not_said_to_fail_when_it_runs() -> None:
    tool = tool_with(activity={"examples": [("Look!", {"far": "away"}), ("Look!", {"far": 1})]})
    results = {r.check: r for r in run_tests(type("Case", (ToolConformance,), {"tool": tool}))}

    result = results["examples of what changes nothing run"]

    assert result.state == "left out"
    assert "Odd_look: {'far': 'away'} is refused" in result.message


def open_argument(self: Any, far: Any, near: Annotated[object, "m"] = None, at: int = 0) -> str:
    """Look into the distance.

    Args:
        far: How far.
        near: How near.
        at: Where.
    """
    return str(far)


def test_an_argument_without_a_type_is_noted() -> None:
    tool = tool_with(function=open_argument)
    results = {r.check: r for r in run_tests(type("Case", (ToolConformance,), {"tool": tool}))}

    result = results["a wrong type is refused with a pointer"]

    assert result.state == "passed"
    assert result.notes == (
        "Odd_look: argument 'far' has no type: any JSON value is taken.",
        "Odd_look: argument 'near' has no type: any JSON value is taken.",
    )


def test_an_illegal_name_is_found() -> None:
    found = set(failing(ToolConformance, tool=tool_with(name="my tool")))

    assert "test_native_names_are_legal" in found


@dataclasses.dataclass(kw_only=True)
class OddDriver(BasePromptDriver):
    provider = "Odd Driver"
    model: str = ""

    def __post_init__(self) -> None:
        self.stream = False

    def try_run(self, stack: PromptStack) -> Message:
        return Message("assistant", ())

    def try_stream(self, stack: PromptStack) -> Iterator[DeltaMessage]:
        yield DeltaMessage()


def test_the_faults_of_a_driver_are_found() -> None:
    found = set(failing(DriverConformance, driver=OddDriver))

    assert found >= {
        "test_the_driver_is_described",
        "test_the_provider_has_a_name",
        "test_the_model_has_a_default",
        "test_the_switches_are_fields",
        "test_a_driver_equals_only_itself",
    }


def test_a_driver_that_imports_its_provider_too_early_is_found() -> None:
    found = set(
        failing(
            DriverConformance,
            driver=ScriptedDriver,
            options={"replies": []},
            provider_packages=("agenthost_sdk.messages",),
        )
    )

    assert found == {"test_making_it_imports_no_provider_package"}


class Moody(Short):
    def __init__(self) -> None:
        self.asked = 0

    def validate(self, output: BaseArtifact) -> Verdict:
        self.asked += 1
        if not output.to_text():
            raise ValueError("nothing to validate")
        return Verdict(self.asked % 2 == 0)


class Unsteady(Short):
    """Lengthen what is short enough, and take parameters that are shown wrongly."""

    parameters = "NUMBER"
    example = "ten"

    def __init__(self, most: str = "9") -> None:
        self.most = int(most)

    def validate(self, output: BaseArtifact) -> Verdict:
        text = output.to_text()
        if len(text) > self.most:
            return Verdict.refuse("Too long.")
        return Verdict.replace(TextArtifact(text * 10)) if text else Verdict.accept()


def test_the_faults_of_a_validator_are_found() -> None:
    samples = {"accepted": ["a"], "refused": ["b", "b"]}

    assert set(failing(OutputValidatorConformance, validator=Short)) == {
        "test_there_are_outputs_to_try"
    }
    assert set(failing(OutputValidatorConformance, validator=Moody, **samples)) == {
        "test_the_validator_is_described",
        "test_what_is_right_is_accepted",
        "test_what_is_wrong_is_refused_with_a_reason",
        "test_no_output_makes_it_raise",
        "test_an_odd_output_is_refused_with_a_reason_if_it_is_refused",
        "test_the_same_output_gets_the_same_verdict",
    }
    long = {"accepted": ["a"], "refused": ["b" * 10]}
    assert set(failing(OutputValidatorConformance, validator=Unsteady, **long)) == {
        "test_what_it_puts_in_place_of_an_output_it_accepts_itself",
        "test_its_example_is_one_that_it_can_be_made_of",
    }


class Careless(Plain):
    """Believe what the model writes, and lose a result."""

    def action(
        self, place: int, call: ActionCallMessageContent, table: NativeNames
    ) -> ToolAction | None:
        return ToolAction(call.id, call.native, None, json.loads(call.arguments))

    def results(self, actions: Sequence[ToolAction]) -> Iterator[ActionResultMessageContent]:
        yield from list(super().results(actions))[:-1]


def test_the_faults_of_a_dialect_are_found() -> None:
    assert set(failing(DialectConformance, dialect=Careless)) == {
        "test_read_never_raises",
        "test_a_round_says_every_action_and_answers_it_once",
        "test_a_failed_action_is_answered_by_its_error",
        "test_a_result_of_many_parts_is_one_result",
    }


@pytest.mark.parametrize(
    "check",
    [
        ToolConformance,
        DriverConformance,
        EmbeddingDriverConformance,
        OutputValidatorConformance,
        DialectConformance,
        DriversConfigConformance,
        VectorStoreDriverConformance,
        ActionGuardConformance,
        PluginConformance,
    ],
)
def test_each_check_says_what_to_do_when_it_fails(check: type) -> None:
    tests = [getattr(check, name) for name in dir(check) if name.startswith("test_")]

    assert tests
    assert all((found.__doc__ or "").startswith("If it fails: ") for found in tests)
