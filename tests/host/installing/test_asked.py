"""What a person may ask to have installed, and how it is understood."""

from __future__ import annotations

from pathlib import Path

import pytest

from agenthost.installing.asked import (
    Asked,
    AskedWronglyError,
    full_name,
    read_asked,
    read_editable,
    read_list,
    without_credentials,
)

REQUIREMENTS = {
    "weather": ("agenthost-plugin-weather", "agenthost-plugin-weather"),
    "Big_Weather": ("agenthost-plugin-big-weather", "agenthost-plugin-big-weather"),
    "weather[maps]>=1,<2": ("agenthost-plugin-weather", "agenthost-plugin-weather[maps]<2,>=1"),
    "agenthost-plugin-weather": ("agenthost-plugin-weather", "agenthost-plugin-weather"),
    "acme-agenthost-tools": ("acme-agenthost-tools", "acme-agenthost-tools"),
}

ADDRESSES = {
    "git+https://example.org/weather.git@main": "",
    "https://example.org/agenthost_plugin_weather-1.0-py3-none-any.whl": (
        "agenthost-plugin-weather"
    ),
    "weather @ git+https://example.org/weather.git": "weather",
}


@pytest.mark.parametrize("text", REQUIREMENTS)
def test_a_short_name_stands_for_the_distribution_of_a_plugin(text: str) -> None:
    [asked] = read_asked([text])

    assert (asked.name, asked.text) == REQUIREMENTS[text]
    assert asked.arguments == [asked.text]


def test_a_name_is_taken_as_it_is_where_that_is_asked_for() -> None:
    assert read_asked(["weather"], exact=True) == [Asked("weather", "weather")]
    assert full_name("Some.Weather", exact=True) == "some-weather"


@pytest.mark.parametrize("text", ADDRESSES)
def test_an_address_passes_as_it_is(text: str) -> None:
    [asked] = read_asked([text])

    assert asked.name == ADDRESSES[text]
    assert asked.text.replace(" ", "") == text.replace(" ", "")
    assert asked.is_address


def test_a_path_is_known_by_its_separator_or_ending_and_becomes_absolute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel = tmp_path / "agenthost_plugin_pond-1.0-py3-none-any.whl"
    wheel.touch()
    archive = tmp_path / "agenthost_plugin_pond-1.0.tar.gz"
    archive.touch()
    project = tmp_path / "pond"
    project.mkdir()
    (project / "pyproject.toml").write_text('[project]\nname = "Some.Pond"\n')
    monkeypatch.chdir(tmp_path)

    asked = read_asked([wheel.name, f"./{archive.name}", "./pond[deep]", "pond"])

    assert [one.name for one in asked] == [
        "agenthost-plugin-pond",
        "agenthost-plugin-pond",
        "some-pond",
        "agenthost-plugin-pond",
    ]
    assert [one.path for one in asked] == [str(wheel), str(archive), str(project), ""]
    assert asked[2].text == f"{project}[deep]"


def test_a_project_whose_name_its_build_decides_is_named_later(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\ndynamic = ["name"]\n')

    assert read_editable(str(tmp_path)) == Asked("", str(tmp_path), str(tmp_path), editable=True)
    assert read_editable(str(tmp_path)).arguments == ["--editable", str(tmp_path)]


REFUSED = {
    "": "the name is empty",
    "agenthost": "is the host itself",
    "agenthost-sdk[x]": "is the host itself",
    "agenthost_sdk": "is the host itself",
    "./nowhere": "There is nothing at",
    "weather>=": "neither a name nor a path",
    "two words": "neither a name nor a path",
    "--pre": "go behind --",
    "git@example.org:me/weather.git": "git.ssh://USER@HOST/PATH",
    "ssh://git@example.org/me/weather.git": "git.ssh://USER@HOST/PATH",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_cannot_be_installed_is_refused_and_why(text: str) -> None:
    with pytest.raises(AskedWronglyError, match=REFUSED[text]):
        read_asked([text])


def test_a_folder_without_a_project_is_refused(tmp_path: Path) -> None:
    with pytest.raises(AskedWronglyError, match=r"no pyproject\.toml"):
        read_asked([str(tmp_path)])


def test_only_a_folder_is_installed_in_place(tmp_path: Path) -> None:
    wheel = tmp_path / "agenthost_plugin_pond-1.0-py3-none-any.whl"
    wheel.touch()

    with pytest.raises(AskedWronglyError, match="takes the folder of a project"):
        read_editable(str(wheel))


def test_a_file_names_one_thing_a_line(tmp_path: Path) -> None:
    file = tmp_path / "wanted.txt"
    file.write_text("# mine\nweather>=1  # the best\n\ngit+https://x.org/y#egg=z\n")

    assert list(read_list(file)) == ["weather>=1", "git+https://x.org/y#egg=z"]


def test_a_file_may_begin_with_the_mark_of_an_editor(tmp_path: Path) -> None:
    file = tmp_path / "wanted.txt"
    file.write_text("weather>=1\r\n", encoding="utf-8-sig")

    assert list(read_list(file)) == ["weather>=1"]


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(AskedWronglyError, match=r"wanted\.txt cannot be read"):
        list(read_list(tmp_path / "wanted.txt"))


def test_credentials_are_left_out_of_addresses() -> None:
    given = "weather @ git+https://me:secret@example.org/weather.git@main"

    assert without_credentials(given) == "weather @ git+https://example.org/weather.git@main"
    assert without_credentials("https://example.org/simple") == "https://example.org/simple"
    assert without_credentials("weather>=1") == "weather>=1"


def test_whom_ssh_is_to_be_stays_and_a_token_does_not() -> None:
    ssh = "git+ssh://git@example.org/me/weather.git"

    assert without_credentials(ssh) == ssh
    assert without_credentials("git+ssh://me:secret@x.org/y") == "git+ssh://me@x.org/y"
    assert without_credentials("git+https://ghp_x1@x.org/y") == "git+https://x.org/y"
