"""Time zones by the names of their places."""

from __future__ import annotations

import pytest

from games.selectors.accounts import time_zones
from games.selectors.zones import zones_by_country


@pytest.mark.parametrize(
    ("language", "country", "city"),
    [
        ("en", "Poland", "Warsaw"),
        ("pl", "Polska", "Warszawa"),
        ("ru", "Польша", "Варшава"),
        ("ro", "Polonia", "Varșovia"),
        ("zh-hant", "波蘭", "華沙"),
        ("xx", "Poland", "Warsaw"),
    ],
)
def test_a_zone_has_the_name_of_its_place(language: str, country: str, city: str) -> None:
    countries, _ = zones_by_country(language)
    assert dict(countries)[country] == [("Europe/Warsaw", city)]


@pytest.mark.parametrize("language", ["en", "pl", "ru", "ro", "zh-hant"])
def test_every_zone_can_be_chosen_once(language: str) -> None:
    countries, elsewhere = zones_by_country(language)
    chosen = [zone for _, zones in countries for zone, _ in zones] + elsewhere
    assert len(chosen) == len(set(chosen))
    assert set(chosen) == time_zones()
    assert len(countries) > 200
