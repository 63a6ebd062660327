"""Activities run in an executor where one is named: of threads, of processes, of a plugin."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from agenthost import Host, Limits, PromptTask
from agenthost_sdk import BaseActionGuard, BaseTool, TextArtifact, activity
from agenthost_sdk.actions import ToolAction
from agenthost_sdk.artifacts import BaseArtifact
from agenthost_sdk.errors import DefinitionError, NotFoundError, PluginError
from agenthost_sdk.testing import ScriptedDriver, calls
from support.elsewhere import Where
from support.sites import CommandLine, Site


@pytest.fixture(scope="module")
def processes() -> Iterator[Executor]:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
        yield executor


def task(executor: Executor, *asked: str, **options: Any) -> PromptTask:
    driver = ScriptedDriver([calls(*((f"Where_{name}", {}) for name in asked)), "Done."])
    tools = [Where(prefix="in")]
    return PromptTask("?", tools=tools, prompt_driver=driver, executor=executor, **options)


def test_activities_run_in_another_process_with_the_tools_options(processes: Executor) -> None:
    run = task(processes, "process", "awaited", "fail").run()

    first, second, third = (action.output for action in run.subtasks[0].actions)
    assert str(first) == str(second)
    assert str(first).startswith("in ")
    assert str(first) != f"in {os.getpid()}"
    assert "ValueError: no luck" in str(third)


def test_an_awaited_run_does_the_same(processes: Executor) -> None:
    run = asyncio.run(task(processes, "process", "awaited").arun())

    first, second = (str(action.output) for action in run.subtasks[0].actions)
    assert first == second != f"in {os.getpid()}"


def test_what_cannot_be_sent_is_an_error_of_that_action_alone(processes: Executor) -> None:
    class Local(BaseTool):
        """No other process can find this class."""

        @activity(read_only=True)
        def run_here(self) -> str:
            """Run."""
            return "here"

    asked = calls(("Local_run_here", {}), ("Where_process", {}))
    driver = ScriptedDriver([asked, "Done."])
    run = PromptTask("?", tools=[Local(), Where()], prompt_driver=driver, executor=processes).run()

    lost, found = (str(action.output) for action in run.subtasks[0].actions)
    assert "Local_run_here could not be run by the executor" in lost
    assert found.startswith("at ")


UNFOUND = """
from agenthost_sdk import BaseTool, activity

class Unfound(BaseTool):
    '''A tool of a module that only this process has.'''

    @activity(read_only=True)
    def look(self) -> str:
        '''Look.'''
        return "seen"
"""


def test_what_cannot_be_read_there_is_an_error_of_that_action_and_the_pool_lives(
    processes: Executor, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = ModuleType("module_of_this_process_alone")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(UNFOUND, vars(module))
    driver = ScriptedDriver([calls(("Unfound_look", {}), ("Where_process", {})), "Done."])
    tools = [vars(module)["Unfound"](), Where()]

    run = PromptTask("?", tools=tools, prompt_driver=driver, executor=processes).run()

    lost, found = (str(action.output) for action in run.subtasks[0].actions)
    assert "Unfound_look could not be run by the executor: ModuleNotFoundError" in lost
    assert found.startswith("at ")


@pytest.mark.parametrize("awaited", [False, True])
def test_a_time_limit_holds_there_too(awaited: bool) -> None:
    executor = ThreadPoolExecutor(2, "pool")
    waiting = task(executor, "wait", "thread")

    run = asyncio.run(waiting.arun()) if awaited else waiting.run()

    late, named = (str(action.output) for action in run.subtasks[0].actions)
    assert "did not finish within" in late
    assert named.startswith("pool")
    executor.shutdown(wait=False, cancel_futures=True)


def test_a_guard_looks_at_what_comes_from_there() -> None:
    class Hush(BaseActionGuard):
        """Say nothing."""

        def after(self, action: ToolAction, output: BaseArtifact) -> BaseArtifact:
            return TextArtifact("hush")

    with ThreadPoolExecutor(1) as executor:
        run = task(executor, "thread", guards=[Hush()]).run()

    assert str(run.subtasks[0].actions[0].output) == "hush"


def test_an_executor_that_was_shut_down_answers_each_action() -> None:
    executor = ThreadPoolExecutor(1)
    executor.shutdown()

    run = task(executor, "thread", limits=Limits(max_subtasks=1)).run()

    assert "could not be run by the executor" in str(run.subtasks[0].actions[0].output)


def test_what_is_no_executor_is_refused() -> None:
    with pytest.raises(DefinitionError, match="executor is 'processes'"):
        task("processes", "thread")  # type: ignore[arg-type]


PLUGIN = """
import threading
from concurrent.futures import ThreadPoolExecutor
from agenthost_sdk import BaseTool, activity, hookimpl

class Thread(BaseTool):
    '''Tell the thread.'''

    @activity(read_only=True)
    def name_of(self) -> str:
        '''Tell the thread's name.'''
        return threading.current_thread().name

def pool():
    '''Threads of a pool.'''
    return ThreadPoolExecutor(1, "of-the-plugin")

@hookimpl
def agenthost_tools():
    return [Thread]

@hookimpl
def agenthost_executors():
    return {"pool": pool, "nothing": lambda: 3}
"""


def test_a_host_makes_the_executor_of_a_plugin_once_and_shuts_it_down(
    installed: Site, tmp_path: Path
) -> None:
    installed.install("pool", PLUGIN)

    with Host(tmp_path) as host:
        driver = ScriptedDriver([calls(("Thread_name_of", {})), "Done."])
        agent = host.agent("?", tools=["Thread"], prompt_driver=driver, executor="pool")
        run = agent.run()
        kept = host.executor("pool")
        assert kept is host.executor("pool")

    assert str(run.subtasks[0].actions[0].output).startswith("of-the-plugin")
    with pytest.raises(RuntimeError, match="after shutdown"):
        kept.submit(int)


def test_an_unknown_executor_and_one_that_cannot_be_made_are_named(
    installed: Site, tmp_path: Path
) -> None:
    installed.install("pool", PLUGIN)
    host = Host(tmp_path)

    with pytest.raises(NotFoundError, match="Did you mean 'pool'"):
        host.executor("pol")
    with pytest.raises(PluginError, match="executor 'nothing' cannot be made: TypeError"):
        host.executor("nothing")


def test_the_settings_name_an_executor(site: Site, agenthost: CommandLine) -> None:
    site.install("pool", PLUGIN)

    missing = agenthost("run", "--executor", "pol", "-m", "local", "?")
    shown = agenthost("plugins", "list", "--json").json["data"]

    assert missing.code == 4
    assert "no executor 'pol'" in missing.err.lower() or "'pool'" in missing.err
    [row] = [row for row in shown if row["name"] == "pool"]
    assert row["executors"] == ["pool", "nothing"]
