"""Find the time zone that a name means."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, timedelta, timezone, tzinfo
from functools import cache
from importlib.resources import files
from zoneinfo import ZoneInfo

from agenthost_plugin_datetime.places import CITIES, COUNTRIES, ZONES
from agenthost_sdk.errors import ToolError, nearest, shortened

_OFFSET = re.compile(r"(?:UTC|GMT)?\s*([+-])\s*(\d{1,2})(?::?([0-5]\d))?", re.IGNORECASE)


@dataclass(frozen=True)
class Zone:
    """A time zone and the name that answers bear."""

    name: str
    rules: tzinfo


def find_zone(asked: str) -> Zone:
    """Return the zone that a name means.

    That is an offset (UTC+5:30), an abbreviation (CET), an IANA name in any case, a city, or a
    country that has one zone only, in this order.

    Raises:
        ToolError: Nothing bears the name, or a country of many zones does.
    """
    offset = _OFFSET.fullmatch(asked.strip().replace("−", "-"))
    if offset is not None:
        return _fixed(offset, asked)
    key = _key(_plain(asked)) or _key_of_city_in_country(asked)
    if key is None:
        raise ToolError(_unknown(asked))
    return Zone(key, UTC if key == "UTC" else ZoneInfo(key))


def _fixed(found: re.Match[str], asked: str) -> Zone:
    sign, hours, minutes = found.groups()
    if int(hours) > 14:
        raise ToolError(f"{asked!r} is no offset: offsets reach from UTC-12:00 to UTC+14:00.")
    offset = timedelta(hours=int(hours), minutes=int(minutes or 0))
    name = f"UTC{sign}{int(hours):02}:{minutes or '00'}"
    return Zone(name, timezone(-offset if sign == "-" else offset, name))


def _key(name: str) -> str | None:
    """Return the IANA key for a plain name, or None."""
    tables = _tables()
    name = _without_time(name)
    return (
        ZONES.get(name)
        or tables.keys.get(name)
        or tables.cities.get(name)
        or CITIES.get(name)
        or _only_zone(name)
    )


def _key_of_city_in_country(asked: str) -> str | None:
    """Return the key for "Vienna, Austria", if the city's zone is one of the country's."""
    city, comma, country = asked.rpartition(",")
    code = _tables().countries.get(_plain(country))
    if not comma or code is None:
        return None
    key = _key(_plain(city))
    return key if key in _tables().zones[code] else None


def _only_zone(name: str) -> str | None:
    code = _tables().countries.get(name)
    if code is None:
        return None
    zones = _tables().zones[code]
    main = zones if len(zones) == 1 else _tables().main_zones[code]
    if len(main) != 1:
        shown = name.title() if len(name) > 3 else name.upper()
        raise ToolError(
            f"{shown} has {len(zones)} time zones: {shortened(zones, most=8)}."
            " Name one of them, or a city."
        )
    return main[0]


def _unknown(asked: str) -> str:
    tables = _tables()
    names = {_plain(key): key for key in tables.keys.values()}
    names |= {name: name.title() for name in (*CITIES, *tables.countries)}
    names |= tables.cities
    near = list(dict.fromkeys(names[name] for name in nearest(_plain(asked), names)))
    meant = f" Did you mean {' or '.join(near)}?" if near else ""
    return (
        f"No time zone named {asked!r}.{meant}"
        " Give an IANA name such as Europe/Vienna, a large city, or an offset such as UTC+2."
    )


@dataclass(frozen=True)
class _Tables:
    """The IANA tables by plain names; countries are named by their two letters."""

    keys: dict[str, str]
    cities: dict[str, str]
    countries: dict[str, str]
    zones: dict[str, list[str]]
    main_zones: dict[str, list[str]]


@cache
def _tables() -> _Tables:
    """Read the tables that come with tzdata."""
    keys = files("tzdata").joinpath("zones").read_text("utf-8").split()
    zones, main_zones = defaultdict(list), defaultdict(list)
    for code, _, key, *_ in _rows("zone.tab"):
        zones[code].append(key)
    for codes, _, key, *_ in _rows("zone1970.tab"):
        main_zones[codes[:2]].append(key)
    countries = {_plain(name): code for code, name in _rows("iso3166.tab") if code in zones}
    return _Tables(
        keys={_plain(key): key for key in keys},
        cities=_cities(keys, {key for found in zones.values() for key in found}),
        countries={**countries, **COUNTRIES},
        zones=zones,
        main_zones=main_zones,
    )


def _rows(table: str) -> Iterator[list[str]]:
    text = files("tzdata").joinpath("zoneinfo", table).read_text("utf-8")
    for line in text.splitlines():
        if not line.startswith("#"):
            yield line.split("\t")


def _cities(keys: list[str], current: set[str]) -> dict[str, str]:
    """Return the zones by their city, where one zone only bears it.

    Of several, the one that the tables of countries name is meant: the others are old spellings.
    """
    named: dict[str, list[str]] = defaultdict(list)
    for key in keys:
        region, slash, city = key.rpartition("/")
        if slash and region != "Etc":
            named[_plain(city)].append(key)
    found = {
        city: [key for key in several if key in current] or several
        for city, several in named.items()
    }
    return {city: several[0] for city, several in found.items() if len(several) == 1}


def _plain(name: str) -> str:
    """Return a name without case, accents and signs: "São_Paulo" as "sao paulo"."""
    decomposed = unicodedata.normalize("NFKD", name.casefold().replace(".", ""))
    letters = "".join(sign for sign in decomposed if not unicodedata.combining(sign))
    return " ".join(re.sub(r"[^\w/+-]|_|(?<=[a-z])-(?=[a-z])", " ", letters).split())


def _without_time(name: str) -> str:
    """Return "eastern" for "eastern standard time"."""
    return re.sub(r"(?: (?:standard|daylight|summer))? time\Z", "", name)
