"""The conformance class for whole plugins passes what is right and finds each fault."""

from __future__ import annotations

from pathlib import Path

import pytest

from agenthost_sdk.testing.plugins.found import FoundPlugin, matching
from agenthost_sdk.testing.plugins.projects import write_metadata
from support.checked_plugins import GOOD, Install, failed, results_of
from support.parameters import shown

HOOK = "from agenthost_sdk import *\nfrom agenthost_sdk import hookimpl\n"


def test_a_plugin_that_is_right_passes_all(install: Install) -> None:
    results = results_of(install(GOOD))

    assert {result.state for result in results.values()} == {"passed"}
    assert len(results) == 15
    assert not any(result.notes for result in results.values())


FAULTS = {
    "needs a module": ("import nothing_of_that_name", "it can be imported", "needs the module"),
    "syntax error": ("def broken(:\n", "it can be imported", "line 1"),
    "raises at import": (
        "raise RuntimeError('no luck')",
        "it can be imported",
        "RuntimeError: no luck",
    ),
    "exits at import": ("import sys\nsys.exit(7)", "it can be imported", "ends the process"),
    "exits hard at import": ("import os\nos._exit(3)", "it can be imported", "with exit code 3"),
    "hangs at import": (
        "import time\ntime.sleep(60)",
        "it can be imported",
        "its import did not finish within 2 s",
    ),
    "exits hard in a hook": (
        f"import os\n{HOOK}@hookimpl\ndef agenthost_tools():\n    os._exit(3)",
        "it can be imported",
        "asking its hooks ended the process with exit code 3",
    ),
    "prints at import": (
        "print('hello')\n" + GOOD,
        "loading it prints nothing",
        "standard output: 'hello'",
    ),
    "complains at import": (
        "import sys\nsys.stderr.write('careful')\n" + GOOD,
        "loading it prints nothing",
        "standard error: 'careful'",
    ),
    "prints in a hook": (
        GOOD.replace("return [W", "print('hooked'); return [W"),
        "loading it prints nothing",
        "'hooked'",
    ),
    "works at import": (
        "import os\nos.environ['ODD_PLUGIN'] = '1'\n" + GOOD,
        "loading it does no work",
        "changes the environment variable ODD_PLUGIN",
    ),
    "misspelt hook": (
        GOOD.replace("def agenthost_tools", "def agenthost_tool"),
        "each hook is known and marked",
        "Did you mean agenthost_tools?",
    ),
    "no marker": (
        GOOD.replace("@hookimpl", ""),
        "each hook is known and marked",
        "lacks the marker",
    ),
    "unknown argument": (
        GOOD.replace("agenthost_tools()", "agenthost_tools(nonsense)"),
        "each hook has its signature",
        "agenthost_tools has the wrong signature",
    ),
    "no hook": ("x = 1", "it implements a hook", "implements no hook"),
    "half a driver": (
        HOOK + "class Odd(BasePromptDriver):\n    def try_run(self, stack): ...\n\n"
        "@hookimpl\ndef agenthost_prompt_drivers():\n    return {'odd': Odd}",
        "each hook gives what it should",
        "which cannot be made: write try_stream",
    ),
    "half a validator": (
        HOOK + "class Odd(BaseOutputValidator): ...\n\n"
        "@hookimpl\ndef agenthost_output_validators():\n    return {'odd': Odd}",
        "each hook gives what it should",
        "which cannot be made: write validate",
    ),
    "hook raises": (
        GOOD.replace("return [Weather]", "raise KeyError('city')"),
        "each hook gives what it should",
        "agenthost_tools raised KeyError: 'city'",
    ),
    "hook gives a text": (
        GOOD.replace("return [Weather]", "return 'Weather'"),
        "each hook gives what it should",
        "it must return a list",
    ),
    "async hook": (
        GOOD.replace("def agenthost_tools", "async def agenthost_tools"),
        "each hook gives what it should",
        "is async",
    ),
    "no tool": (
        GOOD.replace("return [Weather]", "return [3]"),
        "each hook gives what it should",
        "gave 3, which is no BaseTool, and makes none",
    ),
    "no driver": (
        HOOK + "@hookimpl\ndef agenthost_prompt_drivers():\n    return {'odd': int}",
        "each hook gives what it should",
        "is no subclass of BasePromptDriver",
    ),
    "async listener": (
        HOOK + "async def hear(event): ...\n\n@hookimpl\n"
        "def agenthost_event_listeners():\n    return [hear]",
        "each hook gives what it should",
        "is no plain function",
    ),
    "no command": (
        HOOK + "@hookimpl\ndef agenthost_commands():\n    return [len]",
        "each hook gives what it should",
        "is no command",
    ),
    "no executor": (
        HOOK + "@hookimpl\ndef agenthost_executors():\n    return {'odd': 1}",
        "each hook gives what it should",
        "cannot be called",
    ),
    "executor that makes none": (
        HOOK + "@hookimpl\ndef agenthost_executors():\n    return {'odd': lambda: 3}",
        "each executor can be made",
        "The executor 'odd' cannot be used: 3 is no concurrent.futures.Executor.",
    ),
    "executor that is not called": (
        HOOK + "from concurrent.futures import ThreadPoolExecutor\n\n@hookimpl\n"
        "def agenthost_executors():\n    return {'odd': lambda: ThreadPoolExecutor}",
        "each executor can be made",
        "ThreadPoolExecutor'> is no concurrent.futures.Executor",
    ),
    "executor that cannot be made": (
        HOOK + "@hookimpl\ndef agenthost_executors():\n    return {'odd': lambda: 1 / 0}",
        "each executor can be made",
        "The executor 'odd' cannot be used: ZeroDivisionError",
    ),
    "tool that cannot be made": (
        GOOD.replace("return [Weather]", "return [lambda: 1 / 0]"),
        "each tool can be made",
        "ZeroDivisionError",
    ),
    "tool without a schema": (
        GOOD.replace("city: str", "city: 'NoSuchType'"),
        "each tool can be made",
        "tool Weather cannot be used",
    ),
    "guard without words": (
        HOOK + "class Odd(BaseActionGuard): ...\n\n@hookimpl\n"
        "def agenthost_action_guards():\n    return [Odd]",
        "commands and guards are described",
        "The action guard 'Odd' has no docstring",
    ),
    "command without words": (
        HOOK + "import click\n\n@click.command()\ndef odd(): ...\n\n@hookimpl\n"
        "def agenthost_commands():\n    return [odd]",
        "commands and guards are described",
        "The command 'odd' has no docstring",
    ),
    "name of two words": (
        HOOK
        + "class Odd(BaseOutputValidator):\n    def validate(self, output): ...\n\n@hookimpl\n"
        "def agenthost_output_validators():\n    return {'two words': Odd}",
        "its names are legal",
        "'two words' is no name for an output validator",
    ),
    "names alike": (
        GOOD.replace("return [Weather]", "return [Weather, lambda: Weather(name='WEATHER')]"),
        "no two of its names are alike",
        "2 of its tools are named 'weather'",
    ),
}


@pytest.mark.parametrize(("code", "check", "message"), FAULTS.values(), ids=FAULTS)
def test_each_fault_of_a_plugin_is_found_and_nothing_else(
    install: Install, code: str, check: str, message: str
) -> None:
    limit = 2.0 if "sleep" in code else 60.0

    results = results_of(install(code), time_limit=limit)

    assert list(failed(results)) == [check]
    assert message in failed(results)[check]
    assert results[check].advice


def test_a_module_that_is_not_there_is_told_from_one_that_fails(
    install: Install, tmp_path: Path
) -> None:
    install(GOOD)
    gone = FoundPlugin("gone", "no_such_module_of_ours", "agenthost-plugin-gone", "1.0")
    write_metadata(tmp_path / "site", (gone._replace(requires=("agenthost-sdk>=0.1,<99",)),))

    results = results_of("gone")

    assert list(failed(results)) == ["the module of its entry point is there"]
    assert results["it can be imported"].state == "left out"


def test_a_plugin_that_is_not_installed_fails_once_and_the_near_names_are_said(
    install: Install,
) -> None:
    install(GOOD, "weather")

    results = results_of("wether")

    assert list(failed(results)) == ["it is found by its entry point"]
    assert "Did you mean 'weather'" in results["it is found by its entry point"].message
    assert {result.state for result in results.values()} == {"failed", "left out"}


def test_two_plugins_of_one_name_are_told_apart_by_their_distributions(install: Install) -> None:
    install(GOOD, "weather")
    install("x = 1", "weather", distribution="agenthost-plugin-zebra")

    assert "are 2 plugins" in failed(results_of("weather"))["it is found by its entry point"]
    assert not failed(results_of("weather", distribution="agenthost-plugin-weather"))
    assert not failed(results_of("agenthost_plugin.weather"))
    assert failed(results_of("agenthost-plugin-zebra"))


@pytest.mark.parametrize(
    ("requires", "message"),
    [
        ((), "requires no agenthost-sdk"),
        (("httpx>=1",), "requires no agenthost-sdk"),
        (("agenthost-sdk>=0.1,<0.2; python_version < '3'",), "requires no agenthost-sdk"),
        (("agenthost-sdk>=77,<78",), "It requires agenthost-sdk<78,>=77, and this is"),
        (("agenthost-sdk<0.0.1",), "and this is agenthost-sdk"),
        (("agenthost-sdk<99",), "names no version of agenthost-sdk that is the least"),
        (("agenthost-sdk",), "names no version"),
        (("Agenthost_SDK>=0.0.1,<99",), ""),
        (("agenthost-sdk~=0.1",), ""),
    ],
    ids=shown,
)
def test_the_range_of_the_sdk_is_read(
    install: Install, tmp_path: Path, requires: tuple[str, ...], message: str
) -> None:
    install(GOOD)
    (found,) = matching("odd")
    other = found._replace(name="other", distribution="other", requires=requires)
    write_metadata(tmp_path / "site", (other,))

    found_faults = failed(results_of("other"))

    check = "it says which versions of the sdk it works with"
    assert list(found_faults) == ([check] if message else [])
    assert message in found_faults.get(check, "")


def test_a_range_without_an_upper_bound_is_noted(install: Install, tmp_path: Path) -> None:
    install(GOOD)
    (found,) = matching("odd")
    write_metadata(
        tmp_path / "site",
        (found._replace(name="o", distribution="o", requires=("agenthost-sdk>=0.0.1",)),),
    )

    result = results_of("o")["it says which versions of the sdk it works with"]

    assert result.state == "passed"
    assert "takes every later agenthost-sdk" in result.notes[0]


EXECUTORS = """
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from agenthost_sdk import hookimpl

class Noted(Executor):
    def shutdown(self, wait=True, *, cancel_futures=False):
        Path(__file__).with_name("shut").touch()

@hookimpl
def agenthost_executors():
    return {"threads": ThreadPoolExecutor, "processes": ProcessPoolExecutor, "noted": Noted}
"""


def test_each_executor_is_made_and_shut_down(install: Install, tmp_path: Path) -> None:
    results = results_of(install(EXECUTORS))

    assert results["each executor can be made"].state == "passed"
    assert list(tmp_path.rglob("shut"))


WRONG_COMMANDS = """
@hookimpl
def agenthost_commands(nonsense):
    return []
"""


def test_a_wrong_signature_leaves_the_other_hooks_to_be_asked(install: Install) -> None:
    unfit = GOOD.replace("return [Weather]", "print('hooked'); return [3]") + WRONG_COMMANDS

    found = failed(results_of(install(unfit)))

    assert list(found) == [
        "loading it prints nothing",
        "each hook has its signature",
        "each hook gives what it should",
    ]


def test_all_wrong_signatures_are_told_at_once(install: Install) -> None:
    code = GOOD.replace("agenthost_tools()", "agenthost_tools(nonsense)") + WRONG_COMMANDS

    message = results_of(install(code))["each hook has its signature"].message

    assert "agenthost_tools has the wrong signature" in message
    assert "agenthost_commands has the wrong signature" in message


OF_HOOKS = (
    "each hook gives what it should",
    "each tool can be made",
    "each executor can be made",
    "commands and guards are described",
    "its names are legal",
    "no two of its names are alike",
)
OF_NAMES = ("its names are legal", "no two of its names are alike")
OF_CODE = (
    "each hook is known and marked",
    "each hook has its signature",
    "it implements a hook",
    *OF_HOOKS,
)
OF_LOADING = ("loading it prints nothing", "loading it does no work")

UNSEEN = {
    "cannot be imported": ("raise RuntimeError('no luck')", (*OF_LOADING, *OF_CODE)),
    "exits hard at import": ("import os\nos._exit(3)", (*OF_LOADING, *OF_CODE)),
    "exits hard in a hook": (
        f"import os\n{HOOK}@hookimpl\ndef agenthost_tools():\n    os._exit(3)",
        (*OF_LOADING, *OF_CODE),
    ),
    "a misspelt hook": (
        GOOD.replace("def agenthost_tools", "def agenthost_tool"),
        ("each hook has its signature", "it implements a hook", *OF_HOOKS),
    ),
    "a wrong signature": (
        GOOD.replace("agenthost_tools()", "agenthost_tools(nonsense)"),
        ("it implements a hook", *OF_LOADING, OF_HOOKS[0], OF_HOOKS[1], *OF_NAMES),
    ),
    "a wrong signature beside a right one": (
        GOOD + WRONG_COMMANDS,
        (*OF_LOADING, OF_HOOKS[0], "commands and guards are described", *OF_NAMES),
    ),
    "a hook that raises": (
        GOOD.replace("return [Weather]", "raise KeyError('city')"),
        ("each tool can be made", *OF_NAMES),
    ),
    "a tool that cannot be made": (
        GOOD.replace("return [Weather]", "return [lambda: 1 / 0]"),
        OF_NAMES,
    ),
    "a tool that waits for an option": (
        GOOD.replace('unit: str = "celsius"', "unit: str"),
        OF_NAMES,
    ),
}


@pytest.mark.parametrize(("code", "unseen"), UNSEEN.values(), ids=UNSEEN)
def test_what_could_not_be_looked_at_is_left_out_with_the_reason(
    install: Install, code: str, unseen: tuple[str, ...]
) -> None:
    results = results_of(install(code))

    left_out = {result.check for result in results.values() if result.state == "left out"}
    assert left_out == set(unseen)
    assert all(results[check].message for check in unseen)


def test_it_is_not_said_to_be_there_where_the_package_around_it_fails(
    install: Install, tmp_path: Path
) -> None:
    install("raise RuntimeError('no luck')")
    (found,) = matching("odd")
    inner = found._replace(name="inner", value=f"{found.value}.inner", distribution="inner")
    write_metadata(tmp_path / "site", (inner,))

    results = results_of("inner")

    assert results["the module of its entry point is there"].state == "left out"
    assert list(failed(results))[-1] == "it can be imported"


def test_a_plugin_that_imports_the_host_is_told_so(install: Install) -> None:
    result = results_of(install("import agenthost.folders\n" + GOOD))["it can be imported"]

    assert result.state == "passed"
    assert "It imports agenthost: agenthost.folders" in result.notes[0]
    assert "a plugin stands on agenthost-sdk alone" in result.notes[0]
