"""What was asked for is kept in `plugins.toml`, beside the settings."""

from __future__ import annotations

from pathlib import Path

import pytest

from agenthost.folders import Folders
from agenthost.installing.asked import Asked
from agenthost.installing.installers import Choices
from agenthost.installing.record import Record, Recorded, missing_from
from agenthost_sdk.errors import SettingsError


@pytest.fixture
def record(tmp_path: Path) -> Record:
    return Record(Folders.under(str(tmp_path / "home")))


WEATHER = Recorded("weather", "weather[maps]<2", pre=True, index_url="https://x.org/simple")
POND = Recorded("pond", "/src/pond", "/src/pond", editable=True)


def test_what_was_put_is_read_back(record: Record) -> None:
    record.put([WEATHER])
    record.put([POND])

    assert record.read() == {"weather": WEATHER, "pond": POND}
    assert POND.asked == Asked("pond", "/src/pond", "/src/pond", editable=True)
    assert WEATHER.choices == Choices(pre=True, index_url="https://x.org/simple")


def test_a_name_has_what_was_asked_for_last(record: Record) -> None:
    record.put([WEATHER])
    record.put([WEATHER._replace(requirement="weather", pre=False)])

    assert record.read()["weather"].requirement == "weather"
    assert "pre" not in Path(record.path).read_text()


def test_what_a_person_wrote_beside_it_stays(record: Record) -> None:
    record.put([WEATHER, POND])
    path = Path(record.path)
    path.write_text(f"# of my own\n{path.read_text()}")

    record.remove(["weather", "nothing"])

    assert path.read_text().startswith("# of my own\n")
    assert list(record.read()) == ["pond"]


def test_nothing_is_written_where_nothing_is_removed(record: Record) -> None:
    record.remove(["weather"])

    assert not Path(record.path).exists()
    assert record.read() == {}


def test_no_credentials_are_written_down() -> None:
    asked = Asked("weather", "weather @ git+https://me:geheim@x.org/weather")
    choices = Choices(index_url="https://me:geheim@x.org/simple", further=("--token", "geheim"))

    row = Recorded.of(asked, choices)

    assert "geheim" not in repr(row)
    assert row.requirement == "weather @ git+https://x.org/weather"


@pytest.mark.parametrize(
    "text",
    [
        "plugins = [",
        "plugins = 3\n",
        "[plugins]\nweather = 3\n",
        "[plugins.weather]\nrequirment = 'weather'\n",
        "[plugins.weather]\nrequirement = 5\n",
        "[plugins.weather]\nrequirement = 'weather'\neditable = 'no'\n",
        "[plugins.weather]\nrequirement = '--index-url=http://x.org'\n",
    ],
    ids=[
        "no TOML",
        "no table",
        "no table of a plugin",
        "no requirement",
        "a number",
        "no truth value",
        "an option",
    ],
)
def test_a_record_that_cannot_be_read_is_named(record: Record, text: str) -> None:
    path = Path(record.path)
    path.parent.mkdir(parents=True)
    path.write_text(text)

    with pytest.raises(SettingsError, match=r"plugins\.toml cannot be read.*Mend it"):
        record.read()


def test_what_a_later_version_wrote_is_passed_over_and_stays(record: Record) -> None:
    path = Path(record.path)
    path.parent.mkdir(parents=True)
    path.write_text("later = 1\n\n[plugins.weather]\nrequirement = 'weather'\npinned = true\n")

    record.put([POND])

    assert record.read() == {"weather": Recorded("weather", "weather"), "pond": POND}
    assert "pinned = true" in path.read_text()


def test_a_name_is_known_in_any_spelling(record: Record) -> None:
    path = Path(record.path)
    path.parent.mkdir(parents=True)
    path.write_text("[plugins.'My_Weather']\nrequirement = 'weather'\n")

    found = record.read()
    record.remove(["my-weather"])

    assert found == {"my-weather": Recorded("my-weather", "weather")}
    assert record.read() == {}


def test_what_is_recorded_and_not_installed_is_missing(tmp_path: Path) -> None:
    folders = Folders.under(str(tmp_path))
    Record(folders).put([Recorded("pytest", "pytest"), Recorded("nowhere-at-all", "nowhere")])

    assert missing_from(folders) == ["nowhere-at-all"]
