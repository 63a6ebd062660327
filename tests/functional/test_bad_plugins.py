"""One bad plugin beside a good one: the command line works as if the bad one were not there."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from support.sites import CommandLine, Result, Site, plugin_code

GOOD = "agenthost-plugin-good"
BAD = "agenthost-plugin-bad"


@dataclass(frozen=True)
class Bad:
    """A plugin with something wrong, and what is said of it."""

    code: str | None
    words: str
    state: str = "failed"
    name: str = "bad"
    distribution: str = BAD
    points: str = ""


HOOK = "from agenthost_sdk import BaseTool, activity, hookimpl\n"

CASES = {
    "import error": Bad("import nothing_of_that_name", "needs the module 'nothing_of_that_name'"),
    "syntax error": Bad("def broken(:\n", "line 1"),
    "raises at import": Bad("raise RuntimeError('no luck')", "RuntimeError: no luck"),
    "exits at import": Bad("import sys\nsys.exit(7)", "ends the process while it is imported"),
    "missing module": Bad(None, "there is no module"),
    "missing attribute": Bad("", "has no attribute 'plugin'", points="bad = json:plugin"),
    "unknown hook argument": Bad(
        HOOK + "@hookimpl\ndef agenthost_tools(nonsense):\n    return []",
        "agenthost_tools has the wrong signature",
    ),
    "another hook raises": Bad(
        HOOK + "@hookimpl\ndef agenthost_prompt_drivers():\n    raise KeyError('city')",
        "agenthost_prompt_drivers raised KeyError: 'city'",
    ),
    "the tools hook raises": Bad(
        HOOK + "@hookimpl\ndef agenthost_tools():\n    raise ValueError('no tools today')",
        "agenthost_tools raised ValueError: no tools today",
    ),
    "tool without schema": Bad(
        HOOK
        + "from typing import Any\n"
        + "class Odd(BaseTool):\n    @activity\n"
        + "    def take(self, thing: 'NoSuchType') -> str:\n        return ''\n"
        + "@hookimpl\ndef agenthost_tools():\n    return [Odd]",
        "tool Odd cannot be used",
    ),
    "prints at import": Bad(
        "print('hello from import')\n" + plugin_code("Loud"), "prints while it is loaded", "ok"
    ),
    "same entry-point name": Bad(
        plugin_code("Other"),
        "has the name 'good' too",
        "conflict",
        name="good",
        distribution="agenthost-plugin-zebra",
    ),
    "command that is no hook": Bad(
        HOOK + "@hookimpl\ndef agenthost_command(cli):\n    cli.add_command(None)",
        "agenthost_command, which is no hook",
    ),
    "misspelt hook": Bad(
        HOOK + "@hookimpl\ndef agenthost_tool():\n    return []",
        "agenthost_tool, which is no hook. Did you mean agenthost_tools?",
    ),
    "hook without marker": Bad("def agenthost_tools():\n    return []", "lacks the marker"),
    "same tool name": Bad(
        plugin_code("Greeter", "bye"),
        f"its tool 'Greeter' is left out, since {GOOD} 1.0 has that one already",
        "conflict",
        distribution="agenthost-plugin-zebra",
    ),
    "same native name": Bad(
        HOOK
        + "class Greeter_hello(BaseTool):\n    @activity(name='x')\n"
        + "    def act(self) -> str:\n        '''Act.'''\n        return ''\n"
        + "class Long(BaseTool):\n    name: str = 'Greeter'\n    @activity\n"
        + "    def hello(self) -> str:\n        '''Act.'''\n        return ''\n"
        + "@hookimpl\ndef agenthost_tools():\n    return [Greeter_hello, Long]",
        "its tool 'Greeter' is left out",
        "conflict",
        distribution="agenthost-plugin-zebra",
    ),
    "no hook at all": Bad("x = 1", "implements no hook"),
    "hook gives a text": Bad(
        HOOK + "@hookimpl\ndef agenthost_tools():\n    return 'Greeter'", "it must return a list"
    ),
    "async hook": Bad(HOOK + "@hookimpl\nasync def agenthost_tools():\n    return []", "is async"),
    "illegal native name": Bad(
        HOOK
        + "class Odd(BaseTool):\n    @activity(name='no way')\n"
        + "    def act(self) -> str:\n        '''Act.'''\n        return ''\n"
        + "@hookimpl\ndef agenthost_tools():\n    return [Odd]",
        "'Odd_no way'",
    ),
    "exits hard at import": Bad(
        "import os\nos._exit(3)", "its import ended the process with exit"
    ),
    "crashes at import": Bad(
        "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)", "crashed the interpreter"
    ),
    "takes 5 s to import": Bad(
        "import time\ntime.sleep(5)\n" + plugin_code("Slow"),
        "its import did not finish within 1 s",
    ),
    "hangs in a hook": Bad(
        HOOK + "import time\n@hookimpl\ndef agenthost_tools():\n    time.sleep(60)",
        "agenthost_tools did not finish within 1 s",
    ),
    "starts a thread": Bad(
        "import threading, time\n"
        + "threading.Thread(target=time.sleep, args=(60,)).start()\n"
        + plugin_code("Threaded"),
        "",
        "ok",
    ),
    "leaves a daemon behind": Bad(
        "import os, time\nif os.fork() == 0:\n    os.setsid()\n"
        + "    time.sleep(20)\n    os._exit(0)\n"
        + plugin_code("Daemonic"),
        "",
        "ok",
    ),
    "changes the folder": Bad("import os\nos.chdir('/')\n" + plugin_code("Roaming"), "", "ok"),
    "patches json": Bad(
        "import json\njson.dumps = json.loads = lambda *a, **k: 1 / 0\n"
        + "json.JSONEncoder = json.JSONDecoder = None\n"
        + plugin_code("Patching"),
        "",
        "ok",
    ),
    "replaces the output": Bad(
        "import sys, io\nsys.stdout = io.StringIO()\nsys.stderr = None\n" + plugin_code("Mute"),
        "",
        "ok",
    ),
    "allocates a gigabyte": Bad("hoard = bytearray(1 << 30)\n" + plugin_code("Hoarder"), "", "ok"),
}


@pytest.mark.parametrize("bad", CASES.values(), ids=CASES)
def test_a_bad_plugin_is_named_and_listed_and_disturbs_nothing(
    bad: Bad, site: Site, agenthost: CommandLine
) -> None:
    site.install("good", plugin_code())
    points = f"[agenthost]\n{bad.points}\n" if bad.points else ""
    site.install(bad.name, bad.code, distribution=bad.distribution, points=points)
    agenthost.environment["AGENTHOST_PLUGIN_TIMEOUT"] = "1" if "finish" in bad.words else "20"

    shown = agenthost("--help")
    listed = agenthost("tools", "list", "--json")
    called = agenthost("tools", "call", "Greeter_hello", '{"name": "Ann"}')
    plugins = agenthost("plugins", "list", "--json")

    assert [shown.code, listed.code, called.code, plugins.code] == [0, 0, 0, 0]
    assert "Greeter_hello" in natives(listed)
    assert called.out == "Hello Ann\n"
    for result in (shown, listed, called, plugins):
        assert "Traceback" not in result.err + result.out
    told = [line for line in listed.err.splitlines() if bad.distribution in line]
    assert len(told) == (1 if bad.words else 0)
    assert bad.words in listed.err
    rows = {row["distribution"]: row for row in plugins.json["data"]}
    assert rows[GOOD]["state"] == "ok"
    assert rows[bad.distribution]["state"] == bad.state
    assert bad.words in rows[bad.distribution]["error"]


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
