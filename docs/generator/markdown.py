"""Turn docstrings into Markdown: indented blocks become fenced ones, sections become lists."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from itertools import groupby
from textwrap import dedent

#: The sections of a docstring in Google's style.
_SECTION = re.compile(r"(Args|Returns|Yields|Raises):")

#: The beginning of a row of a section: a name, and what is said of it.
_ROW = re.compile(r"(\*{0,2}\w[\w.]*): (.*)", re.DOTALL)


def to_markdown(docstring: str) -> str:
    """Return a docstring as Markdown."""
    return "\n\n".join(_paragraphs(inspect.cleandoc(docstring)))


def fenced(code: str, language: str = "python") -> str:
    """Return code as a fenced block."""
    return f"```{language}\n{code.strip(chr(10))}\n```"


def table(*rows: tuple[str, ...]) -> str:
    """Return rows as a table; the first one is its head."""
    head, *others = ([cell.replace("|", "\\|") for cell in row] for row in rows)
    lines = [head, ["---"] * len(head), *others]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def prose(text: str) -> str:
    """Return a text with what Markdown would take for HTML made harmless."""
    parts = re.split(r"(`[^`]*`)", " ".join(text.split()))
    return "".join(part if part.startswith("`") else part.replace("<", "\\<") for part in parts)


def _paragraphs(text: str) -> Iterator[str]:
    """Yield each paragraph, each indented block as code, and each section as a list."""
    lines = text.splitlines()
    for indented, group in groupby(_marked(lines), key=lambda pair: pair[0]):
        block = "\n".join(line for _, line in group).strip("\n")
        if not block.strip():
            continue
        if indented == "section":
            yield from _section(block)
        elif indented == "code":
            yield fenced(dedent(block), _language(block))
        else:
            yield from (prose(part) for part in re.split(r"\n\s*\n", block))


def _marked(lines: list[str]) -> Iterator[tuple[str, str]]:
    """Yield each line with what it is part of; an empty line is part of what stands before it."""
    kind = "prose"
    for line in lines:
        if _SECTION.fullmatch(line):
            kind = "section"
        elif line and not line.startswith(" "):
            kind = "prose"
        elif line and kind == "prose":
            kind = "code"
        yield kind, line


def _section(block: str) -> Iterator[str]:
    """Yield the heading of each section, and its rows as a list."""
    for part in re.split(r"^(?=\w+:$)", block, flags=re.MULTILINE):
        heading, _, rows = part.partition("\n")
        if heading:
            yield f"{heading.rstrip(':')}:"
            yield "\n".join(_rows(dedent(rows)))


def _rows(text: str) -> Iterator[str]:
    for row in re.split(r"\n(?=\S)", text.strip("\n")):
        named = _ROW.fullmatch(row.strip())
        yield f"- `{named[1]}`: {prose(named[2])}" if named else f"- {prose(row)}"


def _language(block: str) -> str:
    first = block.strip()
    if re.match(r"\[[\w.-]+\]$", first.splitlines()[0]) or re.match(r"\w+ += +[\"\d]", first):
        return "toml"
    if re.match(r"(agenthost|pip|python|echo|eval) ", first):
        return "sh"
    is_python = re.match(r"(from|import|class|def|async|@|with|for|#|globals|\w+ = |\w+\()", first)
    return "python" if is_python else "text"
