"""The composition root: installed plugins and settings, made into agents."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from agenthost import Agent, Host, Permissions, Ruleset
from agenthost.dialects import Classic
from agenthost_sdk.errors import DefinitionError, NotFoundError, PluginError, SettingsError
from agenthost_sdk.testing import ScriptedDriver, calls
from support.sites import Site


@pytest.fixture
def host(tmp_path: Path) -> Host:
    return Host(tmp_path)


def test_a_host_runs_the_installed_tools(host: Host) -> None:
    asked = calls(("Calculator_evaluate", {"expression": "23 * 19"}))
    agent = host.agent(prompt_driver=ScriptedDriver([asked, "It is 437."]))

    run = agent.run("What is 23 * 19?")

    assert run.value == "It is 437."
    (action,) = run.subtasks[0].actions
    assert str(action.output) == "437"


def test_a_selection_of_tools_is_all_that_is_offered(host: Host) -> None:
    driver = ScriptedDriver(["Fine."])

    host.agent("?", tools=["Text_count", "Units"], prompt_driver=driver).run()

    offered = [spec.native for spec in driver.stacks[0].tools]
    assert offered == ["Text_count", "Units_convert", "Units_list"]


def test_an_unknown_tool_is_answered_with_its_nearest_name(host: Host) -> None:
    with pytest.raises(NotFoundError, match="Did you mean 'Calculator'"):
        host.toolbox(["Calculatr"])


def test_a_spec_says_which_distribution_it_comes_from(host: Host) -> None:
    spec = host.toolbox(["Calculator"]).table.resolve("Calculator_evaluate")

    assert spec.origin == "agenthost-plugin-calculator"


def test_settings_name_the_dialect_and_the_permissions(tmp_path: Path) -> None:
    settings = tmp_path / "agenthost.toml"
    settings.write_text('dialect = "actions_json"\n[permissions]\ndeny = ["Calculator_*"]\n')
    host = Host(tmp_path)

    agent = host.agent(tools=["Calculator"], prompt_driver=ScriptedDriver(["Answer: no"]))

    spec = agent.setup.toolbox.table.resolve("Calculator_evaluate")
    decision = agent.setup.permissions.decide(spec)
    assert agent.setup.dialect.name == "actions_json"
    assert decision is not None
    assert not decision.allowed


def test_two_hosts_do_not_see_each_others_settings(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "agenthost.toml").write_text('model = "openai:a"\n')

    one, other = Host(tmp_path / "one"), Host(tmp_path / "other")

    assert one.settings.model == "openai:a"
    assert other.settings.model is None


def test_a_wrong_setting_is_named_when_the_host_is_made(tmp_path: Path) -> None:
    (tmp_path / "agenthost.toml").write_text('modle = "openai"\n')

    with pytest.raises(SettingsError, match="model"):
        Host(tmp_path)


def test_an_agent_of_a_host_asks_before_it_changes_anything(host: Host) -> None:
    agent = host.agent(prompt_driver=ScriptedDriver([]))

    assert isinstance(agent, Agent)
    assert agent.setup.permissions == Permissions()


def test_importing_agenthost_imports_no_plugin_and_no_heavy_package() -> None:
    code = (
        "import sys, agenthost; print([n for n in sys.modules if n.split('.')[0] in"
        " ('pydantic', 'pluggy', 'jsonschema', 'openai', 'importlib_metadata')"
        " or n.startswith('agenthost_plugin')])"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )

    assert found.stdout.strip() == "[]"


CONFIGS = """
from agenthost_sdk import DriversConfig, hookimpl
from agenthost_sdk.testing import ScriptedDriver

class Greeting(DriversConfig):
    def make_prompt_driver(self):
        return ScriptedDriver(["Hello."])

class Needy(DriversConfig):
    def __init__(self, key):
        self.key = key

@hookimpl
def agenthost_drivers_configs():
    return {"greeting": Greeting, "needy": Needy}
"""


def test_a_drivers_config_is_made_by_its_name(installed: Site, tmp_path: Path) -> None:
    installed.install("configs", CONFIGS)
    host = Host(tmp_path / "home")

    config = host.drivers_config("greeting")

    assert config.prompt_driver.run("?").to_text() == "Hello."
    assert host.drivers_config("greeting") is not config
    with pytest.raises(NotFoundError, match=r"No drivers config named 'greting'.*'greeting'"):
        host.drivers_config("greting")
    with pytest.raises(PluginError, match=r"Plugin configs .*: drivers config 'needy' cannot be"):
        host.drivers_config("needy")


@pytest.mark.parametrize("rule", ["allow", "deny"])
def test_a_rule_that_is_one_text_is_not_taken_for_its_letters(host: Host, rule: str) -> None:
    with pytest.raises(SettingsError, match=f"{rule} is the text 'Stock_\\*'; write a list"):
        host.permissions(**{rule: "Stock_*"})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("tools", "words"),
    [
        ("Calculator", "tools is 'Calculator'; it must be a list: tools=['Calculator']."),
        ([ScriptedDriver([])], "an Agent takes tool objects: Agent(tools="),
    ],
    ids=["a text", "objects"],
)
def test_tools_that_are_no_list_of_names_are_refused(host: Host, tools: Any, words: str) -> None:
    with pytest.raises(DefinitionError) as refused:
        host.agent(tools=tools, prompt_driver=ScriptedDriver([]))

    assert words in str(refused.value)


def test_an_agent_of_a_host_takes_a_dialect_object_and_rulesets(host: Host) -> None:
    agent = host.agent(
        tools=[],
        prompt_driver=ScriptedDriver(["Final Answer: yes"]),
        dialect=Classic(),
        rules=Ruleset("Tone", ["Be brief."]),
    )

    assert agent.run("?").value == "yes"
    assert agent.setup.dialect.name == "classic"
