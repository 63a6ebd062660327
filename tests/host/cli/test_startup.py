"""What the help and the listings import: next to nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import version

import pytest

from agenthost import __version__
from support.sites import CommandLine, Site, plugin_code

MOST_MODULES = 150

HEAVY = {
    "anthropic",
    "httpx",
    "importlib_metadata",
    "jinja2",
    "jsonschema",
    "jsonschema_rs",
    "keyring",
    "openai",
    "pint",
    "pluggy",
    "pydantic",
    "pydantic_core",
    "regex",
    "schema",
    "tiktoken",
    "tomlkit",
    "xllamacpp",
}

REPORT = """
import json, sys
from agenthost.cli import main
code = main(sys.argv[1:])
print(json.dumps([code, sorted(sys.modules)]), file=sys.stderr)
"""


def imported(agenthost: CommandLine, *arguments: str) -> set[str]:
    """Return the modules that a command had imported when it was done."""
    done = subprocess.run(
        [sys.executable, "-c", REPORT, *arguments],
        env=agenthost.variables(),
        capture_output=True,
        text=True,
        check=True,
        cwd=agenthost.home,
    )
    code, modules = json.loads(done.stderr.splitlines()[-1])
    assert code == 0
    return set(modules)


def plugins_in(modules: set[str]) -> list[str]:
    """Return those of the modules that belong to plugins."""
    return [name for name in modules if name.startswith(("plugin_", "agenthost_plugin"))]


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    """Return a command line whose plugin was asked already what it contributes."""
    return CommandLine.with_plugins(tmp_path_factory.mktemp("asked"), {"good": plugin_code()})


@pytest.mark.parametrize(
    "command",
    [
        ("--help",),
        ("--version",),
        ("tools", "--help"),
        ("tools", "list"),
        ("tools", "list", "--json"),
        ("plugins", "list"),
        ("plugins", "list", "--json"),
        ("drivers", "list"),
        ("validators", "list"),
        ("dialects", "list"),
        ("config", "show"),
        ("config", "path"),
    ],
    ids=" ".join,
)
def test_a_listing_imports_no_plugin_and_nothing_heavy(
    asked: CommandLine, command: tuple[str, ...]
) -> None:
    modules = imported(asked, *command)

    assert len(modules) < MOST_MODULES
    assert not modules & HEAVY
    assert not plugins_in(modules)


def test_the_listing_that_asks_the_plugins_imports_none_of_them_itself(
    site: Site, agenthost: CommandLine
) -> None:
    site.install("good", plugin_code())

    modules = imported(agenthost, "tools", "list")

    assert not modules & HEAVY
    assert not plugins_in(modules)


def test_a_settings_file_keeps_the_start_light(site: Site, agenthost: CommandLine) -> None:
    (agenthost.home / "agenthost.toml").write_text('model = "local"\n')
    agenthost("tools", "list")

    modules = imported(agenthost, "tools", "list")

    assert len(modules) < MOST_MODULES


def test_many_plugins_import_no_more_than_none(site: Site, agenthost: CommandLine) -> None:
    for number in range(30):
        site.install(f"p{number}", plugin_code(f"Tool{number}"))
    listed = agenthost("tools", "list", "--json")

    modules = imported(agenthost, "tools", "list")

    assert len(listed.json["data"]) >= 30
    assert len(modules) < MOST_MODULES


def test_importing_the_host_imports_no_plugin_and_nothing_heavy() -> None:
    code = "import sys, agenthost; print(*sys.modules)"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert not set(done.stdout.split()) & HEAVY


def test_the_version_that_is_told_without_metadata_is_that_of_the_distribution() -> None:
    assert __version__ == version("agenthost")
