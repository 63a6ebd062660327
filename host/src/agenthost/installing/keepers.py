"""uv tool and pipx, which keep lists of what they installed, and drop all else in an upgrade."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from agenthost.installing.asked import Asked
from agenthost.installing.installers import Choices, Installer, shown
from agenthost.installing.receipts import Entry, arguments_of, entries_of, options_of


class Keeper(Protocol):
    """Makes the commands by which a program learns what was installed or removed."""

    def keep(
        self, asked: Sequence[Asked], choices: Choices, others: Sequence[Asked]
    ) -> list[list[str]]:
        """Return the commands that write down what is installed now.

        Args:
            asked: What was installed; each has a name.
            choices: How it was installed.
            others: What else was asked for once, and is installed.
        """

    def variables(self, constraints: Path) -> dict[str, str]:
        """Return the environment variables that hold these commands to the constraints."""

    def forget(self, names: Iterable[str]) -> list[list[str]]:
        """Return the commands that strike out what is uninstalled now."""

    def addition(self, name: str) -> str:
        """Return the command by which a person adds a distribution."""

    def removal(self, name: str) -> str:
        """Return the command by which a person removes a distribution."""


class UvTool(NamedTuple):
    """`uv tool`, whose receipt says what belongs into a tool's environment."""

    uv: str
    prefix: Path
    #: The Python that the environment is made of.
    base: str

    def keep(
        self, asked: Sequence[Asked], choices: Choices, others: Sequence[Asked]
    ) -> list[list[str]]:
        """Return the one command that names all of the set."""
        listed = {entry.name for entry in entries_of(self._receipt())}
        lost = [one for one in others if one.name not in listed]
        new = {one.name: Entry(one.name, one.text, one.editable) for one in (*lost, *asked)}
        return [self._install(list(new.values()), frozenset(new), choices)]

    def variables(self, constraints: Path) -> dict[str, str]:  # noqa: ARG002 - of the protocol
        """Return none: the receipt would keep the constraints, and uv leaves alone what fits."""
        return {}

    def forget(self, names: Iterable[str]) -> list[list[str]]:
        """Return the one command that names the rest of the set, where one of these is in it."""
        less = frozenset(names)
        listed = {entry.name for entry in entries_of(self._receipt())}
        return [self._install([], less, Choices())] if less & listed else []

    def addition(self, name: str) -> str:
        """Return the command that names all of the set and one more."""
        return shown(self.keep([Asked(name, name)], Choices(), [])[0])

    def removal(self, name: str) -> str:
        """Return the command that names all but one."""
        if name == self.prefix.name:
            return shown([self.uv, "tool", "uninstall", name])
        return shown(self._install([], frozenset([name]), Choices()))

    def _install(self, new: list[Entry], less: frozenset[str], choices: Choices) -> list[str]:
        receipt = self._receipt()
        tool, *others = entries_of(receipt)
        kept = [entry for entry in others if entry.name not in less]
        # Without a Python to start from uv takes the newest, and makes the environment anew.
        python = str(receipt.get("python") or self.base)
        return [
            self.uv,
            "tool",
            "install",
            *(["--editable"] if tool.editable else []),
            tool.text,
            "--python",
            python,
            *options_of(receipt, pre=choices.pre, index_url=choices.index_url),
            *choices.further,
            *arguments_of([*kept, *new]),
        ]

    def _receipt(self) -> dict[str, Any]:
        text = (self.prefix / "uv-receipt.toml").read_text(encoding="utf-8")
        found: dict[str, Any] = tomllib.loads(text)["tool"]
        return found


class Pipx(NamedTuple):
    """pipx, whose metadata say what was injected into an application's environment."""

    pipx: str
    prefix: Path
    installer: Installer

    def keep(
        self,
        asked: Sequence[Asked],
        choices: Choices,
        others: Sequence[Asked],  # noqa: ARG002 - pipx leaves alone what it is not told of
    ) -> list[list[str]]:
        """Return a command for each, since some are editable and some are not.

        pipx writes down only what it installs itself, so what is there is removed before.
        """
        removal = self.installer.uninstall([one.name for one in asked if one.name])
        return [removal, *(self._inject(one, choices) for one in asked)]

    def variables(self, constraints: Path) -> dict[str, str]:
        """Return those of pip and of uv, since pipx has the one or the other do it.

        As arguments pipx would write them down, and miss the file at the next upgrade.
        """
        names = ("PIP_CONSTRAINT", "UV_CONSTRAINT")
        return {name: f"{os.environ.get(name, '')} {constraints}".strip() for name in names}

    def forget(self, names: Iterable[str]) -> list[list[str]]:
        """Return a command for those that pipx knows of."""
        known = [name for name in names if name in self._injected()]
        if not known:
            return []
        return [[self.pipx, "uninject", "--leave-deps", self.prefix.name, *known]]

    def addition(self, name: str) -> str:
        """Return the command that injects one."""
        return shown([self.pipx, "inject", self.prefix.name, name])

    def removal(self, name: str) -> str:
        """Return the command that takes one out."""
        if name == self.prefix.name:
            return shown([self.pipx, "uninstall", name])
        return shown([self.pipx, "uninject", self.prefix.name, name])

    def _inject(self, one: Asked, choices: Choices) -> list[str]:
        further = [*(["--pre"] if choices.pre else []), *choices.further]
        return [
            self.pipx,
            "inject",
            *(["--editable"] if one.editable else []),
            *(["--index-url", choices.index_url] if choices.index_url else []),
            *([f"--pip-args={shown(further)}"] if further else []),
            self.prefix.name,
            one.text,
        ]

    def _injected(self) -> dict[str, Any]:
        text = (self.prefix / "pipx_metadata.json").read_text(encoding="utf-8")
        found: dict[str, Any] = json.loads(text).get("injected_packages") or {}
        return found
