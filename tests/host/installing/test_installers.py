"""The commands of pip and uv, as lists of arguments."""

from __future__ import annotations

import pytest

from agenthost.installing.asked import Asked
from agenthost.installing.installers import Choices, Installer, Pip, Uv, shown

ASKED = (
    Asked("weather", "weather[maps]<2"),
    Asked("pond", "/pond", "/pond", editable=True),
    Asked("lake", "/lake.whl", "/lake.whl"),
)

INSTALLERS: dict[str, Installer] = {"pip": Pip("python"), "uv": Uv("uv", "python")}


@pytest.mark.parametrize("installer", INSTALLERS.values(), ids=INSTALLERS)
def test_everything_that_was_asked_for_comes_last(installer: Installer) -> None:
    command = installer.install(ASKED, Choices(further=("--quiet",)), "held.txt")

    assert command[-5:] == ["--quiet", "weather[maps]<2", "--editable", "/pond", "/lake.whl"]
    assert command[command.index("--constraint") + 1] == "held.txt"
    assert "--upgrade" not in command


CHOICES = {
    "pip": ["--upgrade", "--pre", "--index-url", "https://x"],
    "uv": [
        *("--upgrade-package", "weather", "--reinstall-package", "pond"),
        *("--reinstall-package", "lake", "--prerelease", "allow", "--default-index", "https://x"),
    ],
}


@pytest.mark.parametrize("name", CHOICES)
def test_choices_are_said_as_each_installer_has_them(name: str) -> None:
    choices = Choices(upgrade=True, pre=True, index_url="https://x")

    command = INSTALLERS[name].install(ASKED, choices, "")

    first = command.index(CHOICES[name][0])
    assert command[first : first + len(CHOICES[name])] == CHOICES[name]


@pytest.mark.parametrize("installer", INSTALLERS.values(), ids=INSTALLERS)
def test_what_is_put_back_brings_nothing_with_it(installer: Installer) -> None:
    command = installer.put_back(["weather==1.0", "--editable", "/pond"])

    assert "--no-deps" in command
    assert command[-3:] == ["weather==1.0", "--editable", "/pond"]


@pytest.mark.parametrize("installer", INSTALLERS.values(), ids=INSTALLERS)
def test_uninstalling_asks_nothing(installer: Installer) -> None:
    command = installer.uninstall(["weather", "pond"])

    assert command[-2:] == ["weather", "pond"]
    assert ("--yes" in command) == isinstance(installer, Pip)


def test_a_command_is_shown_as_it_is_typed_and_without_credentials() -> None:
    line = shown(["uv", "pip", "install", "--default-index", "https://me:geheim@x.org/simple"])

    assert line.startswith("uv pip install --default-index https://me:")
    assert "geheim" not in line
