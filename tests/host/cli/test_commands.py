"""The commands as a person and a program use them: output, errors, exit codes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest

from support.sites import CommandLine, Site, plugin_code

WORKER = """
import os, time
from agenthost_sdk import BaseTool, ToolError, activity, hookimpl

class Worker(BaseTool):
    '''Do some work.'''

    @activity
    def add(self, a: int, b: int) -> int:
        '''Add two numbers.

        Args:
            a: The first.
            b: The second.
        '''
        print("a print of the tool")
        os.system("echo an echo of the tool")
        return a + b

    @activity(read_only=True)
    def fail(self) -> str:
        '''Fail with words.'''
        raise ToolError("That cannot be done.")

    @activity(read_only=True)
    def crash(self) -> str:
        '''Fail without words.'''
        raise KeyError("city")

    @activity(read_only=True, timeout=0.2)
    def dawdle(self) -> str:
        '''Take too long.'''
        time.sleep(5)

    @activity(read_only=True)
    async def wait(self) -> str:
        '''Answer later.'''
        return "later"

@hookimpl
def agenthost_tools():
    return [Worker]
"""


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    return CommandLine.with_plugins(tmp_path_factory.mktemp("worker"), {"worker": WORKER})


@pytest.fixture
def worker(shared: CommandLine) -> Iterator[CommandLine]:
    with shared.lent() as line:
        yield line


@pytest.fixture
def own_worker(site: Site, agenthost: CommandLine) -> CommandLine:
    """Return what a test may change."""
    site.install("worker", WORKER)
    return agenthost


def test_the_version_is_that_of_the_distribution(agenthost: CommandLine) -> None:
    assert agenthost("--version").out == f"agenthost {version('agenthost')}\n"


def test_the_console_script_does_the_same(agenthost: CommandLine) -> None:
    script = Path(sys.executable).parent / "agenthost"

    done = subprocess.run([script, "--version"], capture_output=True, text=True, check=True)

    assert done.stdout == agenthost("--version").out


@pytest.mark.parametrize("group", ["tools", "drivers", "validators", "dialects", "plugins"])
def test_each_listing_has_one_envelope(agenthost: CommandLine, group: str) -> None:
    listed = agenthost(group, "list", "--json")

    assert listed.code == 0
    assert set(listed.json) == {"schema", "kind", "data"}
    assert listed.json["schema"] == 1
    assert listed.json["kind"] == group
    assert isinstance(listed.json["data"], list)


def test_a_tool_is_listed_with_all_that_is_known_of_it(worker: CommandLine) -> None:
    rows = worker("tools", "list", "--json").json["data"]

    [row] = [row for row in rows if row["name"] == "Worker"]
    add = row["activities"][0]
    assert row["distribution"] == "agenthost-plugin-worker"
    assert add["native"] == "Worker_add"
    assert add["schema"]["properties"]["a"]["type"] == "integer"
    assert add["enabled"] is True
    assert row["activities"][1]["annotations"] == {"read_only": True}


def test_a_listing_for_people_shows_native_names(worker: CommandLine) -> None:
    listed = worker("tools", "list")

    assert "Worker_add" in listed.out
    assert "Add two numbers." in listed.out
    assert "\x1b" not in listed.out


@pytest.mark.parametrize("name", ["Worker", "Worker_add", "worker"])
def test_a_tool_is_shown_by_any_of_its_names(worker: CommandLine, name: str) -> None:
    shown = worker("tools", "show", name)

    assert shown.code == 0
    assert '"integer"' in shown.out


@pytest.mark.parametrize(
    "name", ["Worker_add", "Worker.add", "worker_add", "functions.Worker_add"]
)
def test_an_activity_is_called_without_a_model(worker: CommandLine, name: str) -> None:
    called = worker("tools", "call", name, '{"a": 2, "b": 3}', "--json")

    assert called.code == 0
    assert called.json["data"] == {"type": "json", "value": 5}


def test_what_a_tool_prints_goes_beside_the_output(worker: CommandLine) -> None:
    called = worker("tools", "call", "Worker_add", '{"a": 2, "b": 3}')

    assert called.out == "5\n"
    assert "a print of the tool" in called.err
    assert "an echo of the tool" in called.err


def test_the_input_is_read_from_standard_input_where_a_dash_asks_for_it(
    worker: CommandLine,
) -> None:
    called = worker("tools", "call", "Worker_add", "-", "--json", input='{"a": 2, "b": 3}')

    assert called.json["data"]["value"] == 5


def test_an_open_standard_input_is_not_waited_for(worker: CommandLine) -> None:
    worker("tools", "list")
    reading, writing = os.pipe()
    command = [sys.executable, "-m", "agenthost", "tools", "call", "Worker_wait"]

    done = subprocess.run(
        command, stdin=reading, env=worker.variables(), capture_output=True, timeout=60, check=True
    )

    os.close(reading)
    os.close(writing)
    assert done.stdout == b"later\n"


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("tools", "call", "Worker_add", '{"a": "x", "b": 3}'), 5, "/a"),
        (("tools", "call", "Worker_add", "{}"), 5, '"a" and "b" are missing'),
        (("tools", "call", "Worker_add", "[1]"), 5, "object"),
        (("tools", "call", "Worker_add", '{"a": 1'), 5, "line 1, column 8"),
        (("tools", "call", "Worker_add", '{"a": NaN}'), 5, "NaN is no JSON value"),
        (("tools", "call", "Worker_ad", "{}"), 4, "Did you mean 'Worker_add'"),
        (("tools", "call", "Worker", "{}"), 4, "its activities are Worker_add"),
        (("tools", "call", "Worker_fail"), 1, "That cannot be done."),
        (("tools", "call", "Worker_crash"), 1, "KeyError: 'city'"),
        (("tools", "call", "Worker_dawdle"), 7, "limit of 0.2 seconds"),
        (("tools", "show", "Wrker"), 4, "Did you mean 'Worker'"),
        (("tool", "list"), 2, "Did you mean 'tools'?"),
        (("tools", "list", "--jsn"), 2, "--json"),
        (("tools", "call"), 2, "Missing argument"),
        (("config", "set", "modle", "x"), 2, "Did you mean 'model'?"),
        (("config", "set", "limits", "5"), 2, "'limits' is a table, and no setting. In it: limi"),
        (("run", "--text-tools", "--dialect", "native", "?"), 2, "exclude each other: give one"),
        (("config", "set", "model"), 2, "Give a VALUE"),
        (("run", "What", "is", "2 + 2?"), 2, "and 'is 2 + 2?' stands behind it. Put all of it"),
        (("plugins", "disable", "wrker"), 4, "Did you mean 'worker'"),
        (("plugins", "enable", "wrker"), 4, "No plugin that is off"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_a_handled_error_has_its_exit_code_and_no_traceback(
    worker: CommandLine, arguments: tuple[str, ...], code: int, words: str
) -> None:
    worker("tools", "list")

    plain = worker(*arguments)

    assert (plain.code, plain.out) == (code, "")
    assert words in plain.err
    assert "Traceback" not in plain.err


@pytest.mark.parametrize(
    ("arguments", "code", "word"),
    [
        (("tools", "call", "Worker_add", "{}"), 5, "invalid-input"),
        (("tools", "call", "Nothing", "{}"), 4, "not-found"),
        (("tools", "call", "Worker_fail"), 1, "tool"),
        (("tools", "call", "Worker_dawdle"), 7, "limit"),
        (("tool", "list"), 2, "usage"),
    ],
)
def test_an_error_is_json_too_where_json_was_asked_for(
    worker: CommandLine, arguments: tuple[str, ...], code: int, word: str
) -> None:
    failed = worker(*arguments, "--json")

    assert failed.code == code
    assert failed.json["schema"] == 1
    assert failed.json["error"]["code"] == word
    assert failed.json["error"]["exit"] == code


def test_what_the_settings_deny_is_not_called_either(own_worker: CommandLine) -> None:
    own_worker("config", "set", "permissions.deny", "Worker_a*")

    denied = own_worker("tools", "call", "Worker_add", '{"a": 1, "b": 2}')

    assert (denied.code, denied.out) == (6, "")
    assert "the rule 'Worker_a*' denies it" in denied.err


def test_a_refused_input_has_pointers_for_programs(worker: CommandLine) -> None:
    refused = worker("tools", "call", "Worker_add", '{"a": "x", "b": 3}', "--json")

    assert refused.json["error"]["code"] == "invalid-input"
    assert [problem["pointer"] for problem in refused.json["error"]["problems"]] == ["/a"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("--debug", "tools", "call", "Worker_crash"),
        ("tools", "call", "Worker_crash", "--debug"),
        ("tools", "--debug", "call", "Worker_crash", "--", "{}"),
    ],
    ids=" ".join,
)
def test_the_traceback_of_a_tool_is_shown_on_demand(
    worker: CommandLine, arguments: tuple[str, ...]
) -> None:
    called = worker(*arguments)

    assert called.code == 1
    assert "Traceback" in called.err


def test_an_interrupt_ends_a_command_with_130(
    site: Site, agenthost: CommandLine, tmp_path: Path
) -> None:
    mark = tmp_path / "mark"
    busy = f"open({str(mark)!r}, 'w'); import time; time.sleep(60); return ''"
    site.install("busy", plugin_code("Busy").replace('return f"Hello {name}"', busy))
    agenthost("tools", "list")
    command = [sys.executable, "-m", "agenthost", "tools", "call", "Busy_hello", '{"name": ""}']
    process = subprocess.Popen(
        command, env=agenthost.variables(), stderr=subprocess.PIPE, text=True
    )
    while not mark.exists():
        time.sleep(0.02)

    process.send_signal(signal.SIGINT)

    assert process.communicate(timeout=60)[1].strip() == "Interrupted."
    assert process.returncode == 130


def test_a_tool_that_is_off_is_marked_and_cannot_be_called(own_worker: CommandLine) -> None:
    (own_worker.home / "agenthost.toml").write_text('[tools]\ndisabled = ["Worker_add"]\n')

    listed = own_worker("tools", "list")
    called = own_worker("tools", "call", "Worker_add", '{"a": 2, "b": 3}')

    assert "Worker_add (off)" in listed.out
    assert called.code == 4


def test_a_setting_is_set_shown_and_taken_back(agenthost: CommandLine) -> None:
    agenthost("config", "set", "limits.max_subtasks", "3")
    shown = {
        row["key"]: row for row in agenthost("config", "show", "--json").json["data"]["settings"]
    }
    agenthost("config", "set", "limits.max_subtasks", "--unset")
    after = agenthost("config", "show", "--json").json["data"]["settings"]

    assert shown["limits.max_subtasks"]["value"] == 3
    assert shown["limits.max_subtasks"]["source"] == str(agenthost.home / "agenthost.toml")
    assert [row["source"] for row in after if row["key"] == "limits.max_subtasks"] == ["default"]


def shown_setting(agenthost: CommandLine, key: str) -> dict[str, object]:
    rows: list[dict[str, object]] = agenthost("config", "show", "--json").json["data"]["settings"]
    return next(row for row in rows if row["key"] == key)


def test_the_path_of_the_settings_is_told_even_when_they_are_wrong(agenthost: CommandLine) -> None:
    file = agenthost.home / "agenthost.toml"
    file.write_text("modle = 3")

    assert agenthost("config", "path").out == f"{file}\n"
    assert agenthost("tools", "list").code == 2


def test_secrets_among_the_options_are_not_shown(agenthost: CommandLine) -> None:
    agenthost("config", "set", "drivers.openai.api_key", "sk-secret")

    shown = agenthost("config", "show")

    assert "sk-secret" not in shown.out
    assert "drivers.openai.api_key" in shown.out


def test_a_plugin_is_turned_off_and_on(own_worker: CommandLine) -> None:
    assert own_worker("plugins", "disable", "worker").code == 0
    assert "Worker" not in own_worker("tools", "list").out
    assert own_worker("plugins", "enable", "worker").code == 0
    assert "Worker" in own_worker("tools", "list").out


@pytest.mark.parametrize(
    ("arguments", "environment", "coloured"),
    [
        ((), {}, False),
        ((), {"FORCE_COLOR": "1"}, True),
        ((), {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ((), {"FORCE_COLOR": "1", "TERM": "dumb"}, False),
        (("--color", "always"), {"NO_COLOR": "1"}, True),
        (("--color", "never"), {"FORCE_COLOR": "1"}, False),
    ],
)
def test_colour_is_a_matter_of_flags_variables_and_terminals(
    agenthost: CommandLine,
    arguments: tuple[str, ...],
    environment: dict[str, str],
    coloured: bool,
) -> None:
    before = agenthost(*arguments, "config", "show", **environment)
    after = agenthost("config", "show", *arguments, **environment)

    assert ("\x1b" in before.out) is coloured
    assert after == before


def test_a_reader_that_has_enough_is_no_error(worker: CommandLine) -> None:
    worker("tools", "list")
    command = [sys.executable, "-m", "agenthost", "tools", "list", "--json"]
    process = subprocess.Popen(
        command, env=worker.variables(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    process.stdout.close()

    _, err = process.communicate(timeout=60)

    assert err == b""


def test_the_doctor_says_what_is_there_and_what_would_run(worker: CommandLine) -> None:
    report = worker("doctor", "--json", OPENAI_API_KEY="x").json["data"]

    assert report["python"] == sys.version.split()[0]
    assert all(folder["writable"] for folder in report["folders"].values())
    assert "worker" in [plugin["name"] for plugin in report["plugins"]]
    assert report["driver"].startswith("openai:")
    assert report["reason"] == "OPENAI_API_KEY is set"


def test_the_doctor_exits_with_3_and_the_command_that_mends(
    site: Site, agenthost: CommandLine
) -> None:
    site.install("bad", "import nothing_of_that_name")

    report = agenthost("doctor")

    assert report.code == 3
    assert "agenthost-plugin-bad" in report.out
    [remedy] = [line for line in report.out.splitlines() if "to remove it:" in line]
    assert "uninstall" in remedy  # by pip, or by uv where there is no pip
    assert remedy.endswith("agenthost-plugin-bad")


def test_the_doctor_survives_wrong_settings(agenthost: CommandLine) -> None:
    (agenthost.home / "agenthost.toml").write_text("modle = 3")

    report = agenthost("doctor")

    assert report.code == 2
    assert "Did you mean 'model'?" in report.out


def test_a_plugin_that_failed_is_asked_again_by_the_listing_of_plugins(
    site: Site, agenthost: CommandLine, tmp_path: Path
) -> None:
    needed = tmp_path / "needed"
    site.install("moody", f"open({str(needed)!r})\n" + plugin_code())
    before = agenthost("tools", "list")
    needed.touch()

    agenthost("plugins", "list")
    after = agenthost("tools", "list")

    assert "FileNotFoundError" in before.err
    assert after.err == ""
    assert "Greeter_hello" in after.out


def test_the_settings_are_shown_with_their_defaults_and_the_file_once(
    agenthost: CommandLine,
) -> None:
    file = str(agenthost.home / "agenthost.toml")
    before = agenthost("config", "show").out
    agenthost("config", "set", "limits.max_subtasks", "7")

    shown = agenthost("config", "show", AGENTHOST_MODEL="local").out.splitlines()

    rows = {line.split()[0]: line.split()[1:3] for line in shown}
    assert before.startswith(f"file: {file} (not there yet)\n")
    assert "\n".join(shown).count(file) == 1
    assert rows["limits.max_subtasks"] == ["7", "file"]
    assert rows["limits.max_reply_repairs"] == ["3", "default"]
    assert rows["model"] == ["local", "AGENTHOST_MODEL"]


def test_a_variable_that_goes_before_the_file_is_mentioned_when_the_file_is_set(
    agenthost: CommandLine,
) -> None:
    done = agenthost("config", "set", "limits.max_subtasks", "7", AGENTHOST_MAX_SUBTASKS="3")

    assert "AGENTHOST_MAX_SUBTASKS is set, and goes before the settings file." in done.err


def test_a_setting_that_stops_everything_is_unset_all_the_same(agenthost: CommandLine) -> None:
    (agenthost.home / "agenthost.toml").write_text('modle = "x"\n')

    stopped = agenthost("tools", "list")
    mended = agenthost("config", "set", "modle", "--unset")

    assert stopped.code == 2
    assert "`agenthost config set modle --unset`" in stopped.err
    assert mended.code == 0
    assert agenthost("tools", "list").code == 0


def test_help_is_had_by_its_short_option_everywhere(agenthost: CommandLine) -> None:
    for command in ([], ["tools"], ["tools", "call"], ["drivers"], ["run"]):
        assert agenthost(*command, "-h") == agenthost(*command, "--help")


@pytest.mark.parametrize("group", ["drivers", "validators", "dialects"])
def test_a_group_that_only_lists_lists_where_nothing_else_is_asked(
    agenthost: CommandLine, group: str
) -> None:
    assert agenthost(group) == agenthost(group, "list")
    assert agenthost(group, "--json") == agenthost(group, "list", "--json")


def test_the_help_of_a_call_says_that_the_input_may_be_left_out_and_nobody_is_asked(
    agenthost: CommandLine,
) -> None:
    told = " ".join(agenthost("tools", "call", "--help").out.split())

    assert "NAME [INPUT]" in told
    assert "agenthost tools call Calculator_evaluate -" in told
    assert "What you call yourself is not asked about" in told


def test_a_tool_is_shown_with_few_examples_unless_all_are_asked_for(
    site: Site, agenthost: CommandLine
) -> None:
    examples = [(f"Greet {number}.", {"name": f"O'{number}"}) for number in range(5)]
    marked = f"@activity(read_only=True, examples={examples!r})"
    site.install("many", plugin_code("Many").replace("@activity(read_only=True)", marked))

    short = agenthost("tools", "show", "Many").out
    whole = agenthost("tools", "show", "Many", "--examples").out

    assert short.count("Example:") == 3
    assert short.endswith("… and 2 more; --examples shows all.\n")
    assert whole.count("Example:") == 5
    assert "more" not in whole


@pytest.mark.parametrize(
    ("key", "printed"),
    [
        ("model", "local\n"),
        ("dialect", "\n"),
        ("limits.max_subtasks", "7\n"),
        ("limits.max_reply_repairs", "3\n"),
        ("permissions.allow", "A_*, B_*\n"),
        ("tools.Inventory.warehouse", "north\n"),
        ("tools.Inventory.api_key", "***\n"),
        ("tools.alias.Old", "New\n"),
    ],
)
def test_one_setting_is_printed_alone(agenthost: CommandLine, key: str, printed: str) -> None:
    (agenthost.home / "agenthost.toml").write_text(
        'permissions.allow = ["A_*", "B_*"]\nlimits.max_subtasks = 7\n'
        '[tools.Inventory]\nwarehouse = "north"\napi_key = "sk-secret"\n'
        '[tools.alias]\nOld = "New"\n'
    )

    got = agenthost("config", "get", key, AGENTHOST_MODEL="local")

    assert (got.code, got.out, got.err) == (0, printed, "")


def test_a_program_gets_a_setting_with_where_it_comes_from(agenthost: CommandLine) -> None:
    got = agenthost("config", "get", "model", "--json", AGENTHOST_MODEL="local").json

    assert got["kind"] == "setting"
    assert (got["data"]["value"], got["data"]["source"]) == ("local", "AGENTHOST_MODEL")


@pytest.mark.parametrize(
    ("key", "code", "words"),
    [
        ("modle", 2, "Did you mean 'model'?"),
        ("tools.Inventory.warehouse", 4, "No option that is set"),
    ],
)
def test_a_setting_that_there_is_not_cannot_be_printed(
    agenthost: CommandLine, key: str, code: int, words: str
) -> None:
    got = agenthost("config", "get", key)

    assert (got.code, got.out) == (code, "")
    assert words in got.err
