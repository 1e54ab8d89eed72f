"""Time zones by the names of their places."""

from __future__ import annotations

import pytest

from games.selectors.zones import place_of, places, zone_at


@pytest.mark.parametrize(
    ("language", "place", "typed"),
    [
        ("en", "Warsaw (Poland)", "warsaw"),
        ("pl", "Warszawa (Polska)", "warsz"),
        ("ru", "Варшава (Польша)", "варшава"),
        ("ro", "Varșovia (Polonia)", "varsovia"),
        ("zh-hant", "華沙（波蘭）", "波蘭"),
        ("xx", "Warsaw (Poland)", "Poland"),
    ],
)
def test_a_zone_has_the_name_of_its_place(language: str, place: str, typed: str) -> None:
    assert place_of("Europe/Warsaw", language) == place
    for text in (place, typed, "Europe/Warsaw", "Warsaw"):
        assert zone_at(text, language) == "Europe/Warsaw", text


def test_what_is_not_clear_is_no_zone():
    assert zone_at("New", "en") is None
    assert zone_at("Atlantis", "en") is None
    assert zone_at("", "en") is None
    assert zone_at("Łódź", "pl") is None


def test_zones_of_no_country_are_known_by_their_own_names():
    assert zone_at("UTC", "pl") == "UTC"
    assert place_of("UTC", "pl") == "UTC"
    assert zone_at("etc/gmt+5", "pl") == "Etc/GMT+5"


@pytest.mark.parametrize("language", ["en", "pl", "ru", "ro", "zh-hant"])
def test_every_place_stands_for_one_zone(language: str) -> None:
    known = places(language)
    assert len(known) == len(set(known.values())) > 350
    assert all(zone_at(place, language) == zone for zone, place in known.items())
