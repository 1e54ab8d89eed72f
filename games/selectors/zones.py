"""Time zones by the names that their places have in a language, as CLDR knows them."""

from __future__ import annotations

from functools import cache

from babel import Locale, UnknownLocaleError
from babel.core import get_global
from babel.dates import get_timezone_location

from games.selectors.accounts import time_zones

NOWHERE = {"001", "ZZ"}


@cache
def zones_by_country(language: str) -> tuple[list[tuple[str, list[tuple[str, str]]]], list[str]]:
    """Countries with their zones, each by the name of a city; and the zones of no country.

    Among several names of one zone the first is shown with its country: the others are old.
    """
    locale = _locale(language)
    aliases, territories = get_global("zone_aliases"), get_global("zone_territories")
    countries: dict[str, dict[str, tuple[str, str]]] = {}
    elsewhere = []
    for zone in sorted(time_zones()):
        place = aliases.get(zone, zone)
        territory = territories.get(place, "ZZ")
        country = locale.territories.get(territory)
        if territory in NOWHERE or not country or place in countries.get(country, {}):
            elsewhere.append(zone)
        else:
            city = get_timezone_location(zone, locale=locale, return_city=True)
            countries.setdefault(country, {})[place] = (zone, city)
    return [
        (country, sorted(places.values(), key=lambda place: place[1]))
        for country, places in sorted(countries.items())
    ], elsewhere


def _locale(language: str) -> Locale:
    try:
        return Locale.parse(language, sep="-")
    except (UnknownLocaleError, ValueError):
        return Locale("en")
