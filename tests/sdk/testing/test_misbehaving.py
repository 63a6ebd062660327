"""The driver that misbehaves as its scene says, then behaves."""

from __future__ import annotations

import asyncio
import json
from typing import Annotated, Any

import pytest
from pydantic import Field

from agenthost_sdk import BaseTool, activity
from agenthost_sdk.actions import NativeNames, ToolAction
from agenthost_sdk.artifacts import BaseArtifact, ErrorArtifact, TextArtifact
from agenthost_sdk.errors import DefinitionError, DriverError, NotFoundError
from agenthost_sdk.messages import (
    ActionResultMessageContent,
    Message,
    PromptStack,
    TextMessageContent,
)
from agenthost_sdk.testing import MisbehavingDriver
from agenthost_sdk.testing.scenes import DIALECTS, SCENES
from agenthost_sdk.testing.scenes.inputs import right_input
from agenthost_sdk.testing.scenes.scene import USAGE


class Shelf(BaseTool):
    """Look after a shelf."""

    @activity(read_only=True, examples=[("Put three pears there.", {"what": "pear", "units": 3})])
    def put(self, what: str, units: int, front: bool = False) -> str:
        """Put something on the shelf.

        Args:
            what: The thing.
            units: How many.
            front: Whether it goes to the front.
        """
        return f"{units} {what}"

    @activity(read_only=True)
    def look(self, row: int = 1) -> str:
        """Look at the shelf.

        Args:
            row: Which row.
        """
        return "a pear"


def offered(*blocks: Any) -> PromptStack:
    """Return a stack that offers the shelf natively, with these blocks as its last message."""
    stack = PromptStack.from_artifact("What is there?")
    stack.tools = tuple(Shelf().specs())
    if blocks:
        stack.messages.append(Message("user", blocks))
    return stack


def result(output: BaseArtifact) -> ActionResultMessageContent:
    return ActionResultMessageContent("1", "Shelf_put", output, isinstance(output, ErrorArtifact))


def asked(message: Message) -> list[tuple[str, Any]]:
    return [(call.native, json.loads(call.arguments)) for call in message.calls]


def asked_raw(message: Message) -> list[tuple[str, str]]:
    return [(call.native, call.arguments) for call in message.calls]


RIGHT = ("Shelf_put", {"what": "pear", "units": 3})


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_scenes_of_a_dialect_are_listed_with_a_line_on_each(dialect: str) -> None:
    scenes = MisbehavingDriver.scenes(dialect)

    assert len(scenes) > 40
    for name, line in scenes.items():
        assert name.isidentifier()
        assert "\n" not in line
        assert line.endswith(".")


def test_the_scenes_are_those_of_function_calling_unless_a_dialect_is_named() -> None:
    scenes = MisbehavingDriver.scenes()

    assert {"trailing_comma", "s_same_index", "loop_same", "http_429", "refusal"} <= set(scenes)
    assert "bold_labels" not in scenes
    assert "bold_labels" in MisbehavingDriver.scenes("classic")


def test_scenes_that_no_activity_suits_can_be_left_out() -> None:
    class Bell(BaseTool):
        """Ring a bell."""

        @activity
        def ring(self) -> None:
            """Ring it."""

    left_out = set(MisbehavingDriver.scenes()) - set(MisbehavingDriver.scenes(tools=[Bell()]))

    assert {"string_number", "missing_arg", "null_optional"} <= left_out
    assert not {"empty_args_noarg", "empty_message", "s_cut"} & left_out
    assert MisbehavingDriver.scenes(tools=[Shelf()]) == MisbehavingDriver.scenes()


def test_an_unknown_scene_is_answered_with_the_near_ones() -> None:
    with pytest.raises(NotFoundError, match="Did you mean 'trailing_comma'"):
        MisbehavingDriver("traling_comma")


@pytest.mark.parametrize(
    ("scene", "options", "words"),
    [
        ("bold_labels", {}, r"cannot be played in the dialect 'native'; it can in: actions_json"),
        ("good", {"dialect": "klassic"}, "Did you mean 'classic'"),
        ("good", {"dialect": "classic"}, r"pass tools=\[…\], or call="),
    ],
    ids=["another dialect", "no dialect", "nothing to call"],
)
def test_what_cannot_be_played_is_refused_when_the_driver_is_made(
    scene: str, options: dict[str, Any], words: str
) -> None:
    with pytest.raises((DefinitionError, NotFoundError), match=words):
        MisbehavingDriver(scene, **options)


def test_it_misbehaves_then_acts_rightly_then_answers() -> None:
    driver = MisbehavingDriver("missing_arg", answer="A pear.")
    error = result(ErrorArtifact("units is missing"))

    replies = [driver.run(stack) for stack in (offered(), offered(error), offered(error))]

    assert asked(replies[0]) == [("Shelf_put", {"what": "pear"})]
    assert asked(replies[1]) == [RIGHT]
    assert replies[2].to_text() == "A pear."
    assert len(driver.stacks) == 3


def test_it_answers_at_once_where_the_first_reply_led_to_a_result() -> None:
    driver = MisbehavingDriver("trailing_comma", answer="A pear.")
    driver.run(offered())

    assert driver.run(offered(result(TextArtifact("done")))).to_text() == "A pear."


def test_it_acts_rightly_where_its_reply_was_handed_back() -> None:
    driver = MisbehavingDriver("empty_message")

    first, second = driver.run(offered()), driver.run(offered(TextMessageContent("Again.")))

    assert first.to_text() == ""
    assert asked(second) == [RIGHT]


def test_what_to_call_may_be_said() -> None:
    call, other = ("Shelf_look", {"row": 7}), ("Shelf_look", {"row": 8})
    driver = MisbehavingDriver("loop_cycle", call=call, other=other)

    replies = [driver.run(offered()) for _ in range(4)]

    assert [asked(reply)[0] for reply in replies] == [call, other, call, other]


@pytest.mark.parametrize("name", [name for name in SCENES if name.startswith("loop_")])
def test_a_loop_ends_when_no_tool_is_offered_any_more_unless_it_is_stubborn(name: str) -> None:
    driver = MisbehavingDriver(name, answer="A pear.")
    last = offered()
    last.tool_choice = "none"

    replies = [driver.run(offered()) for _ in range(10)]

    answered = driver.run(last).to_text()
    assert all(reply.to_text() == "" for reply in replies)
    assert (answered == "A pear.") is (name != "loop_stubborn")


def test_a_scene_is_played_with_the_first_activity_that_suits_it() -> None:
    reply = MisbehavingDriver("null_args_noarg").run(offered())

    assert [call.native for call in reply.calls] == ["Shelf_look"]


def test_without_tools_it_answers_after_the_scene() -> None:
    driver = MisbehavingDriver("null_message", answer="A pear.")

    replies = [driver.run("What is there?") for _ in range(2)]

    assert replies[0].content == ()
    assert replies[1].to_text() == "A pear."


@pytest.mark.parametrize(
    ("name", "status"),
    [("http_400", 400), ("http_429", 429), ("http_500", 500), ("not_json", None)],
)
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
def test_a_provider_that_fails_raises_with_its_status(
    name: str, status: int | None, stream: bool
) -> None:
    driver = MisbehavingDriver(name, stream=stream)

    with pytest.raises(DriverError) as raised:
        driver.run(offered())

    assert (raised.value.status, raised.value.provider) == (status, "misbehaving")
    assert asked(driver.run(offered())) == [RIGHT]


@pytest.mark.parametrize(
    ("name", "dialect"),
    [
        pytest.param(name, dialect, id=f"{name}-{dialect}")
        for name, scene in SCENES.items()
        for dialect in scene.dialects
        if scene.outcome != "fails"
    ],
)
def test_a_streamed_reply_says_the_same_as_a_whole_one(name: str, dialect: str) -> None:
    whole, streamed = (
        MisbehavingDriver(name, dialect=dialect, tools=[Shelf()], stream=stream).run(offered())
        for stream in (False, True)
    )

    assert streamed.to_text() == whole.to_text()
    assert asked_raw(streamed) == asked_raw(whole)
    assert streamed.finish == whole.finish


@pytest.mark.parametrize(
    "name", [name for name, one in SCENES.items() if one.streamed and one.outcome == "runs"]
)
def test_the_two_calls_of_an_odd_stream_arrive_whole(name: str) -> None:
    reply = MisbehavingDriver(name, stream=True).run(offered())

    assert asked(reply) == [RIGHT, ("Shelf_look", {})]
    assert reply.finish == "actions"


def test_a_stream_that_fails_gives_its_first_pieces() -> None:
    pieces = MisbehavingDriver("s_error_event").try_stream(offered())

    first = next(pieces)

    assert first.content is not None
    with pytest.raises(DriverError, match="overloaded"):
        list(pieces)


def test_tokens_are_reported_but_where_the_scene_says_not() -> None:
    assert MisbehavingDriver("good").run(offered()).usage == USAGE
    assert MisbehavingDriver("no_usage").run(offered()).usage.total_tokens == 0


def test_a_misbehaving_driver_serves_async_code() -> None:
    driver = MisbehavingDriver("s_null_index", stream=True)

    assert len(asyncio.run(driver.arun(offered())).calls) == 2


@pytest.mark.parametrize("dialect", [one for one in DIALECTS if one != "native"])
def test_in_a_text_dialect_the_call_and_the_answer_are_text(dialect: str) -> None:
    driver = MisbehavingDriver("missing_arg", dialect=dialect, tools=[Shelf()], answer="A pear.")

    first, second, third = (driver.run("What is there?") for _ in range(3))

    assert not driver.use_native_tools
    assert not any(reply.calls for reply in (first, second, third))
    assert '"units"' not in first.to_text()
    assert '"units": 3' in second.to_text()
    assert "A pear." in third.to_text()


class Order(BaseTool):
    """Take orders."""

    @activity
    def take(
        self,
        name: Annotated[str, Field(min_length=10, max_length=12)],
        units: Annotated[int, Field(ge=3, le=5)],
        weights: Annotated[list[float], Field(min_length=2)],
        kind: Annotated[str, Field(json_schema_extra={"enum": ["red", "blue"]})],
        note: str | None,
        fast: bool,
        rest: dict[str, int],
    ) -> None:
        """Take an order."""


def test_an_input_is_made_from_the_schema_where_there_is_no_example() -> None:
    tool = Order()

    made = right_input(tool.specs()[0])

    assert tool.inputs["take"].check(made) == []
    assert made["name"] == "examplexxx"
    assert made["units"] == 3


def test_an_example_comes_first() -> None:
    table = NativeNames(Shelf().specs())

    assert right_input(table.specs["Shelf_put"]) == RIGHT[1]
    assert right_input(table.specs["Shelf_look"]) == {}


def test_an_input_is_made_from_a_schema_that_refers_to_itself() -> None:
    node = {
        "type": "object",
        "properties": {"next": {"$ref": "#/$defs/node"}, "on": {"format": "date"}},
        "required": ["next", "on"],
    }

    class Chain(BaseTool):
        """Follow a chain."""

        @activity(schema={"$defs": {"node": node}, **node})
        def follow(self, /, **given: Any) -> None:
            """Follow it."""

    made = right_input(Chain().specs()[0])

    assert made["on"] == "2026-01-31"
    assert isinstance(made["next"], dict)


def test_the_right_input_is_one_that_the_tool_takes() -> None:
    tool = Shelf()

    for spec in tool.specs():
        action = ToolAction("1", spec.name, spec.path, right_input(spec))
        assert not isinstance(tool.run(action), ErrorArtifact)
