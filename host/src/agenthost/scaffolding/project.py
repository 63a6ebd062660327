"""The files of a new plugin: which there are, and what stands in them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import importlib_metadata

from agenthost.scaffolding.names import PluginNames

if TYPE_CHECKING:
    import jinja2

#: What a plugin can be begun with, in the order in which its files name them.
KINDS = ("tool", "validator", "driver", "dialect")

#: Licences that are offered by their SPDX names.
LICENSES = ("Apache-2.0", "BSD-3-Clause", "GPL-3.0-or-later", "MIT", "MPL-2.0")

#: An author as the metadata of distributions take one: a name, an address, or both.
_AUTHOR = re.compile(r"(?P<name>[^<>@]+)?(?:<(?P<email>[^<>\s]+@[^<>\s]+)>)?")

_SDK = "agenthost-sdk"

#: As pyproject.toml of the plugin has it for ruff.
_LINE_LENGTH = 99


class _File(NamedTuple):
    """A file of the project and the template that it is made of."""

    path: str
    template: str


#: A template has another name than its file where tools would take it for one of ours.
_ALWAYS = (
    _File("pyproject.toml", "pyproject.toml"),
    _File("README.md", "README.md"),
    _File(".gitignore", "gitignore"),
    _File(".github/workflows/ci.yml", "ci.yml"),
    _File("src/{module}/__init__.py", "package.py"),
    _File("src/{module}/py.typed", "py.typed"),
    _File("tests/test_plugin.py", "tests/plugin.py"),
)


@dataclass(frozen=True)
class Project:
    """A plugin that is to be begun.

    Args:
        names: What it is called.
        kinds: What it contributes at first, of `KINDS`.
        description: The line that indexes and READMEs show; a plain one where it is "".
        author: "Name", "Name <address>" or ""; it goes into the metadata.
        license: An SPDX name, or "" where that is left open.

    Raises:
        ValueError: A text that does not fit into one line of metadata.
    """

    names: PluginNames
    kinds: tuple[str, ...] = ("tool",)
    description: str = ""
    author: str = ""
    license: str = ""

    def __post_init__(self) -> None:
        for what, text in (("description", self.description), ("author", self.author)):
            if not text.isprintable():
                raise ValueError(f"The {what} is {text!r}; it must be one line of plain text.")
        if not _AUTHOR.fullmatch(self.author):
            raise ValueError(
                f"The author is {self.author!r}; write a name, or `Name <name@example.org>`."
            )

    def files(self) -> dict[str, str]:
        """Return the text of each file by its path, with "/" between folders."""
        given = self._variables()
        return {
            file.path.format(module=self.names.module): _template(file.template).render(given)
            for file in self._listed()
        }

    def _listed(self) -> Iterator[_File]:
        yield from _ALWAYS
        for kind in self.ordered:
            yield _File(f"src/{{module}}/{kind}.py", f"{kind}.py")
            yield _File(f"tests/test_{kind}.py", f"tests/{kind}.py")

    @property
    def ordered(self) -> list[str]:
        """The kinds, each once, in the order in which the files name them."""
        return [kind for kind in KINDS if kind in self.kinds]

    def _variables(self) -> dict[str, Any]:
        return {
            "names": self.names,
            "imported": self._imported,
            "kinds": self.ordered,
            "description": self.description or _described(self.ordered),
            "author": _author_fields(self.author),
            "license": self.license,
            "line_length": _LINE_LENGTH,
            "sdk_range": sdk_range(importlib_metadata.version(_SDK)),
        }

    def _imported(self, module: str, name: str) -> str:
        """Return the import of a name from a module of the plugin, broken as ruff breaks it."""
        start = f"from {self.names.module}.{module} import "
        fits = len(start + name) <= _LINE_LENGTH
        return start + (name if fits else f"(\n    {name},\n)")


def sdk_range(version: str) -> str:
    """Return which versions of the sdk a plugin is for that was begun with this one.

    Before 1.0 each minor version may change what plugins build on, afterwards each major one.
    """
    major, minor = (int(number) for number in re.findall(r"\d+", f"{version}.0")[:2])
    below = f"0.{minor + 1}" if major == 0 else f"{major + 1}"
    is_release = re.fullmatch(r"\d+(\.\d+)*(\.post\d+)?", version)
    least = f"{major}.{minor}" if is_release else version
    return f">={least},<{below}"


def _author_fields(author: str) -> dict[str, str]:
    found = _AUTHOR.fullmatch(author)
    given = found.groupdict(default="") if found else {}
    return {part: text.strip() for part, text in given.items() if text.strip()}


def _described(kinds: list[str]) -> str:
    *others, last = (f"a {kind}" for kind in kinds)
    listed = f"{', '.join(others)} and {last}" if others else last
    return f"{listed.capitalize()} for agenthost."


def _template(name: str) -> jinja2.Template:
    return _environment().get_template(f"{name}.jinja")


@cache
def _environment() -> jinja2.Environment:
    import jinja2  # no other command but `plugins new` comes here

    environment = jinja2.Environment(  # noqa: S701 - what is made is no HTML
        loader=jinja2.PackageLoader(__package__),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["toml"] = _toml
    return environment


def _toml(text: str) -> str:
    """Return a printable text as a TOML string; the two write these alike."""
    return json.dumps(text, ensure_ascii=False)
