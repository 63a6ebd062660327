"""`agenthost plugins`, and what is said of a plugin that is off or that a setting stops."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.sites import CommandLine, Site, plugin_code

GARDEN = plugin_code("Garden", "water").replace(
    "    @activity", "    slack: int = 0\n\n    @activity", 1
)

OTHERS = """
from agenthost_sdk import BaseOutputValidator, DriversConfig, Verdict, hookimpl
from agenthost_sdk.testing import ScriptedDriver

class Short(BaseOutputValidator):
    '''Accept all.'''

    def validate(self, output):
        return Verdict.accept()

@hookimpl
def agenthost_prompt_drivers():
    return {"others": ScriptedDriver}

class OthersConfig(DriversConfig):
    '''Have no drivers.'''

@hookimpl
def agenthost_drivers_configs():
    return {"others": OthersConfig}

@hookimpl
def agenthost_output_validators():
    return {"short": Short}

@hookimpl
def agenthost_event_listeners():
    return [lambda event: None]
"""


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    plugins = {"garden": GARDEN, "others": OTHERS}
    return CommandLine.with_plugins(tmp_path_factory.mktemp("grown"), plugins)


@pytest.fixture
def garden(grown: CommandLine, tmp_path: Path) -> CommandLine:
    """Return plugins that are asked already, in a home of the test's own."""
    return grown.in_home(tmp_path / "home")


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    plugins = {"garden": GARDEN, "others": OTHERS, "bad": "import nothing_of_that_name"}
    return CommandLine.with_plugins(tmp_path_factory.mktemp("asked"), plugins)


@pytest.fixture
def planted(asked: CommandLine) -> Iterator[CommandLine]:
    """Lend the same plugins, and one that fails, to a test that changes nothing."""
    with asked.lent() as line:
        yield line


NAMES = ("garden", "agenthost-plugin-garden")


@pytest.mark.parametrize("disable", NAMES)
@pytest.mark.parametrize("enable", NAMES)
def test_a_plugin_goes_off_and_on_by_either_of_its_names(
    garden: CommandLine, disable: str, enable: str
) -> None:
    assert garden("plugins", "disable", disable).code == 0
    off = garden("tools", "show", "Garden")
    assert garden("plugins", "enable", enable).code == 0
    on = garden("tools", "show", "Garden")

    assert (off.code, on.code) == (4, 0)


def test_of_a_distribution_that_is_off_one_plugin_is_turned_on(
    site: Site, agenthost: CommandLine
) -> None:
    module = site.install("one", plugin_code("One"), distribution="pair").stem
    second = site.folder / "plugin_two.py"
    second.write_text(plugin_code("Two"))
    [points] = site.folder.glob("pair-*/entry_points.txt")
    points.write_text(f"[agenthost]\none = {module}\ntwo = plugin_two\n")
    agenthost("plugins", "disable", "pair")

    agenthost("plugins", "enable", "two")

    assert agenthost("tools", "show", "Two").code == 0
    assert agenthost("tools", "show", "One").code == 4


def test_turning_on_what_is_on_is_no_mistake(planted: CommandLine) -> None:
    again = planted("plugins", "enable", "garden")

    assert (again.code, again.out) == (0, "garden is on.\n")


def test_the_plugin_of_the_host_itself_cannot_be_turned_off(garden: CommandLine) -> None:
    refused = garden("plugins", "disable", "agenthost")

    assert refused.code == 2
    assert "the host's own" in refused.err


def test_what_the_environment_turns_off_is_said_to_be_off_by_it(garden: CommandLine) -> None:
    variables = {"AGENTHOST_PLUGINS_DISABLED": "garden"}

    shown = garden("tools", "show", "Garden", **variables)
    enabled = garden("plugins", "enable", "garden", **variables)

    assert "turned off by AGENTHOST_PLUGINS_DISABLED" in shown.err
    assert "AGENTHOST_PLUGINS_DISABLED" in enabled.err
    assert enabled.code != 0


@pytest.mark.parametrize(
    ("off", "arguments"),
    [
        ("garden", ("tools", "call", "Garden_water")),
        ("garden", ("tools", "show", "Garden")),
        ("garden", ("run", "-t", "Garden", "-m", "local", "Hi")),
        ("others", ("run", "-m", "others", "Hi")),
        ("others", ("run", "-m", "local", "--validator", "short", "Hi")),
        ("others", ("run", "-m", "local", "--dialect", "loud", "Hi")),
    ],
    ids=" ".join,
)
def test_what_a_plugin_that_is_off_may_have_is_answered_with_the_command_that_turns_it_on(
    garden: CommandLine, off: str, arguments: tuple[str, ...]
) -> None:
    garden("plugins", "disable", off)

    missed = garden(*arguments)

    assert missed.code == 4
    assert f"`agenthost plugins enable {off}`" in missed.err


def test_where_nothing_runs_the_plugin_that_is_off_is_named_and_nothing_installed(
    garden: CommandLine,
) -> None:
    for name in ("local", "others"):
        garden("plugins", "disable", name)

    ran = garden("run", "Hi")
    report = garden("doctor")

    assert ran.code == 4
    assert "`agenthost plugins enable local`" in ran.err
    assert "agenthost plugins install local" not in ran.err
    assert report.code == 1
    assert "runs on      nothing: There is no model to run on." in report.out


def test_a_plugin_that_listens_says_so(garden: CommandLine) -> None:
    rows = garden("plugins", "list", "--json").json["data"]
    listed = garden("plugins", "list")

    assert [row["name"] for row in rows if row["listens"]] == ["others"]
    assert "validators: short; listens to events" in listed.out


def test_a_plugin_is_listed_with_its_drivers_and_its_set_of_them(garden: CommandLine) -> None:
    listed = garden("plugins", "list").out

    assert "drivers: others; drivers configs: others; validators: short" in listed


def test_the_doctor_tells_the_reason_on_the_output_and_nothing_twice(
    site: Site, agenthost: CommandLine
) -> None:
    site.install("bad", "import nothing_of_that_name")

    report = agenthost("doctor")

    assert report.out.count("nothing_of_that_name") == 1
    assert report.err == ""


@pytest.mark.parametrize(("option", "value"), [("slack", "five"), ("slak", "5")])
def test_an_option_that_does_not_do_is_mended_where_it_stands(
    garden: CommandLine, option: str, value: str
) -> None:
    warned = garden("config", "set", f"tools.Garden.{option}", value)
    listed = garden("tools", "list")
    called = garden("tools", "call", "Garden_water", '{"name": "x"}')
    report = garden("doctor")
    mended = garden("config", "set", f"tools.Garden.{option}", "--unset")

    command = f"`agenthost config set tools.Garden.{option} --unset`"
    place = f"{garden.home / 'agenthost.toml'}: [tools.Garden] {option} is wrong."
    for said in (warned.err, listed.out, called.err, report.out):
        assert place in said
        assert command in said
        assert "uninstall" not in said
    assert (called.code, report.code, mended.code) == (2, 2, 0)
    assert garden("tools", "call", "Garden_water", '{"name": "x"}').code == 0
    assert garden("tools", "list").err == ""


def test_options_of_a_tool_that_is_not_there_are_mentioned_by_listings_only(
    garden: CommandLine,
) -> None:
    (garden.home / "agenthost.toml").write_text("[tools.Gardn]\nslack = 3\n")

    listed = garden("tools", "list")
    report = garden("doctor")
    called = garden("tools", "call", "Garden_water", '{"name": "x"}')
    mended = garden("config", "set", "tools.Gardn", "--unset")

    command = "`agenthost config set tools.Gardn --unset`"
    assert command in listed.err
    assert command in report.out
    assert called.err == ""
    assert mended.code == 0
    assert garden("tools", "list").err == ""


@pytest.mark.parametrize("model", ["", ":", ":x", " "])
def test_a_model_without_the_name_of_a_driver_is_a_matter_of_usage(
    garden: CommandLine, model: str
) -> None:
    refused = garden("run", "-m", model, "Hi")

    assert refused.code == 2
    assert "Write DRIVER or DRIVER:MODEL" in refused.err


@pytest.mark.parametrize(
    ("asked", "near"),
    [("nope", None), ("openia", "openai"), ("foo", None), ("lcal", "local")],
)
def test_a_driver_is_suggested_where_the_name_is_like_it(
    garden: CommandLine, asked: str, near: str | None
) -> None:
    missed = garden("run", "-m", asked, "Hi")

    assert missed.code == 4
    assert ("Did you mean" in missed.err) == (near is not None)
    assert near is None or f"Did you mean '{near}'?" in missed.err


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("model", "openia", "No driver named 'openia'. Did you mean 'openai'?"),
        ("dialect", "nativ", "No dialect named 'nativ'. Did you mean 'native'?"),
        ("tools.disabled", "Gardn", "No tool named 'Gardn'. Did you mean 'Garden'?"),
        ("plugins.disabled", "gardn", "No plugin named 'gardn'. Did you mean 'garden'?"),
        ("drivers.openia.model", "x", "No driver named 'openia'"),
        ("tools.Gardn.slack", "3", "No tool named 'Gardn'"),
    ],
)
def test_a_setting_that_names_what_is_not_there_is_set_with_a_warning(
    garden: CommandLine, key: str, value: str, words: str
) -> None:
    done = garden("config", "set", key, value)

    assert done.code == 0
    assert "is set." in done.out
    assert words in done.err


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("model", "openai:x"),
        ("dialect", "native"),
        ("tools.disabled", "Garden, Garden_water"),
        ("plugins.disabled", "agenthost-plugin-garden"),
        ("tools.Garden.slack", "3"),
    ],
)
def test_a_setting_that_names_what_is_there_is_set_without_a_word(
    garden: CommandLine, key: str, value: str
) -> None:
    assert garden("config", "set", key, value).err == ""


def test_a_plugin_is_shown_with_all_that_is_known_of_it(planted: CommandLine) -> None:
    for name in NAMES:
        shown = planted("plugins", "show", name)

        assert shown.code == 0
        assert "garden  agenthost-plugin-garden 1.0  ok" in shown.out
        assert "entry point  garden = plugin_agenthost_plugin_garden_garden" in shown.out
        assert f"location     {planted.site.folder}" in shown.out
        assert "hooks        agenthost_tools" in shown.out
        assert "tool Garden  Answer a greeting." in shown.out
        assert "Garden_water  [read-only]  Say hello." in shown.out


def test_a_program_is_shown_all_that_a_plugin_contributes(planted: CommandLine) -> None:
    [row] = planted("plugins", "show", "others", "--json").json["data"]

    contributed = {kind: [one["name"] for one in row["contributions"][kind]] for kind in OTHER}
    assert contributed == OTHER
    assert row["recorded"] is None
    assert (row["state"], row["mend"]) == ("ok", [])


OTHER = {
    "drivers": ["others"],
    "drivers_configs": ["others"],
    "validators": ["short"],
    "tools": [],
}


def test_a_plugin_that_failed_is_shown_with_the_commands_that_mend_it(
    planted: CommandLine,
) -> None:
    shown = planted("plugins", "show", "bad")

    assert shown.code == 0
    assert "bad  agenthost-plugin-bad 1.0  failed" in shown.out
    assert "nothing_of_that_name" in shown.out
    for command in ("upgrade", "disable", "uninstall"):
        assert f"agenthost plugins {command} bad\n" in shown.out


def test_a_plugin_that_is_not_there_is_answered_with_the_near_ones(planted: CommandLine) -> None:
    for command in ("show", "uninstall", "upgrade", "disable"):
        missed = planted("plugins", command, "gardn")

        assert missed.code == 4
        assert "Did you mean 'garden'" in missed.err


def test_what_was_asked_for_and_is_not_there_is_restored_by_a_command_that_is_named(
    garden: CommandLine,
) -> None:
    (garden.home / "plugins.toml").write_text('[plugins.lost]\nrequirement = "lost>=1"\n')

    shown = garden("plugins", "show", "lost")
    report = garden("doctor")
    planned = garden("plugins", "sync", "--dry-run")

    assert "`agenthost plugins sync` installs it again" in shown.err
    assert "lost was asked for once, and is not installed here." in report.out
    assert "to install what is missing: agenthost plugins sync" in report.out
    assert planned.out.splitlines()[0].endswith("'lost>=1'")


def test_a_record_that_cannot_be_read_is_told_of_by_the_doctor(garden: CommandLine) -> None:
    (garden.home / "plugins.toml").write_text("plugins = [")

    report = garden("doctor")

    assert report.code == 2
    assert "plugins.toml cannot be read" in report.out


def test_the_list_is_in_columns_and_the_slowest_comes_first_where_time_is_asked_for(
    site: Site, agenthost: CommandLine
) -> None:
    site.install("garden", GARDEN)
    site.install("slow", "import time\ntime.sleep(0.3)\n" + plugin_code("Slow"))

    plain = agenthost("plugins", "list").out.splitlines()
    timed = agenthost("plugins", "list", "--timing", "--json").json["data"]
    shown = agenthost("plugins", "list", "--timing").out

    [begin] = {line.index(" ok ") for line in plain if " ok " in line}
    assert begin > 0
    assert timed == sorted(timed, key=lambda row: -row["seconds"])
    for line, row in zip(shown.splitlines(), timed, strict=True):
        assert line.startswith(f"{row['name']} ")
        assert f" {row['seconds'] * 1000:.0f} ms " in line


USAGE = {
    "install": "Say what to install",
    "install agenthost": "is the host itself",
    "install -e ./nowhere": "There is nothing at",
    "install -r nowhere.txt": "nowhere.txt cannot be read",
    "uninstall": "Missing argument",
    "uninstall agenthost": "is the host itself",
    "uninstall agenthost-sdk": "is the host itself",
    "upgrade": "write --all",
    "upgrade garden --all": "write --all",
}


@pytest.mark.parametrize("command", USAGE)
def test_a_command_that_is_written_wrongly_changes_nothing(
    planted: CommandLine, command: str
) -> None:
    refused = planted("plugins", *command.split())

    assert (refused.code, refused.out) == (2, "")
    assert USAGE[command] in refused.err
    assert "Traceback" not in refused.err


PLANS = ("install pond", "uninstall garden", "upgrade garden", "upgrade --all", "sync")


@pytest.mark.parametrize("plan", PLANS)
def test_a_plan_is_told_to_programs_and_imports_no_plugin(planted: CommandLine, plan: str) -> None:
    script = (
        "import json, sys; from agenthost.cli import main; code = main(sys.argv[1:]);"
        " print(json.dumps([code, sorted(sys.modules)]), file=sys.stderr)"
    )

    done = subprocess.run(
        [sys.executable, "-c", script, "plugins", *plan.split(), "--dry-run", "--json"],
        env=planted.variables(),
        cwd=planted.home,
        capture_output=True,
        text=True,
        check=True,
    )

    code, modules = json.loads(done.stderr.splitlines()[-1])
    told = json.loads(done.stdout)
    assert (code, told["kind"]) == (0, "plan")
    assert bool(told["data"]["commands"]) == (plan != "sync")
    assert not [name for name in modules if name.startswith(("plugin_", "agenthost_plugin"))]


def test_the_doctor_says_what_installs_here(planted: CommandLine) -> None:
    report = planted("doctor", "--json").json["data"]

    assert "virtual environment" in report["environment"]
    assert report["installer"].endswith("install agenthost-plugin-NAME") or (
        "uv pip install" in report["installer"]
    )


def test_the_doctor_names_the_command_that_sets_a_key_that_is_missing(
    planted: CommandLine,
) -> None:
    report = planted("doctor")

    assert "OPENAI_API_KEY is not set: agenthost keys set OPENAI_API_KEY" in report.out
