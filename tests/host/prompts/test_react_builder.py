"""A system prompt of a role, its tools and how to work with them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from agenthost import PromptTask
from agenthost.dialects import BUILT_IN
from agenthost.prompts.react_builder import DescribedTool, ReActPromptBuilder
from agenthost_sdk import BaseTool, Message, TextArtifact, activity
from agenthost_sdk.actions import NativeNames, ToolSpec
from agenthost_sdk.errors import DefinitionError, NativeNameError, NotFoundError
from agenthost_sdk.messages import TextMessageContent
from agenthost_sdk.testing import ScriptedDriver


class Stock(BaseTool):
    """Look up stock."""

    @activity(read_only=True, examples=[("Any AB-1200 left?", {"sku": "AB-1200"})])
    def count(self, sku: str) -> str:
        """Count the units on hand.

        Args:
            sku: Stock keeping unit.
        """
        return sku


@dataclass
class Own:
    """A tool's description in a form of the application's own."""

    name: str
    description: str
    parameters: dict[str, Any]
    examples: list[str] = field(default_factory=list)


SEARCH = DescribedTool("search", "Search the web.", {"query": "what to look for"}, ["search cats"])


def headings(prompt: str) -> list[str]:
    return re.findall(r"^## (.+)$", prompt, re.MULTILINE)


def section(prompt: str, heading: str) -> str:
    found = re.search(rf"^## {heading}\n\n(.*?)(?=^## |\Z)", prompt, re.MULTILINE | re.DOTALL)
    return found[1].strip() if found else ""


def full() -> ReActPromptBuilder:
    return (
        ReActPromptBuilder("a buyer")
        .add_capability("Compare offers.")
        .add_capability("Write letters:\nshort ones.")
        .add_tool(Stock())
        .add_tool(SEARCH)
        .add_constraint("Stay under {budget}.")
    )


def test_the_sections_follow_each_other_from_the_role_to_the_constraints() -> None:
    prompt = full().build()

    assert headings(prompt) == ["Role", "Capabilities", "Tools", "Workflow", "Constraints"]
    assert section(prompt, "Role") == "a buyer"
    assert section(prompt, "Capabilities") == "- Compare offers.\n- Write letters:\n  short ones."
    assert section(prompt, "Constraints") == "- Stay under {budget}."


def test_a_section_in_which_nothing_stands_is_left_out() -> None:
    assert ReActPromptBuilder("a buyer").build() == "## Role\n\na buyer"
    assert headings(ReActPromptBuilder("a buyer").add_constraint("Be brief.").build()) == [
        "Role",
        "Constraints",
    ]


def test_a_tool_is_shown_with_its_parameters_and_an_example() -> None:
    tools = section(full().build(), "Tools")

    assert "### Stock_count\n- Description: Count the units on hand.\n- Parameters: {" in tools
    assert '"sku": {"type": "string", "description": "Stock keeping unit."}' in tools
    assert '- Example: Any AB-1200 left? → {"sku": "AB-1200"}' in tools


def test_a_tool_in_words_is_shown_as_it_was_described() -> None:
    tools = section(full().build(), "Tools")

    assert tools.endswith(
        "### search\n"
        "- Description: Search the web.\n"
        '- Parameters: {"query": "what to look for"}\n'
        "- Example: search cats"
    )


@pytest.mark.parametrize(
    "tool",
    [Own("search", "Search.", {"q": "words"}, ["search cats"]), *Stock().specs()],
    ids=["own form", "spec"],
)
def test_anything_that_describes_a_tool_will_do(tool: Own | ToolSpec) -> None:
    prompt = ReActPromptBuilder("a buyer").add_tool(tool).build()

    assert f"- Description: {tool.description}" in section(prompt, "Tools")


@pytest.mark.parametrize("name", sorted(BUILT_IN))
def test_a_reply_as_the_workflow_shows_it_is_read_by_the_same_dialect(name: str) -> None:
    dialect = BUILT_IN[name]()
    tool = Stock()
    prompt = ReActPromptBuilder("a buyer", dialect=dialect).add_tool(tool).build()
    shown = re.search(r"Your first reply:\n\n(.*?)\n\nYou are then given", prompt, re.DOTALL)

    if dialect.native:
        assert headings(prompt) == ["Role", "Tools"]
        return
    assert shown is not None
    message = Message("assistant", (TextMessageContent(shown[1]),))
    [action] = dialect.read(message, NativeNames(tool.specs())).actions

    assert (action.native, action.input) == ("Stock_count", {"sku": "AB-1200"})


@pytest.mark.parametrize("name", sorted(BUILT_IN))
def test_a_description_is_told_once(name: str) -> None:
    prompt = ReActPromptBuilder("a buyer", dialect=BUILT_IN[name]()).add_tool(Stock()).build()

    assert prompt.count("Count the units on hand.") == 1


def test_the_classic_workflow_is_told_by_default() -> None:
    workflow = section(full().build(), "Workflow")

    for label in ("Thought:", "Action:", "Action Input:", "Observation:", "Final Answer:"):
        assert label in workflow


def test_the_headings_may_be_of_another_language() -> None:
    words = {
        "role": "角色",
        "capabilities": "能力",
        "tools": "可用工具",
        "workflow": "工作流程",
        "constraints": "约束",
        "description": "描述",
        "parameters": "参数",
        "example": "示例",
    }
    builder = (
        ReActPromptBuilder("采购员", headings=words).add_capability("比较报价").add_tool(SEARCH)
    )

    prompt = builder.add_constraint("简短").build()

    assert headings(prompt) == ["角色", "能力", "可用工具", "工作流程", "约束"]
    assert "- 描述: Search the web." in prompt
    assert "- 示例: search cats" in prompt


def test_the_prompt_serves_as_a_rule_of_a_task_that_tells_of_the_tools_itself() -> None:
    driver = ScriptedDriver(["Final Answer: 7"], use_native_tools=False)
    rule = full().build(tools=False)

    run = PromptTask(
        "How many?", tools=[Stock()], prompt_driver=driver, dialect="classic", rules=[rule]
    ).run()

    system = driver.stacks[0].system_text
    assert run.output == TextArtifact("7")
    assert headings(rule) == ["Role", "Capabilities", "Constraints"]
    assert system.startswith(rule)
    assert system.count("Count the units on hand.") == 1
    assert system.count("Action Input: its input") == 1


def test_braces_in_any_part_stay_as_they_are() -> None:
    odd = "{role} {{ 7 * 7 }} {% raw %} %s {0}"
    tool = DescribedTool("odd", odd, {"a": odd}, [odd])

    prompt = ReActPromptBuilder(odd).add_capability(odd).add_constraint(odd).add_tool(tool).build()

    assert prompt.count(odd) >= 6


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"q": "words"},
        {"q": {"type": "string"}},
        {"type": "object", "properties": {"q": {"type": "string"}}},
        {"properties": {"q": {}}},
    ],
    ids=["none", "words", "schemas", "schema", "no type"],
)
def test_parameters_may_be_a_schema_or_words(parameters: Mapping[str, Any]) -> None:
    dialect = BUILT_IN["actions_json"]()
    tool = DescribedTool("search", "Search.", parameters)

    prompt = ReActPromptBuilder("a buyer", dialect=dialect).add_tool(tool).build()

    assert ('"q"' in section(prompt, "Workflow")) == bool(parameters)


def test_a_name_that_no_provider_takes_gets_one_that_all_take() -> None:
    prompt = ReActPromptBuilder("a buyer").add_tool(DescribedTool("web search", "Look.")).build()

    assert re.search(r"^### web_search_[0-9a-f]{8}$", prompt, re.MULTILINE)


def test_the_same_tool_twice_is_refused_and_the_first_stays() -> None:
    builder = ReActPromptBuilder("a buyer").add_tool(SEARCH)

    with pytest.raises(NativeNameError, match="both map to 'search'"):
        builder.add_tool(SEARCH)

    assert builder.build().count("### search") == 1


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (Stock, r"Write Stock\(\) to make one"),
        ("search", "is no tool"),
        (DescribedTool, "is no tool"),
    ],
    ids=["class", "text", "description class"],
)
def test_what_is_no_tool_is_refused(wrong: Any, words: str) -> None:
    with pytest.raises(DefinitionError, match=words):
        ReActPromptBuilder("a buyer").add_tool(wrong)


@pytest.mark.parametrize("wrong", ["", "  ", None, 5])
def test_what_says_nothing_is_refused(wrong: Any) -> None:
    with pytest.raises(DefinitionError, match="A role is a text"):
        ReActPromptBuilder(wrong)
    with pytest.raises(DefinitionError, match="A capability is a text"):
        ReActPromptBuilder("a buyer").add_capability(wrong)
    with pytest.raises(DefinitionError, match="A constraint is a text"):
        ReActPromptBuilder("a buyer").add_constraint(wrong)


def test_an_unknown_heading_is_answered_with_its_nearest() -> None:
    given: dict[str, str] = {"tool": "Werkzeuge"}

    with pytest.raises(NotFoundError, match=r"No heading named 'tool'. Did you mean 'tools'"):
        ReActPromptBuilder("a buyer", headings=given)


def test_each_call_returns_the_builder_itself() -> None:
    builder = ReActPromptBuilder("a buyer")
    made: Sequence[ReActPromptBuilder] = (
        builder.add_capability("a"),
        builder.add_constraint("b"),
        builder.add_tool(SEARCH),
    )

    assert all(one is builder for one in made)


def test_the_dialect_can_be_given_by_name() -> None:
    by_name = ReActPromptBuilder("a buyer", dialect="json").build()

    assert by_name == ReActPromptBuilder("a buyer", dialect=BUILT_IN["json"]()).build()


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ("jsn", NotFoundError, "No dialect named 'jsn'. Did you mean 'json'"),
        (3, DefinitionError, "dialect is 3; it must be a name or a dialect object."),
    ],
)
def test_what_is_no_dialect_is_refused_when_the_builder_is_made(
    given: Any, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        ReActPromptBuilder("a buyer", dialect=given)
