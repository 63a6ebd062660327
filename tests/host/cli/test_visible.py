"""What a model or a tool says cannot steer the terminal, and is whole in a pipe."""

from __future__ import annotations

import sys

import pytest

from agenthost.cli.visible import visible
from support.on_terminal import on_terminal
from support.sites import CommandLine, Site

SPEAKER = """
from agenthost_sdk import BaseTool, ToolError, activity, hookimpl

class Speaker(BaseTool):
    '''Say something odd.'''

    @activity(read_only=True)
    def say(self) -> str:
        '''Say it.'''
        return "\\x1b]0;title\\x07red\\x1b[31m\\ttab\\nline \\u202egnp.exe\\x9b"

    @activity(read_only=True)
    def fail(self) -> str:
        '''Fail.'''
        raise ToolError("no \\x1b[2J luck")

@hookimpl
def agenthost_tools():
    return [Speaker]
"""

SAID = "\x1b]0;title\x07red\x1b[31m\ttab\nline \u202egnp.exe\x9b"


def test_control_characters_are_shown_and_lines_are_kept() -> None:
    shown = visible(SAID)

    assert shown == r"\x1b]0;title\x07red\x1b[31m" + "\ttab\nline " + r"\u202egnp.exe\x9b"
    assert visible("ordinary: é 日本 🙂\n") == "ordinary: é 日本 🙂\n"


def test_a_pipe_gets_what_the_tool_said(site: Site, agenthost: CommandLine) -> None:
    site.install("speaker", SPEAKER)

    assert agenthost("tools", "call", "Speaker_say").out == f"{SAID}\n"


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_a_terminal_is_not_steered(site: Site, agenthost: CommandLine) -> None:
    site.install("speaker", SPEAKER)

    said = on_terminal(agenthost, "--color=never", "tools", "call", "Speaker_say")
    failed = on_terminal(agenthost, "--color=never", "tools", "call", "Speaker_fail", code=1)

    assert "\x1b" not in said + failed
    assert r"\x1b]0;title" in said
    assert r"no \x1b[2J luck" in failed
