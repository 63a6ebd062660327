"""The plugin's README says what is so."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from agenthost import Agent
from agenthost_plugin_validators import Length, OneOf, Regex, agenthost_output_validators
from support.in_process import InProcess
from support.readme import ROOT, blocks

README = ROOT / "plugins" / "validators" / "README.md"

_SHOWN = re.compile(r"^\$ (echo .+?) \| agenthost (.+)\n((?:[^$].*\n)+)", re.MULTILINE)


def test_the_commands_shown_print_what_is_shown(command: InProcess) -> None:
    console = "".join(block.code for block in blocks(README, "console"))
    shown = [match.groups() for match in _SHOWN.finditer(console)]

    printed = [
        command(*shlex.split(line), input=f"{shlex.split(echo)[1]}\n").out
        for echo, line, _ in shown
    ]

    assert len(shown) == 4
    assert printed == [expected for *_, expected in shown]


def test_the_table_has_every_validator() -> None:
    told = re.findall(r"^\| `([\w-]+)` \|", README.read_text(encoding="utf-8"), re.MULTILINE)

    assert told == list(agenthost_output_validators())


def test_the_example_in_python_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENTHOST_HOME", str(tmp_path))
    [example] = blocks(README, "python")
    namespace: dict[str, object] = {}
    code = example.code.replace("agent(", "agent(model='local', ")

    exec(compile(code, "README", "exec"), namespace)

    agent = namespace["agent"]
    assert isinstance(agent, Agent)
    assert [type(one) for one in agent.setup.validators] == [Regex, Length, OneOf]
