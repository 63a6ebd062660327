"""What is installed is read from metadata alone."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

from agenthost.installing.asked import Asked
from agenthost.installing.distributions import (
    Installed,
    constraints_of,
    facts_of,
    files_of,
    installed,
    needed_by,
    requirements_of,
)
from agenthost.installing.snapshots import Changed


def test_the_host_is_held_with_all_that_it_needs_and_nothing_else() -> None:
    held = constraints_of("agenthost")

    assert {"agenthost", "agenthost-sdk", "click", "pydantic-core"} <= needed_by(
        "agenthost"
    ).keys()
    assert f"click=={version('click')}" in held
    assert not [line for line in held if line.startswith(("pytest==", "agenthost-plugin-"))]


def test_what_is_not_installed_needs_nothing() -> None:
    assert needed_by("nothing-of-that-name") == {}
    assert requirements_of("nothing-of-that-name") == []
    assert facts_of("nothing-of-that-name") == {}
    assert files_of(["nothing-of-that-name"]) == {}


def test_every_distribution_is_known_by_its_normal_name() -> None:
    known = installed()

    assert known["importlib-metadata"].version == version("importlib_metadata")


def test_the_files_of_a_distribution_are_found_with_whose_they_are() -> None:
    found = files_of(["click", "pluggy"])

    assert {"click", "pluggy"} == set(found.values())
    assert {path.name for path, name in found.items() if name == "pluggy"} >= {"_hooks.py"}
    assert not [path for path in found if path.suffix == ".pyc"]


def test_one_from_an_index_comes_back_by_its_version() -> None:
    one = Installed("weather", "1.0")

    assert one.exactly == ["weather==1.0"]
    assert one.asked == Asked("weather", "weather")


def test_one_from_a_folder_or_an_address_comes_back_from_there(tmp_path: Path) -> None:
    local = Installed("weather", "1.0", tmp_path.as_uri(), editable=True)
    far = Installed("weather", "1.0", "git+https://x.org/weather")

    assert local.exactly == ["--editable", str(tmp_path)]
    assert far.exactly == ["weather @ git+https://x.org/weather"]


def test_a_change_is_told_by_the_version_or_else_by_where_it_is_from() -> None:
    before = Installed("pond", "1.0")
    anew = Changed("pond", before, Installed("pond", "1.0", "file:///pond", editable=True))
    newer = Changed("pond", before, Installed("pond", "1.1"))

    assert anew.words == "pond 1.0 is from file:///pond (editable) now"
    assert newer.words == "pond 1.0 is 1.1 now"


def test_what_the_metadata_say_of_a_plugin_is_told() -> None:
    facts = facts_of("agenthost-plugin-calculator")

    assert facts["summary"].startswith("Exact arithmetic")
    assert Path(facts["location"]).is_dir()
    assert any(one.startswith("agenthost-sdk") for one in requirements_of("agenthost-plugin-text"))
