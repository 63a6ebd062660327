"""Write distributions into a folder as an installer leaves them, and call the command line."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from textwrap import dedent
from typing import Any

#: A plugin with one tool; %(tool)s and %(activity)s are to be filled in.
PLUGIN = """
from agenthost_sdk import BaseTool, activity, hookimpl

class %(tool)s(BaseTool):
    '''Answer a greeting.'''

    @activity(read_only=True)
    def %(activity)s(self, name: str) -> str:
        '''Say hello.

        Args:
            name: Whom to greet.
        '''
        return f"Hello {name}"

@hookimpl
def agenthost_tools():
    return [%(tool)s]
"""


def plugin_code(tool: str = "Greeter", activity: str = "hello") -> str:
    """Return the code of a plugin that works."""
    return PLUGIN % {"tool": tool, "activity": activity}


class Site:
    """A folder on the path in which distributions are installed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def install(
        self,
        name: str,
        code: str | None,
        *,
        distribution: str = "",
        version: str = "1.0",
        value: str = "",
        points: str = "",
        requires: str = "",
    ) -> Path:
        """Write a plugin of one module and its metadata; return the module's file.

        Args:
            name: The entry point's name; the module is called `plugin_NAME`.
            code: What the module holds; None leaves it out.
            distribution: The distribution's name, where it is not `agenthost-plugin-NAME`.
            version: The distribution's version.
            value: The entry point's value, where it is not the module.
            points: The whole of entry_points.txt, where it is another.
            requires: A distribution that it asks for.
        """
        distribution = distribution or f"agenthost-plugin-{name}"
        module = self.folder / f"plugin_{distribution.replace('-', '_')}_{name}.py"
        if code is not None:
            module.write_text(dedent(code))
        metadata = self._metadata(distribution, version)
        metadata.mkdir()
        (metadata / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n"
            + (f"Requires-Dist: {requires}\n" if requires else "")
        )
        points = points or f"[agenthost]\n{name} = {value or module.stem}\n"
        (metadata / "entry_points.txt").write_text(points)
        return module

    def uninstall(self, name: str, *, distribution: str = "", version: str = "1.0") -> None:
        """Take a distribution's metadata away again."""
        shutil.rmtree(self._metadata(distribution or f"agenthost-plugin-{name}", version))

    def _metadata(self, distribution: str, version: str) -> Path:
        return self.folder / f"{distribution.replace('-', '_')}-{version}.dist-info"


@dataclass(frozen=True)
class Result:
    """What a command wrote and returned."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The standard output as JSON."""
        return json.loads(self.out)


@dataclass
class CommandLine:
    """Calls `python -m agenthost` in a home of its own, with what is installed in a site."""

    home: Path
    site: Site
    #: Further environment variables; an empty text removes one.
    environment: dict[str, str] = field(default_factory=dict)

    def __call__(self, *arguments: str, input: str = "", **environment: str) -> Result:
        """Run a command to its end."""
        done = subprocess.run(
            [sys.executable, "-m", "agenthost", *arguments],
            input=input,
            capture_output=True,
            text=True,
            encoding="utf-8",
            env=self.variables(environment),
            cwd=self.home,
            timeout=120,
            check=False,
        )
        return Result(done.returncode, done.stdout, done.stderr)

    def variables(self, further: dict[str, str] | None = None) -> dict[str, str]:
        """Return the environment that the command sees."""
        clean = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("AGENTHOST_", "XDG_")) and not name.endswith("_API_KEY")
        }
        clean |= {
            "AGENTHOST_HOME": str(self.home),
            "PYTHONPATH": str(self.site.folder),
            "PYTHONIOENCODING": "utf-8",
        }
        return clean | self.environment | (further or {})

    @classmethod
    def with_plugins(cls, place: Path, plugins: Mapping[str, str]) -> CommandLine:
        """Return one whose plugins are installed, and were asked already what they contribute.

        Args:
            place: A folder of its own.
            plugins: The code of each plugin by its name.
        """
        line = cls(place / "home", Site(place / "site"))
        line.home.mkdir()
        for name, code in plugins.items():
            line.site.install(name, code)
        line("tools", "list")
        return line

    def in_home(self, home: Path) -> CommandLine:
        """Return one with the same plugins in a new home, where what they answered is known."""
        shutil.copytree(self.home, home)
        return replace(self, home=home, environment=dict(self.environment))

    @contextmanager
    def lent(self) -> Iterator[CommandLine]:
        """Lend it to a test that changes no setting, which is seen to when it comes back."""
        yield replace(self, environment=dict(self.environment))
        assert not (self.home / "agenthost.toml").exists(), (
            "settings were written; others share them"
        )
