"""Tools: their options, and what they offer."""

from __future__ import annotations

import asyncio
import enum
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import Any, ClassVar

import pytest

from agenthost_sdk.actions import Example, ToolAction
from agenthost_sdk.activities import activity
from agenthost_sdk.artifacts import TextArtifact
from agenthost_sdk.errors import DefinitionError, NativeNameError, OptionError
from agenthost_sdk.tools import BaseTool


class Mixed(BaseTool):
    """Give back what
    is asked for.

    And nothing else.
    """

    greeting: str = "hello"
    tags: list[str] = []  # noqa: RUF012 - a default that must not be shared
    kind: ClassVar[str] = "mixed"
    _hidden: int = 0

    @activity(read_only=True, timeout=5, examples=[("Say it.", {"text": "hi"})])
    def say(self, text: str, times: int = 1) -> str:
        """Say a text.

        Args:
            text: What to say.
            times: How often.
        """
        return " ".join([text] * times)

    @activity
    async def wait(self, text: str) -> str:
        """Say a text after a while."""
        await asyncio.sleep(0)
        return text

    @activity(name="renamed")
    def original(self) -> str:
        """Bear another name."""
        return "renamed"


def test_options_have_defaults_and_are_given_by_keyword() -> None:
    assert Mixed().greeting == "hello"
    assert Mixed(greeting="hi").greeting == "hi"
    assert Mixed().name == "Mixed"
    assert Mixed(name="Other").name == "Other"


def test_two_tools_share_no_default() -> None:
    one, other = Mixed(), Mixed()
    one.tags.append("x")

    assert other.tags == []
    assert Mixed.tags == []


@pytest.mark.parametrize("option", ["greting", "kind", "_hidden", "description"])
def test_an_unknown_option_is_refused_with_those_there_are(option: str) -> None:
    options: dict[str, Any] = {option: "x"}

    with pytest.raises(DefinitionError, match=f"Mixed has no option '{option}'") as raised:
        Mixed(**options)

    assert "It takes name, allowlist, denylist, greeting, tags." in str(raised.value)
    assert ("Did you mean 'greeting'?" in str(raised.value)) == (option == "greting")


def test_a_missing_option_is_named() -> None:
    class Needy(BaseTool):
        """Need a key."""

        key: str

    with pytest.raises(DefinitionError, match="Needy needs the option 'key'"):
        Needy()  # type: ignore[call-arg]
    assert Needy(key="k").key == "k"


def test_a_subclass_keeps_options_and_may_set_their_defaults() -> None:
    class Polite(Mixed):
        """Be polite."""

        greeting = "good day"
        title: str = "Dr"

    assert Polite().greeting == "good day"
    assert Polite(title="Prof", greeting="hi").greeting == "hi"


def test_post_init_sees_the_options() -> None:
    class Loud(Mixed):
        """Shout."""

        def __post_init__(self) -> None:
            self.greeting = self.greeting.upper()

    assert Loud(greeting="hi").greeting == "HI"


class Shade(enum.Enum):
    """A shade of a garden's wall."""

    DARK = "dark"
    LIGHT = "light"


class Client:
    """Something that has no schema."""


class Garden(BaseTool):
    """Water plants."""

    slack: int = 0
    ratio: float = 1.0
    folder: Path = Path()
    since: date | None = None
    shade: Shade = Shade.DARK
    beds: list[str] = []  # noqa: RUF012 - each tool has its own
    when_done: Callable[[str], None] = print
    client: Client | None = None
    nowhere: Unknown = None  # type: ignore[name-defined]  # noqa: F821 - the case


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("slack", "five", '"five" is a string; an integer is needed'),
        ("slack", True, "true is a boolean; an integer is needed"),
        ("slack", None, "It is null; an integer is needed"),
        ("slack", object(), "which JSON cannot say"),
        ("ratio", [1], "a number is needed"),
        ("since", "tomorrow", "is no date"),
        ("shade", "grey", 'allowed: "dark", "light"'),
        ("beds", "roses", "an array is needed"),
        ("beds", ["a", 3], "/1: 3 is a"),
        ("name", 3, "a string is needed"),
        ("allowlist", 3, "The allowlist of Garden is 3"),
    ],
)
def test_an_option_that_does_not_fit_is_refused_by_its_annotation(
    option: str, value: object, words: str
) -> None:
    given: dict[str, Any] = {option: value}

    with pytest.raises(OptionError, match=words) as raised:
        Garden(**given)

    assert (raised.value.tool, raised.value.option) == ("Garden", option)
    assert "Garden" in str(raised.value)
    assert option in str(raised.value)


@pytest.mark.parametrize(
    ("option", "value", "expected"),
    [
        ("slack", 5, 5),
        ("ratio", 2, 2.0),
        ("ratio", float("inf"), float("inf")),
        ("folder", "/tmp", Path("/tmp")),
        ("since", "2026-03-01", date(2026, 3, 1)),
        ("since", None, None),
        ("shade", "light", Shade.LIGHT),
        ("shade", Shade.LIGHT, Shade.LIGHT),
        ("beds", ("a", "b"), ("a", "b")),
        ("nowhere", 3, 3),
    ],
)
def test_an_option_is_made_what_its_annotation_says(
    option: str, value: object, expected: object
) -> None:
    given: dict[str, Any] = {option: value}

    made = getattr(Garden(**given), option)

    assert made == expected
    assert type(made) is type(expected)


@pytest.mark.parametrize(
    ("option", "value"), [("beds", ["a"]), ("when_done", len), ("client", Client())]
)
def test_what_fits_already_is_taken_as_it_is(option: str, value: object) -> None:
    given: dict[str, Any] = {option: value}

    assert getattr(Garden(**given), option) is value


def test_the_description_is_the_first_paragraph_in_one_line() -> None:
    assert Mixed().description == "Give back what is asked for."


def test_an_activity_is_still_a_method_for_code() -> None:
    tool = Mixed()

    assert tool.say("a", times=2) == "a a"
    assert Mixed.say.name == "say"
    assert asyncio.run(tool.wait("b")) == "b"


def test_activities_stand_in_the_order_of_their_definition() -> None:
    assert [*Mixed().activities] == ["say", "wait", "renamed"]


def test_discovery_reads_no_property() -> None:
    class Touchy(BaseTool):
        """Have a property that raises."""

        @property
        def broken(self) -> str:
            raise RuntimeError("was read")

        @activity
        def act(self) -> str:
            """Act."""
            return "done"

    assert [*Touchy().activities] == ["act"]


@pytest.mark.parametrize(
    ("allowed", "denied", "offered"),
    [
        (None, None, ["say", "wait", "renamed"]),
        (["say"], None, ["say"]),
        (["say"], ["say"], []),
        ([], None, []),
        (None, ["say", "renamed"], ["wait"]),
    ],
    ids=["neither", "allowed", "both", "nothing allowed", "denied"],
)
def test_both_lists_choose_what_is_offered(
    allowed: Sequence[str] | None, denied: Sequence[str] | None, offered: list[str]
) -> None:
    tool = Mixed(allowlist=allowed, denylist=denied)

    assert [*tool.activities] == offered
    assert [spec.path for spec in tool.specs()] == offered


@pytest.mark.parametrize("label", ["allowlist", "denylist"])
def test_a_list_that_names_no_activity_is_refused(label: str) -> None:
    options: dict[str, Any] = {label: ["sing"]}

    with pytest.raises(DefinitionError, match=f"The {label} of Mixed names 'sing', which is no"):
        Mixed(**options)


def test_specs_carry_all_that_a_model_is_told() -> None:
    spec = Mixed().specs(origin="plugin-mixed")[0]

    assert (spec.native, spec.name, spec.path) == ("Mixed_say", "Mixed", "say")
    assert spec.description == "Say a text."
    assert spec.schema["properties"]["text"]["description"] == "What to say."
    assert spec.schema["required"] == ["text"]
    assert spec.examples == (Example("Say it.", {"text": "hi"}),)
    assert spec.annotations.read_only
    assert spec.timeout == 5
    assert spec.origin == "plugin-mixed"


def test_a_name_that_providers_refuse_is_an_error_of_the_author() -> None:
    with pytest.raises(NativeNameError, match="Rename the tool"):
        Mixed(name="my tool").specs()


def test_two_activities_of_one_name_are_refused() -> None:
    class Twice(BaseTool):
        """Have one name twice."""

        @activity(name="act")
        def one(self) -> None:
            """Act."""

        @activity
        def act(self) -> None:
            """Act."""

    with pytest.raises(DefinitionError, match="Twice has two activities named 'act'"):
        Twice()


def test_a_subclass_may_define_an_activity_again() -> None:
    class Quiet(Mixed):
        """Whisper."""

        @activity
        def say(self, text: str) -> str:  # type: ignore[override]
            """Whisper a text."""
            return f"({text})"

    output = Quiet().run(ToolAction("1", "Quiet", "say", {"text": "a"}))

    assert output == TextArtifact("(a)")
    assert next(iter(Quiet().activities)) == "say"
