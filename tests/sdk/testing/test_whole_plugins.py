"""All that a plugin contributes is tested, under pytest or without it."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

import pytest

from agenthost_sdk.hook_reading import HOOKS, is_listed
from agenthost_sdk.testing import (
    ActionGuardConformance,
    DialectConformance,
    DriverConformance,
    DriversConfigConformance,
    EmbeddingDriverConformance,
    OutputValidatorConformance,
    PluginConformance,
    ToolConformance,
    VectorStoreDriverConformance,
    conformance_of,
)
from agenthost_sdk.testing.checks import check_plugin, run_tests
from agenthost_sdk.testing.plugins.contributions import read_contributions
from agenthost_sdk.testing.plugins.found import FoundPlugin, matching
from agenthost_sdk.testing.plugins.projects import write_metadata
from support.checked_plugins import ALL_KINDS, GOOD, Install, failed, results_of


def test_a_tool_that_waits_for_an_option_is_noted_and_tested_when_it_has_one(
    install: Install,
) -> None:
    name = install(GOOD.replace('unit: str = "celsius"', "unit: str"))
    given = {"Weather": {"unit": "kelvin"}}

    lacking = results_of(name)["each tool can be made"]
    without = conformance_of(name)
    with_one = conformance_of(name, tool_options=given)

    assert lacking.state == "passed"
    assert "needs the option 'unit'" in lacking.notes[0]
    assert list(without) == ["TestPlugin"]
    assert list(with_one) == ["TestPlugin", "TestToolWeather"]
    assert not failed({r.check: r for one in with_one.values() for r in run_tests(one)})


def test_what_examples_lack_in_a_persons_data_is_no_fault(install: Install) -> None:
    code = GOOD.replace("return f", "raise ToolError('no such city')\n        return f")
    name = install("from agenthost_sdk import ToolError\n" + code)

    strict = conformance_of(name)["TestToolWeather"]
    lenient = conformance_of(name, tool_options={"Weather": {"unit": "k"}})["TestToolWeather"]

    assert [r.check for r in run_tests(strict) if r.state == "failed"] == [
        "examples of what changes nothing run"
    ]
    assert not [r for r in run_tests(lenient) if r.state == "failed"]


def test_each_thing_that_a_plugin_contributes_has_its_class(install: Install) -> None:
    classes = conformance_of(install(ALL_KINDS))

    assert list(classes) == [
        "TestPlugin",
        "TestPromptDriverEcho",
        "TestEmbeddingDriverEcho",
        "TestDriversConfigEcho",
        "TestOutputValidatorAtMost",
    ]
    results = [result for one in classes.values() for result in run_tests(one)]
    assert not [result for result in results if result.state == "failed"]
    assert {"prompt driver echo", "output validator at-most", "plugin odd"} <= {
        result.subject for result in results
    }


@pytest.mark.parametrize("hook", HOOKS)
def test_what_each_hook_gives_is_judged(hook: str, install: Install) -> None:
    """A hook without a kind in `contributions` would take anything."""
    right, wrong = ("[3]", "{'odd': 3}") if is_listed(hook) else ("{'odd': 3}", "[3]")
    code = f"from agenthost_sdk import hookimpl\n\n@hookimpl\ndef {hook}():\n    return "
    install(code + right, "right")
    install(code + wrong, "wrong")

    found = [
        read_contributions(plugin.value).wrong
        for name in ("right", "wrong")
        for plugin in matching(name)
    ]

    assert [len(faults) for faults in found] == [1, 1]
    assert "gave 3, which" in found[0][0]
    assert "it must return a" in found[1][0]


def test_the_tests_of_a_tool_that_cannot_be_made_are_left_out(install: Install) -> None:
    code = GOOD.replace("city: str", "city: 'NoSuchType'")
    tests = conformance_of(install(code))["TestToolWeather"]

    assert {(result.state, result.message) for result in run_tests(tests)} == {
        ("left out", "It cannot be made.")
    }


def test_a_validator_that_shows_no_example_of_its_parameters_is_found(install: Install) -> None:
    code = ALL_KINDS.replace('    example = "100"\n', "")
    tests = conformance_of(install(code))["TestOutputValidatorAtMost"]

    assert any("shows no `example`" in result.message for result in run_tests(tests))


def test_a_driver_that_imports_its_providers_package_when_it_is_made_is_found(
    install: Install, tmp_path: Path
) -> None:
    package = tmp_path / "site" / "echo_client"
    package.mkdir()
    (package / "__init__.py").touch()
    code = ALL_KINDS.replace("class AtMost", "import echo_client\n\nclass AtMost")
    install(code)
    (found,) = matching("odd")
    client = FoundPlugin("client", "echo_client", "echo-client", "1.0")
    metadata = write_metadata(tmp_path / "site", (client,))
    (metadata / "top_level.txt").write_text("echo_client\n")
    echo = found._replace(name="echo", distribution="echo", requires=("echo-client>=1",))
    write_metadata(tmp_path / "site", (echo,))

    tests = conformance_of("echo")["TestPromptDriverEcho"]

    messages = [result.message for result in run_tests(tests) if result.state == "failed"]
    assert messages == ["Making EchoPromptDriver imports echo_client."]


def test_a_test_that_ends_its_process_is_named_with_how_it_ended(install: Install) -> None:
    code = GOOD.replace('return f"{city}', 'import os; os._exit(9)\n        return f"{city}')
    (found,) = matching(install(code))

    done = check_plugin(found, path=sys.path)

    last = done.results[-1]
    assert not done.is_passed
    assert (last.subject, last.check) == ("tool Weather", "examples of what changes nothing run")
    assert "ended the process with exit code 9" in last.message
    assert len(done.results) > 15


def test_a_plugin_that_patches_what_others_use_reaches_nobody(install: Install) -> None:
    patching = "import json\njson.dumps = json.loads = lambda *a, **k: 1 / 0\n"
    (found,) = matching(install(patching + GOOD))

    done = check_plugin(found, path=sys.path)

    faults = [result.check for result in done.results if result.state == "failed"]
    assert faults[0] == "loading it does no work"
    assert json.loads(json.dumps([1])) == [1]
    assert ("native name", "Weather_now") in done.names


@pytest.mark.parametrize(
    "check",
    [
        ToolConformance,
        DriverConformance,
        EmbeddingDriverConformance,
        OutputValidatorConformance,
        DialectConformance,
        DriversConfigConformance,
        VectorStoreDriverConformance,
        ActionGuardConformance,
        PluginConformance,
    ],
)
def test_a_class_that_does_not_say_what_it_tests_is_told_how_to_say_it(check: type) -> None:
    results = list(run_tests(type("TestNothing", (check,), {})))

    told = [result.message for result in results if result.state == "failed"]
    assert any("TestNothing does not say what it tests. Write `" in message for message in told)
    assert not any("AttributeError" in message for message in told)


ODD_SUMS = """
class Sums:
    def test_the_sum(self):
        '''If it fails: reckon again.'''
        assert 1 + 1 == 3
"""


def test_an_assertion_without_words_shows_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "odd_sums.py").write_text(ODD_SUMS)
    monkeypatch.syspath_prepend(tmp_path)

    (result,) = run_tests(importlib.import_module("odd_sums").Sums)

    assert "This does not hold: 1 + 1 == 3" in result.message
    assert result.advice == "Reckon again."
