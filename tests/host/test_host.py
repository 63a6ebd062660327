"""The composition root: installed plugins and settings, made into agents."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from agenthost import Agent, Defaults, Host, Permissions, PromptTask, Ruleset
from agenthost.choice import chosen_driver, preferred
from agenthost.dialects import Classic
from agenthost_sdk import DriversConfig
from agenthost_sdk.errors import DefinitionError, NoDriverError, NotFoundError, SettingsError
from agenthost_sdk.testing import ScriptedDriver, calls


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


def test_a_key_that_is_set_chooses_its_driver(host: Host) -> None:
    assert preferred(host.registry, {"OPENAI_API_KEY": "x"}) == "openai"


def test_without_a_key_a_driver_that_needs_none_is_chosen(host: Host) -> None:
    assert preferred(host.registry, {}) == "local"


def test_a_named_driver_gets_the_model_behind_the_colon(host: Host) -> None:
    driver = chosen_driver(host.registry, "openai:some:model", {})

    assert (driver.provider, driver.model) == ("openai", "some:model")


def test_settings_give_a_driver_its_fields(tmp_path: Path) -> None:
    (tmp_path / "agenthost.toml").write_text('[drivers.openai]\nbase_url = "http://127.0.0.1:1"\n')

    driver = Host(tmp_path).prompt_driver("openai:m")

    assert driver.base_url == "http://127.0.0.1:1"  # type: ignore[attr-defined]


def test_a_field_that_a_driver_lacks_is_named(tmp_path: Path) -> None:
    (tmp_path / "agenthost.toml").write_text('[drivers.openai]\nbase_ulr = "x"\n')

    with pytest.raises(SettingsError, match=r"base_ulr.*It takes.*base_url"):
        Host(tmp_path).prompt_driver("openai:m")


def test_an_unknown_driver_says_which_plugin_may_be_missing(host: Host) -> None:
    with pytest.raises(NotFoundError, match="agenthost-plugin-anthropik"):
        host.prompt_driver("anthropik:x")


def test_without_any_driver_the_error_says_what_to_turn_on(tmp_path: Path) -> None:
    (tmp_path / "agenthost.toml").write_text('[plugins]\ndisabled = ["local", "openai"]\n')

    with pytest.raises(NoDriverError, match="`agenthost plugins enable local`"):
        chosen_driver(Host(tmp_path).registry, None, {})


def test_a_task_uses_the_drivers_of_the_defaults() -> None:
    class Scripted(DriversConfig):
        def make_prompt_driver(self) -> ScriptedDriver:
            return ScriptedDriver(["From the defaults."])

    earlier = Defaults.drivers_config
    Defaults.drivers_config = Scripted()
    try:
        assert PromptTask("?").run().value == "From the defaults."
    finally:
        Defaults.drivers_config = earlier


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


@pytest.mark.parametrize(
    ("named", "model"), [("local", "minilm"), ("local:other.gguf", "other.gguf")]
)
def test_an_embedding_driver_is_made_by_its_name(host: Host, named: str, model: str) -> None:
    driver = host.embedding_driver(named)

    assert driver.provider == "local"
    assert driver.model == model


def test_an_unknown_embedding_driver_is_answered_with_its_nearest(host: Host) -> None:
    with pytest.raises(NotFoundError, match=r"No embedding driver named 'lokal'\. .*'local'"):
        host.embedding_driver("lokal")


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
