"""Read the blocks of code in the README and in other Markdown files."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"

_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"# ([\w/.-]+\.\w+)\n")


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, and what stands in it."""

    language: str
    code: str

    @property
    def file(self) -> str:
        """The file that its first line names; "" where it names none."""
        named = _FILE.match(self.code)
        return named[1] if named else ""


def blocks(path: Path, language: str = "") -> list[Block]:
    """Return the fenced blocks of a file, of one language where that is given."""
    found = [Block(*match) for match in _BLOCK.findall(path.read_text(encoding="utf-8"))]
    return [block for block in found if language in ("", block.language)]


def write_plugin(folder: Path) -> Path:
    """Write the README's plugin as the README says; return the distribution's folder."""
    distribution = folder / "agenthost-plugin-inventory"
    for block in blocks(README):
        if block.file:
            path = distribution / block.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.code, encoding="utf-8")
    return distribution


def commands(path: Path) -> list[str]:
    """Return the lines of a file that a person types, without what comes before `agenthost`.

    One that stands within a line of the shell's own, as in `$(…)`, is left out.
    """
    shown = "".join(block.code for block in blocks(path, "console"))
    return re.findall(r"^\$ .*?(?<![\w/(-])agenthost (.*)$", shown, re.MULTILINE)
