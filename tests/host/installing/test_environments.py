"""In which environment what installs, and what a person is told where nothing may."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agenthost.installing.asked import Asked
from agenthost.installing.environments import Environment, Interpreter, environment_of
from agenthost.installing.installers import Choices

RECEIPT = """
[tool]
requirements = [
    { name = "agenthost", extras = ["keyring"], specifier = ">=0.1" },
    { name = "agenthost-plugin-pond" },
    { name = "agenthost-plugin-mine", editable = "/src/mine" },
    { name = "agenthost-plugin-far", git = "https://example.org/far?rev=main" },
]
python = "3.12"

[tool.options]
find-links = ["file:///wheels"]
prerelease = "allow"
"""

WEATHER = Asked("agenthost-plugin-weather", "agenthost-plugin-weather>=1")


def python_in(place: Path, **facts: Any) -> Interpreter:
    """Return what is known of a Python in a virtual environment with pip, and uv on the path."""
    python = Interpreter(
        executable="/venv/bin/python",
        prefix=place / "agenthost",
        base_prefix=place / "base",
        stdlib=place / "stdlib",
        has_pip=True,
        uv="uv",
        pipx="pipx",
    )
    python.prefix.mkdir(exist_ok=True)
    return python._replace(**facts)


def marked(place: Path, name: str, text: str = "") -> None:
    """Leave a mark in the environment of `python_in`."""
    path = place / "agenthost" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def commands(environment: Environment, *asked: Asked) -> list[list[str]]:
    """Return what is run to install."""
    assert environment.installer
    first = environment.installer.install(asked, Choices(), "held.txt")
    keeper = environment.keeper
    return [first, *(keeper.keep(asked, Choices(), []) if keeper else [])]


def test_pip_installs_where_an_environment_has_it(tmp_path: Path) -> None:
    found = environment_of(python_in(tmp_path))

    assert found.kind == "virtual environment"
    assert found.removal("x") == "/venv/bin/python -m pip uninstall x"
    [command] = commands(found, WEATHER)
    assert command[:5] == ["/venv/bin/python", "-P", "-m", "pip", "install"]
    assert command[-3:] == ["--constraint", "held.txt", "agenthost-plugin-weather>=1"]


def test_uv_installs_where_it_has_none(tmp_path: Path) -> None:
    found = environment_of(python_in(tmp_path, has_pip=False))

    assert found.kind == "virtual environment, without pip"
    assert found.removal("x") == "uv pip uninstall --python /venv/bin/python x"
    [command] = commands(found, WEATHER)
    assert command[:5] == ["uv", "pip", "install", "--python", "/venv/bin/python"]
    assert command[5:] == ["--constraint", "held.txt", "agenthost-plugin-weather>=1"]


def test_nothing_installs_without_either_and_both_ways_out_are_said(tmp_path: Path) -> None:
    found = environment_of(python_in(tmp_path, has_pip=False, uv=""))

    assert found.installer is None
    assert "ensurepip" in found.advice
    assert "uv" in found.advice
    assert found.installation("x") == ""


def test_a_tool_of_uv_is_installed_anew_with_all_of_its_set(tmp_path: Path) -> None:
    marked(tmp_path, "uv-receipt.toml", RECEIPT)

    found = environment_of(python_in(tmp_path, has_pip=False))

    [_, kept] = commands(found, WEATHER, Asked("agenthost-plugin-pond", "/pond.whl", "/pond.whl"))
    assert found.kind == "uv tool"
    assert kept == [
        *("uv", "tool", "install", "agenthost[keyring]>=0.1", "--python", "3.12"),
        *("--find-links", "file:///wheels", "--prerelease", "allow"),
        *("--with-editable", "/src/mine"),
        *("--with", "agenthost-plugin-far @ git+https://example.org/far@main"),
        *("--with", "agenthost-plugin-weather>=1", "--with", "/pond.whl"),
    ]
    assert "agenthost-plugin-pond" not in found.removal("agenthost-plugin-pond")
    assert "agenthost-plugin-mine" not in found.installation("agenthost-plugin-pond")


def test_what_is_not_in_the_set_of_a_tool_needs_no_forgetting(tmp_path: Path) -> None:
    marked(tmp_path, "uv-receipt.toml", RECEIPT)
    keeper = environment_of(python_in(tmp_path)).keeper

    assert keeper
    assert keeper.forget(["agenthost-plugin-weather"]) == []
    assert len(keeper.forget(["agenthost-plugin-pond"])) == 1


def test_what_was_asked_for_once_comes_back_into_the_set(tmp_path: Path) -> None:
    marked(tmp_path, "uv-receipt.toml", RECEIPT)
    keeper = environment_of(python_in(tmp_path)).keeper

    assert keeper
    [command] = keeper.keep([WEATHER], Choices(), [Asked("lost", "lost>=2")])
    assert command[-4:] == ["--with", "lost>=2", "--with", "agenthost-plugin-weather>=1"]


def test_an_index_that_is_asked_for_goes_before_that_of_the_receipt(tmp_path: Path) -> None:
    options = '\n[tool.options]\nindex-url = "https://old"\nindex = [{ url = "https://more" }]\n'
    marked(tmp_path, "uv-receipt.toml", RECEIPT.partition("\n[tool.options]")[0] + options)
    keeper = environment_of(python_in(tmp_path)).keeper

    assert keeper
    [command] = keeper.keep([WEATHER], Choices(index_url="https://new"), [])
    assert "https://old" not in command
    assert command.count("--default-index") == 1
    assert command[command.index("--index") + 1] == "https://more"


def test_a_plugin_is_injected_where_pipx_made_the_environment(tmp_path: Path) -> None:
    metadata: dict[str, Any] = {"injected_packages": {"agenthost-plugin-pond": {}}}
    marked(tmp_path, "pipx_metadata.json", json.dumps(metadata))

    found = environment_of(python_in(tmp_path))

    mine = Asked("mine", "/src/mine", "/src/mine", editable=True)
    [_, _, first, second] = commands(found, WEATHER, mine)
    assert found.kind == "pipx"
    assert first == ["pipx", "inject", "agenthost", "agenthost-plugin-weather>=1"]
    assert second == ["pipx", "inject", "--editable", "agenthost", "/src/mine"]
    assert found.keeper
    assert found.keeper.forget(["agenthost-plugin-pond", "agenthost-plugin-weather"]) == [
        ["pipx", "uninject", "--leave-deps", "agenthost", "agenthost-plugin-pond"]
    ]


def test_pipx_is_held_to_the_versions_of_the_host_by_variables_alone(tmp_path: Path) -> None:
    marked(tmp_path, "pipx_metadata.json", "{}")
    keeper = environment_of(python_in(tmp_path)).keeper

    assert keeper
    told = keeper.variables(Path("held.txt"))
    assert all(value.endswith("held.txt") for value in told.values())
    assert set(told) == {"PIP_CONSTRAINT", "UV_CONSTRAINT"}


@pytest.mark.parametrize(
    ("mark", "gone", "command"),
    [
        ("uv-receipt.toml", "uv", "uv tool install agenthost --with agenthost-plugin-NAME"),
        ("pipx_metadata.json", "pipx", "pipx inject agenthost agenthost-plugin-NAME"),
    ],
)
def test_a_program_that_made_the_environment_and_is_gone_is_named(
    tmp_path: Path, mark: str, gone: str, command: str
) -> None:
    marked(tmp_path, mark)

    found = environment_of(python_in(tmp_path, **{gone: ""}))

    assert found.installer is None
    assert f"{gone} is not on the path" in found.advice
    assert command in found.advice


def test_conda_is_left_alone(tmp_path: Path) -> None:
    marked(tmp_path, "conda-meta/history")

    found = environment_of(python_in(tmp_path))

    assert (found.kind, found.installer) == ("conda", None)
    assert "-m pip install agenthost-plugin-NAME" in found.advice


def test_what_the_system_manages_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "stdlib").mkdir()
    (tmp_path / "stdlib" / "EXTERNALLY-MANAGED").touch()
    python = python_in(tmp_path)

    found = environment_of(python._replace(base_prefix=python.prefix))

    assert (found.kind, found.installer) == ("externally managed", None)
    assert "pipx install agenthost" in found.advice


def test_a_virtual_environment_of_a_managed_python_is_not_managed(tmp_path: Path) -> None:
    (tmp_path / "stdlib").mkdir()
    (tmp_path / "stdlib" / "EXTERNALLY-MANAGED").touch()

    assert environment_of(python_in(tmp_path)).installer


def test_a_python_that_nobody_manages_is_installed_into(tmp_path: Path) -> None:
    python = python_in(tmp_path)

    found = environment_of(python._replace(base_prefix=python.prefix))

    assert found.kind == "the system's Python"
    assert found.installer


def test_the_environment_of_a_project_of_uv_is_known_to_lose_its_plugins(tmp_path: Path) -> None:
    (tmp_path / "uv.lock").touch()

    found = environment_of(python_in(tmp_path))

    assert "`uv sync` removes what the project does not name" in found.caution
    assert "`agenthost plugins sync`" in found.caution


HOST_UPGRADES = {
    "uv-receipt.toml": "uv tool upgrade agenthost",
    "pipx_metadata.json": "pipx upgrade agenthost",
    "pyvenv.cfg": "/venv/bin/python -m pip install --upgrade agenthost",
}


@pytest.mark.parametrize("mark", HOST_UPGRADES)
def test_the_host_is_upgraded_by_who_made_the_environment(tmp_path: Path, mark: str) -> None:
    marked(tmp_path, mark)

    assert environment_of(python_in(tmp_path)).host_upgrade("agenthost") == HOST_UPGRADES[mark]
