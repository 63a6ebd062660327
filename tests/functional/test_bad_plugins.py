"""One bad plugin beside a good one: the command line works as if the bad one were not there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.bad_plugins import DEEDS, DEFINITIONS, GOOD, Bad, possible
from support.sites import CommandLine, Result, Site, plugin_code

CASES = {**DEFINITIONS, **possible(DEEDS)}

#: What a plugin may do while its own tool is used, and the answer stays clean.
USED = (
    "prints at import",
    "writes past Python",
    "replaces the output",
    "closes the output",
    "changes the folder",
    "makes warnings errors",
    "starts a daemon thread",
    "starts a thread",
)


def install_both(bad: Bad, site: Site, agenthost: CommandLine) -> None:
    """Install a good plugin and a bad one, and let no other be asked."""
    site.install("good", plugin_code())
    points = f"[agenthost]\n{bad.points}\n" if bad.points else ""
    site.install(
        bad.name,
        bad.code,
        distribution=bad.distribution,
        points=points,
        requires=bad.requires,
    )
    agenthost.environment |= {
        "AGENTHOST_PLUGINS": "good,bad",
        "AGENTHOST_PLUGIN_TIMEOUT": bad.seconds,
        **bad.variables,
    }


@pytest.mark.parametrize("bad", CASES.values(), ids=CASES)
def test_a_bad_plugin_is_named_and_listed_and_disturbs_nothing(
    bad: Bad, site: Site, agenthost: CommandLine
) -> None:
    install_both(bad, site, agenthost)

    shown = agenthost("--help")
    listed = agenthost("tools", "list", "--json")
    called = agenthost("tools", "call", "Greeter_hello", '{"name": "Ann"}')
    plugins = agenthost("plugins", "list", "--json")
    debugged = agenthost("--debug", "tools", "list", "--json")

    results = (shown, listed, called, plugins, debugged)
    assert [result.code for result in results] == [0, 0, 0, 0, 0]
    assert called.out == "Hello Ann\n"
    assert not any("Traceback" in result.err + result.out for result in results[:-1])
    for listing in (listed, debugged):
        assert_named(bad, listing)
    assert ("Traceback" in debugged.err) is bool(bad.raised)
    assert bad.raised in debugged.err
    rows = {row["distribution"]: row for row in plugins.json["data"]}
    assert (rows[GOOD]["state"], rows[GOOD]["error"]) == ("ok", "")
    assert rows[bad.distribution]["state"] == bad.state
    assert bad.words in rows[bad.distribution]["error"]


def assert_named(bad: Bad, listing: Result) -> None:
    """See that the good plugin is listed, and that one line names the bad one."""
    told = [line for line in listing.err.splitlines() if f"({bad.distribution} " in line]
    assert (listing.code, len(told)) == (0, 1 if bad.words else 0)
    assert bad.words in "".join(told)
    assert "Greeter_hello" in natives(listing)


@pytest.mark.parametrize("name", USED)
def test_what_a_plugin_does_while_its_own_tool_is_used_stays_out_of_the_answer(
    name: str, site: Site, agenthost: CommandLine
) -> None:
    bad = CASES[name]
    install_both(bad, site, agenthost)
    [native] = set(natives(agenthost("tools", "list", "--json"))) - {"Greeter_hello"}

    called = agenthost("tools", "call", native, '{"name": "Ann"}', "--json")

    assert called.code == 0
    assert called.json["data"] == {"type": "text", "value": "Hello Ann"}


def test_what_works_in_a_plugin_with_a_fault_stays_usable(
    site: Site, agenthost: CommandLine
) -> None:
    code = plugin_code("Partly").replace("return [Partly]", "return [Partly, 3]")
    site.install("partly", code)

    called = agenthost("tools", "call", "Partly_hello", '{"name": "Bo"}')
    listed = agenthost("tools", "list", "--json")

    assert called.out == "Hello Bo\n"
    assert "gave 3, which is no BaseTool" in listed.err


def test_the_traceback_is_shown_on_demand(site: Site, agenthost: CommandLine) -> None:
    site.install("bad", "raise RuntimeError('no luck')")

    listed = agenthost("--debug", "tools", "list", "--json")

    assert "Traceback" in listed.err
    assert "plugin_agenthost_plugin_bad_bad.py" in listed.err
    json.loads(listed.out)


def test_a_plugin_that_is_off_is_never_imported(
    site: Site, agenthost: CommandLine, tmp_path: Path
) -> None:
    mark = tmp_path / "imported"
    site.install("bad", f"open({str(mark)!r}, 'w')\nraise RuntimeError")
    (agenthost.home / "agenthost.toml").write_text('[plugins]\ndisabled = ["bad"]\n')

    listed = agenthost("tools", "list", "--json")
    states = agenthost("plugins", "list", "--json")

    assert listed.err == states.err == ""
    assert not mark.exists()
    assert [row["state"] for row in states.json["data"] if row["name"] == "bad"] == ["disabled"]


def test_only_the_plugins_that_the_environment_names_are_imported(
    site: Site, agenthost: CommandLine
) -> None:
    site.install("good", plugin_code())
    site.install("bad", "raise RuntimeError")

    listed = agenthost("tools", "list", "--json", AGENTHOST_PLUGINS="good")

    assert natives(listed) == ["Greeter_hello"]
    assert listed.err == ""


def test_asking_for_a_tool_of_a_plugin_that_failed_names_the_plugin(
    site: Site, agenthost: CommandLine
) -> None:
    site.install("bad", "raise RuntimeError('no luck')")

    shown = agenthost("tools", "show", "bad")

    assert shown.code == 3
    assert "RuntimeError: no luck" in shown.err


def test_damaged_metadata_of_another_distribution_disturbs_nothing(
    site: Site, agenthost: CommandLine
) -> None:
    site.install("good", plugin_code())
    site.install("odd", "", points="no sections = \x00\n[agenthost\nx\n")
    (site.folder / "stray-1.0.dist-info").mkdir()

    listed = agenthost("tools", "list", "--json")

    assert listed.code == 0
    assert "Greeter_hello" in natives(listed)


def test_the_time_for_all_plugins_is_bounded(site: Site, agenthost: CommandLine) -> None:
    site.install("a", "import time\ntime.sleep(60)")
    site.install("b", plugin_code("B"))
    agenthost.environment |= {"AGENTHOST_CATALOG_TIMEOUT": "1"}

    listed = agenthost("tools", "list", "--json")

    assert listed.code == 0
    assert "its import did not finish within" in listed.err
    assert "it was not asked" in listed.err


def natives(result: Result) -> list[str]:
    """Return the native names in a listing, without those of plugins of this environment."""
    ours = ("Calculator_", "DateTime_", "Text_", "Units_")
    return [
        activity["native"]
        for tool in result.json["data"]
        for activity in tool["activities"]
        if not activity["native"].startswith(ours)
    ]
