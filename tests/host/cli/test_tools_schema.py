"""`agenthost tools schema`: the tools as a provider, or a client of MCP, is told of them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from agenthost_sdk.schemas import check
from support.provider_rules import refusals
from support.sites import CommandLine

SHELF = """
from typing import Literal
from agenthost_sdk import BaseTool, activity, hookimpl

class Shelf(BaseTool):
    '''Look after a shelf.'''

    @activity(read_only=True)
    def count(self, sku: str, where: Literal["north", "south"] = "north") -> int:
        '''Count the units.

        Args:
            sku: Stock keeping unit.
            where: Which hall.
        '''
        return 7

    @activity(destructive=True, idempotent=True)
    def clear(self, tags: dict[str, str]) -> None:
        '''Take all away.

        Args:
            tags: What is written on it.
        '''

    @activity(schema={"type": "object", "anyOf": [
        {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]},
        {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
    ]})
    def find(self, given: dict) -> str:
        '''Find something by its number or its name.'''

@hookimpl
def agenthost_tools():
    return [Shelf]
"""

NAMES = ["Shelf_count", "Shelf_clear", "Shelf_find"]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    """Return a command line whose plugin was asked already what it contributes."""
    line = CommandLine.with_plugins(tmp_path_factory.mktemp("shelf"), {"shelf": SHELF})
    line.environment["AGENTHOST_PLUGINS"] = "shelf"
    line("tools", "list")
    return line


@pytest.fixture
def line(shared: CommandLine) -> Iterator[CommandLine]:
    with shared.lent() as lent:
        yield lent


def defined(line: CommandLine, *arguments: str) -> list[dict[str, Any]]:
    """Return the definitions of what is named."""
    printed = line("tools", "schema", *arguments)
    assert (printed.code, printed.err) == (0, "")
    tools: list[dict[str, Any]] = printed.json
    return tools


def test_without_a_name_every_activity_that_is_on_is_defined(line: CommandLine) -> None:
    line.environment["AGENTHOST_TOOLS_DISABLED"] = "Shelf_clear"

    tools = defined(line)

    assert [tool["name"] for tool in tools] == ["Shelf_count", "Shelf_find"]
    assert tools[0]["description"] == "Count the units."
    assert tools[0]["schema"]["properties"]["sku"]["description"] == "Stock keeping unit."
    assert tools[0]["annotations"] == {"read_only": True}


@pytest.mark.parametrize(
    ("named", "found"),
    [
        (["Shelf"], NAMES),
        (["shelf"], NAMES),
        (["Shelf_find"], ["Shelf_find"]),
        (["Shelf_find", "Shelf_count"], ["Shelf_count", "Shelf_find"]),
    ],
    ids=["tool", "plugin", "activity", "two"],
)
def test_tools_are_named_as_everywhere(
    line: CommandLine, named: list[str], found: list[str]
) -> None:
    assert [tool["name"] for tool in defined(line, *named)] == found


@pytest.mark.parametrize("strict", [[], ["--strict"]], ids=["plain", "strict"])
def test_openai_takes_its_form(line: CommandLine, strict: list[str]) -> None:
    tools = defined(line, "--for", "openai", *strict)

    said = [{"role": "user", "content": "?"}]
    assert refusals("chat", {"model": "gpt-6-luna", "messages": said, "tools": tools}) == []
    assert [tool["function"]["name"] for tool in tools] == NAMES


def test_openai_guarantees_what_has_a_strict_form(line: CommandLine) -> None:
    [count, clear, _] = defined(line, "--for", "openai", "--strict")

    assert count["function"]["strict"] is True
    assert count["function"]["parameters"]["required"] == ["sku", "where"]
    assert "strict" not in clear["function"]  # it takes keys of any name


def test_anthropic_takes_its_form(line: CommandLine) -> None:
    tools = defined(line, "--for", "anthropic")

    said = [{"role": "user", "content": "?"}]
    body = {"model": "claude-haiku-5-5", "max_tokens": 9, "messages": said, "tools": tools}
    assert refusals("messages", body) == []
    assert [tool["name"] for tool in tools] == NAMES


#: The definition of a tool in the Model Context Protocol's schema, as far as it binds.
MCP_TOOL = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "pattern": "^[A-Za-z0-9_.-]{1,128}$"},
        "description": {"type": "string"},
        "inputSchema": {
            "type": "object",
            "properties": {
                "type": {"const": "object"},
                "properties": {"additionalProperties": {"type": "object"}},
                "required": {"type": "array", "items": {"type": "string"}},
            },
            "required": ["type"],
        },
        "annotations": {
            "type": "object",
            "properties": {
                name: {"type": "boolean"}
                for name in ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
            },
            "additionalProperties": False,
        },
    },
    "required": ["name", "inputSchema"],
    "additionalProperties": False,
}


def test_the_model_context_protocol_takes_its_form(line: CommandLine) -> None:
    tools = defined(line, "--for", "mcp")

    assert [check(MCP_TOOL, tool) for tool in tools] == [[], [], []]
    assert tools[0]["annotations"] == {"readOnlyHint": True}
    assert tools[1]["annotations"] == {"destructiveHint": True, "idempotentHint": True}
    assert "annotations" not in tools[2]


def test_with_json_the_definitions_stand_in_the_envelope(line: CommandLine) -> None:
    printed = line("tools", "schema", "Shelf_count", "--for", "mcp", "--json").json

    assert (printed["schema"], printed["kind"]) == (1, "tool-definitions")
    assert printed["data"] == {"for": "mcp", "tools": defined(line, "Shelf_count", "--for", "mcp")}


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("Shelv",), 4, "Did you mean 'Shelf'"),
        (("--for", "gemini"), 2, "'gemini' is not one of"),
        (("--for", "mcp", "--strict"), 2, "give --for openai"),
    ],
    ids=["no tool", "no form", "strict"],
)
def test_what_cannot_be_defined_is_told_in_one_line(
    line: CommandLine, arguments: tuple[str, ...], code: int, words: str
) -> None:
    failed = line("tools", "schema", *arguments)

    assert (failed.code, failed.out) == (code, "")
    assert words in failed.err


@pytest.mark.parametrize("form", ["json", "openai", "anthropic", "mcp"])
def test_no_plugin_is_imported_to_define_its_tools(line: CommandLine, form: str) -> None:
    report = (
        "import json, sys; from agenthost.cli import main; main(sys.argv[1:]);"
        " print(json.dumps(list(sys.modules)), file=sys.stderr)"
    )

    done = subprocess.run(
        [sys.executable, "-c", report, "tools", "schema", "--for", form],
        env=line.variables(),
        capture_output=True,
        text=True,
        check=True,
    )

    modules = json.loads(done.stderr)
    assert not {"pydantic", "openai", "anthropic"} & set(modules)
    assert not [name for name in modules if name.startswith(("plugin_", "agenthost_plugin"))]
