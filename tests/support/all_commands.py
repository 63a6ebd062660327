"""Know every command of `agenthost`, and how to call it so that it does what it is for."""

from __future__ import annotations

from collections.abc import Iterator

import click

from agenthost.cli.root import COMMANDS, cli

#: A plugin that the calls are about.
CLERK = """
import time
from agenthost_sdk import BaseOutputValidator, BaseTool, Verdict, activity, hookimpl
from agenthost_sdk.testing import ScriptedDriver

class Clerk(BaseTool):
    '''Do what a clerk does.'''

    @activity(read_only=True)
    def greet(self, name: str) -> str:
        '''Say hello.

        Args:
            name: Whom to greet.
        '''
        return f"Hello {name}"

    @activity(read_only=True)
    def wait(self, mark: str) -> None:
        '''Take long.

        Args:
            mark: A file that is made when it has begun.
        '''
        open(mark, "w").close()
        time.sleep(60)

class Kind(BaseOutputValidator):
    '''Ask for a kind word.'''

    def validate(self, output):
        return Verdict.accept()

class Model(ScriptedDriver):
    '''Say hello.'''

    key_env = "CLERK_API_KEY"

    def __init__(self, **options):
        super().__init__(["Hello."], **options)

@hookimpl
def agenthost_tools():
    return [Clerk]

@hookimpl
def agenthost_output_validators():
    return {"kind": Kind}

@hookimpl
def agenthost_prompt_drivers():
    return {"clerk": Model}
"""

#: What makes each command print data; where it would change an environment, what it says of what
#: cannot be.
CALLS: dict[str, tuple[str, ...]] = {
    "run": ("-m", "clerk", "Hello?"),
    "tools list": (),
    "tools show": ("Clerk",),
    "tools schema": ("Clerk",),
    "tools call": ("Clerk_greet", '{"name": "Ada"}'),
    "drivers list": (),
    "drivers show": ("clerk",),
    "validators list": (),
    "validators run": ("kind", "answer.txt"),
    "dialects list": (),
    "plugins list": (),
    "plugins show": ("clerk",),
    "plugins install": ("./no-such-plugin",),
    "plugins upgrade": ("no-such-plugin",),
    "plugins uninstall": ("no-such-plugin",),
    "plugins sync": ("--dry-run",),
    "plugins enable": ("clerk",),
    "plugins disable": ("clerk",),
    "plugins new": ("weather",),
    "plugins check": ("./no-such-plugin",),
    "config show": (),
    "config get": ("limits.max_subtasks",),
    "config set": ("limits.max_subtasks", "3"),
    "config path": (),
    "keys list": (),
    "keys set": ("clerk", "-"),
    "keys remove": ("clerk",),
    "paths": (),
    "doctor": (),
}

#: These end in an error when they are called as above.
FAILING = {
    "plugins install",
    "plugins upgrade",
    "plugins uninstall",
    "plugins check",
    "keys remove",
}

#: These print what is no data: a script for a shell.
NO_DATA = {"completion": ("bash",)}


def leaves() -> Iterator[tuple[str, click.Command]]:
    """Yield the path of each command of our own, and the command."""
    root = click.Context(cli)
    for row in (row for rows in COMMANDS.values() for row in rows):
        command = cli.get_command(root, row.name)
        assert command is not None
        if not isinstance(command, click.Group):
            yield row.name, command
            continue
        inner = click.Context(command, parent=root)
        for name in command.list_commands(inner):
            found = command.get_command(inner, name)
            assert found is not None
            yield f"{row.name} {name}", found


#: The path of each command, such as "tools list".
PATHS = [path for path, _ in leaves()]
