"""The catalog on the disk: when it is read, and when the plugins are asked anew."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from agenthost.registry.catalog import Catalog, load_catalog, rebuild_catalog
from agenthost.settings import Settings
from support.sites import CommandLine, Site, plugin_code


class Counting:
    """A plugin that leaves a mark each time that it is imported."""

    def __init__(self, site: Site, folder: Path) -> None:
        self._marks = folder / "marks"
        self.code = f"open({str(self._marks)!r}, 'a').write('x')\n"
        self.module = site.install("counting", self.code + plugin_code("Counting"))

    def imports(self) -> int:
        """Return how often the plugin was imported."""
        return len(self._marks.read_text()) if self._marks.exists() else 0


@pytest.fixture
def counting(installed: Site, tmp_path: Path) -> Counting:
    return Counting(installed, tmp_path)


def tools(catalog: Catalog) -> list[str]:
    return [owned.tool.name for owned in catalog.tools]


def catalog_file(settings: Settings) -> Path:
    [path] = Path(settings.folders.cache).glob("catalog-*")
    return path


def test_the_second_reading_asks_no_plugin(counting: Counting, settings: Settings) -> None:
    first = load_catalog(settings)
    second = load_catalog(settings)

    assert tools(first) == tools(second) == ["Counting"]
    assert first.plugins == second.plugins
    assert counting.imports() == 1


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: "",
        lambda text: text[: len(text) // 2],
        lambda text: text[:-9] + "garbage!\n",
        lambda text: text.replace("Counting", "Cheating"),
        lambda text: text.replace('"form": ', '"form": 9'),
        lambda text: "[]\n[]\n",
        lambda text: "null\n",
        lambda text: "[" * 100_000,
        lambda text: "\udcff\x00",
    ],
    ids=["empty", "half", "overwritten", "edited", "form", "list", "null", "deep", "bytes"],
)
def test_a_damaged_catalog_is_made_anew_without_a_word(
    counting: Counting, settings: Settings, damage: object, capfd: pytest.CaptureFixture[str]
) -> None:
    load_catalog(settings)
    path = catalog_file(settings)
    assert callable(damage)
    path.write_text(damage(path.read_text()), errors="surrogateescape")

    again = load_catalog(settings)

    assert tools(again) == ["Counting"]
    assert counting.imports() == 1  # what it answered is kept apart
    assert capfd.readouterr() == ("", "")
    assert catalog_file(settings).read_text().startswith('{"key"')


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: "",
        lambda text: text[: len(text) // 2],
        lambda text: text.replace("Counting", "Cheating"),
        lambda text: "null",
        lambda text: "00000000 null",
        lambda text: "[" * 100_000,
        lambda text: "\udcff\x00",
    ],
    ids=["empty", "half", "edited", "null", "zero", "deep", "bytes"],
)
def test_damaged_answers_are_asked_for_again_without_a_word(
    counting: Counting, settings: Settings, damage: object, capfd: pytest.CaptureFixture[str]
) -> None:
    load_catalog(settings)
    catalog_file(settings).unlink()
    [path] = Path(settings.folders.cache).glob("answers-*")
    assert callable(damage)
    path.write_text(damage(path.read_text()), errors="surrogateescape")

    again = load_catalog(settings)

    assert tools(again) == ["Counting"]
    assert counting.imports() == 2
    assert capfd.readouterr() == ("", "")


def test_only_what_was_installed_since_is_asked(
    counting: Counting, installed: Site, settings: Settings
) -> None:
    load_catalog(settings)
    installed.install("late", plugin_code("Late"))

    assert tools(load_catalog(settings)) == ["Counting", "Late"]
    assert counting.imports() == 1


def test_a_refresh_asks_everyone(counting: Counting, settings: Settings) -> None:
    load_catalog(settings)

    assert tools(rebuild_catalog(settings, refresh=True)) == ["Counting"]
    assert counting.imports() == 2


def test_a_plugin_that_failed_is_asked_again_with_the_others(
    installed: Site, settings: Settings
) -> None:
    installed.install("late", "import plugin_lacks_this\n" + plugin_code("Late"))
    assert tools(load_catalog(settings)) == []
    (installed.folder / "plugin_lacks_this.py").write_text("")

    assert tools(rebuild_catalog(settings)) == ["Late"]


def test_only_the_plugin_whose_option_changed_is_asked(
    counting: Counting, installed: Site, settings: Settings
) -> None:
    greeting = plugin_code("Greeter").replace(
        "    @activity", "    tone: str = 'kind'\n    @activity"
    )
    installed.install("greeting", greeting)
    load_catalog(settings)

    changed = settings._replace(tool_options={"Greeter": {"tone": 3}})

    assert [p.state for p in load_catalog(changed).plugins if p.name == "greeting"] == ["failed"]
    assert counting.imports() == 1


def test_a_folder_where_the_catalog_should_be_disturbs_nothing(
    counting: Counting, settings: Settings
) -> None:
    load_catalog(settings)
    path = catalog_file(settings)
    path.unlink()
    path.mkdir()

    assert tools(load_catalog(settings)) == ["Counting"]


def test_a_cache_that_cannot_be_written_disturbs_nothing(
    counting: Counting, settings: Settings
) -> None:
    cache = Path(settings.folders.cache)
    cache.parent.mkdir(parents=True)
    cache.write_text("a file in the way")

    assert tools(load_catalog(settings)) == tools(load_catalog(settings)) == ["Counting"]


def test_an_installed_plugin_is_seen_at_once_and_gone_at_once(
    counting: Counting, installed: Site, settings: Settings
) -> None:
    load_catalog(settings)

    installed.install("later", plugin_code("Later"))
    assert tools(load_catalog(settings)) == ["Counting", "Later"]

    installed.uninstall("later")
    assert tools(load_catalog(settings)) == ["Counting"]


def test_an_edited_module_is_seen_at_once(counting: Counting, settings: Settings) -> None:
    load_catalog(settings)
    counting.module.write_text(plugin_code("Edited"))

    assert tools(load_catalog(settings)) == ["Edited"]


def test_an_edited_entry_point_is_seen_at_once(
    counting: Counting, installed: Site, settings: Settings
) -> None:
    load_catalog(settings)
    [points] = installed.folder.glob("*/entry_points.txt")
    points.write_text("[agenthost]\nrenamed = " + counting.module.stem + "\n")

    assert "renamed" in [plugin.name for plugin in load_catalog(settings).plugins]


def test_every_source_of_an_editable_install_is_watched(
    installed: Site, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "project" / "plugin_project"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("from plugin_project.parts import *\n")
    (package / "parts.py").write_text(plugin_code("Before"))
    monkeypatch.syspath_prepend(str(package.parent))
    installed.install("project", None, value="plugin_project")
    [metadata] = installed.folder.glob("*.dist-info")
    (metadata / "direct_url.json").write_text('{"dir_info": {"editable": true}}')
    before = load_catalog(settings)

    (package / "parts.py").write_text(plugin_code("AfterEdit"))

    assert tools(before) == ["Before"]
    assert tools(load_catalog(settings)) == ["AfterEdit"]


def test_settings_that_matter_have_a_catalog_of_their_own(
    counting: Counting, settings: Settings
) -> None:
    other = settings._replace(tool_options={"Counting": {"name": "Renamed"}})

    names = [tools(load_catalog(each)) for each in (settings, other, settings, other)]

    assert names == [["Counting"], ["Renamed"], ["Counting"], ["Renamed"]]
    assert counting.imports() == 2


def test_settings_that_do_not_matter_leave_the_catalog_alone(
    counting: Counting, settings: Settings
) -> None:
    load_catalog(settings)

    load_catalog(settings._replace(model="local", deny=("*",)))

    assert counting.imports() == 1


def test_making_the_folder_of_compiled_modules_makes_no_catalog_old(
    site: Site, agenthost: CommandLine, tmp_path: Path
) -> None:
    counting = Counting(site, tmp_path)

    for _ in range(3):
        agenthost("tools", "list", PYTHONDONTWRITEBYTECODE="")

    assert (site.folder / "__pycache__").is_dir()
    assert counting.imports() == 1


def test_processes_may_write_the_catalog_at_once(
    site: Site, agenthost: CommandLine, tmp_path: Path
) -> None:
    Counting(site, tmp_path)
    command = [sys.executable, "-m", "agenthost", "tools", "list", "--json"]
    started = [
        subprocess.Popen(command, env=agenthost.variables(), stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]

    outputs = [process.communicate(timeout=120)[0] for process in started]

    assert len(set(outputs)) == 1
    json.loads(outputs[0])
    kept = sorted(path.name.partition("-")[0] for path in (agenthost.home / "cache").iterdir())
    assert kept == ["answers", "catalog"]


def test_a_process_killed_while_it_asks_leaves_nothing_wrong(
    site: Site, agenthost: CommandLine, tmp_path: Path
) -> None:
    mark = tmp_path / "mark"
    site.install("slow", slow_once(mark))
    command = [sys.executable, "-m", "agenthost", "tools", "list"]
    process = subprocess.Popen(command, env=agenthost.variables(), stdout=subprocess.DEVNULL)
    while not mark.exists():
        time.sleep(0.02)
    process.kill()
    process.wait()

    listed = agenthost("tools", "list", "--json")

    assert (listed.code, listed.err) == (0, "")
    assert "Greeter" in [tool["name"] for tool in listed.json["data"]]


def slow_once(mark: Path) -> str:
    """Return a plugin that marks its first import, and takes long over that one only."""
    return (
        f"import os, time\nif not os.path.exists({str(mark)!r}):\n"
        f"    open({str(mark)!r}, 'w').close()\n    time.sleep(5)\n" + plugin_code()
    )


def test_catalogs_of_environments_long_gone_are_removed(
    counting: Counting, settings: Settings
) -> None:
    old = Path(settings.folders.cache) / "catalog-00000000.jsonl"
    old.parent.mkdir(parents=True)
    old.write_text("")
    os.utime(old, (0, 0))

    load_catalog(settings)

    assert not old.exists()
    assert catalog_file(settings).exists()


def test_what_is_beside_a_program_is_no_plugin(agenthost: CommandLine, tmp_path: Path) -> None:
    Site(agenthost.home).install("beside", plugin_code("Beside"))

    listed = agenthost("tools", "list", "--json")

    assert "Beside" not in [tool["name"] for tool in listed.json["data"]]
