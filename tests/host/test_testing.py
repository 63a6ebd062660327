"""The fixtures for the authors of plugins, in runs of pytest as an author starts them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TOOL = """
import os
import sys
from pathlib import Path

import pytest

from agenthost_sdk import BaseOutputValidator, BaseTool, Verdict, activity
from agenthost_sdk.testing import calls, conformance_of


class Weather(BaseTool):
    '''Tell the weather.'''

    unit: str = "celsius"

    @activity(read_only=True, examples=[("How is it in Rome?", {"city": "Rome"})])
    def now(self, city: str) -> str:
        '''Tell how the weather is.

        Args:
            city: Where.
        '''
        return f"{city}: warm in {self.unit}"


class Short(BaseOutputValidator):
    '''Refuse long answers.'''

    def validate(self, output):
        return Verdict.accept() if len(output.to_text()) < 20 else Verdict.refuse("Too long.")


"""


def run_pytest(
    folder: Path, code: str, *arguments: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run pytest on a file of tests, in a project of its own."""
    folder.joinpath("test_author.py").write_text(code, encoding="utf-8")
    own = {name: text for name, text in os.environ.items() if not name.startswith("PYTEST")}
    return subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-W",
            "error",
            "-p",
            "no:cacheprovider",
            *arguments,
        ],
        cwd=folder,
        env={**own, "PYTHONIOENCODING": "utf-8", **environment},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


WHOLE = """
def test_the_weather_is_told(isolated_host, scripted_model, temporary_plugin):
    name = temporary_plugin(Weather)
    host = isolated_host(name, settings='[tools.Weather]\\nunit = "kelvin"')
    model = scripted_model(calls(("Weather_now", {"city": "Rome"})), "It is warm.")

    run = host.run("How is it in Rome?", prompt_driver=model)

    assert run.value == "It is warm."
    assert "Rome: warm in kelvin" in str(model.stacks[-1].messages[-1])


def test_a_trailing_comma_does_no_harm(isolated_host, misbehaving_model, temporary_plugin):
    host = isolated_host(temporary_plugin(Weather))

    run = host.run("How?", prompt_driver=misbehaving_model("trailing_comma", answer="Warm."))

    assert run.value == "Warm."


def test_an_activity_is_called_as_a_model_calls_it(call_tool):
    assert call_tool(Weather(), "now", city="Rome").value == "Rome: warm in celsius"
    assert call_tool(Weather(), "now", town="Rome").code == "invalid-input"


def test_a_host_knows_nothing_of_the_person(isolated_host, temporary_plugin):
    host, other = isolated_host(temporary_plugin(Weather)), isolated_host("temporary")

    assert "SOME_API_KEY" not in os.environ
    assert host.settings.model is None
    assert host.settings.folders != other.settings.folders
    assert host.settings.disabled_tools == ()


@pytest.mark.parametrize("number", [1, 2])
def test_each_test_has_its_own_plugin(number, isolated_host, temporary_plugin):
    assert not [name for name in sys.modules if name.startswith("temporary_")]
    code = f'''
        from agenthost_sdk import BaseTool, activity, hookimpl

        class Tool{number}(BaseTool):
            "Do one thing."

            @activity(read_only=True)
            def act(self) -> int:
                "Do it."
                return {number}

        @hookimpl
        def agenthost_tools():
            return [Tool{number}]
    '''
    host = isolated_host(temporary_plugin(code, "numbered"))

    assert [tool.name for tool in host.toolbox().tools] == [f"Tool{number}"]


def test_nothing_is_left_behind():
    assert not [name for name in sys.modules if name.startswith("temporary_")]
    assert not [folder for folder in sys.path if "agenthost-plugins" in folder]


def test_classes_of_several_kinds_make_one_plugin(isolated_host, temporary_plugin):
    host = isolated_host(temporary_plugin([Weather, Short], "both", version="2.5"))

    assert host.registry.make_validator("short").validate
    (plugin,) = [one for one in host.registry.catalog.plugins if one.name == "both"]
    assert (plugin.distribution, plugin.version, plugin.state) == (
        "agenthost-plugin-both", "2.5", "ok"
    )
    assert host.toolbox().tools[0].__class__ is Weather


def test_a_module_with_hooks_is_a_plugin(isolated_host, temporary_plugin):
    import author_hooks

    host = isolated_host(temporary_plugin(author_hooks))

    assert [tool.name for tool in host.toolbox().tools] == ["Hooked"]


def test_the_tests_of_a_whole_plugin_pass(temporary_plugin):
    from agenthost_sdk.testing.checks import run_tests

    classes = conformance_of(temporary_plugin([Weather, Short], "whole"))

    assert list(classes) == ["TestPlugin", "TestToolWeather", "TestOutputValidatorShort"]
    for tests in classes.values():
        assert {result.state for result in run_tests(tests)} == {"passed"}


def test_what_no_other_process_finds_is_refused(temporary_plugin):
    class Local(BaseTool):
        "Made here."

    with pytest.raises(Exception, match="top level of its module"):
        temporary_plugin(Local)
    with pytest.raises(Exception, match="nothing that a plugin contributes"):
        temporary_plugin(Path)
"""

HOOKS = """
from agenthost_sdk import BaseTool, activity, hookimpl

class Hooked(BaseTool):
    '''Found by its module.'''

    @activity(read_only=True)
    def act(self) -> int:
        '''Do it.'''
        return 1

@hookimpl
def agenthost_tools():
    return [Hooked]
"""


@pytest.mark.parametrize("mode", ["prepend", "importlib"])
def test_the_fixtures_do_what_they_say(mode: str, tmp_path: Path) -> None:
    (tmp_path / "author_hooks.py").write_text(HOOKS)
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "agenthost.toml").write_text('model = "openai:x"\n')

    done = run_pytest(
        tmp_path,
        TOOL + WHOLE,
        f"--import-mode={mode}",
        AGENTHOST_HOME=str(tmp_path / "home"),
        AGENTHOST_DISABLED_TOOLS="Weather",
        SOME_API_KEY="secret",
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert "11 passed" in done.stdout


def test_they_work_in_several_processes(tmp_path: Path) -> None:
    (tmp_path / "author_hooks.py").write_text(HOOKS)

    done = run_pytest(tmp_path, TOOL + WHOLE, "-n", "2", "-k", "each_test_has or told")

    assert done.returncode == 0, done.stdout + done.stderr
    assert "3 passed" in done.stdout


WHOLE_PLUGIN = """
from agenthost_sdk.testing import PluginConformance, conformance_of

globals().update(conformance_of("calculator"))

class TestMissing(PluginConformance):
    plugin = "nothing-of-that-name"
"""


def test_an_authors_classes_are_collected_and_what_cannot_be_tested_is_skipped(
    tmp_path: Path,
) -> None:
    done = run_pytest(tmp_path, WHOLE_PLUGIN)

    assert "27 passed" in done.stdout
    assert "1 failed" in done.stdout
    assert "14 skipped" in done.stdout
    assert "No plugin named 'nothing-of-that-name' is installed" in done.stdout


LIGHT = """
import sys

def test_light():
    ours = [name for name in sys.modules if name.startswith("agenthost")]
    assert sorted(ours) == ["agenthost", "agenthost.testing"]
    assert not {"pydantic", "pluggy.hooks", "click", "jsonschema"} & set(sys.modules)
"""


def test_a_run_that_uses_no_fixture_imports_nothing_of_the_host(tmp_path: Path) -> None:
    # Other plugins of this environment import what they like.
    done = run_pytest(
        tmp_path, LIGHT, "-p", "agenthost.testing", PYTEST_DISABLE_PLUGIN_AUTOLOAD="1"
    )

    assert done.returncode == 0, done.stdout + done.stderr


def test_they_can_be_left_out(tmp_path: Path) -> None:
    code = "def test_it(isolated_host): ..."

    done = run_pytest(tmp_path, code, "-p", "no:agenthost")

    assert "fixture 'isolated_host' not found" in done.stdout


def test_pytest_lists_them_with_what_they_do(tmp_path: Path) -> None:
    done = run_pytest(tmp_path, "", "--fixtures")

    for name in ("isolated_host", "scripted_model", "misbehaving_model", "call_tool"):
        assert f"{name} -- " in done.stdout
    assert "Install plugins for the time of the test" in done.stdout
