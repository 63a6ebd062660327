"""Measure the start-up: the help and a listing, as multiples of `python -c "import click"`.

    python tests/benchmarks/startup.py [--rounds 15] [--plugins 0 10 50 200]

For each number of plugins there is a real environment with the host's wheels, and the plugins
beside them as an installer leaves them. The catalog is warm and modules are compiled, as they are
for everybody after the first call. CPU time is counted, all commands take turns in each round,
and the fastest of the rounds stands for each, so that other work on the machine disturbs little.

It exits with 1 where a goal is missed: both commands at most 1.4 times the bare import, and under
150 modules; the listing with the most plugins at most 1.3 times the same with the fewest;
`import agenthost` under 0.25 s of CPU, the interpreter's own start included, and 250 modules.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.installed import InstalledHost
from support.sites import Site, plugin_code
from support.wheelhouse import Wheelhouse

#: The goals: against the bare import, and with plugins against without.
MOST_TIMES, MOST_TIMES_WITH_PLUGINS, MOST_MODULES = 1.4, 1.3, 150

#: What `import agenthost` stays under.
IMPORT_SECONDS, IMPORT_MODULES = 0.25, 250

COMMANDS = {"--help": ["--help"], "tools list": ["tools", "list"]}

_COUNT = (
    "import os, sys; from agenthost.cli import main; sys.stdout = open(os.devnull, 'w');"
    " code = main(sys.argv[1:]); print(len(sys.modules), file=sys.stderr); sys.exit(code)"
)
_IMPORT = "import agenthost, sys; print(len(sys.modules), file=sys.stderr)"


@dataclass(frozen=True)
class Installation:
    """A host that is installed with a number of plugins."""

    plugins: int
    host: InstalledHost
    #: The CPU time of the first listing, which asks the plugins.
    first: float

    @classmethod
    def make(cls, wheelhouse: Wheelhouse, place: Path, plugins: int) -> Installation:
        """Install the host and the plugins below a folder, and ask these once."""
        place.mkdir()
        host = InstalledHost(wheelhouse.environment(place / "venv", "agenthost"), place)
        where = "import sysconfig; print(sysconfig.get_path('purelib'), end='')"
        site = Site(Path(host.run([host.environment.python, "-c", where]).out))
        for number in range(plugins):
            site.install(f"p{number:03}", plugin_code(f"Tool{number:03}"))
        host("--version")  # compiles what every command imports, and asks no plugin
        return cls(plugins, host, _cpu([str(host.program), *COMMANDS["tools list"]], host))

    def commands(self) -> dict[str, list[str]]:
        """Return what is measured in it, by name."""
        python = str(self.host.environment.python)
        ours = {name: [str(self.host.program), *given] for name, given in COMMANDS.items()}
        bare = {"import click": [python, "-c", "import click"]}
        return {**bare, **ours, "import agenthost": [python, "-c", _IMPORT]}

    def modules(self, *arguments: str) -> int:
        """Return how many modules a command has imported when it is done."""
        return self._counted(_COUNT, *arguments)

    def modules_of_import(self) -> int:
        """Return how many modules `import agenthost` imports."""
        return self._counted(_IMPORT)

    def _counted(self, code: str, *arguments: str) -> int:
        done = self.host.run([self.host.environment.python, "-c", code, *arguments])
        if done.code != 0:
            raise RuntimeError(done.err)
        return int(done.err.splitlines()[-1])


def main() -> int:
    """Print a line for each number of plugins and a line for each missed goal."""
    options = _options()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        wheelhouse = Wheelhouse.build(place / "wheels")
        made = [
            Installation.make(wheelhouse, place / f"with-{number}", number)
            for number in options.plugins
        ]
        times = _measured(made, options.rounds)
        missed = [*_tell_commands(made, times), *_tell_import(made[0], times[0])]
    for line in missed:
        print(f"MISSED: {line}")
    return 1 if missed else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--plugins", type=int, nargs="+", default=[0, 10, 50, 200])
    return parser.parse_args()


def _tell_commands(
    made: Sequence[Installation], times: Sequence[dict[str, float]]
) -> Iterator[str]:
    """Print the table; yield each goal that is missed."""
    print("plugins  import click  command      CPU     times  modules  against fewest  first")
    for installation, taken in zip(made, times, strict=True):
        for name, given in COMMANDS.items():
            ratio = taken[name] / taken["import click"]
            growth = taken[name] / times[0][name]
            modules = installation.modules(*given)
            print(
                f"{installation.plugins:7}  {taken['import click'] * 1000:9.1f} ms  {name:10}"
                f"  {taken[name] * 1000:4.1f} ms  {ratio:5.2f}  {modules:7}  {growth:14.2f}"
                f"  {installation.first:4.1f} s"
            )
            told = f"{name} with {installation.plugins} plugins"
            if ratio > MOST_TIMES:
                yield f"{told}: {ratio:.2f} times the bare import, at most {MOST_TIMES}"
            if modules >= MOST_MODULES:
                yield f"{told}: {modules} modules, under {MOST_MODULES}"
            if name == "tools list" and growth > MOST_TIMES_WITH_PLUGINS:
                least = f"the same with {made[0].plugins}, at most {MOST_TIMES_WITH_PLUGINS}"
                yield f"{told}: {growth:.2f} times {least}"


def _tell_import(installation: Installation, taken: dict[str, float]) -> Iterator[str]:
    """Print what `import agenthost` costs; yield it where that is too much."""
    seconds, modules = taken["import agenthost"], installation.modules_of_import()
    told = (
        f"import agenthost: {seconds:.3f} s of CPU, under {IMPORT_SECONDS};"
        f" {modules} modules, under {IMPORT_MODULES}"
    )
    print(f"\n{told}")
    if seconds >= IMPORT_SECONDS or modules >= IMPORT_MODULES:
        yield told


def _measured(made: Sequence[Installation], rounds: int) -> list[dict[str, float]]:
    """Return the least CPU time of each command in each installation."""
    least = [dict.fromkeys(installation.commands(), float("inf")) for installation in made]
    for _ in range(rounds):
        for installation, taken in zip(made, least, strict=True):
            for name, command in installation.commands().items():
                taken[name] = min(taken[name], _cpu(command, installation.host))
    return least


def _cpu(command: Sequence[str], host: InstalledHost) -> float:
    before = _used()
    subprocess.run(
        command,
        env=host.environ(),
        cwd=host.home,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    return _used() - before


def _used() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    sys.exit(main())
