"""`@activity`: what it takes from its author."""

from __future__ import annotations

import inspect
from typing import Any

import pydantic
import pytest
import schema as schema_library

from agenthost_sdk.actions import Annotations, Example, ToolAction
from agenthost_sdk.activities import Activity, activity
from agenthost_sdk.errors import DefinitionError, SchemaError
from agenthost_sdk.tools import BaseTool


class Query(pydantic.BaseModel):
    text: str
    limit: int = 3


def schema_of_the_tool(tool: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {"name": {"enum": list(tool.known), "description": "Whose."}},
        "required": ["name"],
        "additionalProperties": False,
    }


class Described(BaseTool):
    """Be described in every way."""

    known: tuple[str, ...] = ("ann", "bob")

    @activity(
        config={
            "description": "Look up a word.",
            "schema": schema_library.Schema(
                {schema_library.Literal("word", description="Which."): str}
            ),
        }
    )
    def old(self, word: str) -> str:
        return word

    @activity(schema=Query, description="Search.")
    def model(self, text: str, limit: int) -> Any:
        return [text, limit]

    @activity(schema={"type": "object", "properties": {"n": {"type": "integer"}}})
    def plain(self, n: int = 0) -> int:
        """Count."""
        return n

    @activity(schema=schema_of_the_tool)
    def dynamic(self, name: str) -> str:
        """Greet."""
        return name


def answer(tool: BaseTool, path: str, given: dict[str, Any]) -> Any:
    return tool.run(ToolAction("1", tool.name, path, given)).to_json()


def test_a_bare_activity_takes_name_and_docstring_of_its_function() -> None:
    @activity
    def look(self: Any, far: bool) -> None:
        """Look."""

    assert look.name == "look"
    assert look.__doc__ == "Look."
    assert look.annotations == Annotations()
    assert look.examples == ()
    assert look.timeout is None
    assert not look.is_async
    assert not look.is_dynamic
    assert [*inspect.signature(look.function).parameters] == ["self", "far"]


def test_everything_can_be_stated() -> None:
    @activity(
        name="peek",
        description="Have a look.",
        read_only=True,
        destructive=False,
        idempotent=True,
        open_world=True,
        timeout=2.5,
        examples=[("Look!", {}), Example("Look far!", {"far": True})],
    )
    async def look(self: Any, far: bool = False) -> None:
        """Look."""

    assert look.name == "peek"
    assert look.description == "Have a look."
    assert look.annotations == Annotations(True, False, True, True)
    assert look.timeout == 2.5
    assert look.examples == (Example("Look!", {}), Example("Look far!", {"far": True}))
    assert look.is_async


def test_the_older_hosts_config_is_taken_too() -> None:
    tool = Described()

    spec = next(spec for spec in tool.specs() if spec.path == "old")

    assert spec.description == "Look up a word."
    assert spec.schema["properties"]["word"]["description"] == "Which."
    assert answer(tool, "old", {"word": "a"}) == "a"


def test_an_unknown_key_of_the_config_is_refused_with_those_there_are() -> None:
    with pytest.raises(DefinitionError, match="unknown key 'desc'; it takes description, name,"):

        @activity(config={"desc": "x"})
        def look(self: Any) -> None: ...


def test_a_model_gives_the_schema_and_its_defaults() -> None:
    assert answer(Described(), "model", {"text": "a"}) == ["a", 3]


def test_a_plain_json_schema_is_the_truth() -> None:
    tool = Described()

    assert answer(tool, "plain", {"n": 2}) == 2
    assert "/n" in answer(tool, "plain", {"n": "two"})


def test_a_schema_may_depend_on_the_tool() -> None:
    tool = Described(known=("cem",))

    assert Described.dynamic.is_dynamic
    assert answer(tool, "dynamic", {"name": "cem"}) == "cem"
    assert "/name" in answer(tool, "dynamic", {"name": "ann"})


@pytest.mark.parametrize("schema", [3, {"type": "array"}, {"type": "objekt"}], ids=str)
def test_what_is_no_schema_of_an_object_is_refused_by_name(schema: Any) -> None:
    class Broken(BaseTool):
        """Be broken."""

        @activity(schema=schema)
        def act(self) -> None:
            """Act."""

    with pytest.raises(SchemaError, match=r"Activity Broken\.act: "):
        Broken().specs()


@pytest.mark.parametrize("timeout", [0, -1, "3", float("nan"), float("inf")])
def test_a_timeout_must_be_above_nothing(timeout: Any) -> None:
    with pytest.raises(DefinitionError, match="The timeout of activity 'look' is"):

        @activity(timeout=timeout)
        def look(self: Any) -> None: ...


@pytest.mark.parametrize("example", ["Look!", ("Look!",), 3, ("Look!", "here"), (3, {})])
def test_an_example_is_a_question_and_an_input(example: Any) -> None:
    with pytest.raises(DefinitionError, match=r"write \(question, input\)"):

        @activity(examples=[example])
        def look(self: Any) -> None: ...


def test_an_activity_is_read_from_the_class_and_called_on_the_tool() -> None:
    assert isinstance(Described.plain, Activity)
    assert Described().plain(4) == 4
    assert Described().plain.__self__.__class__ is Described  # type: ignore[attr-defined]


def test_a_method_without_self_is_told_where_it_goes() -> None:
    with pytest.raises(
        DefinitionError, match=r"Shelf.count has no self.*def count\(self, sku: …\)"
    ):

        class Shelf(BaseTool):
            """Count."""

            @activity
            def count(sku: str) -> int:
                """Count."""
                return len(sku)


def test_a_self_of_another_name_or_type_is_a_self() -> None:
    class Shelf(BaseTool):
        """Count."""

        @activity
        def count(tool: Any, sku: str) -> int:
            """Count."""
            return len(sku)

        @activity
        def weigh(this, sku: str) -> int:
            """Weigh."""
            return len(sku)

    assert [*Shelf().activities] == ["count", "weigh"]
