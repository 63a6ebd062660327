"""Places that time zones are not named for: cities and countries, each with its zone."""

from __future__ import annotations

from functools import cache
from zoneinfo import available_timezones

_PLACES = """
America/New_York: boston, philadelphia, washington, washington dc, miami, atlanta, nyc, baltimore,
    orlando, charlotte, cleveland, eastern time, est, edt, florida
America/Chicago: houston, dallas, austin, san antonio, new orleans, minneapolis, st louis,
    kansas city, nashville, memphis, milwaukee, central time, cst, cdt, texas
America/Denver: salt lake city, albuquerque, mountain time, colorado
America/Los_Angeles: san francisco, seattle, san diego, las vegas, portland, san jose, la,
    sacramento, silicon valley, california, pacific time, pst, pdt
America/Toronto: montreal, ottawa, quebec
America/Vancouver: british columbia
America/Edmonton: calgary
America/Sao_Paulo: rio de janeiro, rio, brasilia, brazil
America/Mexico_City: mexico, guadalajara
America/Argentina/Buenos_Aires: argentina
America/Santiago: chile
America/Bogota: colombia
America/Lima: peru
Europe/London: uk, england, britain, great britain, scotland, wales, manchester, birmingham,
    edinburgh, glasgow, liverpool, cardiff, united kingdom
Europe/Dublin: ireland, cork
Europe/Paris: france, lyon, marseille, nice, toulouse, bordeaux
Europe/Berlin: germany, munich, hamburg, frankfurt, cologne, stuttgart, dusseldorf, leipzig, bonn
Europe/Vienna: austria, salzburg, graz, linz, innsbruck
Europe/Zurich: switzerland, geneva, basel, bern
Europe/Madrid: spain, barcelona, valencia, seville
Europe/Rome: italy, milan, naples, florence, venice, turin
Europe/Lisbon: portugal, porto
Europe/Amsterdam: netherlands, the netherlands, holland, rotterdam, the hague
Europe/Brussels: belgium, antwerp
Europe/Warsaw: poland, krakow
Europe/Prague: czech republic, brno
Europe/Budapest: hungary
Europe/Athens: greece
Europe/Stockholm: sweden, gothenburg
Europe/Oslo: norway, bergen
Europe/Copenhagen: denmark
Europe/Helsinki: finland
Europe/Istanbul: turkey, ankara
Europe/Moscow: st petersburg, saint petersburg
Europe/Kyiv: ukraine
Africa/Cairo: egypt, alexandria
Africa/Johannesburg: south africa, cape town, durban, pretoria
Africa/Lagos: nigeria, abuja
Africa/Nairobi: kenya
Africa/Casablanca: morocco, marrakesh
Asia/Dubai: abu dhabi, uae, united arab emirates
Asia/Jerusalem: israel, tel aviv
Asia/Riyadh: saudi arabia
Asia/Kolkata: india, mumbai, delhi, new delhi, bangalore, bengaluru, chennai, hyderabad, kolkata,
    pune, calcutta
Asia/Karachi: pakistan, lahore, islamabad
Asia/Dhaka: bangladesh
Asia/Shanghai: china, beijing, shenzhen, guangzhou
Asia/Hong_Kong: hongkong
Asia/Tokyo: japan, osaka, kyoto
Asia/Seoul: korea, south korea, busan
Asia/Bangkok: thailand
Asia/Ho_Chi_Minh: vietnam, hanoi, saigon
Asia/Manila: philippines
Asia/Jakarta: indonesia
Asia/Singapore: singapore
Australia/Sydney: canberra
Australia/Melbourne: victoria
Pacific/Auckland: new zealand, wellington, christchurch
Pacific/Honolulu: hawaii
UTC: utc, gmt, zulu time, greenwich
"""
_ELSEWHERE = {"Etc", "US", "SystemV", "posix", "right", "Canada", "Brazil", "Mexico", "Chile"}


@cache
def known_zones() -> dict[str, str]:
    """Return the IANA names of time zones by their own name and by places, in lower case."""
    zones = sorted(zone for zone in available_timezones() if _is_place(zone))
    cities = {key(zone.rpartition("/")[2]): zone for zone in reversed(zones)}
    return cities | {key(zone): zone for zone in zones} | _named_places()


def key(text: str) -> str:
    """Return the form in which places are looked up."""
    return text.replace("_", " ").rstrip(".,").lower()


def _is_place(zone: str) -> bool:
    area, _, city = zone.partition("/")
    return bool(city) and area not in _ELSEWHERE


def _named_places() -> dict[str, str]:
    lines = _PLACES.replace("\n    ", " ").strip().splitlines()
    pairs = (line.split(": ") for line in lines)
    return {place.strip(): zone for zone, places in pairs for place in places.split(",")}
