"""Measure the start-up: the help and a listing, as multiples of `python -c "import click"`.

    python tests/benchmarks/startup.py [--rounds 15] [--plugins 0 10 50 200]

Plugins are written as distributions into a temporary folder on the path. The catalog is warm and
modules are compiled, as they are for everybody after the first call. CPU time is counted, the
commands take turns, and the lower quartile stands for each, so that other work on the machine
disturbs little. Goals: 1.4 for both commands, and 1.3 for the listing with 200 plugins against
the same with none.

`import agenthost` comes last; it is to cost under 0.25 s of CPU, the interpreter's own start
included, and under 250 modules. Exits with 1 where it costs more.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.sites import CommandLine, Site, plugin_code

CLICK = [sys.executable, "-c", "import click"]
HELP = ["--help"]
LIST = ["tools", "list"]
IMPORT = [sys.executable, "-c", "import agenthost, sys; print(len(sys.modules))"]

#: What `import agenthost` stays under.
IMPORT_SECONDS, IMPORT_MODULES = 0.25, 250


def main() -> int:
    """Print a line for each number of plugins, and one for the import; say if that is cheap."""
    options = _options()
    print("plugins   click    --help         tools list      modules  first listing")
    bare: float | None = None
    for number in options.plugins:
        with tempfile.TemporaryDirectory() as folder:
            line = _installed(Path(folder), number)
            first = _cpu(_command(LIST), line.variables())
            commands = [CLICK, _command(HELP), _command(LIST)]
            click, help_, listing = _measured(commands, line.variables(), options.rounds)
            bare = bare or listing
            modules = _modules(line.variables())
            print(
                f"{number:7}  {click * 1000:4.0f} ms  {_ratio(help_, click)}  "
                f"{_ratio(listing, click)}  {modules:7}  {first:5.1f} s"
                f"   listing against none: {listing / bare:.2f}"
            )
    return _tell_import(options.rounds)


def _tell_import(rounds: int) -> int:
    variables = dict(os.environ)
    [seconds] = _measured([IMPORT], variables, rounds)
    done = subprocess.run(IMPORT, env=variables, stdout=subprocess.PIPE, text=True, check=True)
    modules = int(done.stdout)
    print(
        f"\nimport agenthost: {seconds:.3f} s of CPU, under {IMPORT_SECONDS};"
        f" {modules} modules, under {IMPORT_MODULES}"
    )
    return 0 if seconds < IMPORT_SECONDS and modules < IMPORT_MODULES else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--plugins", type=int, nargs="+", default=[0, 10, 50, 200])
    return parser.parse_args()


def _installed(folder: Path, number: int) -> CommandLine:
    site = Site(folder / "site")
    for count in range(number):
        site.install(f"p{count:03}", plugin_code(f"Tool{count:03}"))
    (folder / "home").mkdir()
    line = CommandLine(folder / "home", site)
    line.environment["PYTHONDONTWRITEBYTECODE"] = ""
    return line


def _command(arguments: Sequence[str]) -> list[str]:
    return [str(Path(sys.executable).parent / "agenthost"), *arguments]


def _measured(
    commands: Sequence[Sequence[str]], variables: dict[str, str], rounds: int
) -> list[float]:
    times: list[list[float]] = [[] for _ in commands]
    for _ in range(rounds):
        for command, taken in zip(commands, times, strict=True):
            taken.append(_cpu(command, variables))
    return [sorted(taken)[len(taken) // 4] for taken in times]


def _cpu(command: Sequence[str], variables: dict[str, str]) -> float:
    before = _used()
    subprocess.run(command, env=variables, stdout=subprocess.DEVNULL, check=True)
    return _used() - before


def _used() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _modules(variables: dict[str, str]) -> int:
    code = (
        "import os, sys; from agenthost.cli import main; sys.stdout = open(os.devnull, 'w');"
        " main(['tools', 'list']); print(len(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=variables,
        stderr=subprocess.PIPE,
        text=True,
        check=True,
        cwd=os.sep,
    )
    return int(done.stderr.splitlines()[-1])


def _ratio(taken: float, unit: float) -> str:
    return f"{taken * 1000:4.0f} ms ({taken / unit:.2f})"


if __name__ == "__main__":
    sys.exit(main())
