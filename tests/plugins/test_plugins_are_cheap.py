"""Importing a plugin loads neither its tool nor what the tool needs."""

from __future__ import annotations

import subprocess
import sys

import pytest

PLUGINS = ["calculator", "datetime", "files", "functions", "sql", "text", "units", "web"]
HEAVY = [
    "decimal",
    "httpx2",
    "jsonschema",
    "jsonschema_rs",
    "lxml",
    "pint",
    "pydantic",
    "re2",
    "regex",
    "sqlite3",
    "zoneinfo",
]

#: Tools that wait for an option.
NEEDS_OPTIONS = ("files", "functions", "sql")


def loaded_by(code: str) -> set[str]:
    shown = f"{code}\nimport sys\nprint(*sys.modules, sep='\\n')"
    done = subprocess.run(
        [sys.executable, "-c", shown], capture_output=True, text=True, check=True, timeout=60
    )
    return set(done.stdout.split())


@pytest.mark.parametrize("plugin", PLUGINS)
def test_a_plugin_is_imported_without_its_tool(plugin: str) -> None:
    loaded = loaded_by(f"import agenthost_plugin_{plugin}")

    assert f"agenthost_plugin_{plugin}.tool" not in loaded
    assert loaded.isdisjoint(HEAVY)


@pytest.mark.parametrize("plugin", PLUGINS)
def test_a_plugin_gives_its_tool_without_the_libraries_that_it_uses(plugin: str) -> None:
    code = f"import agenthost_plugin_{plugin} as plugin\n[tool] = plugin.agenthost_tools()"
    made = f"{code}\ntool()" if plugin not in NEEDS_OPTIONS else code

    assert loaded_by(made).isdisjoint({"httpx2", "pint", "re2", "regex", "lxml"})


def test_the_validators_are_imported_without_the_libraries_that_they_use() -> None:
    code = (
        "import agenthost_plugin_validators as plugin\n"
        "plugin.agenthost_output_validators()['length']('3-5 words')"
    )

    assert loaded_by(code).isdisjoint({*HEAVY, "json_repair", "schema"})


def test_units_are_listed_without_the_library_of_units() -> None:
    code = "from agenthost_plugin_units.tool import Units\nUnits().list('length')"

    assert "pint" not in loaded_by(code)


def test_the_anthropic_driver_is_made_without_the_package_of_its_provider() -> None:
    code = (
        "import agenthost_plugin_anthropic as plugin\n"
        "plugin.agenthost_prompt_drivers()['anthropic']()\n"
        "plugin.agenthost_drivers_configs()['anthropic']().prompt_driver"
    )

    assert loaded_by(code).isdisjoint({"anthropic", "openai", "httpx2", "tenacity"})
