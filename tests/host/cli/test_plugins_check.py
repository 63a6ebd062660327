"""`agenthost plugins check`: what it says of plugins, installed or not, and how it exits."""

from __future__ import annotations

import json
from importlib import metadata
from pathlib import Path

import pytest

from agenthost_sdk.hooks import GROUP
from agenthost_sdk.testing import conformance_of
from agenthost_sdk.testing.checks import run_tests
from support.checked_plugins import ALL_KINDS, GOOD
from support.sites import CommandLine, Result, Site

PROJECT = """
[project]
name = "agenthost-plugin-weather"
version = "0.3"
dependencies = ["agenthost-sdk>=0.0.1,<99"]

[project.entry-points.agenthost]
weather = "agenthost_plugin_weather"
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return the folder of a project that is right, and that nobody installed."""
    folder = tmp_path / "weather"
    package = folder / "src" / "agenthost_plugin_weather"
    package.mkdir(parents=True)
    (folder / "pyproject.toml").write_text(PROJECT)
    (package / "__init__.py").write_text(GOOD)
    return folder


@pytest.fixture
def checking(agenthost: CommandLine) -> CommandLine:
    """Return a command line on which no plugin of this environment is asked for its names."""
    agenthost.environment["AGENTHOST_PLUGINS"] = "good,weather"
    return agenthost


def failures(result: Result) -> list[str]:
    (row,) = result.json["data"]
    return [check["check"] for check in row["checks"] if check["state"] == "failed"]


def test_a_project_that_is_right_is_checked_where_it_lies(
    checking: CommandLine, project: Path
) -> None:
    result = checking("plugins", "check", str(project))

    assert result.code == 0, result.out + result.err
    assert "weather (agenthost-plugin-weather 0.3): agenthost_plugin_weather" in result.out
    assert " ms, with 1 module" in result.out
    assert "✓ it says which versions of the sdk it works with" in result.out
    assert "\ntool Weather\n" in result.out
    assert "✓ every example is accepted" in result.out
    assert "28 passed." in result.out
    assert result.err == ""
    assert sorted(path.name for path in project.iterdir()) == ["pyproject.toml", "src"]


def test_what_fails_is_told_with_what_to_do_about_it(checking: CommandLine, project: Path) -> None:
    module = project / "src" / "agenthost_plugin_weather" / "__init__.py"
    wrong = GOOD.replace("            city: Where.\n", "").replace("read_only=True, ", "")
    module.write_text("print('hello \x1b[31m')\n" + wrong)

    told = checking("plugins", "check", str(project))
    listed = checking("plugins", "check", str(project), "--json")

    assert told.code == listed.code == 3
    assert "✗ loading it prints nothing" in told.out
    assert "Take the print out, or log" in told.out
    assert "argument 'city' has no description" in told.out
    assert "\x1b" not in told.out
    assert failures(listed) == [
        "loading it prints nothing",
        "each argument is described",
        "annotations are stated",
    ]


def test_programs_learn_of_each_check(checking: CommandLine, project: Path) -> None:
    result = checking("plugins", "check", "--json", str(project))

    assert result.json["schema"] == 1
    assert result.json["kind"] == "plugin-checks"
    (row,) = result.json["data"]
    assert row["passed"] is True
    assert (row["name"], row["distribution"], row["version"], row["entry_point"]) == (
        "weather",
        "agenthost-plugin-weather",
        "0.3",
        "agenthost_plugin_weather",
    )
    assert row["import"]["modules"] == 1
    assert row["import"]["packages"] == {}
    assert set(row["checks"][0]) == {"subject", "check", "state", "message", "advice", "notes"}


def test_an_output_that_knows_no_check_mark_gets_words(
    checking: CommandLine, project: Path
) -> None:
    (project / "src" / "agenthost_plugin_weather" / "__init__.py").write_text("print('é')\n")

    result = checking("plugins", "check", str(project), PYTHONIOENCODING="ascii")

    assert "  ok it can be imported" in result.out
    assert "  FAILED loading it prints nothing" in result.out
    assert "- each tool" not in result.out
    assert result.out.isascii()


@pytest.mark.parametrize(
    ("named", "is_on"),
    [("good", True), ("agenthost-plugin-good", False)],
    ids=["on", "off"],
)
def test_an_installed_plugin_is_checked_by_name_also_when_it_is_off(
    named: str, is_on: bool, checking: CommandLine, site: Site
) -> None:
    site.install("good", GOOD)
    checking.environment["AGENTHOST_PLUGINS"] = "good" if is_on else ""

    result = checking("plugins", "check", named, "--json")

    # What `Site` installs requires nothing, which is the one thing wrong with it.
    assert failures(result) == ["it says which versions of the sdk it works with"]


def test_names_that_others_have_are_told(checking: CommandLine, site: Site, project: Path) -> None:
    site.install("good", GOOD)

    result = checking("plugins", "check", str(project))

    assert result.code == 3
    assert "✗ its names are free" in result.out
    assert "The tool 'Weather' belongs to agenthost-plugin-good 1.0." in result.out
    assert "The native name 'Weather_now' belongs to" in result.out


def test_names_that_two_plugins_have_are_told_from_both_sides(
    checking: CommandLine, site: Site
) -> None:
    site.install("good", GOOD)
    site.install("weather", GOOD)

    first = checking("plugins", "check", "good")
    second = checking("plugins", "check", "weather")

    assert "The tool 'Weather' belongs to agenthost-plugin-weather 1.0." in first.out
    assert "The native name 'Weather_now' belongs to agenthost-plugin-weather 1.0." in first.out
    assert "The tool 'Weather' belongs to agenthost-plugin-good 1.0." in second.out


@pytest.mark.parametrize(
    "code",
    ["raise RuntimeError('no luck')", GOOD.replace("tools()", "tools(nonsense)")],
    ids=["cannot be imported", "a wrong signature"],
)
def test_names_that_are_not_known_are_not_said_to_be_free(
    code: str, checking: CommandLine, project: Path
) -> None:
    (project / "src" / "agenthost_plugin_weather" / "__init__.py").write_text(code)

    result = checking("plugins", "check", str(project))

    assert result.code == 3
    assert "- its names are free\n      Not looked at: " in result.out


MORE_KINDS = """
import click
from concurrent.futures import ThreadPoolExecutor
from agenthost.dialects.native import Native

class Odd(Native):
    '''Like the native one.'''

    name = "odd"

@click.command("greet")
def greet():
    '''Say hello.'''

@hookimpl
def agenthost_dialects():
    return [Odd]

@hookimpl
def agenthost_commands():
    return [greet]

@hookimpl
def agenthost_executors():
    return {"threads": ThreadPoolExecutor}
"""


def test_names_of_every_kind_are_compared(
    checking: CommandLine, site: Site, project: Path
) -> None:
    site.install("weather", ALL_KINDS + MORE_KINDS, distribution="agenthost-plugin-other")
    module = project / "src" / "agenthost_plugin_weather" / "__init__.py"
    module.write_text(ALL_KINDS + MORE_KINDS)

    result = checking("plugins", "check", str(project), "--json")

    (row,) = result.json["data"]
    (told,) = [check["message"] for check in row["checks"] if check["state"] == "failed"]
    kinds = {line.partition(" '")[0].removeprefix("The ") for line in told.splitlines()}
    assert kinds == {
        *("plugin", "prompt driver", "embedding driver", "drivers config", "output validator"),
        *("dialect", "command", "executor"),
    }


def test_a_name_of_a_command_of_ours_is_taken(checking: CommandLine, project: Path) -> None:
    (project / "src" / "agenthost_plugin_weather" / "__init__.py").write_text(
        "import click\nfrom agenthost_sdk import hookimpl\n\n"
        "@click.command('tools')\ndef ours():\n    '''Do it.'''\n\n"
        "@hookimpl\ndef agenthost_commands():\n    return [ours]\n"
    )

    result = checking("plugins", "check", str(project), "--json")

    assert failures(result) == ["its names are free"]
    assert "The command 'tools' belongs to agenthost itself." in result.out


def test_a_project_is_checked_though_an_older_version_is_installed(
    checking: CommandLine, site: Site, project: Path
) -> None:
    site.install("weather", "raise RuntimeError('old')")
    checking.environment["AGENTHOST_PLUGINS"] = "weather"

    result = checking("plugins", "check", str(project), "--json")

    assert failures(result) == []


def test_options_of_tools_come_from_the_settings_and_the_command(
    checking: CommandLine, project: Path
) -> None:
    module = project / "src" / "agenthost_plugin_weather" / "__init__.py"
    module.write_text(GOOD.replace('unit: str = "celsius"', "unit: str"))

    without = checking("plugins", "check", str(project))
    given = checking("plugins", "check", str(project), "-o", "Weather.unit=kelvin")
    wrong = checking("plugins", "check", str(project), "-o", "Weather.unit=3")
    no_option = checking("plugins", "check", str(project), "-o", "Weather")
    (checking.home / "agenthost.toml").write_text('[tools.Weather]\nunit = "kelvin"\n')
    as_set = checking("plugins", "check", str(project))

    assert [result.code for result in (without, given, wrong, no_option, as_set)] == [
        *(0, 0, 3, 2, 0)
    ]
    assert "note: tool Weather: Weather needs the option 'unit'" in without.out
    assert "\ntool Weather\n" not in without.out
    assert "\ntool Weather\n" in given.out
    assert "\ntool Weather\n" in as_set.out
    assert "Write TOOL.OPTION=VALUE" in no_option.err


def test_a_plugin_that_ends_or_hangs_is_told_and_the_command_goes_on(
    checking: CommandLine, project: Path
) -> None:
    module = project / "src" / "agenthost_plugin_weather" / "__init__.py"
    module.write_text(GOOD.replace("return f", "import time; time.sleep(60)\n        return f"))

    hung = checking("plugins", "check", str(project), "--timeout", "10")
    module.write_text("import os\nos._exit(0)\n")
    ended = checking("plugins", "check", str(project))

    assert hung.code == ended.code == 3
    assert "The test did not finish within 10 s." in hung.out
    assert "its import ended the process." in ended.out


def test_nothing_of_that_name_is_a_failure_of_its_own(checking: CommandLine, site: Site) -> None:
    site.install("good", GOOD)

    misspelt = checking("plugins", "check", "goood", "--json")
    no_folder = checking("plugins", "check", "./nowhere")
    no_project = checking("plugins", "check")

    assert [misspelt.code, no_folder.code, no_project.code] == [4, 4, 4]
    assert misspelt.json["error"]["near"][0] == "good"
    assert "No plugin or folder named './nowhere'" in no_folder.err
    assert "No file named 'pyproject.toml'. " in no_project.err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[project", "cannot be read"),
        ("[project]\nname = 'odd'\n", "names no plugin"),
        ("[project]\nname = 'odd'\nentry-points = 3\n", "cannot be read"),
        ("[project]\nname = 'odd'\ndynamic = ['dependencies']\n", "to the build. Install it"),
        ("[tool.other]\nname = 'odd'\n", "to the build. Install it"),
    ],
)
def test_a_project_that_is_no_plugin_says_what_it_lacks(
    text: str, words: str, checking: CommandLine
) -> None:
    (checking.home / "pyproject.toml").write_text(text)

    result = checking("plugins", "check")

    assert result.code == 3
    assert words in result.err
    assert "Traceback" not in result.err


def test_a_project_that_leaves_all_to_its_build_is_found_by_where_it_was_installed_from(
    checking: CommandLine, site: Site, project: Path
) -> None:
    site.install("weather", GOOD)
    (folder,) = site.folder.glob("*.dist-info")
    origin = {"url": project.as_uri(), "dir_info": {"editable": True}}
    (folder / "direct_url.json").write_text(json.dumps(origin))
    (project / "pyproject.toml").write_text("[tool.other]\n")

    result = checking("plugins", "check", str(project), "--json")

    assert failures(result) == ["it says which versions of the sdk it works with"]


def test_a_project_without_a_src_folder_is_checked(checking: CommandLine, project: Path) -> None:
    (project / "src" / "agenthost_plugin_weather").rename(project / "agenthost_plugin_weather")

    result = checking("plugins", "check", str(project), "--json")

    assert failures(result) == []


OURS = sorted(point.name for point in metadata.entry_points(group=GROUP))


@pytest.mark.parametrize("name", OURS)
def test_every_plugin_of_this_repository_passes(name: str) -> None:
    results = [result for tests in conformance_of(name).values() for result in run_tests(tests)]

    assert [result for result in results if result.state == "failed"] == []
    assert len(results) >= 13
