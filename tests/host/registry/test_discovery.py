"""Which plugins are found, and in which order."""

from __future__ import annotations

from pathlib import Path

import pytest

from agenthost.registry.catalog_file import plugin_folders
from agenthost.registry.discovery import FoundPlugin, find_plugins, sources_of
from support.sites import Site


def found(*distributions: str) -> list[FoundPlugin]:
    return [plugin for plugin in find_plugins() if plugin.distribution in distributions]


def test_plugins_stand_in_the_order_of_distributions_with_the_host_first(installed: Site) -> None:
    for name in ("b", "a", "c"):
        installed.install("same", "", distribution=name)

    ordered = [plugin.distribution for plugin in find_plugins()]

    assert ordered[0] == "agenthost"
    assert ordered[1:] == sorted(ordered[1:])
    assert {"a", "b", "c"} <= set(ordered)


def test_entry_points_of_one_distribution_stand_in_the_order_of_their_names(
    installed: Site,
) -> None:
    installed.install("x", "", distribution="two", points="[agenthost]\nzz = json\naa = json\n")

    assert [plugin.name for plugin in found("two")] == ["aa", "zz"]


def test_a_distribution_that_is_there_twice_counts_once_the_first_on_the_path(
    installed: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed.install("twice", "", version="1.0")
    Site(tmp_path / "before").install("twice", "", version="2.0")
    monkeypatch.syspath_prepend(str(tmp_path / "before"))

    assert [plugin.version for plugin in found("agenthost-plugin-twice")] == ["2.0"]


def test_names_of_distributions_are_compared_as_installers_do(
    installed: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed.install("odd", "", distribution="Odd_Name")
    Site(tmp_path / "before").install("odd", "", distribution="odd-name", version="2.0")
    monkeypatch.syspath_prepend(str(tmp_path / "before"))

    assert [plugin.version for plugin in found("odd-name")] == ["2.0"]


def test_a_distribution_without_metadata_has_an_unknown_version(installed: Site) -> None:
    installed.install("bare", "")
    [metadata] = installed.folder.glob("*.dist-info")
    (metadata / "METADATA").unlink()

    assert [plugin.version for plugin in found("agenthost-plugin-bare")] == ["?"]


def test_a_missing_module_has_no_sources() -> None:
    assert list(sources_of("no_such_module_at_all", editable=True)) == []


def test_the_folder_of_the_running_program_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)

    assert str(tmp_path) not in plugin_folders()
