"""The README and the guide for plugin authors say what is so."""

from __future__ import annotations

import ast
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from agenthost.cli import failures
from agenthost.cli.root import cli
from agenthost_sdk.actions import ToolAction
from support.installed import InstalledHost
from support.readme import README, ROOT, Block, blocks, commands

GUIDE = ROOT / "docs" / "plugins.md"
PAGES = [README, GUIDE, ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", ROOT / "CHANGELOG.md"]

#: What the README's questions are to a parrot, which takes a call for a question.
FOR_A_PARROT = {
    "What is 23 * 19?": 'Calculator_evaluate {\\"expression\\": \\"23 * 19\\"}',
    "Any AB-1200 left?": 'Inventory_count {\\"sku\\": \\"AB-1200\\"}',
    "openai:gpt-6-luna": "parrot:x",
}


def run_blocks(*parts: Block) -> dict[str, Any]:
    """Run blocks one after the other in one namespace, and return that."""
    namespace: dict[str, Any] = {"__name__": __name__}
    for part in parts:
        exec(compile(part.code, part.code[:40], "exec"), namespace)
    return namespace


def test_every_block_of_python_is_python() -> None:
    parts = blocks(README, "python")

    assert parts
    for part in parts:
        ast.parse(part.code)


def test_the_readmes_tool_does_what_it_says() -> None:
    [plugin] = [part for part in blocks(README, "python") if part.file]
    tool = run_blocks(plugin)["Inventory"]()

    output = tool.run(ToolAction("1", "Inventory", "count", {"sku": "AB-1200"}))

    assert output.value == 5
    assert tool.specs()[0].schema["properties"]["sku"]["description"].startswith("Stock keeping")


def test_the_readmes_embedding_example_runs(furnished: InstalledHost) -> None:
    [example] = [part.code for part in blocks(README, "python") if not part.file]
    for said, meant in FOR_A_PARROT.items():
        example = example.replace(said, meant)
    code = f"from agenthost_plugin_inventory import Inventory\n{example}"

    result = furnished.run(
        [furnished.environment.python, "-c", code], variables={"AGENTHOST_MODEL": "parrot:x"}
    )

    assert (result.code, result.err) == (0, "")
    assert result.out == "437 14\nCalculator_evaluate {'expression': '23 * 19'} 437\n"


@pytest.mark.parametrize("line", [*commands(README), *commands(GUIDE)])
def test_every_command_shown_is_one_that_there_is(line: str) -> None:
    arguments = shlex.split(line, comments=True)

    result = CliRunner().invoke(cli, [*arguments, "--help"])  # parsed, and not run

    assert (result.exit_code, result.exception) == (0, None)
    assert result.output.startswith(f"Usage: cli {arguments[0]}")


def test_the_table_of_exit_codes_is_that_of_the_command_line() -> None:
    rows = re.findall(r"^\| (\d+) \| (.+) \|$", README.read_text(encoding="utf-8"), re.MULTILINE)
    told = {int(code): meaning for code, meaning in rows}

    assert told == {
        failures.OK: "done",
        failures.FAILURE: "failed",
        failures.USAGE: "the command line is wrong",
        failures.DEFECT: "a plugin is defective",
        failures.NOT_FOUND: "no such tool, driver, plugin …, or no model that could be used",
        failures.INVALID: "an input or an output is not valid",
        failures.DENIED: "denied: what was asked for was not allowed, and nothing of it ran",
        failures.LIMIT: "a limit or the time ran out",
        failures.INTERRUPTED: "interrupted",
    }


def test_the_help_tells_the_same_exit_codes() -> None:
    told = {int(code) for code in re.findall(r"\b(\d+) [a-z]", cli.epilog or "")}

    assert told == {*range(8), 130}


def test_the_guide_has_every_hook() -> None:
    from agenthost_sdk import hookspecs

    hooks = {name for name in vars(hookspecs) if name.startswith("agenthost_")}
    told = set(
        re.findall(r"^\| `(agenthost_\w+)`", GUIDE.read_text(encoding="utf-8"), re.MULTILINE)
    )

    assert told == hooks


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_that_a_page_points_to_is_there(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8"))

    missing = [link for link in links if not (page.parent / link).exists()]

    assert missing == []
