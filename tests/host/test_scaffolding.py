"""The names and files of a new plugin, and how they are written: all or none."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from agenthost.scaffolding.names import LONGEST, PluginNames
from agenthost.scaffolding.project import KINDS, Project, sdk_range
from agenthost.scaffolding.writing import write_files

WEATHER = PluginNames("weather")


@pytest.mark.parametrize(
    ("typed", "distribution", "module", "title"),
    [
        ("weather", "agenthost-plugin-weather", "agenthost_plugin_weather", "Weather"),
        ("my-weather", "agenthost-plugin-my-weather", "agenthost_plugin_my_weather", "MyWeather"),
        ("My_Weather", "agenthost-plugin-my-weather", "agenthost_plugin_my_weather", "MyWeather"),
        ("agenthost-plugin-x2", "agenthost-plugin-x2", "agenthost_plugin_x2", "X2"),
        ("agenthost_plugin_a.b", "agenthost-plugin-a-b", "agenthost_plugin_a_b", "AB"),
        ("tool", "agenthost-plugin-tool", "agenthost_plugin_tool", "Tool"),
        ("class", "agenthost-plugin-class", "agenthost_plugin_class", "Class"),
        ("json", "agenthost-plugin-json", "agenthost_plugin_json", "Json"),
    ],
)
def test_all_names_follow_from_one(typed: str, distribution: str, module: str, title: str) -> None:
    names = PluginNames.read(typed)

    assert (names.distribution, names.module, names.title) == (distribution, module, title)


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("", "needs a letter first"),
        ("agenthost-plugin-", "needs a letter first"),
        ("2fast", "needs a letter first"),
        ("wetter/wien", "with hyphens between words"),
        ("größe", "ASCII"),
        ("x" * (LONGEST + 1), f"{LONGEST} are the most"),
        ("agenthost", "the host's own"),
        ("none", "a class None"),
        ("type-error", "a class TypeError"),
        ("base-tool", "a class BaseTool"),
        ("base-output", "a class BaseOutputValidator"),
        ("base", "a class BasePromptDriver"),
        ("literal", "a class Literal"),
    ],
)
def test_a_name_that_cannot_work_is_refused_with_the_reason(typed: str, why: str) -> None:
    with pytest.raises(ValueError, match=why) as refused:
        PluginNames.read(typed)

    assert str(refused.value).startswith(f"{typed!r} cannot be the name of a plugin: ")


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("0.1.0", ">=0.1,<0.2"),
        ("0.12.3", ">=0.12,<0.13"),
        ("1.0", ">=1.0,<2"),
        ("2", ">=2.0,<3"),
        ("1.4.2.post1", ">=1.4,<2"),
        ("0.2.0rc1", ">=0.2.0rc1,<0.3"),
    ],
)
def test_the_sdk_is_required_up_to_the_next_version_that_may_break_it(
    version: str, expected: str
) -> None:
    assert sdk_range(version) == expected


@pytest.mark.parametrize("kinds", [*((kind,) for kind in KINDS), KINDS], ids="-".join)
def test_each_kind_brings_its_module_and_its_tests_and_no_other(kinds: tuple[str, ...]) -> None:
    files = Project(WEATHER, kinds).files()

    folder = "src/agenthost_plugin_weather"
    modules = {path for path in files if path.endswith(".py")}
    assert modules == {
        f"{folder}/__init__.py",
        "tests/test_plugin.py",
        *(f"{folder}/{kind}.py" for kind in kinds),
        *(f"tests/test_{kind}.py" for kind in kinds),
    }


@pytest.mark.parametrize("name", ["x", "tool", "test", "host", "planets", "a" * LONGEST])
def test_every_module_compiles_whatever_the_plugin_is_called(name: str) -> None:
    files = Project(PluginNames.read(name), KINDS).files()

    for path, text in files.items():
        if path.endswith(".py"):
            compile(text, path, "exec")


def test_a_kind_that_is_named_twice_is_there_once() -> None:
    assert Project(WEATHER, ("driver", "tool", "tool")).ordered == ["tool", "driver"]


def test_nothing_of_the_templates_own_language_is_left() -> None:
    for path, text in Project(WEATHER, KINDS, license="MIT").files().items():
        assert "{%" not in text, path
        assert "{{" not in re.sub(r"\$\{\{ matrix\.\w+ \}\}", "", text), path


def test_it_is_tried_on_each_system_and_python_that_it_says_it_is_for() -> None:
    files = Project(WEATHER, KINDS).files()
    versions = re.findall(r"Python :: (3\.\d+)", files["pyproject.toml"])
    ci = files[".github/workflows/ci.yml"]

    assert f"python: {json.dumps(versions)}" in ci
    assert "runs-on: ${{ matrix.os }}" in ci
    assert "os: [ubuntu-latest, macos-latest, windows-latest]" in ci


def test_metadata_say_what_was_given_letter_by_letter() -> None:
    odd = 'A "quoted" \\ back-slashed {{ 7 * 7 }} line, größer als $x.'
    project = Project(WEATHER, description=odd, author="Ada <ada@example.org>", license="MIT")

    stated = tomllib.loads(project.files()["pyproject.toml"])["project"]

    assert stated["description"] == odd
    assert stated["authors"] == [{"name": "Ada", "email": "ada@example.org"}]
    assert stated["license"] == "MIT"
    assert stated["entry-points"] == {"agenthost": {"weather": "agenthost_plugin_weather"}}


@pytest.mark.parametrize(
    ("author", "expected"),
    [
        ("", None),
        ("Ada Lovelace", [{"name": "Ada Lovelace"}]),
        ("<ada@example.org>", [{"email": "ada@example.org"}]),
    ],
)
def test_an_author_is_a_name_an_address_or_nobody(author: str, expected: object) -> None:
    project = Project(WEATHER, author=author)

    stated = tomllib.loads(project.files()["pyproject.toml"])["project"]

    assert stated.get("authors") == expected


@pytest.mark.parametrize(
    ("description", "author", "why"),
    [
        ("two\nlines", "", "must be one line"),
        ("", "Ada\x7f", "must be one line"),
        ("", "Ada <ada>", "write a name"),
        ("", "Ada <ada@example.org> Lovelace", "write a name"),
    ],
)
def test_what_fits_into_no_metadata_is_refused(description: str, author: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Project(WEATHER, description=description, author=author)


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        (("tool",), "A tool for agenthost."),
        (("tool", "driver"), "A tool and a driver for agenthost."),
        (KINDS, "A tool, a validator, a driver and a dialect for agenthost."),
    ],
    ids=["one", "two", "all"],
)
def test_a_plain_description_stands_where_none_was_given(
    kinds: tuple[str, ...], expected: str
) -> None:
    files = Project(WEATHER, kinds).files()

    assert tomllib.loads(files["pyproject.toml"])["project"]["description"] == expected


def test_files_are_written_below_a_folder_that_is_made(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "plugin"

    write_files(folder, {"a/b.txt": "größer\n", "c.txt": ""})

    assert (folder / "a" / "b.txt").read_bytes() == "größer\n".encode()
    assert (folder / "c.txt").exists()


def test_a_repository_in_which_nothing_was_begun_counts_as_empty(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()

    write_files(tmp_path, {"a.txt": ""})

    assert (tmp_path / "a.txt").exists()


def test_a_folder_that_holds_something_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").touch()

    with pytest.raises(FileExistsError, match=r"is not empty: mine\.txt\."):
        write_files(tmp_path, {"a.txt": ""})

    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_file_in_the_folders_place_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "plugin").write_text("mine")

    with pytest.raises(FileExistsError, match="is a file"):
        write_files(tmp_path / "plugin", {"a.txt": ""})

    assert (tmp_path / "plugin").read_text() == "mine"


def test_where_one_file_cannot_be_written_none_is_left(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="a"):
        write_files(tmp_path / "new" / "plugin", {"b/c.txt": "", "a": "", "a/d.txt": ""})

    assert list(tmp_path.iterdir()) == []


def test_taking_back_leaves_an_empty_folder_that_was_there(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()

    with pytest.raises(OSError, match="a"):
        write_files(tmp_path, {"a": "", "a/d.txt": ""})

    assert [path.name for path in tmp_path.iterdir()] == [".git"]
