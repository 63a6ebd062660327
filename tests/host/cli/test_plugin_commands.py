"""`agenthost plugins`, and what is said of a plugin that is off or that a setting stops."""

from __future__ import annotations

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


@pytest.fixture
def garden(site: Site, agenthost: CommandLine) -> CommandLine:
    site.install("garden", GARDEN)
    site.install("others", OTHERS)
    return agenthost


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
    assert "pip install agenthost-plugin-local" not in ran.err
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
    agenthost: CommandLine, model: str
) -> None:
    refused = agenthost("run", "-m", model, "Hi")

    assert refused.code == 2
    assert "Write DRIVER or DRIVER:MODEL" in refused.err


@pytest.mark.parametrize(
    ("asked", "near"),
    [("nope", None), ("openia", "openai"), ("foo", None), ("lcal", "local")],
)
def test_a_driver_is_suggested_where_the_name_is_like_it(
    agenthost: CommandLine, asked: str, near: str | None
) -> None:
    missed = agenthost("run", "-m", asked, "Hi")

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
