"""Plugins with something wrong: what each does, and what is to be said of it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from support.sites import plugin_code

GOOD = "agenthost-plugin-good"
BAD = "agenthost-plugin-bad"
#: A distribution that comes behind the good one.
LAST = "agenthost-plugin-zebra"


@dataclass(frozen=True)
class Bad:
    """A plugin with something wrong, and what is said of it.

    Args:
        code: Its module; None where there is none.
        words: What stands in the line on stderr and in `plugins list`; "" where nothing is said.
        state: Its state in `plugins list`.
        raised: What ends the traceback that `--debug` shows; "" where there is none.
        name: The entry point's name.
        distribution: The distribution's name.
        points: The section of its entry points, where that is no ordinary one.
        seconds: How long plugins may take.
        requires: What its distribution asks for.
        variables: Variables of the environment that the command runs in.
    """

    code: str | None
    words: str
    state: str = "failed"
    raised: str = ""
    name: str = "bad"
    distribution: str = BAD
    points: str = ""
    seconds: str = "20"
    requires: str = ""
    variables: Mapping[str, str] = field(default_factory=dict)


HOOK = "from agenthost_sdk import BaseTool, activity, hookimpl\n"

#: What is wrong with its files, its module or its hooks; it does no more than that.
DEFINITIONS = {
    "import error": Bad(
        "import nothing_of_that_name",
        "needs the module 'nothing_of_that_name'",
        raised="ModuleNotFoundError",
    ),
    "syntax error": Bad("def broken(:\n", "line 1", raised="SyntaxError"),
    "raises at import": Bad(
        "raise RuntimeError('no luck')", "RuntimeError: no luck", raised="RuntimeError: no luck"
    ),
    "exits at import": Bad(
        "import sys\nsys.exit(7)", "ends the process while it is imported", raised="SystemExit: 7"
    ),
    "missing module": Bad(None, "there is no module", raised="ModuleNotFoundError"),
    "missing attribute": Bad(
        "", "has no attribute 'plugin'", raised="AttributeError", points="bad = json:plugin"
    ),
    "unknown hook argument": Bad(
        HOOK + "@hookimpl\ndef agenthost_tools(nonsense):\n    return []",
        "agenthost_tools has the wrong signature",
        raised="PluginValidationError",
    ),
    "another hook raises": Bad(
        HOOK + "@hookimpl\ndef agenthost_prompt_drivers():\n    raise KeyError('city')",
        "agenthost_prompt_drivers raised KeyError: 'city'",
        raised="KeyError: 'city'",
    ),
    "the tools hook raises": Bad(
        HOOK + "@hookimpl\ndef agenthost_tools():\n    raise ValueError('no tools today')",
        "agenthost_tools raised ValueError: no tools today",
        raised="ValueError: no tools today",
    ),
    "tool without schema": Bad(
        HOOK
        + "from typing import Any\n"
        + "class Odd(BaseTool):\n    @activity\n"
        + "    def take(self, thing: 'NoSuchType') -> str:\n        return ''\n"
        + "@hookimpl\ndef agenthost_tools():\n    return [Odd]",
        "tool Odd cannot be used",
        raised="SchemaError",
    ),
    "prints at import": Bad(
        "print('hello from import')\n" + plugin_code("Loud"), "prints while it is loaded", "ok"
    ),
    "same entry-point name": Bad(
        plugin_code("Other"),
        "has the name 'good' too",
        "conflict",
        name="good",
        distribution=LAST,
    ),
    "command that is no hook": Bad(
        HOOK + "@hookimpl\ndef agenthost_command(cli):\n    cli.add_command(None)",
        "agenthost_command, which is no hook",
    ),
    "the commands hook raises": Bad(
        HOOK + "@hookimpl\ndef agenthost_commands():\n    raise KeyError('city')",
        "agenthost_commands raised KeyError: 'city'",
        raised="KeyError",
    ),
    "command shadows a built-in": Bad(
        HOOK
        + "import click\n@click.command()\ndef tools(): click.echo('HIJACKED')\n"
        + "@hookimpl\ndef agenthost_commands():\n    return [tools]",
        "its command 'tools' is left out, since agenthost has that one itself",
        "conflict",
    ),
    "made for another host": Bad(
        plugin_code("Past"),
        "it was made for an earlier host: it asks for agenthost-sdk <0.0.1",
        "incompatible",
        requires="agenthost-sdk<0.0.1",
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
        distribution=LAST,
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
        distribution=LAST,
    ),
    "no hook at all": Bad("x = 1", "implements no hook"),
    "half a driver": Bad(
        HOOK
        + "from agenthost_sdk import BasePromptDriver\n"
        + "class Half(BasePromptDriver):\n    def try_run(self, stack): ...\n"
        + "@hookimpl\ndef agenthost_prompt_drivers():\n    return {'half': Half}",
        "'half' cannot be used: TypeError: it lacks try_stream",
        raised="TypeError",
    ),
    "half a validator": Bad(
        HOOK
        + "from agenthost_sdk import BaseOutputValidator\n"
        + "class Half(BaseOutputValidator): ...\n"
        + "@hookimpl\ndef agenthost_output_validators():\n    return {'half': Half}",
        "'half' cannot be used: TypeError: it lacks validate",
        raised="TypeError",
    ),
    "one listener in place of a list": Bad(
        HOOK + "@hookimpl\ndef agenthost_event_listeners():\n    return print",
        "it must return a list",
    ),
    "entry point that names a class": Bad(
        "", "name that alone: 'json'", points="bad = json:JSONDecoder"
    ),
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
        raised="NativeNameError",
    ),
    "an interrupt at import": Bad(
        "raise KeyboardInterrupt",
        "its import raised KeyboardInterrupt",
        raised="KeyboardInterrupt",
    ),
    "a strange exception at import": Bad(
        "class Strange(BaseException): pass\nraise Strange('odd')",
        "its import raised Strange: odd",
        raised="Strange: odd",
    ),
    "a strange exception in a hook": Bad(
        HOOK + "@hookimpl\ndef agenthost_tools():\n    raise GeneratorExit",
        "agenthost_tools raised GeneratorExit",
        raised="GeneratorExit",
    ),
    "an exception without words": Bad(
        "class Mute(Exception):\n    def __str__(self): raise self\nraise Mute",
        "cannot be imported: Mute",
        raised="Mute",
    ),
    "recursion without end": Bad(
        "def deeper(): deeper()\ndeeper()", "RecursionError", raised="RecursionError"
    ),
    "warns where warnings are errors": Bad(
        "import warnings\nwarnings.warn('old', DeprecationWarning)\n" + plugin_code("Old"),
        "DeprecationWarning: old",
        raised="DeprecationWarning: old",
        variables={"PYTHONWARNINGS": "error"},
    ),
}

#: What it does to the process that it is imported in; the rest of it may be sound.
DEEDS = {
    "exits hard at import": Bad(
        "import os\nos._exit(3)", "its import ended the process with exit"
    ),
    "exits hard as if all were well": Bad(
        "import os\nos._exit(0)", "its import ended the process with exit"
    ),
    "crashes at import": Bad(
        "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)", "crashed the interpreter"
    ),
    "kills itself": Bad(
        "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)", "(signal SIGKILL)"
    ),
    "takes too long to import": Bad(
        "import time\ntime.sleep(60)\n" + plugin_code("Slow"),
        "its import did not finish within 1 s",
        seconds="1",
    ),
    "takes too long and ignores signals": Bad(
        "import signal, time\nfor each in (signal.SIGTERM, signal.SIGINT, signal.SIGALRM):\n"
        + "    signal.signal(each, signal.SIG_IGN)\n"
        + "while True:\n    time.sleep(60)\n",
        "its import did not finish within 1 s",
        seconds="1",
    ),
    "takes 5 s to import": Bad(
        "import time\ntime.sleep(5)\n" + plugin_code("Slow"),
        "while it is loaded, it takes ",
        "ok",
    ),
    "hangs in a hook": Bad(
        HOOK + "import time\n@hookimpl\ndef agenthost_tools():\n    time.sleep(60)",
        "agenthost_tools did not finish within 1 s",
        seconds="1",
    ),
    "starts a thread": Bad(
        "import threading, time\n"
        + "threading.Thread(target=time.sleep, args=(60,)).start()\n"
        + plugin_code("Threaded"),
        "while it is loaded, it starts a thread;",
        "ok",
    ),
    "starts a daemon thread": Bad(
        "import threading\n"
        + "threading.Thread(target=lambda: [print(end='') for _ in iter(int, 1)],"
        + " daemon=True).start()\n"
        + plugin_code("Threaded"),
        "while it is loaded, it starts a thread;",
        "ok",
    ),
    "leaves a child behind": Bad(
        "import os, time\nif os.fork() == 0:\n    time.sleep(20)\n    os._exit(0)\n"
        + plugin_code("Parent"),
        "it starts a process;",
        "ok",
    ),
    "leaves a daemon behind": Bad(
        "import os, time\nif os.fork() == 0:\n    os.setsid()\n"
        + "    time.sleep(20)\n    os._exit(0)\n"
        + plugin_code("Daemonic"),
        "it starts a process;",
        "ok",
    ),
    "changes the folder": Bad(
        "import os\nos.chdir('/')\n" + plugin_code("Roaming"),
        "it changes the working directory;",
        "ok",
    ),
    "patches json": Bad(
        "import json\njson.dumps = json.loads = lambda *a, **k: 1 / 0\n"
        + "json.JSONEncoder = json.JSONDecoder = None\n"
        + plugin_code("Patching"),
        "it replaces json.",
        "ok",
    ),
    "replaces the output": Bad(
        "import sys, io\nsys.stdout = io.StringIO()\nsys.stderr = None\n" + plugin_code("Mute"),
        "it replaces a standard stream;",
        "ok",
    ),
    "closes the output": Bad(
        "import os\nos.close(1)\n" + plugin_code("Closing"), "it closes a standard stream;", "ok"
    ),
    "closes every file": Bad(
        "import os\nos.closerange(0, 256)\n" + plugin_code("Closing"), "its import "
    ),
    "writes past Python": Bad(
        "import os\nos.write(1, b'hello ')\nos.write(2, b'hello ')\n" + plugin_code("Raw"),
        "prints while it is loaded",
        "ok",
    ),
    "handles signals": Bad(
        "import signal\n"
        + "for each in (signal.SIGTERM, signal.SIGINT, signal.SIGALRM, signal.SIGCHLD):\n"
        + "    signal.signal(each, signal.SIG_IGN)\n"
        + plugin_code("Signalling"),
        "it handles SIG",
        "ok",
    ),
    "prints and raises at the exit": Bad(
        "import atexit\natexit.register(print, 'bye')\natexit.register(lambda: 1 / 0)\n"
        + plugin_code("Leaving"),
        "",
        "ok",
    ),
    "makes warnings errors": Bad(
        "import warnings\nwarnings.simplefilter('error')\n" + plugin_code("Strict"), "", "ok"
    ),
    "allocates a gigabyte": Bad(
        "hoard = b'x' * (1 << 30)\n" + plugin_code("Hoarder"), " MB;", "ok"
    ),
}

#: Those that need what only POSIX has.
_OF_POSIX = (
    "crashes at import",
    "kills itself",
    "leaves a child behind",
    "leaves a daemon behind",
    "takes too long and ignores signals",
    "handles signals",
)


def possible(cases: Mapping[str, Bad]) -> dict[str, Bad]:
    """Return the cases that can be made on this machine."""
    is_posix = hasattr(os, "fork")
    return {name: bad for name, bad in cases.items() if is_posix or name not in _OF_POSIX}
