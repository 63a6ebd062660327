"""Time zones are found by the names that people give them."""

from __future__ import annotations

from importlib.resources import files
from zoneinfo import ZoneInfo

import pytest

from agenthost_plugin_datetime.places import CITIES, COUNTRIES, ZONES
from agenthost_plugin_datetime.zones import find_zone
from agenthost_sdk.errors import ToolError


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("Europe/Vienna", "Europe/Vienna"),
        ("europe/vienna", "Europe/Vienna"),
        (" EUROPE/VIENNA ", "Europe/Vienna"),
        ("Tokyo", "Asia/Tokyo"),
        ("tokyo time", "Asia/Tokyo"),
        ("new_york", "America/New_York"),
        ("New York", "America/New_York"),
        ("São Paulo", "America/Sao_Paulo"),
        ("port-au-prince", "America/Port-au-Prince"),
        ("St. Johns", "America/St_Johns"),
        ("Buenos Aires", "America/Argentina/Buenos_Aires"),
        ("Munich", "Europe/Berlin"),
        ("Washington, D.C.", "America/New_York"),
        ("Vienna, Austria", "Europe/Vienna"),
        ("UTC", "UTC"),
        ("utc", "UTC"),
        ("Z", "UTC"),
        ("GMT", "GMT"),
        ("CET", "CET"),
        ("EST", "America/New_York"),
        ("eastern standard time", "America/New_York"),
        ("PST", "America/Los_Angeles"),
        ("Etc/GMT+5", "Etc/GMT+5"),
        ("UTC+2", "UTC+02:00"),
        ("utc-03:30", "UTC-03:30"),
        ("+0530", "UTC+05:30"),
        ("GMT−5", "UTC-05:00"),
        ("Germany", "Europe/Berlin"),
        ("sweden", "Europe/Stockholm"),
        ("India", "Asia/Kolkata"),
        ("UK", "Europe/London"),
        ("South Korea", "Asia/Seoul"),
        ("Côte d'Ivoire", "Africa/Abidjan"),
    ],
)
def test_a_zone_is_found(asked: str, name: str) -> None:
    assert find_zone(asked).name == name


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("Toky", "No time zone named 'Toky'. Did you mean Asia/Tokyo"),
        ("Europe/Viena", "Did you mean Europe/Vienna"),
        ("Atlantis", "Give an IANA name such as Europe/Vienna, a large city, or an offset"),
        ("", "No time zone named ''."),
        ("Paris, Texas", "No time zone named 'Paris, Texas'."),
        ("Vienna, Japan", "No time zone named 'Vienna, Japan'."),
        ("UTC+15", "offsets reach from UTC-12:00 to UTC+14:00"),
        ("../../etc/passwd", "No time zone named"),
    ],
)
def test_an_unknown_zone_is_answered_with_its_nearest_names(asked: str, said: str) -> None:
    with pytest.raises(ToolError) as caught:
        find_zone(asked)

    assert said in str(caught.value)


def test_a_country_of_many_zones_is_answered_with_them() -> None:
    with pytest.raises(ToolError, match=r"USA has \d+ time zones: America/New_York, .* more\."):
        find_zone("USA")


def test_every_iana_name_is_found() -> None:
    names = files("tzdata").joinpath("zones").read_text("utf-8").split()
    otherwise = {"EST", "MST", "HST", "GMT+0", "GMT-0"}

    assert [name for name in names if name not in otherwise and find_zone(name).name != name] == []


def test_every_place_of_our_own_has_a_zone_that_exists() -> None:
    zones = {*ZONES.values(), *CITIES.values()}

    assert all(ZoneInfo(zone).key == zone for zone in zones)
    assert all(len(code) == 2 for code in COUNTRIES.values())
