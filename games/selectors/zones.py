"""Time zones by the names that their places have in a language, as CLDR knows them."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from babel.core import get_global
from babel.dates import get_timezone_location

from games.languages import locale_of
from games.selectors.accounts import time_zones
from games.sentences import beside

NOWHERE = {"001", "ZZ"}


@cache
def places(language: str) -> dict[str, str]:
    """The zones of countries, each by the name of a city beside that of its country.

    Among several names of one zone the first is shown: the others are old.
    """
    locale = locale_of(language)
    aliases, territories = get_global("zone_aliases"), get_global("zone_territories")
    found: dict[str, tuple[str, str]] = {}
    for zone in sorted(time_zones()):
        place = aliases.get(zone, zone)
        territory = territories.get(place, "ZZ")
        country = locale.territories.get(territory)
        if territory not in NOWHERE and country and place not in found:
            city = get_timezone_location(zone, locale=locale, return_city=True)
            found[place] = (zone, city if city == country else beside(city, country, language))
    return dict(sorted(found.values(), key=lambda named: named[1]))


def place_of(zone: str, language: str) -> str:
    """What a zone is called; one that is in no country, or an old one, by its own name."""
    return places(language).get(zone, zone)


def zone_at(text: str, language: str) -> str | None:
    """The zone that somebody means: by its own name, or by a city or country, whole or begun,
    as long as no other zone can be meant."""
    wanted = _plain(text)
    if not wanted:
        return None
    by_place = {_plain(place): zone for zone, place in places(language).items()}
    if wanted in by_place:
        return by_place[wanted]
    begun = {
        zone
        for place, zone in by_place.items()
        if any(name.startswith(wanted) for name in re.split(r" ?[(]", place))
    }
    if begun:
        return begun.pop() if len(begun) == 1 else None
    by_name = {_plain(zone): zone for zone in time_zones()}
    in_english = {zone for name, zone in by_name.items() if name.rpartition("/")[2] == wanted}
    likely = in_english & places(language).keys()
    return by_name.get(wanted) or (likely.pop() if len(likely) == 1 else None)


def _plain(text: str) -> str:
    """Without what hands leave out: accents, capitals, underscores."""
    letters = unicodedata.normalize("NFKD", text.casefold().replace("_", " ").replace("ł", "l"))
    return " ".join("".join(c for c in letters if not unicodedata.combining(c)).split())
