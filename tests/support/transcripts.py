"""Follow a page word for word: write its files, run its commands, and keep what they print."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from support.readme import Block, blocks

#: A command of a page, which a backslash carries on, and what is shown below it.
_COMMAND = re.compile(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)

#: What a step prints, between the marks that `_marked` puts round it.
_PRINTED = re.compile(r"^@@begin\n(.*?)\n@@end (\d+)$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Step:
    """What a reader does: type a command, or write a file.

    Args:
        command: What a shell is to do.
        shown: What the page shows below the command; "" where it shows nothing.
    """

    command: str
    shown: str = ""


@dataclass(frozen=True)
class Outcome:
    """What came of a step."""

    step: Step
    code: int
    printed: str

    @property
    def is_as_shown(self) -> bool:
        """Whether it printed what the page shows, where "…" stands for any text.

        A command fails where the page shows an error, and nowhere else.
        """
        shown = self.step.shown.strip()
        pattern = re.escape(shown).replace("…", ".*")
        fits = not shown or re.fullmatch(pattern, self.printed.strip(), re.DOTALL)
        return bool(fits) and ("Error: " in shown) == (self.code != 0)


def steps(page: Path) -> Iterator[Step]:
    """Yield what a page asks of its reader, in its order."""
    for block in blocks(page):
        if block.file:
            yield _file(block)
        elif block.language == "console":
            yield from (Step(*found) for found in _COMMAND.findall(block.code))


def follow(page: Iterable[Step], folder: Path, environ: Mapping[str, str]) -> list[Outcome]:
    """Do the steps in one shell, in a folder, and return what came of each."""
    listed = list(page)
    script = "\n".join(("exec 2>&1", *map(_marked, listed)))
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-c", script],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=dict(environ),
        cwd=folder,
        timeout=240,
        check=False,
    )
    found = _PRINTED.findall(done.stdout)
    assert len(found) == len(listed), done.stdout
    pairs = zip(listed, found, strict=True)
    return [Outcome(step, int(code), printed) for step, (printed, code) in pairs]


def _file(block: Block) -> Step:
    path = shlex.quote(block.file)
    return Step(f"mkdir -p $(dirname {path}) && cat >{path} <<'@@file'\n{block.code}@@file")


def _marked(step: Step) -> str:
    """Return a step for the shell, with marks round what it prints and nothing to read."""
    return f"echo @@begin\n{{ {step.command}\n}} </dev/null\ncode=$?\necho\necho @@end $code"
