"""CONTRIBUTING says what is so: each room of the code, each dependency, each plugin."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.readme import ROOT

CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")

MEMBERS = sorted([*ROOT.glob("*/pyproject.toml"), *ROOT.glob("plugins/*/pyproject.toml")])


def read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def names(requirements: list[str]) -> Iterator[str]:
    """Yield the names of those that are not our own."""
    found = (re.match(r"[\w.-]+", one) for one in requirements)
    yield from (one[0] for one in found if one and not one[0].startswith("agenthost"))


@pytest.mark.parametrize("member", MEMBERS, ids=lambda path: path.parent.name)
def test_every_dependency_is_told_with_its_reason(member: Path) -> None:
    project = read(member)["project"]
    extras = [one for group in project.get("optional-dependencies", {}).values() for one in group]

    told = set(re.findall(r"^\| ([\w.-]+) \| .+ \| .+ \|$", CONTRIBUTING, re.MULTILINE))

    assert set(names([*project.get("dependencies", ()), *extras])) <= told


def test_the_map_has_every_room() -> None:
    contracts = read(ROOT / "pyproject.toml")["tool"]["importlinter"]["contracts"]
    layers = [line for one in contracts if "rooms" in one["name"] for line in one["layers"]]
    rooms = {room.strip() for line in layers for room in re.split(r"[|:]", line)}

    shown = CONTRIBUTING.partition("## The map")[2].partition("The way of the data")[0]

    assert rooms
    assert rooms <= set(re.findall(r"\w+", shown))
